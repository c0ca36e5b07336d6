import type { Awaitable } from "@creditgate/core";
import type { TestRunner } from "../ledger/contract.ts";
import { OutboxBench, type OutboxOnTrial } from "./bench.ts";
import { passing } from "./passing.ts";
import { queue } from "./queue.ts";
import { recovery } from "./recovery.ts";
import { turns } from "./turns.ts";
import { sentReports, unfinished } from "./unfinished.ts";

/**
 * The contract of {@link Outbox}, which every implementation must pass: declares a suite of tests with the runner, each of
 * them on an outbox of its own. `create` must give an empty one. `lasting` says that it outlasts its process, so that it
 * has `recover`, `works`, `reservations` and `sendings`; one that does not has `undelivered`. `works: false`: beside a ledger that
 * lasts, it needs no list of works and reservations.
 */
export function testOutbox(
  name: string,
  trials: {
    readonly create: () => Awaitable<OutboxOnTrial>;
    readonly durable: boolean;
    readonly works?: boolean;
  },
  runner: TestRunner,
): void {
  const { create, durable, works = durable } = trials;
  runner.describe(`the outbox contract: ${name}`, () => {
    const behaviours = {
      ...queue,
      ...(durable ? { ...recovery, ...sentReports, ...turns } : passing),
      ...(works ? unfinished : {}),
    };
    for (const [behaviour, check] of Object.entries(behaviours)) {
      runner.it(behaviour, async () => {
        const trial = await create();
        try {
          await check(new OutboxBench(trial));
        } finally {
          await trial.close?.();
        }
      });
    }
  });
}
