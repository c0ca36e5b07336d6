import type { NotedReservation, OpenWork } from "@creditgate/core/adapter";
import { same } from "../ledger/bench.ts";
import { idsOf, type OutboxBehaviours, reportNamed } from "./bench.ts";

const work: OpenWork = {
  id: "work",
  customerId: "ada",
  currency: "credits",
  agentId: "chat",
  indicator: "message",
  hold: Number.MAX_SAFE_INTEGER,
};

/** What it knows of work and reservations that had not ended. */
export const unfinished: OutboxBehaviours = {
  "keeps the reservations of a shared store that were begun and not ended, each once": async (bench) => {
    const { reservations } = bench.outbox;
    if (reservations === undefined) throw new Error("a lasting outbox needs `reservations`");
    const reservation = {
      account: '["a"]',
      process: "p1",
      service: "s",
      customerId: "__proto__",
      currency: "'",
    };
    await reservations.begin(reservation);
    await reservations.begin(reservation);
    await reservations.begin({ ...reservation, process: "p2" });
    await reservations.begin({ ...reservation, process: "p3" });
    await reservations.begin({ ...reservation, account: "b", process: "p2" });
    await reservations.end(reservation.account, ["p2", "p3", "p4"]);
    await bench.crash();
    const kept = [reservation, { ...reservation, account: "b", process: "p2" }];
    same(
      "reservations",
      sortedReservations((await bench.recovered()).reservations ?? []),
      sortedReservations(kept),
    );
    await bench.outbox.reservations?.end("b", ["p2"]);
    await bench.crash();
    same(
      "reservations",
      sortedReservations((await bench.recovered()).reservations ?? []),
      sortedReservations([reservation]),
    );
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
  "takes another hold of work that has begun": async (bench) => {
    const [first, second] = [
      { ...work, id: "first" },
      { ...work, id: "second" },
    ];
    for (const one of [first, second]) await bench.outbox.works?.begin(one);
    await bench.outbox.works?.begin({ ...first, hold: work.hold + 5 });
    await bench.outbox.works?.end("second");
    await bench.crash();
    const kept = [{ ...first, hold: work.hold + 5 }];
    same("works", JSON.stringify((await bench.recovered()).works), JSON.stringify(kept));
  },
  "does not count work in flight as reports": async (bench) => {
    await bench.outbox.works?.begin(work);
    await bench.expectStatus({});
    await bench.expectNext();
  },
};

/** What it knows of reports that were being sent. */
export const sentReports: OutboxBehaviours = {
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
};

function sortedReservations(reservations: readonly NotedReservation[]): string {
  const texts = reservations.map(({ account, process, service, customerId, currency }) =>
    JSON.stringify([account, process, service, customerId, currency]),
  );
  return texts.sort().join();
}
