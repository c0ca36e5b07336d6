import type { OpenWork } from "../../delivery/outbox.ts";
import type { Awaitable } from "../../wallet/ledger.ts";
import { same } from "../ledger/bench.ts";
import type { TestRunner } from "../ledger/contract.ts";
import { idsOf, OutboxBench, type OutboxOnTrial, reportNamed } from "./bench.ts";

/**
 * The contract of {@link Outbox}, which every implementation must pass: declares a suite of tests with the runner, each of
 * them on an outbox of its own. `create` must give an empty one. `lasting` says that it outlasts its process, so that it
 * has `recover`, `works` and `sendings`; one that does not has `undelivered`.
 */
export function testOutbox(
  name: string,
  { create, lasting }: { readonly create: () => Awaitable<OutboxOnTrial>; readonly lasting: boolean },
  runner: TestRunner,
): void {
  runner.describe(`the outbox contract: ${name}`, () => {
    for (const [behaviour, check] of Object.entries({
      ...behaviours,
      ...(lasting ? lastingBehaviours : passingBehaviours),
    })) {
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

type Behaviours = Readonly<Record<string, (bench: OutboxBench) => Promise<void>>>;

const behaviours: Behaviours = {
  "gives back what it took, in that order": async (bench) => {
    await bench.append("a", "b", "c");
    const found = await bench.outbox.next(2, () => true);
    const expected = [reportNamed("a"), reportNamed("b")];
    same("the reports", JSON.stringify(found), JSON.stringify(expected));
    await bench.expectStatus({ queued: 3 });
  },
  "takes what comes at once, all of it": async (bench) => {
    const ids = Array.from({ length: 200 }, (_, at) => `r${at}`);
    await Promise.all(ids.map((id) => bench.outbox.append([reportNamed(id), reportNamed(`${id}'`)])));
    const found = await bench.outbox.next(1_000, () => true);
    same("different reports", new Set(found.map(({ id }) => id)).size, 400);
    await bench.expectStatus({ queued: 400 });
  },
  "keeps one of two reports with one id": async (bench) => {
    await bench.append("a", "a");
    await bench.outbox.append([reportNamed("a"), reportNamed("b")]);
    await bench.expectQueue("a", "b");
    await bench.outbox.park("a", "reset");
    await bench.append("a");
    await bench.expectStatus({ queued: 1, parked: 1 });
  },
  "finds those that are eligible, wherever they stand": async (bench) => {
    const ids = Array.from({ length: 2_500 }, (_, at) => `r${at}`);
    await bench.outbox.append(ids.map(reportNamed));
    const found = await bench.outbox.next(2, (id) => id === "r1" || id === "r2400");
    same("the reports", idsOf(found), "r1 r2400");
    same("more", idsOf(await bench.outbox.next(2, () => false)), "");
  },
  "forgets what was delivered, and hears it twice": async (bench) => {
    await bench.append("a", "b");
    await bench.outbox.delivered("a", 0);
    await bench.outbox.delivered("a", 0);
    await bench.outbox.delivered("unknown", 0);
    await bench.expectQueue("b");
    await bench.expectStatus({ queued: 1 });
  },
  "puts what is requeued behind the others": async (bench) => {
    await bench.append("a", "b", "c");
    await bench.outbox.requeue("a");
    await bench.expectQueue("b", "c", "a");
    await bench.append("d");
    await bench.outbox.requeue("unknown");
    await bench.expectQueue("b", "c", "a", "d");
  },
  "puts what is requeued behind thousands": async (bench) => {
    await bench.outbox.append(Array.from({ length: 2_500 }, (_, at) => reportNamed(`r${at}`)));
    same("the first", await bench.queue(1), "r0");
    await bench.outbox.requeue("r0");
    for (let at = 1; at < 2_500; at++) await bench.outbox.delivered(`r${at}`, 0);
    await bench.expectQueue("r0");
  },
  "sets parked and dead reports aside": async (bench) => {
    await bench.append("a", "b", "c");
    await bench.outbox.park("a", "time-out");
    await bench.outbox.bury("b", "422");
    await bench.expectQueue("c");
    await bench.expectStatus({ queued: 1, parked: 1, dead: 1 });
    await bench.outbox.requeue("b");
    await bench.expectQueue("c");
  },
  "takes parked reports back, dead ones not": async (bench) => {
    await bench.append("a", "b", "c", "d");
    await bench.queue();
    for (const id of ["c", "a"]) await bench.outbox.park(id, "reset");
    await bench.outbox.bury("b", "422");
    await bench.outbox.unpark();
    await bench.outbox.unpark();
    same("the first", await bench.queue(1), "d");
    same("the queue", (await bench.queue()).split(" ").sort().join(" "), "a c d");
    await bench.expectStatus({ queued: 3, dead: 1 });
    await bench.append("e");
    same("the last", (await bench.queue()).split(" ").at(-1), "e");
  },
  "is full at its bound, counts what is set aside, and takes on what comes": async (bench) => {
    const { maxReports } = bench.trial;
    const ids = Array.from({ length: maxReports }, (_, at) => `r${at}`);
    await bench.append(...ids.slice(1));
    same("full", bench.outbox.full, false);
    await bench.append("r0");
    same("full", bench.outbox.full, true);
    await bench.append("one more");
    await bench.outbox.park("r0", "reset");
    await bench.outbox.bury("r1", "422");
    same("full", bench.outbox.full, true);
    await bench.outbox.delivered("r2", 1_000);
    await bench.outbox.delivered("one more", 1_000);
    same("full", bench.outbox.full, false);
  },
};

const passingBehaviours: Behaviours = {
  "gives what the end of the process loses: what is queued, parked or dead": async (bench) => {
    await bench.append("a", "b", "c", "d");
    await bench.outbox.park("a", "reset");
    await bench.outbox.bury("b", "422");
    await bench.outbox.delivered("c", 1_000);
    const left = (await bench.outbox.undelivered?.()) ?? [];
    const byId = [...left].sort((one, other) => (one.id < other.id ? -1 : 1));
    same("undelivered", JSON.stringify(byId), JSON.stringify(["a", "b", "d"].map(reportNamed)));
  },
};

const work: OpenWork = {
  id: "work",
  customerId: "ada",
  currency: "credits",
  agentId: "chat",
  indicator: "message",
  hold: Number.MAX_SAFE_INTEGER,
};

const lastingBehaviours: Behaviours = {
  "survives a crash with everything, where it was": async (bench) => {
    await bench.append("a", "b", "c", "d");
    await bench.outbox.park("a", "reset");
    await bench.outbox.bury("b", "422");
    await bench.crash();
    await bench.expectStatus({ queued: 2, parked: 1, dead: 1 });
    await bench.expectQueue("c", "d");
    const { reports, works } = await bench.recovered();
    same(
      "recovered",
      [...reports]
        .map(({ id }) => id)
        .sort()
        .join(" "),
      "a b c d",
    );
    same(
      "delivered",
      reports.some(({ delivered }) => delivered),
      false,
    );
    same("works", works.length, 0);
    const { customerId, currency, entry } = reportNamed("c");
    const found = reports.find(({ id }) => id === "c");
    same("customer", found?.customerId, customerId);
    same("currency", found?.currency, currency);
    same("entry", JSON.stringify(found?.entry), JSON.stringify(entry));
  },
  "remembers what was delivered as long as it is told, after a crash anew": async (bench) => {
    await bench.append("a", "b");
    await bench.outbox.delivered("a", 1_000);
    await bench.crash();
    await bench.expectStatus({ queued: 1 });
    await bench.trial.advance?.(100_000);
    const { reports } = await bench.recovered();
    same("recovered", reports.map(({ id, delivered }) => `${id} ${delivered}`).join(", "), "a true, b false");
    await bench.trial.advance?.(999);
    await bench.outbox.delivered("b", 1_000);
    await bench.crash();
    same("remembered", idsOf((await bench.recovered()).reports), "a b");
    await bench.trial.advance?.(1_000);
    await bench.append("c");
    await bench.outbox.delivered("c", 1_000);
    await bench.crash();
    same("remembered", idsOf((await bench.recovered()).reports), "c");
  },
  "keeps the order of new reports after a crash": async (bench) => {
    await bench.append("a", "b");
    await bench.crash();
    await bench.append("c");
    await bench.expectQueue("a", "b", "c");
  },
  "keeps work in flight until it is billed or ended": async (bench) => {
    const ids = ["billed", "ended", "open"];
    for (const id of ids) await bench.outbox.works?.begin({ ...work, id });
    await bench.outbox.append([reportNamed("a")], "billed");
    await bench.outbox.works?.end("ended");
    await bench.crash();
    const { works, reports } = await bench.recovered();
    same("works", JSON.stringify(works), JSON.stringify([{ ...work, id: "open" }]));
    same("reports", idsOf(reports), "a");
    await bench.crash();
    same("works", idsOf((await bench.recovered()).works), "open");
  },
  "remembers what was being sent, and keeps it queued": async (bench) => {
    await bench.append("a", "b", "c");
    await bench.sending("a", "c");
    await bench.sending("c", "unknown");
    for (let crash = 0; crash < 2; crash++) {
      await bench.crash();
      const { sent = [] } = await bench.recovered();
      same("sent", JSON.stringify(sent), JSON.stringify([reportNamed("a"), reportNamed("c")]));
      await bench.expectQueue("a", "b", "c");
    }
  },
  "knows what was answered for being sent no more": async (bench) => {
    await bench.append("a", "b", "c", "d", "e");
    await bench.sending("a", "b", "c", "d", "e");
    await bench.outbox.requeue("a");
    await bench.outbox.park("b", "reset");
    await bench.outbox.unpark();
    await bench.outbox.bury("c", "422");
    await bench.outbox.delivered("d", 1_000);
    await bench.crash();
    same("sent", idsOf((await bench.recovered()).sent ?? []), "e");
    await bench.outbox.requeue("e");
    await bench.crash();
    same("sent", idsOf((await bench.recovered()).sent ?? []), "");
  },
  "remembers which service honours keys, the last that did": async (bench) => {
    same("before", (await bench.recovered()).keysHonouredBy, undefined);
    await bench.outbox.sendings?.keysHonoured("one");
    await bench.outbox.sendings?.keysHonoured("another");
    await bench.crash();
    same("after", (await bench.recovered()).keysHonouredBy, "another");
  },
  "does not count work in flight as reports": async (bench) => {
    await bench.outbox.works?.begin(work);
    await bench.expectStatus({});
    await bench.expectQueue();
  },
};
