import type { Awaitable } from "@creditgate/core";
import type { NotedReservation, OpenWork } from "@creditgate/core/adapter";
import { createRandom, type Random } from "@creditgate/core/testing";
import { same } from "../ledger/bench.ts";
import type { TestRunner } from "../ledger/contract.ts";
import { type OutboxBehaviours, OutboxBench, type OutboxOnTrial, reportNamed } from "./bench.ts";
import { queue } from "./queue.ts";
import { recovery } from "./recovery.ts";
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

const seeds = 8;

/** Calls that do not wait for one another. An outbox that puts them into one step of its store does them in their order all the same. */
const turns: OutboxBehaviours = {
  "keeps the note of a reservation that ends and begins again in one turn": async (bench) => {
    const { reservations } = bench.outbox;
    const reservation = reservationOf("a", "p");
    await reservations?.begin(reservation);
    await Promise.all([
      reservations?.end(reservation.account, [reservation.process]),
      reservations?.begin(reservation),
    ]);
    await bench.crash();
    same("reservations", await stateOf(bench, "reservations"), reservations === undefined ? "" : "a p");
  },
  "keeps the note of a reservation when another one of its process ends in the same turn": async (bench) => {
    const { reservations } = bench.outbox;
    await reservations?.begin(reservationOf("a", "p"));
    await Promise.all([reservations?.end("a", ["p"]), reservations?.begin(reservationOf("b", "p"))]);
    await bench.crash();
    same("reservations", await stateOf(bench, "reservations"), reservations === undefined ? "" : "b p");
  },
  "does in their order, in one turn, what it does one after the other": async (bench) => {
    for (let seed = 1; seed <= seeds; seed++) {
      const script = drawScript(createRandom(seed));
      for (const call of script) await call(bench, `one ${seed}`);
      await bench.crash();
      const expected = await stateOf(bench, `one ${seed}`);
      const random = createRandom(seed);
      for (let next = 0; next < script.length; ) {
        const turn = script.slice(next, next + random.integer(1, 6));
        next += turn.length;
        await Promise.all(turn.map((call) => call(bench, `two ${seed}`)));
      }
      await bench.crash();
      same(`seed ${seed}`, await stateOf(bench, `two ${seed}`), expected);
    }
  },
};

/** A call for items of these names. */
type Call = (bench: OutboxBench, names: string) => Awaitable<unknown>;

function drawScript(random: Random): readonly Call[] {
  const calls: Call[] = [];
  for (let call = 0; call < 24; call++) {
    const [item, other] = [random.integer(0, 1), random.integer(0, 1)];
    const amount = random.integer(1, 9);
    calls.push(random.pick(kinds)(item, other, amount));
  }
  return calls;
}

/** A report by its number; two share an entry. */
function reportOf(names: string, item: number) {
  return { ...reportNamed(`${names} r${item}`), entry: { id: `${names} entry`, amount: 10 } };
}

function workOf(names: string, item: number, hold: number): OpenWork {
  const id = `${names} w${item}`;
  return { id, customerId: "ada", currency: "credits", agentId: "chat", indicator: "message", hold };
}

function reservationOf(account: string, process: string): NotedReservation {
  return { account, process, service: "s", customerId: "ada", currency: "credits" };
}

/** For one of two items, and another of two, such as the work that a report ends. */
type Kind = (item: number, other: number, amount: number) => Call;

const kinds: readonly [Kind, ...Kind[]] = [
  (item) => (bench, names) => bench.appendTogether([reportOf(names, item)]),
  (item, other) => async (bench, names) => {
    const report = reportOf(names, item);
    await bench.outbox.append([report], workOf(names, other, 1).id);
    bench.outbox.release([report]);
  },
  (item, _other, amount) => (bench, names) => {
    const lowered = { id: `${names} entry`, amount };
    return bench.outbox.delivered([{ ...reportOf(names, item), entry: lowered }], 1_000, [lowered]);
  },
  (item) => (bench, names) => bench.outbox.park(reportOf(names, item), "reset"),
  (item) => (bench, names) => bench.outbox.bury(reportOf(names, item), "422"),
  () => (bench) => bench.outbox.unpark(),
  (item) => (bench, names) => bench.outbox.retry([reportOf(names, item).id]),
  (item) => (bench, names) => bench.outbox.forget?.([reportOf(names, item).id]),
  (item) => (bench, names) => bench.outbox.sendings?.begin([reportOf(names, item).id]),
  (item) => (bench, names) => bench.outbox.sendings?.end([reportOf(names, item).id]),
  (item, _other, hold) => (bench, names) => bench.outbox.works?.begin(workOf(names, item, hold)),
  (item) => (bench, names) => bench.outbox.works?.end(workOf(names, item, 1).id),
  (item, other) => (bench, names) =>
    bench.outbox.reservations?.begin(reservationOf(`${names} a${item}`, `${names} p${other}`)),
  (item, other) => (bench, names) =>
    bench.outbox.reservations?.end(`${names} a${item}`, [`${names} p${other}`]),
];

/** What a successor finds of the items of these names, and what it would deliver; for `reservations` all reservations. */
async function stateOf(bench: OutboxBench, names: string): Promise<string> {
  const { reports, works, sent = [], reservations = [] } = await bench.recovered();
  if (names === "reservations")
    return reservations.map(({ account, process }) => `${account} ${process}`).join();
  const lines = [
    ...reports.map(({ id, delivered, entry }) => `${id} ${delivered} ${entry.amount}`),
    ...works.map(({ id, hold }) => `${id} ${hold}`),
    ...sent.map(({ id }) => `${id} sent`),
    ...reservations.map(({ account, process }) => `${account} ${process}`),
    ...(await bench.outbox.next(1_000)).map(({ id }) => `${id} goes out`),
  ];
  const own = lines.filter((line) => line.includes(`${names} `)).map((line) => line.replaceAll(names, "it"));
  return own.sort().join("\n");
}
