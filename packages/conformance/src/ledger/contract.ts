import type { Awaitable } from "@creditgate/core";
import { admission } from "./admission.ts";
import { LedgerBench, type LedgerOnTrial } from "./bench.ts";
import { outstandingWork } from "./outstanding-work.ts";
import { acceptedUsage } from "./reported-usage.ts";
import { shownUnacknowledged, shownUsage } from "./shown-usage.ts";

const behaviours = { ...admission, ...outstandingWork, ...shownUsage, ...acceptedUsage };

/** What differs between ledgers. */
export interface LedgerKind {
  /**
   * Whether it is the part that one process has of a shared store. That takes a fall of the funds for usage that is acknowledged,
   * and for no other. @default false
   */
  readonly isShared?: boolean;
}

/** What the contract needs of a test runner: vitest, jest and node:test have it. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/**
 * The contract of {@link Ledger}, which every implementation must pass: declares a suite of tests with the runner, each
 * of them on a ledger of its own. `create` must give one without accounts.
 */
export function testLedger(
  name: string,
  create: () => Awaitable<LedgerOnTrial>,
  runner: TestRunner,
  { isShared = false }: LedgerKind = {},
): void {
  runner.describe(`the ledger contract: ${name}`, () => {
    for (const [behaviour, check] of Object.entries({
      ...behaviours,
      ...(isShared ? {} : shownUnacknowledged),
    })) {
      runner.it(behaviour, async () => {
        const trial = await create();
        try {
          await check(new LedgerBench(trial, isShared));
        } finally {
          await trial.ledger.close();
          await trial.close?.();
        }
      });
    }
  });
}
