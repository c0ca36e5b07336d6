import type { OpenWork } from "../../delivery/outbox.ts";
import type { Awaitable } from "../../values/awaitable.ts";
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
  "hands out what it took, as it was, in the order of its release": async (bench) => {
    await bench.append("a", "b", "c");
    const found = await bench.outbox.next(2);
    same("the reports", JSON.stringify(found), JSON.stringify([reportNamed("a"), reportNamed("b")]));
    await bench.expectStatus({ queued: 3 });
    await bench.expectNext("c");
  },
  "hands out nothing before its release": async (bench) => {
    const [first, second] = [reportNamed("a"), reportNamed("b")];
    await bench.outbox.append([first]);
    await bench.outbox.append([second]);
    await bench.expectStatus({ queued: 2 });
    await bench.expectNext();
    bench.outbox.release([second]);
    await bench.expectNext("b");
    bench.outbox.release([first]);
    await bench.expectNext("a");
  },
  "hands out each once, until it is requeued": async (bench) => {
    await bench.append("a", "b");
    await bench.expectNext("a", "b");
    await bench.append("c");
    await bench.expectNext("c");
    await bench.requeue("a", "c");
    await bench.expectNext("a", "c");
    await bench.expectNext();
    await bench.expectStatus({ queued: 3 });
  },
  "takes what comes at once, all of it": async (bench) => {
    const ids = Array.from({ length: 200 }, (_, at) => `r${at}`);
    await Promise.all(ids.map((id) => bench.appendTogether([reportNamed(id), reportNamed(`${id}'`)])));
    same("different reports", new Set((await bench.next()).split(" ")).size, 400);
    await bench.expectNext();
    await bench.expectStatus({ queued: 400 });
  },
  "hands out many at once, and writes down many at once": async (bench) => {
    const ids = Array.from({ length: 2_500 }, (_, at) => `r${at}`);
    const late = reportNamed("late");
    await bench.outbox.append([late]);
    await bench.appendTogether(ids.map(reportNamed));
    same("the first", await bench.next(500), ids.slice(0, 500).join(" "));
    await bench.delivered(...ids.slice(0, 500));
    await bench.expectStatus({ queued: 2_001 });
    bench.outbox.release([late]);
    const others = [...ids.slice(500), "late"];
    same("the others", (await bench.next()).split(" ").sort().join(" "), [...others].sort().join(" "));
    await bench.delivered(...others);
    await bench.expectStatus({});
  },
  "hands out once what is released while it is read": async (bench) => {
    const ids = Array.from({ length: 2_500 }, (_, at) => `r${at}`);
    const last = reportNamed("last");
    await bench.appendTogether(ids.map(reportNamed));
    await bench.outbox.append([last]);
    const reading = bench.outbox.next(1);
    bench.outbox.release([last]);
    same("the first", idsOf(await reading), "r0");
    const rest = (await bench.next()).split(" ").sort();
    same("the others", rest.join(" "), [...ids.slice(1), "last"].sort().join(" "));
  },
  "forgets what was delivered": async (bench) => {
    await bench.append("a", "b");
    await bench.expectNext("a", "b");
    await bench.delivered("a");
    await bench.requeue("b");
    await bench.expectNext("b");
    await bench.expectStatus({ queued: 1 });
  },
  "puts what is requeued behind the others": async (bench) => {
    await bench.append("a", "b", "c");
    same("the first", await bench.next(2), "a b");
    await bench.requeue("b", "a");
    await bench.append("d");
    await bench.expectNext("c", "b", "a", "d");
  },
  "hands out again what is requeued while thousands wait": async (bench) => {
    const ids = Array.from({ length: 2_500 }, (_, at) => `r${at}`);
    await bench.appendTogether(ids.map(reportNamed));
    same("the first", await bench.next(1), "r0");
    await bench.requeue("r0");
    same("the next", await bench.next(1), "r1");
    const rest = (await bench.next()).split(" ");
    same(
      "the others",
      [...rest].sort().join(" "),
      ids
        .filter((id) => id !== "r1")
        .sort()
        .join(" "),
    );
  },
  "sets parked and dead reports aside": async (bench) => {
    await bench.append("a", "b", "c");
    same("the first", await bench.next(2), "a b");
    await bench.park("a");
    await bench.bury("b");
    await bench.expectNext("c");
    await bench.expectStatus({ queued: 1, parked: 1, dead: 1 });
  },
  "takes parked reports back, dead ones not": async (bench) => {
    await bench.append("a", "b", "c", "d");
    same("the first", await bench.next(3), "a b c");
    for (const id of ["c", "a"]) await bench.park(id);
    await bench.bury("b");
    await bench.outbox.unpark();
    await bench.outbox.unpark();
    same("the first", await bench.next(1), "d");
    same("the others", (await bench.next()).split(" ").sort().join(" "), "a c");
    await bench.expectStatus({ queued: 3, dead: 1 });
    await bench.append("e");
    await bench.expectNext("e");
  },
  "is full at its bound, counts what is set aside, and takes on what comes": async (bench) => {
    const { maxReports } = bench.trial;
    const ids = Array.from({ length: maxReports }, (_, at) => `r${at}`);
    await bench.append(...ids.slice(1));
    same("full", bench.outbox.full, false);
    await bench.append("r0");
    same("full", bench.outbox.full, true);
    await bench.append("one more");
    await bench.next();
    await bench.park("r0");
    await bench.bury("r1");
    same("full", bench.outbox.full, true);
    await bench.delivered("r2", "one more");
    same("full", bench.outbox.full, false);
  },
};

