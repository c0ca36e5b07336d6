import { same } from "../ledger/bench.ts";
import { idsOf, manyOfOne, type OutboxBehaviours, type OutboxBench, reportNamed } from "./bench.ts";

/** What every outbox does with the reports that it is given. */
export const queue: OutboxBehaviours = {
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
  ...Object.fromEntries(
    (["customerId", "agentId", "indicator"] as const).map((name) => [
      `lets no report wait for the many of another ${name}`,
      async (bench: OutboxBench) => {
        await bench.appendTogether(manyOfOne(name));
        await bench.expectSoon("other");
        same("all of them", (await bench.next()).split(" ").length, 1_501 - 12);
        await bench.expectNext();
      },
    ]),
  ),
  "hands out in their turns what comes while many wait": async (bench) => {
    await bench.appendTogether(manyOfOne("customerId").slice(0, -1));
    await bench.next(1);
    await bench.append("other");
    await bench.expectSoon("other");
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
  "takes the parked and dead reports back that are asked for, and no others": async (bench) => {
    await bench.append("a", "b", "c", "d", "e");
    same("the first", await bench.next(4), "a b c d");
    for (const id of ["a", "b"]) await bench.park(id);
    await bench.bury("c");
    same("again", idsOf(await bench.outbox.retry(["c", "a", "c", "d", "e", "unknown"])), "c a");
    same("again", idsOf(await bench.outbox.retry(["c"])), "");
    await bench.expectStatus({ queued: 4, parked: 1 });
    same("the others", (await bench.next()).split(" ").sort().join(" "), "a c e");
    await bench.delivered("c");
    await bench.expectStatus({ queued: 3, parked: 1 });
  },
  "is full at its bound, counts what is parked, and takes on what comes": async (bench) => {
    const { maxReports } = bench.trial;
    const ids = Array.from({ length: maxReports }, (_, at) => `r${at}`);
    await bench.append(...ids.slice(1));
    same("full", bench.outbox.full, false);
    await bench.append("r0");
    same("full", bench.outbox.full, true);
    await bench.append("one more");
    await bench.next();
    await bench.park("r0");
    same("full", bench.outbox.full, true);
    await bench.delivered("r2", "one more");
    same("full", bench.outbox.full, false);
  },
  "counts dead reports apart: they do not make it full": async (bench) => {
    const { maxReports } = bench.trial;
    const ids = Array.from({ length: maxReports }, (_, at) => `r${at}`);
    await bench.append(...ids);
    await bench.next();
    for (const id of ids.slice(1)) await bench.bury(id);
    same("full", bench.outbox.full, false);
    same("full of dead", bench.outbox.fullOfDead, false);
    await bench.bury("r0");
    same("full", bench.outbox.full, false);
    same("full of dead", bench.outbox.fullOfDead, true);
    await bench.outbox.retry(["r0"]);
    same("full of dead", bench.outbox.fullOfDead, false);
  },
};
