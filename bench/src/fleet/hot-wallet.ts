import { type Contender, compare, type Effort, operationsOf } from "../comparison.ts";
import { byLimiter, type Decider, type Ending, inFleet, inMemory } from "./deciders.ts";
import { createFlexibleLimiter, createUpstashLimiter } from "./limiters.ts";
import { carry } from "./load.ts";
import type { RedisServer } from "./redis-server.ts";
import type { StoreServer } from "./store-server.ts";

/** So many decisions come in one turn of the event loop. */
export const inOneTurn = 32;
/** Decisions a second, of a process that could make more. */
export const pacePerSecond = 1_000;

/** What one way to decide takes; nanoseconds for each decision. */
export interface HotFigures extends Pick<Decider, "kind" | "name"> {
  /** Of work that is released, each decision when the one before has ended. */
  readonly released: number;
  /** The same of work that is reported, settled and delivered. */
  readonly settled: number;
  /** All that come in one turn together. */
  readonly atOnce: number;
  /** Round trips for 100 decisions: as fast as they can be made, one by one, and at {@link pacePerSecond}. */
  readonly trips: number;
  readonly pacedTrips: number;
}

/** How long to measure. */
export interface HotEffort extends Effort {
  readonly pacedMs: number;
}

/** How decisions come and end. */
interface Mode {
  readonly ending: Ending;
  readonly together: boolean;
}

const modes = {
  released: { ending: "released", together: false },
  settled: { ending: "settled", together: false },
  atOnce: { ending: "settled", together: true },
} as const;

/** The ledger in memory first, then leases on each store, the same without leases, and the limiters. */
export async function measureHotWallets(
  redis: RedisServer,
  stores: readonly StoreServer[],
  effort: HotEffort,
): Promise<readonly HotFigures[]> {
  const addresses = await Promise.all(stores.map((store) => store.open("hot")));
  const deciders = [
    inMemory(),
    ...addresses.map((address) => inFleet(address, true)),
    ...addresses.map((address) => inFleet(address, false)),
    byLimiter(redis, createFlexibleLimiter),
    byLimiter(redis, createUpstashLimiter),
  ];
  const time = async (mode: Mode) =>
    (
      await compare(
        deciders.map((decider) => contender(decider, mode)),
        effort,
      )
    ).map(({ median }) => median);
  try {
    const released = await time(modes.released);
    const settled = await time(modes.settled);
    const atOnce = await time(modes.atOnce);
    const figures: HotFigures[] = [];
    for (const [index, decider] of deciders.entries()) {
      figures.push({
        kind: decider.kind,
        name: decider.name,
        released: released[index] ?? Number.NaN,
        settled: settled[index] ?? Number.NaN,
        atOnce: atOnce[index] ?? Number.NaN,
        trips: await tripsOf(decider, effort),
        pacedTrips: await pacedTripsOf(decider, effort),
      });
    }
    return figures;
  } finally {
    for (const decider of deciders) await decider.close();
  }
}

/** The part of a round that is left where each decision is a round trip. */
const shares = { memory: 1, leases: 1, "no leases": 0.02, limiter: 0.1 };

function contender({ kind, name, decide, finish }: Decider, { ending, together }: Mode): Contender {
  const run = async (decisions: number) => {
    await carry({ decisions, inOneTurn, together }, () => decide(ending));
    await finish();
  };
  return {
    name,
    share: shares[kind],
    async prepare(operations) {
      // While others were timed the wallet has cooled down.
      await run(Math.ceil(operations / 10));
      return () => run(operations);
    },
  };
}

async function tripsOf(decider: Decider, effort: Effort): Promise<number> {
  const hot = contender(decider, modes.settled);
  const decisions = operationsOf(hot, effort);
  const run = await hot.prepare(decisions);
  return countTrips(decider, decisions, run);
}

async function pacedTripsOf(decider: Decider, { pacedMs }: HotEffort): Promise<number> {
  const everyMs = 10;
  const inEach = (pacePerSecond * everyMs) / 1_000;
  const decisions = (inEach * pacedMs) / everyMs;
  const load = { decisions, inOneTurn: inEach, together: true, everyMs };
  return countTrips(decider, decisions, () => carry(load, () => decider.decide("settled")));
}

/** For 100 decisions. */
async function countTrips(decider: Decider, decisions: number, run: () => Promise<void>): Promise<number> {
  const before = await decider.trips();
  await run();
  return (100 * ((await decider.trips()) - before)) / decisions;
}
