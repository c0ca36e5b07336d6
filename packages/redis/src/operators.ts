import { invalidOption, type SharedStore, type Word } from "@creditgate/core";
import { type RedisClient, scriptRunner } from "./redis-client.ts";
import { accountKeys, checkStoreName, commonKey, createRedisStore, tags } from "./redis-store.ts";
import { Script } from "./script.ts";

/** A store in Redis, as an operator names it. */
export interface RedisStorePlace {
  /** A connected client. */
  readonly redis: RedisClient;
  /** That of `createRedisStore`. @default "default" */
  readonly name?: string;
}

/** Only where there is nothing: an epoch that began long ago has no quarantine. */
const initScript = new Script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 'false' end
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or '-'
redis.call('HSET', KEYS[1], 'run', run, 'epoch', 'init:' .. ARGV[1], 'born', '0', 'now', '0')
return 'true'
`);

/**
 * Lets a store that has never been used grant at once, without the time that a new epoch waits for processes of before. Call it
 * before the first process starts, and never after a loss of memory: those processes may have credits that the store does not
 * know. Resolves with how many of the 256 parts were begun; parts that are in use stay as they are.
 */
export async function initRedisStore({ redis, name }: RedisStorePlace): Promise<number> {
  const runner = runnerOf(redis);
  const checked = checkStoreName(name);
  let begun = 0;
  for (let tag = 0; tag < tags; tag++) {
    const isBegun = await initScript.run(runner, [commonKey(checked, tag)], [crypto.randomUUID()]);
    if (isBegun === true) begun++;
  }
  return begun;
}

/** What one process has of one account. */
export interface StoredBlock {
  /** The id of its ledger. */
  readonly process: string;
  /** Micro-credits. */
  readonly amount: number;
  /** Until when it had to be heard again, by the clock of Redis. A process that lives is rarely behind it. */
  readonly expiresAt: Date;
}

const listScript = new Script(`
local rows, all = {}, redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local amount, expiresAt = string.match(all[i + 1], '^(%S+) %S+ %S+ (%S+)')
  if amount ~= '0' then rows[#rows + 1] = { process = all[i], amount = amount, expiresAt = expiresAt } end
end
return #rows == 0 and '[]' or cjson.encode(rows)
`);

/** The blocks of an account that are above 0. */
export async function listBlocks(
  account: string,
  { redis, name }: RedisStorePlace,
): Promise<readonly StoredBlock[]> {
  const [, , blocks = ""] = accountKeys(checkStoreName(name), account);
  const rows = (await listScript.run(runnerOf(redis), [blocks], [])) as readonly Readonly<
    Record<"process" | "amount" | "expiresAt", string>
  >[];
  return rows.map(({ process, amount, expiresAt }) => ({
    process,
    amount: Number(amount),
    expiresAt: new Date(Number(expiresAt)),
  }));
}

/**
 * Frees the block of a process that is gone for good, and whose outbox is gone with it. `spent` micro-credits of it count as usage
 * for the settlement lag, since they may have been reported; all of it if that is not known. A process that does live
 * is told, and says what it has anew. Resolves with the amount of the block; 0 where there was none.
 */
export async function resolveBlock(
  account: string,
  process: string,
  { lagMs, spent, ...place }: RedisStorePlace & { readonly lagMs: number; readonly spent?: number },
): Promise<number> {
  if (!Number.isSafeInteger(lagMs) || lagMs < 0) invalidOption("lagMs", "a whole number, 0 or more", lagMs);
  const block = (await listBlocks(account, place)).find((one) => one.process === process);
  if (block === undefined) return 0;
  const acked = Math.min(spent ?? block.amount, block.amount);
  if (!Number.isSafeInteger(acked) || acked < 0) invalidOption("spent", "a whole number, 0 or more", spent);
  await say(createRedisStore(place), account, { acked, retire: [process], lagMs });
  return block.amount;
}

/** An operator's word: it holds nothing, and is the only one of its process. */
async function say(
  store: SharedStore,
  account: string,
  { acked, retire, lagMs }: Pick<Word, "acked" | "retire"> & { readonly lagMs: number },
): Promise<void> {
  await store.exchange(account, {
    id: `operator:${crypto.randomUUID()}`,
    seq: 1,
    epoch: null,
    register: false,
    kind: "prepaid",
    base: 0,
    keep: 0,
    claim: 0,
    acked,
    queued: 0,
    first: 0,
    need: 0,
    want: 0,
    abandonMs: null,
    recall: false,
    ...(retire !== undefined && { retire }),
    terms: { leaseMs: 60_000, lagMs, maxStaleMs: 60_000, minRefreshMs: 0, requestMs: 0, tickMs: 100 },
  });
}

function runnerOf(redis: RedisClient) {
  return (
    scriptRunner(redis) ?? invalidOption("redis", "a client of ioredis, node-redis or @upstash/redis", redis)
  );
}
