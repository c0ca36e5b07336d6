import { setTimeout } from "node:timers/promises";
import { medianOf } from "../comparison.ts";
import { printTable } from "../table.ts";
import { type Member, walletOf } from "./member.ts";
import { withMembers } from "./start-members.ts";
import type { StoreServer } from "./store-server.ts";
import { judge } from "./verdict.ts";

const count = 50;
const targetMs = 300;
const fleet = "recalls";
/** Credits in each wallet. */
export const recallFunds = 1_000;

/** One process had credits that it did not use, and another one needed them. */
interface Recall {
  /** Credits that lay unused when the other one asked. */
  readonly unused: number;
  /** From when it asked until it had them. */
  readonly ms: number;
}

/** How soon a process has what lies unused in another one. */
export async function benchmarkRecalls(stores: readonly StoreServer[]): Promise<void> {
  const all = new Map<string, readonly Recall[]>();
  for (const server of stores) {
    const task = { address: await server.open(fleet), funds: recallFunds };
    all.set(
      server.kind,
      await withMembers([task, task], (members) => measureRecalls(members, server, count)),
    );
  }
  printTable(
    ["credits that another process does not use", "recalls", "credits, median", "ms, median", "ms, most"],
    [...all].map(([kind, recalls]) => [
      kind,
      String(recalls.length),
      medianOf(recalls.map(({ unused }) => unused)).toFixed(0),
      medianOf(recalls.map(({ ms }) => ms)).toFixed(0),
      mostOf(recalls).toFixed(0),
    ]),
  );
  console.log(
    "\nTwo processes. One has served a wallet and stopped, the other asks for all that is in it: from authorize to its answer.",
  );
  for (const [kind, recalls] of all) {
    judge({ what: `the slowest recall on ${kind}`, figure: mostOf(recalls), target: targetMs, unit: " ms" });
  }
}

/** The members are two, each of whose wallets has {@link recallFunds}. They take turns, and each recall has a wallet of its own. */
export async function measureRecalls(
  members: readonly Member[],
  server: StoreServer,
  wanted: number,
): Promise<readonly Recall[]> {
  const recalls: Recall[] = [];
  for (let turn = 0; recalls.length < wanted; turn++) {
    const [owner, asker] = turn % 2 === 0 ? members : members.toReversed();
    if (owner === undefined || asker === undefined) throw new Error("a recall takes two processes");
    const recall = await recallFrom(owner, asker, server, `recalled-${turn}`);
    // What is given back before it is asked for is no recall.
    if (recall.unused > 0) recalls.push(recall);
    else if (turn > 3 * wanted) throw new Error("processes give back sooner than they can be asked");
  }
  return recalls;
}

async function recallFrom(owner: Member, asker: Member, server: StoreServer, name: string): Promise<Recall> {
  const load = { decisions: 320, inOneTurn: 32, together: true, everyMs: 20 };
  await owner.order({ do: "serve", load, wallets: 1, name, ending: "released" });
  // Anywhere between two syncs of the owner, which come by themselves.
  await setTimeout(150 * Math.random());
  const customerId = walletOf(name);
  const reservations = await server.reservations(fleet);
  const unused = reservations
    .filter(({ account }) => account.includes(`"${customerId}"`))
    .reduce((sum, reservation) => sum + reservation.unused, 0);
  const { ms } = await asker.order({ do: "take", customerId, credits: recallFunds });
  return { unused, ms };
}

function mostOf(recalls: readonly Recall[]): number {
  return Math.max(...recalls.map(({ ms }) => ms));
}
