import { printTable } from "../table.ts";
import {
  type HotContender,
  type HotEffort,
  type HotFigures,
  hotContenders,
  inOneTurn,
  measureHotWallets,
  pacePerSecond,
} from "./hot-wallet.ts";
import { limiters } from "./limiters.ts";
import { withMembers } from "./start-members.ts";
import type { StoreServer } from "./store-server.ts";
import { judge } from "./verdict.ts";

const effort: HotEffort = { rounds: 5, decisions: 200_000, pacedMs: 1_000 };
const targets = { timesMemory: 1.5, trips: 1, timesLimiter: 20 };

type Row = HotContender & HotFigures;

/** What leases add to a decision that memory could make, and what the limiters take for theirs. */
export async function benchmarkHotWallets(stores: readonly StoreServer[]): Promise<void> {
  const contenders = await hotContenders(stores);
  const figures = await withMembers(
    contenders.map(({ task }) => task),
    (members) => measureHotWallets(contenders, members, effort),
  );
  const rows = contenders.flatMap((contender, index): Row[] => {
    const own = figures[index];
    return own === undefined ? [] : [{ ...contender, ...own }];
  });
  const [memory] = rows;
  if (memory === undefined) return;
  const timed = (row: Row, name: "released" | "settled" | "atOnce") => [
    row[name].toFixed(1),
    (row[name] / memory[name]).toFixed(2),
  ];
  printTable(
    [
      "a decision on a hot wallet",
      "us, released",
      "x memory",
      "us, settled",
      "x memory",
      `us, ${inOneTurn} at once`,
      "x memory",
      "trips per 100",
      `at ${pacePerSecond}/s`,
    ],
    rows.map((row) => [
      row.name,
      ...timed(row, "released"),
      ...timed(row, "settled"),
      ...timed(row, "atOnce"),
      row.trips.toFixed(3),
      row.pacedTrips.toFixed(2),
    ]),
  );
  console.log(
    `\nEach in a process of its own, in turns. Released: authorize and release. Settled: authorize, report, settle, and the report delivered to a service that answers in the next turn of the event loop. A limiter's decision is its question: it bills nothing, and is held against work that is released. ${inOneTurn} come in one turn, each when the one before has ended, or all at once. Medians of ${effort.rounds} rounds of ${effort.decisions}; of fewer where each is a round trip. Redis writes to no disk. @upstash/ratelimit has a connection to it, where its own client would ask by HTTP.`,
  );
  judgeHotWallets(memory, rows);
}

function judgeHotWallets(memory: Row, rows: readonly Row[]): void {
  const limited = rows.filter(({ name }) => name in limiters);
  for (const leased of rows.filter(({ task }) => task.by === "leases")) {
    const { name, trips } = leased;
    judge({ what: `${name}: round trips per 100 decisions`, figure: trips, target: targets.trips });
    for (const ending of ["released", "settled"] as const) {
      const figure = leased[ending] / memory[ending];
      judge({ what: `${name}, ${ending}: times memory`, figure, target: targets.timesMemory });
    }
    // A limiter bills nothing.
    for (const limiter of limited) {
      judge({
        what: `${name}, released: times as fast as ${limiter.name}`,
        figure: limiter.released / leased.released,
        target: targets.timesLimiter,
        isAtLeast: true,
      });
    }
  }
}
