import { setTimeout } from "node:timers/promises";
import { medianOf } from "../comparison.ts";
import { printTable } from "../table.ts";
import type { Member } from "./member.ts";
import { withMembers } from "./start-members.ts";
import type { StoreServer } from "./store-server.ts";
import { judge } from "./verdict.ts";

const processes = 8;
const trials = 5;
const targetMs = 2_000;
const fleet = "stranded";

/** What lay in the reservations of a fleet when its traffic had stopped. */
interface Stranded {
  /** Credits when the last work had ended. */
  readonly credits: number;
  /** How long it took until there were none. */
  readonly ms: number;
}

/** How soon a wallet is whole again whose processes are not asked any more. */
export async function benchmarkStranded(stores: readonly StoreServer[]): Promise<void> {
  const all = new Map<string, readonly Stranded[]>();
  for (const server of stores) {
    const task = { address: await server.open(fleet) };
    const found = await withMembers(Array(processes).fill(task), async (members) => {
      const strandeds: Stranded[] = [];
      for (let trial = 0; trial < trials; trial++) {
        strandeds.push(await measureStranded(members, server, `stranded-${trial}`));
      }
      return strandeds;
    });
    all.set(server.kind, found);
  }
  printTable(
    [
      "credits in reservations after traffic has stopped",
      "credits, median",
      "ms until 0, median",
      "ms, most",
    ],
    [...all].map(([kind, found]) => [
      kind,
      medianOf(found.map(({ credits }) => credits)).toFixed(0),
      medianOf(found.map(({ ms }) => ms)).toFixed(0),
      mostOf(found).toFixed(0),
    ]),
  );
  console.log(`\n${processes} processes that have served one wallet for a second, ${trials} times.`);
  for (const [kind, found] of all) {
    judge({ what: `none are left on ${kind} after`, figure: mostOf(found), target: targetMs, unit: " ms" });
  }
}

/** All members serve one wallet, and stop. */
export async function measureStranded(
  members: readonly Member[],
  server: StoreServer,
  name: string,
): Promise<Stranded> {
  const load = { decisions: 3_200, inOneTurn: 32, together: true, everyMs: 10 };
  await Promise.all(
    members.map((member) => member.order({ do: "serve", load, wallets: 1, name, ending: "settled" })),
  );
  const stopped = performance.now();
  const credits = await creditsIn(server);
  let left = credits;
  while (left > 0) {
    if (performance.now() - stopped > 60_000) throw new Error(`${left} credits are not given back`);
    await setTimeout(20);
    left = await creditsIn(server);
  }
  return { credits, ms: performance.now() - stopped };
}

async function creditsIn(server: StoreServer): Promise<number> {
  const reservations = await server.reservations(fleet);
  return reservations.reduce((sum, { credits }) => sum + credits, 0);
}

function mostOf(found: readonly Stranded[]): number {
  return Math.max(...found.map(({ ms }) => ms));
}
