import { describe, expect, it, vi } from "vitest";
import { broken, tryAdapter } from "./contract-trial.ts";
import type { AdapterMutant } from "./mutant.ts";
import { webAdapter } from "./web-adapter.ts";

type Picks = (line: string) => boolean;

/** `npm run test:mutants` tries each mutant on the whole contract; the short form, on the lines that it breaks. */
const everyLine = process.env.CREDITGATE_EVERY_LINE !== undefined;

/** Declares a test for each mutant: that it breaks the lines that the table says, and keeps all others. */
export function judge(mutants: readonly AdapterMutant[]): void {
  // That a request succeeded without a report is what some lines are about.
  vi.spyOn(console, "warn").mockImplementation(() => {});

  describe("the contract catches an adapter that", () => {
    for (const { name, start, breaks, never } of mutants) {
      it(name, { timeout: 120_000 }, async () => {
        const isDue: Picks = (line) => breaks.includes(line);
        const hasty = never ? { patienceMs: await enoughMs(isDue), atOnce: true } : {};
        const due = await tryAdapter(start, { picks: isDue, ...hasty });
        expect(broken(due).sort()).toEqual([...breaks].sort());
        if (!everyLine) return;
        // Patiently: they fail for a fault alone, however busy the machine.
        const others = await tryAdapter(start, { picks: (line) => !isDue(line) });
        expect([...others].filter(([, error]) => error !== undefined)).toEqual([]);
      });
    }
  });
}

/** More than the lines take where nothing is wrong, on this machine as busy as it is now. */
async function enoughMs(picks: Picks): Promise<number> {
  const start = performance.now();
  await tryAdapter(webAdapter(), { picks, atOnce: true });
  return 50 + 2 * (performance.now() - start);
}
