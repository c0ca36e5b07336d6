import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CoreLoader, createCoreLoader } from "../../simulation/mutants/mutated-core.ts";
import { adapters } from "./adapters.ts";
import { brokenLines, playedCell } from "./contract-trial.ts";
import type { EndingMutant } from "./ending-mutants.ts";
import type { AdapterMutant, TriedAdapter } from "./mutant.ts";
import { nodeAdapter } from "./node-adapter.ts";
import { webAdapter } from "./web-adapter.ts";

const serves = "serves a customer who can pay, and bills what the handler reported";

/** Declares a test for each mutant: that it breaks its lines, and serves all the same, unless that is its mistake. */
export function judge(mutants: readonly AdapterMutant[]): void {
  // That a request succeeded without a report is what some lines are about.
  vi.spyOn(console, "warn").mockImplementation(() => {});

  describe("the contract catches an adapter that", () => {
    for (const mutant of mutants) {
      it(mutant.name, { timeout: 120_000 }, async () => {
        expect(await brokenOf(mutant)).toEqual([...mutant.breaks].sort());
        if (mutant.breaks.includes(serves)) return;
        expect(await brokenLines(mutant.adapter, { picks: (line) => line === serves })).toEqual([]);
      });
    }
  });
}

/**
 * Which of its lines a mutant breaks. Most of what they wait for never comes: the patience is enough when a right adapter,
 * on trial at the same time, keeps them with it, however busy the machine.
 */
async function brokenOf({ adapter, breaks }: AdapterMutant): Promise<string[]> {
  const right = adapter.onNode ? nodeAdapter() : webAdapter();
  for (let patienceMs = 125; ; patienceMs *= 2) {
    const terms = { picks: (line: string) => breaks.includes(line), patienceMs };
    const [wrongly, rightly] = await Promise.all([brokenLines(right, terms), brokenLines(adapter, terms)]);
    if (wrongly.length === 0) return rightly;
  }
}

/** Declares a test for each mutant: that the assertion of its cell catches it. */
export function judgeEndings(mutants: readonly EndingMutant[]): void {
  describe("the table of endings catches a core where", () => {
    let loader: CoreLoader<{ readonly adapters: typeof adapters }>;
    beforeAll(async () => {
      loader = await createCoreLoader("/quality/e2e/adapter-mutants/adapters.ts");
    });
    afterAll(() => loader.close());

    for (const mutant of mutants) {
      it(mutant.name, { timeout: 120_000 }, async () => {
        const mutated = await loader.load([mutant.patch]);
        const { adapter, cell, says } = mutant;
        const said = await complaint(adapters[adapter], mutated.adapters[adapter], mutant);
        expect(said).toContain(`${cell.request}, ${cell.ending}: ${says}`);
      });
    }
  });
}

/** What the cell says of the mutant, with as much patience as a right adapter needs at the same time. */
async function complaint(
  right: TriedAdapter,
  mutated: TriedAdapter,
  { cell, patienceMs = 500 }: EndingMutant,
): Promise<string> {
  for (let patience = patienceMs; ; patience *= 2) {
    const play = (adapter: TriedAdapter) => playedCell(adapter, cell, patience);
    const [rightly, wrongly] = await Promise.all([play(right), play(mutated)]);
    if (/did not come within \d+ ms$/.test(rightly)) continue;
    expect(rightly).toMatch(/^1 at once, .*, billed (default,)?m\b/);
    return wrongly;
  }
}
