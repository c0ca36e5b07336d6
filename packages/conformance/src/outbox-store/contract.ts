import type { Awaitable } from "@creditgate/core";
import type { TestRunner } from "../ledger/contract.ts";
import { outboxStoreBehaviours } from "./behaviours.ts";
import { liveAtRandom } from "./random-lives.ts";
import type { OutboxStoreOnTrial } from "./trial.ts";
import { TwinStores } from "./twin-stores.ts";

/** How the contract tries an outbox store. */
export interface OutboxStoreTrials {
  /** An empty store for one test. */
  readonly create: () => Awaitable<OutboxStoreOnTrial>;
  /** How many schedules of random processes there are. @default 3 */
  readonly seeds?: number;
}

/**
 * The contract of {@link OutboxStore}, which every implementation must pass: declares a suite of tests with the runner. Each answer of
 * the store is held against the one in memory.
 */
export function testOutboxStore(
  name: string,
  { create, seeds = 3 }: OutboxStoreTrials,
  runner: TestRunner,
): void {
  const run = async (check: (stores: TwinStores) => Promise<void>) => {
    const trial = await create();
    try {
      await check(new TwinStores(trial));
    } finally {
      await trial.close?.();
    }
  };
  runner.describe(`the contract of outbox stores: ${name}`, () => {
    for (const [behaviour, check] of Object.entries(outboxStoreBehaviours)) {
      runner.it(behaviour, () => run(check));
    }
    for (let seed = 1; seed <= seeds; seed++) {
      runner.it(`answers random processes as the store in memory does: seed ${seed}`, () =>
        run((stores) => liveAtRandom(stores, seed)),
      );
    }
  });
}
