import { describe, expect, it } from "vitest";
import type { FleetFaults, FleetScenario } from "../src/fleet/fleet-scenario.ts";
import { type FleetResult, simulateFleet } from "../src/fleet/fleet-simulation.ts";

/** More than most mutants take; `npm run test:schedules` has more, `npm run simulate -- --fleet` 100,000. */
const schedules = Number(process.env.CREDITGATE_SCHEDULES ?? "100");

async function simulateMany(count: number, scenario: Partial<FleetScenario> = {}): Promise<FleetResult[]> {
  const results: FleetResult[] = [];
  for (let seed = 1; seed <= count; seed++) results.push(await simulateFleet({ seed, scenario }));
  return results;
}

/** The commands that replay the failures. */
function replays(results: readonly FleetResult[]): readonly string[] {
  return results
    .filter(({ violation }) => violation !== undefined)
    .map(({ seed, violation }) => `npm run simulate -- --fleet --seed ${seed}    # ${violation}`);
}

const none: FleetFaults = {
  kills: 0,
  pauses: 0,
  sleeps: 0,
  cuts: 0,
  outages: 0,
  areLong: false,
  isLossy: false,
  aheadMs: 0,
  loss: undefined,
};

describe("simulateFleet", () => {
  it(`finds no broken promise in ${schedules} schedules of four processes`, {
    timeout: 1_200_000,
  }, async () => {
    const results = await simulateMany(schedules);
    expect(replays(results)).toEqual([]);
    const total = (count: (result: FleetResult) => number) =>
      results.reduce((sum, result) => sum + count(result), 0);
    // Schedules in which nothing is let in, or nothing denied, would prove nothing.
    expect(total(({ admitted }) => admitted)).toBeGreaterThan(30 * schedules);
    expect(total(({ denied }) => denied)).toBeGreaterThan(30 * schedules);
  });

  it("overspends nothing where all assumptions hold: the bound is 0", { timeout: 240_000 }, async () => {
    const held = { durable: [true, true, true, true] };
    for (const faults of [
      none,
      { ...none, kills: 3, pauses: 2, cuts: 1, isLossy: true, areLong: true },
    ] satisfies FleetFaults[]) {
      const results = await simulateMany(schedules / 5, { ...held, faults });
      expect(replays(results)).toEqual([]);
      expect(results.map(({ overspent, bound }) => overspent + bound).filter((sum) => sum > 0)).toEqual([]);
    }
  });

  it("replays a seed: the same verdicts each time, also with a macrotask between two instants", async () => {
    const drain = () => new Promise<void>((resolve) => setImmediate(resolve));
    for (let seed = 1; seed <= 5; seed++) {
      const first = await simulateFleet({ seed });
      expect(await simulateFleet({ seed })).toEqual(first);
      expect(await simulateFleet({ seed, drain })).toEqual(first);
    }
  });

  it("writes down what happens when it is asked to", async () => {
    const { trace } = await simulateFleet({ seed: 1, trace: true });
    expect(trace.length).toBeGreaterThan(100);
    expect((await simulateFleet({ seed: 1 })).trace).toEqual([]);
  });
});
