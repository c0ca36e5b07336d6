import { setTimeout } from "node:timers/promises";
import type { Member } from "./member.ts";
import type { RedisServer } from "./redis-server.ts";
import { withMembers } from "./start-members.ts";
import { redisStores } from "./store-server.ts";
import { judge } from "./verdict.ts";

const processes = 8;
const wallets = 1_000;
const seconds = 12;
/** By then what is not used has gone back, a lease has passed, and the store has heard that nothing is left. */
const restsAfter = 6;
const target = 50;

/** What wallets cost Redis that are not used any more. */
export async function benchmarkIdle(redis: RedisServer): Promise<void> {
  const task = { address: await redisStores(redis).open("idle") };
  const words = await withMembers(processes, task, (members) =>
    measureIdle(members, redis, { wallets, seconds }),
  );
  console.log(
    `${processes} processes have served ${wallets} wallets each, and nothing comes any more. Words to Redis in each second since:\n${words.join(" ")}`,
  );
  const rest = words.slice(restsAfter);
  const figure = rest.reduce((sum, count) => sum + count, 0) / rest.length;
  judge({ what: `words a second after ${restsAfter} s`, figure, target });
}

/** Every member serves each of the wallets once. Then nothing comes: the words in each second. */
export async function measureIdle(
  members: readonly Member[],
  redis: RedisServer,
  span: { readonly wallets: number; readonly seconds: number },
): Promise<readonly number[]> {
  const load = { decisions: span.wallets, inOneTurn: 50, together: true };
  await Promise.all(
    members.map((member) =>
      member.order({ do: "serve", load, wallets: span.wallets, name: "idle", ends: "settled" }),
    ),
  );
  const words: number[] = [];
  const start = performance.now();
  let before = await redis.scripts();
  for (let second = 1; second <= span.seconds; second++) {
    await setTimeout(start + 1_000 * second - performance.now());
    const now = await redis.scripts();
    words.push(now - before);
    before = now;
  }
  return words;
}
