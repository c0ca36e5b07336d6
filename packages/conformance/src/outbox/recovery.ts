import { same } from "../ledger/bench.ts";
import { idsOf, manyOfOne, type OutboxBehaviours, reportNamed } from "./bench.ts";

/** What an outbox that outlasts its process knows of its reports after a crash. */
export const recovery: OutboxBehaviours = {
  "forgets delivered reports before their time on request, and no others": async (bench) => {
    await bench.append("a", "b", "c", "d");
    await bench.next();
    await bench.delivered("a", "b");
    await bench.bury("d");
    await bench.outbox.forget?.(["a", "c", "d", "e"]);
    await bench.crash();
    same("remembered", sorted((await bench.recovered()).reports), "b c d");
  },
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
  "keeps amounts beyond 2^53 as they are": async (bench) => {
    // Work may be given one hold after another, so that their sum leaves the safe integers.
    const large = { ...reportNamed("a"), entry: { id: "a", amount: Number.MAX_SAFE_INTEGER + 5 } };
    await bench.appendTogether([large]);
    await bench.crash();
    const { reports } = await bench.recovered();
    same("recovered", JSON.stringify(reports.map(({ entry }) => entry)), JSON.stringify([large.entry]));
    same("the queue", JSON.stringify(await bench.outbox.next(10)), JSON.stringify([large]));
  },
  "hands out what it has recovered, without another release": async (bench) => {
    await bench.outbox.append([reportNamed("a")]);
    await bench.recovered();
    await bench.expectNext("a");
  },
  "remembers what was delivered for the given time, after a crash anew": async (bench) => {
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
    const reports = ["earlier", "reported", "parked", "waiting"].map((id) => ({
      ...reportNamed(id),
      entry: shared,
    }));
    const [earlier, reported, parked] = reports;
    if (earlier === undefined || reported === undefined || parked === undefined)
      throw new Error("three reports are missing");
    await bench.appendTogether(reports);
    await bench.append("another");
    await bench.next(3);
    await bench.outbox.park(parked, "reset");
    await bench.outbox.delivered([earlier], 1_000, []);
    const own = { id: "of its own", amount: 3 };
    await bench.outbox.delivered([{ ...reported, entry: own }], 1_000, [{ ...shared, amount: 7 }]);
    await bench.crash();
    const { reports: found } = await bench.recovered();
    const entries = Object.fromEntries(found.map(({ id, entry }) => [id, `${entry.id}: ${entry.amount}`]));
    const expected = {
      earlier: "waiting: 7",
      reported: "of its own: 3",
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
  "lets no report wait for the many of another after a crash": async (bench) => {
    await bench.outbox.append(manyOfOne("agentId"));
    await bench.crash();
    await bench.recovered();
    await bench.expectSoon("other");
    same("all of them", (await bench.next()).split(" ").length, 1_501 - 12);
  },
  "keeps the order of new reports after a crash": async (bench) => {
    await bench.append("a", "b");
    await bench.crash();
    await bench.append("c");
    await bench.expectNext("a", "b", "c");
  },
};

function sorted(reports: readonly { readonly id: string }[]): string {
  return reports
    .map(({ id }) => id)
    .sort()
    .join(" ");
}
