import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDifference } from "../../../packages/core/test/ledger-model/property.ts";
import { brokenBehaviours } from "../mutants/broken-behaviours.ts";
import { entryMutants, ledgerMutants } from "../mutants/ledger-mutants.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { type CoreLoader, createCoreLoader } from "../mutants/mutated-core.ts";

/** What needs funds or work that the model does not have: others' spending, amounts beyond the range of exact sums. */
const isBeyondModel = ({ directed }: Mutant) => directed === "the contract of ledgers";

let loader: CoreLoader;

beforeAll(async () => {
  loader = await createCoreLoader();
});

afterAll(() => loader.close());

describe("the ledger as it is", () => {
  it("is passed by the contract and by the model, loaded like the mutants", async () => {
    const core = await loader.load([]);
    expect(await brokenBehaviours(core)).toEqual([]);
    expect(await findDifference(core, { numRuns: 1_000 })).toBeUndefined();
  });
});

describe("a mutant of the ledger is caught by the contract, and by the model if that knows of it:", () => {
  it.each(ledgerMutants)("$name", async (mutant) => {
    const core = await loader.load(mutant.patches);
    expect(await brokenBehaviours(core)).not.toEqual([]);
    if (isBeyondModel(mutant)) return;
    expect(await findDifference(core, { numRuns: 1_000 })).toEqual(expect.any(String));
  });
});

describe("a mutant of the reports' part in the ledger is caught by the model:", () => {
  it.each(entryMutants)("$name", async ({ patches }) => {
    const core = await loader.load(patches);
    expect(await findDifference(core, { numRuns: 1_000 })).toEqual(expect.any(String));
  });
});
