import { printTable } from "../table.ts";
import {
  type HotEffort,
  type HotFigures,
  inOneTurn,
  measureHotWallets,
  pacePerSecond,
} from "./hot-wallet.ts";
import type { RedisServer } from "./redis-server.ts";
import type { StoreServer } from "./store-server.ts";
import { judge } from "./verdict.ts";

const effort: HotEffort = { rounds: 5, operations: 50_000, pacedMs: 2_000 };
const targets = { timesMemory: 1.5, trips: 1, timesLimiter: 20 };

/** What leases add to a decision that memory could make, and what the limiters take for theirs. */
export async function benchmarkHotWallets(redis: RedisServer, stores: readonly StoreServer[]): Promise<void> {
  const all = await measureHotWallets(redis, stores, effort);
  const [memory] = all;
  if (memory === undefined) return;
  const timed = (figures: HotFigures, name: "released" | "settled" | "atOnce") => [
    (figures[name] / 1_000).toFixed(1),
    (figures[name] / memory[name]).toFixed(2),
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
    all.map((figures) => [
      figures.name,
      ...timed(figures, "released"),
      ...timed(figures, "settled"),
      ...timed(figures, "atOnce"),
      figures.trips.toFixed(3),
      figures.pacedTrips.toFixed(2),
    ]),
  );
  console.log(
    `\nOne process; ${inOneTurn} decisions come in one turn of the event loop, each when the one before has ended, or all at once. Released: authorize and release. Settled: authorize, report, settle, and the report delivered to a service that answers in the next turn. A limiter's is its question. Medians of ${effort.rounds} rounds of ${effort.operations}, in turns; of fewer where each is a round trip. Redis writes to no disk. @upstash/ratelimit has a connection to it, where its own client would ask by HTTP.`,
  );
  judgeHotWallets(memory, all);
}

function judgeHotWallets(memory: HotFigures, all: readonly HotFigures[]): void {
  const limiters = all.filter(({ kind }) => kind === "limiter");
  for (const leased of all.filter(({ kind }) => kind === "leases")) {
    const { name, trips } = leased;
    judge({ what: `${name}: round trips per 100 decisions`, figure: trips, target: targets.trips });
    for (const ending of ["released", "settled"] as const) {
      const figure = leased[ending] / memory[ending];
      judge({ what: `${name}, ${ending}: times memory`, figure, target: targets.timesMemory });
      for (const limiter of limiters) {
        judge({
          what: `${name}, ${ending}: times as fast as ${limiter.name}`,
          figure: limiter[ending] / leased[ending],
          target: targets.timesLimiter,
          isAtLeast: true,
        });
      }
    }
  }
}