const passingBehaviours: Behaviours = {
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

const work: OpenWork = {
  id: "work",
  customerId: "ada",
  currency: "credits",
  agentId: "chat",
  indicator: "message",
  hold: Number.MAX_SAFE_INTEGER,
};

const lastingBehaviours: Behaviours = {
  "keeps one of two reports with one id": async (bench) => {
    await bench.append("a", "a");
    await bench.appendTogether([reportNamed("a"), reportNamed("b")]);
    await bench.expectNext("a", "b");
    await bench.park("a");
    await bench.append("a");
    await bench.expectNext();
    await bench.expectStatus({ queued: 1, parked: 1 });
  },
  "survives a crash with everything: what was handed out waits again, released or not": async (bench) => {
    await bench.append("a", "b", "c", "d");
    await bench.outbox.append([reportNamed("e")]);
    same("the first", await bench.next(3), "a b c");
    await bench.park("a");
    await bench.bury("b");
    await bench.crash();
    await bench.expectStatus({ queued: 3, parked: 1, dead: 1 });
    const { reports, works } = await bench.recovered();
    same("recovered", sorted(reports), "a b c d e");
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
    const next = await bench.outbox.next(10);
    same("the queue", JSON.stringify(next), JSON.stringify(["c", "d", "e"].map(reportNamed)));
  },
  "hands out what it has recovered, without another release": async (bench) => {
    await bench.outbox.append([reportNamed("a")]);
    await bench.recovered();
    await bench.expectNext("a");
  },
  "remembers what was delivered as long as it is told, after a crash anew": async (bench) => {
    await bench.append("a", "b");
    await bench.next(1);
    await bench.delivered("a");
    await bench.crash();
    await bench.expectStatus({ queued: 1 });
    await bench.trial.advance?.(100_000);
    const { reports } = await bench.recovered();
    same("recovered", reports.map(({ id, delivered }) => `${id} ${delivered}`).join(", "), "a true, b false");
    await bench.trial.advance?.(999);
    await bench.expectNext("b");
    await bench.delivered("b");
    await bench.crash();
    same("remembered", idsOf((await bench.recovered()).reports), "a b");
    await bench.trial.advance?.(1_000);
    await bench.append("c");
    await bench.expectNext("c");
    await bench.delivered("c");
    await bench.crash();
    same("remembered", idsOf((await bench.recovered()).reports), "c");
  },
  "remembers many that were delivered in one step": async (bench) => {
    const ids = Array.from({ length: 500 }, (_, at) => `r${at}`);
    await bench.appendTogether(ids.map(reportNamed));
    await bench.next();
    await bench.delivered(...ids.slice(0, 400));
    await bench.crash();
    const { reports } = await bench.recovered();
    same("remembered", reports.filter(({ delivered }) => delivered).length, 400);
    await bench.expectNext(...ids.slice(400));
  },
  "remembers the entries that delivered reports have then, and what the entries they left have lost": async (
    bench,
  ) => {
    const shared = { id: "waiting", amount: 10 };
    const reports = ["earlier", "told", "parked", "waiting"].map((id) => ({
      ...reportNamed(id),
      entry: shared,
    }));
    const [earlier, told, parked] = reports;
    if (earlier === undefined || told === undefined || parked === undefined)
      throw new Error("three reports are missing");
    await bench.appendTogether(reports);
    await bench.append("another");
    await bench.next(3);
    await bench.outbox.park(parked, "reset");
    await bench.outbox.delivered([earlier], 1_000, []);
    const own = { id: "of its own", amount: 3 };
    await bench.outbox.delivered([{ ...told, entry: own }], 1_000, [{ ...shared, amount: 7 }]);
    await bench.crash();
    const { reports: found } = await bench.recovered();
    const entries = Object.fromEntries(found.map(({ id, entry }) => [id, `${entry.id}: ${entry.amount}`]));
    const expected = {
      earlier: "waiting: 7",
      told: "of its own: 3",
      parked: "waiting: 7",
      waiting: "waiting: 7",
    };
    const another = reportNamed("another").entry;
    same(
      "the entries",
      JSON.stringify(entries),
      JSON.stringify({ ...expected, another: `${another.id}: ${another.amount}` }),
    );
    const [waiting] = await bench.outbox.next(1);
    same(
      "the entry of what waits",
      JSON.stringify(waiting?.entry),
      JSON.stringify({ id: "waiting", amount: 7 }),
    );
  },
  "keeps the order of new reports after a crash": async (bench) => {
    await bench.append("a", "b");
    await bench.crash();
    await bench.append("c");
    await bench.expectNext("a", "b", "c");
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
    await bench.expectNext("a", "b", "c");
    await bench.sending("a", "c");
    await bench.sending("c", "unknown");
    for (let crash = 0; crash < 2; crash++) {
      await bench.crash();
      const { sent = [] } = await bench.recovered();
      same("sent", JSON.stringify(sent), JSON.stringify([reportNamed("a"), reportNamed("c")]));
      await bench.expectNext("a", "b", "c");
    }
  },
  "parks what was being sent, before it is handed out": async (bench) => {
    await bench.append("a", "b");
    await bench.sending("a");
    await bench.crash();
    for (const report of (await bench.recovered()).sent ?? []) await bench.outbox.park(report, "crash");
    await bench.expectNext("b");
    await bench.expectStatus({ queued: 1, parked: 1 });
  },
  "knows what was answered for being sent no more": async (bench) => {
    await bench.append("a", "b", "c", "d", "e", "f");
    await bench.next();
    await bench.sending("a", "b", "c", "d", "e", "f");
    await bench.outbox.sendings?.end(["f"]);
    await bench.expectNext();
    await bench.requeue("a");
    await bench.park("b");
    await bench.outbox.unpark();
    await bench.bury("c");
    await bench.delivered("d");
    await bench.crash();
    same("sent", idsOf((await bench.recovered()).sent ?? []), "e");
    await bench.next();
    await bench.requeue("e");
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
    await bench.expectNext();
  },
};

function sorted(reports: readonly { readonly id: string }[]): string {
  return reports
    .map(({ id }) => id)
    .sort()
    .join(" ");
}
