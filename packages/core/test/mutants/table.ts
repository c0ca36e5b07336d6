import { billingMutants } from "./billing-mutants.ts";
import { gateMutants } from "./gate-mutants.ts";
import { ledgerMutants } from "./ledger-mutants.ts";
import type { Mutant } from "./mutant.ts";

/** Every variant of gate.md that looks right and is not, as far as it concerns one process, and some more. */
export const mutants: readonly Mutant[] = [...ledgerMutants, ...gateMutants, ...billingMutants];
