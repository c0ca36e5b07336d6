import type { Awaitable } from "../../values/awaitable.ts";
import { admission } from "./admission.ts";
import { LedgerBench, type LedgerOnTrial } from "./bench.ts";
import { outstandingWork } from "./outstanding-work.ts";
import { shownUsage } from "./shown-usage.ts";
import { toldUsage } from "./told-usage.ts";

const behaviours = { ...admission, ...outstandingWork, ...shownUsage, ...toldUsage };

/** What the contract needs of a test runner: vitest, jest and node:test have it. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/**
 * The contract of {@link Ledger}, which every implementation must pass: declares a suite of tests with the runner, each
 * of them on a ledger of its own. `create` must give one without accounts.
 */
export function testLedger(name: string, create: () => Awaitable<LedgerOnTrial>, runner: TestRunner): void {
  runner.describe(`the ledger contract: ${name}`, () => {
    for (const [behaviour, check] of Object.entries(behaviours)) {
      runner.it(behaviour, async () => {
        const trial = await create();
        try {
          await check(new LedgerBench(trial));
        } finally {
          await trial.ledger.close();
          await trial.close?.();
        }
      });
    }
  });
}
