import { abortMutants } from "./abort-mutants.ts";
import { billingMutants } from "./billing-mutants.ts";
import { extensionMutants } from "./extension-mutants.ts";
import { gateMutants } from "./gate-mutants.ts";
import { entryMutants, ledgerMutants } from "./ledger-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { restartMutants } from "./restart-mutants.ts";

/** Every variant of the rules that we know to look right and not to be, for one process. */
export const mutants: readonly Mutant[] = [
  ...ledgerMutants,
  ...entryMutants,
  ...gateMutants,
  ...billingMutants,
  ...restartMutants,
  ...extensionMutants,
  ...abortMutants,
];
