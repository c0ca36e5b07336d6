import type { Clock, Ledger } from "@creditgate/core";
import { createManualClock, testLedger } from "@creditgate/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDifference } from "../../packages/core/test/ledger-model/property.ts";
import { ledgerMutants } from "../mutants/ledger-mutants.ts";
import { type CoreLoader, createCoreLoader } from "../mutants/mutated-core.ts";

let loader: CoreLoader;

beforeAll(async () => {
  loader = await createCoreLoader();
});

afterAll(() => loader.close());

/** The behaviours of the contract that a ledger does not show. */
async function brokenBehaviours(createLedger: (clock: Clock) => Ledger): Promise<readonly string[]> {
  const broken: string[] = [];
  const tests: Promise<unknown>[] = [];
  const create = () => {
    const clock = createManualClock();
    return { ledger: createLedger(clock), advance: clock.advance };
  };
  testLedger("mutant", create, {
    describe: (_name, body) => body(),
    it: (name, body) => tests.push(body().catch(() => broken.push(name))),
  });
  await Promise.all(tests);
  return broken;
}

describe("a mutant of the ledger is caught by the model and by the contract:", () => {
  it.each(ledgerMutants)("$name", { timeout: 60_000 }, async ({ patches }) => {
    const { createMemoryLedger } = await loader.load(patches);
    expect(await findDifference(createMemoryLedger, { numRuns: 1_000 })).toEqual(expect.any(String));
    expect(await brokenBehaviours(createMemoryLedger)).not.toEqual([]);
  });
});
