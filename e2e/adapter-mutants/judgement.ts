import { describe, expect, it, vi } from "vitest";
import { brokenLines } from "./contract-trial.ts";
import type { AdapterMutant } from "./mutant.ts";
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
