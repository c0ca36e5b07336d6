import { medianOf } from "../comparison.ts";
import type { Ending } from "./decider.ts";
import { type LimiterName, limiters } from "./limiters.ts";
import type { Load } from "./load.ts";
import type { Member, Order } from "./member.ts";
import type { MemberTask } from "./member-task.ts";
import type { StoreServer } from "./store-server.ts";

/** So many decisions come in one turn of the event loop. */
export const inOneTurn = 32;
/** Decisions a second, of a process that could make more. */
export const pacePerSecond = 1_000;

/** One way to decide on a wallet that can pay for all that comes, by what is printed. */
export interface HotContender {
  readonly name: string;
  readonly task: MemberTask;
}

/** What it takes; microseconds for each decision. */
export interface HotFigures {
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
export interface HotEffort {
  readonly rounds: number;
  /** In a round; a part of it where each is a round trip. */
  readonly decisions: number;
  readonly pacedMs: number;
}

/** The ledger in memory, leases on each store, the same without leases, and the limiters on the first store. */
export async function hotContenders(stores: readonly StoreServer[]): Promise<readonly HotContender[]> {
  const addresses = await Promise.all(stores.map((store) => store.open("hot")));
  const [address] = addresses;
  if (address === undefined) return [];
  const inFleet = (by: "leases" | "no leases") =>
    addresses.map((of) => ({ name: `creditgate, a fleet on ${of.kind}: ${by}`, task: { address: of, by } }));
  return [
    { name: "creditgate, one process: memory", task: { address, by: "memory" } },
    ...inFleet("leases"),
    ...inFleet("no leases"),
    ...(Object.keys(limiters) as LimiterName[]).map((by) => ({ name: by, task: { address, by } })),
  ];
}

/** Each contender has a process, and they are timed in turns: whatever disturbs the machine disturbs them all. */
export async function measureHotWallets(
  contenders: readonly HotContender[],
  members: readonly Member[],
  effort: HotEffort,
): Promise<readonly HotFigures[]> {
  const time = (ending: Ending, together: boolean) =>
    timeInTurns(contenders, members, effort, { ending, together });
  const released = await time("released", false);
  const settled = await time("settled", false);
  const atOnce = await time("settled", true);
  const figures: HotFigures[] = [];
  for (const [index, member] of members.entries()) {
    const everyMs = 10;
    const inEach = (pacePerSecond * everyMs) / 1_000;
    const load = {
      decisions: (inEach * effort.pacedMs) / everyMs,
      inOneTurn: inEach,
      together: true,
      everyMs,
    };
    const paced = await member.order(serve(load, "settled"));
    figures.push({
      released: released[index]?.us ?? Number.NaN,
      settled: settled[index]?.us ?? Number.NaN,
      atOnce: atOnce[index]?.us ?? Number.NaN,
      trips: settled[index]?.trips ?? Number.NaN,
      pacedTrips: (100 * paced.trips) / load.decisions,
    });
  }
  return figures;
}

/** The part of a round that is left where each decision is a round trip. */
function shareOf({ by }: MemberTask): number {
  if (by === "memory" || by === "leases") return 1;
  return by === "no leases" ? 0.002 : 0.025;
}

interface Sample {
  readonly us: number;
  /** For 100 decisions. */
  readonly trips: number;
}

/** The medians. The first round warms up. */
async function timeInTurns(
  contenders: readonly HotContender[],
  members: readonly Member[],
  { rounds, decisions }: HotEffort,
  { ending, together }: { readonly ending: Ending; readonly together: boolean },
): Promise<readonly Sample[]> {
  const samples = members.map((): Sample[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, member] of members.entries()) {
      const task = contenders[index]?.task;
      if (task === undefined) continue;
      const count = Math.ceil(shareOf(task) * decisions);
      const load = { decisions: count, inOneTurn, together };
      // While others were timed the wallet has cooled down.
      await member.order(serve({ ...load, decisions: Math.ceil(count / 10) }, ending));
      const { ms, trips } = await member.order(serve(load, ending));
      if (round > 0) samples[index]?.push({ us: (1_000 * ms) / count, trips: (100 * trips) / count });
    }
  }
  return samples.map((each) => ({
    us: medianOf(each.map(({ us }) => us)),
    trips: medianOf(each.map(({ trips }) => trips)),
  }));
}

function serve(load: Load, ending: Ending): Order {
  return { do: "serve", load, wallets: 1, name: "hot", ending };
}
