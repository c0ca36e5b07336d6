import type { Awaitable } from "@creditgate/core";
import { same } from "../ledger/bench.ts";
import type { TestRunner } from "../ledger/contract.ts";
import { type OutboxBehaviours, OutboxBench, type OutboxOnTrial, reportNamed } from "./bench.ts";
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

/** What an outbox does that ends with its process. */
export const passing: OutboxBehaviours = {
  "hands out the objects that it was given": async (bench) => {
    const report = reportNamed("a");
    await bench.appendTogether([report]);
    const [found] = await bench.outbox.next(1);
    same("the same object", found === report, true);
  },
  "gives what the end of the process loses: what waits, is parked or dead": async (bench) => {
    await bench.append("a", "b", "c", "d");
    same("the first", await bench.next(3), "a b c");
    await bench.park("a");
    await bench.bury("b");
    await bench.delivered("c");
    const left = (await bench.outbox.undelivered?.()) ?? [];
    const byId = [...left].sort((one, other) => (one.id < other.id ? -1 : 1));
    same("undelivered", JSON.stringify(byId), JSON.stringify(["a", "b", "d"].map(reportNamed)));
  },
};
