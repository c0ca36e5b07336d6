import { setTimeout } from "node:timers/promises";
import type { Member } from "./member.ts";
import { type RedisServer, scriptsRun } from "./redis-server.ts";
import { withMembers } from "./start-members.ts";
import { redisStores } from "./store-server.ts";
import { judge } from "./verdict.ts";

const processes = 8;
const wallets = 1_000;
const seconds = 16;
/**
 * By then unused credits have been returned, a lease has passed, and the store has received that nothing remains.
 * What follows is as long as the interval between two heartbeats of an outbox.
 */
const restsAfter = 6;
const target = 50;

/** What wallets cost Redis that are not used any more. */
export async function benchmarkIdle(redis: RedisServer): Promise<void> {
  const task = { address: await redisStores(redis).open("idle"), survives: true };
  const trips = await withMembers(Array(processes).fill(task), (members) =>
    measureIdle(members, redis, { wallets, seconds }),
  );
  console.log(
    `${processes} processes with a shared store and outboxes have served ${wallets} wallets each, and nothing comes any more. Round trips to Redis in each second since:\n${trips.join(" ")}`,
  );
  const rest = trips.slice(restsAfter);
  const figure = rest.reduce((sum, count) => sum + count, 0) / rest.length;
  judge({ what: `round trips a second after ${restsAfter} s`, figure, target });
}

/** Every member serves each of the wallets once. Then nothing comes: the round trips in each second. */
export async function measureIdle(
  members: readonly Member[],
  redis: RedisServer,
  span: { readonly wallets: number; readonly seconds: number },
): Promise<readonly number[]> {
  const load = { decisions: span.wallets, inOneTurn: 50, together: true };
  await Promise.all(
    members.map((member) =>
      member.order({ do: "serve", load, wallets: span.wallets, name: "idle", ending: "settled" }),
    ),
  );
  const trips: number[] = [];
  const start = performance.now();
  let before = await scriptsRun(redis.redis);
  for (let second = 1; second <= span.seconds; second++) {
    await setTimeout(start + 1_000 * second - performance.now());
    const now = await scriptsRun(redis.redis);
    trips.push(now - before);
    before = now;
  }
  return trips;
}
