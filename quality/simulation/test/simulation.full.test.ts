import { describe, expect, it } from "vitest";
import { type SimulationResult, simulate } from "../src/simulation.ts";

/** Twice as many as the rarest mutant takes; `npm run test:schedules` has more, `npm run simulate` 100,000. */
const schedules = Number(process.env.CREDITGATE_SCHEDULES ?? "400");
const some = schedules / 10;

async function simulateMany(count: number): Promise<SimulationResult[]> {
  const results: SimulationResult[] = [];
  for (let seed = 1; seed <= count; seed++) results.push(await simulate({ seed }));
  return results;
}

/** The commands that replay the failures. */
function replays(results: readonly SimulationResult[]): readonly string[] {
  return results
    .filter(({ violation }) => violation !== undefined)
    .map(({ seed, violation }) => `npm run simulate -- --seed ${seed}    # ${violation}`);
}

describe("simulate", () => {
  it(`finds no broken promise in ${schedules} schedules`, { timeout: 1_200_000 }, async () => {
    const results = await simulateMany(schedules);
    expect(replays(results)).toEqual([]);
    const total = (count: (result: SimulationResult) => number) =>
      results.reduce((sum, result) => sum + count(result), 0);
    // Schedules in which nothing is let in, or nothing denied, would prove nothing.
    expect(total(({ admitted }) => admitted)).toBeGreaterThan(10 * schedules);
    expect(total(({ requests, admitted }) => requests - admitted)).toBeGreaterThan(10 * schedules);
    expect(total(({ reports }) => reports)).toBeGreaterThan(10 * schedules);
    expect(total(({ restarts }) => restarts)).toBeGreaterThan(schedules / 10);
    for (const kind of ["balance", "report", "batch"] as const) {
      const told = total(({ sent }) => sent[kind].told);
      expect(told).toBeGreaterThan(schedules);
      expect(total(({ sent }) => sent[kind].all) - told).toBeGreaterThan(schedules / 20);
    }
  });

  it("replays a seed: the same trace each time", async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const first = await simulate({ seed, trace: true });
      const second = await simulate({ seed, trace: true });
      expect(second).toEqual(first);
      expect(first.trace.length).toBeGreaterThan(10);
    }
  });

  it("draws another schedule for another seed, also beyond 32 bits", async () => {
    const seeds = [1, 2, 2 ** 32 + 1, 2 ** 40 + 1];
    const traces = await Promise.all(
      seeds.map(async (seed) => (await simulate({ seed, trace: true })).trace),
    );
    expect(new Set(traces.map((trace) => trace.join("\n"))).size).toBe(seeds.length);
  });

  it("lets every promise run between two instants: a macrotask in between changes nothing", async () => {
    const drain = () => new Promise<void>((resolve) => setImmediate(resolve));
    for (let seed = 1; seed <= some; seed++) {
      const { trace } = await simulate({ seed, trace: true, drain });
      expect(trace).toEqual((await simulate({ seed, trace: true })).trace);
    }
  });

  it("writes no trace unless asked to", async () => {
    expect((await simulate({ seed: 1 })).trace).toEqual([]);
  });

  it("does not hide what late reports overspend: no more than they cost, which is the bound", async () => {
    const results = await simulateMany(200);
    expect(results.filter(({ overspentLate }) => overspentLate > 0).length).toBeGreaterThan(0);
  });

  it("keeps its promises with each kind of outbox while processes often end, by a crash or closed", async () => {
    const violations: (string | undefined)[] = [];
    for (let seed = 1; seed <= some; seed++) {
      for (const durable of [true, false]) {
        violations.push((await simulate({ seed, scenario: { restartRate: 0.2, durable } })).violation);
      }
    }
    expect(violations.filter((violation) => violation !== undefined)).toEqual([]);
  });

  it("tells what was broken: a gate that is told half of the lag overspends", async () => {
    const results = await Promise.all(
      [1, 3, 6, 16, 23, 24, 30, 40, 50, 60].map((seed) => simulate({ seed, lagFactor: 0.5 })),
    );
    expect(results.map(({ violation }) => violation)).toContainEqual(expect.stringMatching(/^overspend: /));
  });
});
