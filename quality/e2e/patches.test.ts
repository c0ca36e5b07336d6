import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  budgetMutants,
  editMutants,
  fleetBudgetMutants,
  forgettingMutants,
  pauseMutants,
} from "../simulation/mutants/budget-mutants.ts";
import { processMutants, stepMutants } from "../simulation/mutants/fleet-mutants.ts";
import { mutate } from "../simulation/mutants/mutant.ts";
import { mutants } from "../simulation/mutants/table.ts";
import { endingMutants } from "./adapter-mutants/ending-mutants.ts";

const all = [
  ...mutants,
  ...stepMutants,
  ...processMutants,
  ...budgetMutants,
  ...editMutants,
  ...forgettingMutants,
  ...fleetBudgetMutants,
  ...pauseMutants,
  ...endingMutants.map(({ name, patch }) => ({ name, patches: [patch] })),
];

// That each is caught takes minutes; that a change of a source has left one behind shows here at once.
it.each(all)("the sources hold what this mutant changes: $name", ({ patches }) => {
  const texts = new Map<string, string>();
  for (const patch of patches) {
    const text =
      texts.get(patch.file) ?? readFileSync(new URL(`../../packages/${patch.file}`, import.meta.url), "utf8");
    // A later patch may change what an earlier one has written.
    texts.set(patch.file, mutate(text, patch));
  }
});

it("there are mutants of every kind", () => {
  expect(all.length).toBeGreaterThan(150);
});
