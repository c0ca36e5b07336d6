import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  budgetMutants,
  editMutants,
  expiryMutants,
  fewBudgets,
  fleetBudgetMutants,
  forgettingMutants,
  pauseMutants,
} from "../mutants/budget-mutants.ts";
import { search } from "../mutants/mutant.ts";
import { type CoreLoader, createCoreLoader } from "../mutants/mutated-core.ts";
import { simulateBudgets } from "../src/budgets/budget-simulation.ts";

const schedules = Number(process.env.CREDITGATE_SCHEDULES ?? "60");
/** A schedule of a fleet takes ten times as long. */
const fleets = Math.ceil(schedules / 3);
const most = 2000;

describe("budgets", () => {
  it(`are never overspent, nor the wallet, in ${schedules} schedules`, { timeout: 1_200_000 }, async () => {
    let admitted = 0;
    let exceeded = 0;
    let restarts = 0;
    let paused = 0;
    let resumed = 0;
    for (let seed = 1; seed <= schedules; seed++) {
      const result = await simulateBudgets({ seed });
      expect(result).toMatchObject({ violation: undefined });
      admitted += result.admitted;
      paused += result.paused;
      resumed += result.resumed;
      exceeded += result.denied.budget_exceeded ?? 0;
      restarts += result.restarts;
    }
    // Schedules in which nothing is let in, or nothing denied, would prove nothing.
    expect(admitted).toBeGreaterThan(10 * schedules);
    expect(exceeded).toBeGreaterThan(10 * schedules);
    expect(restarts).toBeGreaterThan(schedules / 2);
    expect(paused).toBeGreaterThan(schedules);
    expect(resumed).toBeGreaterThan(schedules);
  });

  it("hold in one process beside a replica that knows none", { timeout: 1_200_000 }, async () => {
    for (let seed = 1; seed <= schedules / 3; seed++)
      expect(await simulateBudgets({ seed, oldReplica: true, restarts: false, skewMs: 0 })).toMatchObject({
        violation: undefined,
      });
  });

  it(`are never overspent by processes on a shared store, in ${fleets} schedules, and are free in the end to the last credit`, {
    timeout: 1_200_000,
  }, async () => {
    let admitted = 0;
    let exceeded = 0;
    for (let seed = 1; seed <= fleets; seed++) {
      const result = await simulateBudgets({ seed, processes: 3 });
      expect(result).toMatchObject({ violation: undefined });
      admitted += result.admitted;
      exceeded += result.denied.budget_exceeded ?? 0;
    }
    expect(admitted).toBeGreaterThan(5 * fleets);
    expect(exceeded).toBeGreaterThan(5 * fleets);
  });

  it(`hold in a fleet over resets and short periods, in ${fleets} schedules`, {
    timeout: 1_200_000,
  }, async () => {
    for (let seed = 1; seed <= fleets; seed++)
      expect(await simulateBudgets({ seed, processes: 3, resets: true })).toMatchObject({
        violation: undefined,
      });
  });

  it("replay a seed", async () => {
    for (const processes of [1, 3])
      expect(await simulateBudgets({ seed: 3, processes })).toEqual(
        await simulateBudgets({ seed: 3, processes }),
      );
  });
});

describe("a mistake with budgets is caught:", () => {
  let loader: CoreLoader;
  beforeAll(async () => {
    loader = await createCoreLoader();
  });
  const table: string[] = [];
  afterAll(async () => {
    await loader.close();
    console.info(`mistakes with budgets, and how many random schedules catch each\n${table.join("\n")}`);
  });

  it("no mistake is: budgets are forgotten and read again where memory has room for some of them", {
    timeout: 1_200_000,
  }, async () => {
    const core = await loader.load(fewBudgets);
    let refused = 0;
    for (let seed = 1; seed <= schedules / 3; seed++) {
      const result = await core.simulateBudgets({ seed });
      expect(result).toMatchObject({ violation: undefined });
      refused += result.denied.over_capacity ?? 0;
    }
    expect(refused).toBeGreaterThan(0);
  });

  it.each([
    ...budgetMutants,
    ...editMutants,
    ...forgettingMutants,
    ...pauseMutants,
    ...expiryMutants,
    ...fleetBudgetMutants,
  ])("$name", { timeout: 300_000 }, async ({ name, patches, options, seed }) => {
    const core = await loader.load(patches);
    const play = (at: number) => core.simulateBudgets({ seed: at, ...options });
    const { caught, played } = await search(play, { seed, most });
    table.push(`${name.padEnd(84)} ${caught} of ${played}`);
    expect(caught).toBeGreaterThan(0);
  });
});
