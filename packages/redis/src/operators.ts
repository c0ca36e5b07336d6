import { invalidOption } from "@creditgate/core/adapter";
import {
  createFleetOperator,
  type FleetOperatorOptions,
  type OutboxOperator,
  type StoredReservation,
} from "@creditgate/fleet/operator";
import { checkEviction } from "./connection.ts";
import { beginEpochs, commonKey, ofAllTags, type RunScript, tags } from "./epochs.ts";
import { type RedisClient, type ScriptRunner, scriptRunner } from "./redis-client.ts";
import { createOutboxStore } from "./redis-outbox.ts";
import { accountKeys, checkStoreName, inUseKey } from "./redis-store.ts";
import { Script } from "./script.ts";
import { readServer } from "./server-check.ts";
import { accountTime, tagEpoch } from "./tag-epoch.ts";

/** A store in Redis, as an operator names it. */
export interface RedisStorePlace {
  /** A connected client. */
  readonly redis: RedisClient;
  /** That of `createRedisStore`. @default "default" */
  readonly name?: string;
}

/** Returns how many of these tags have an epoch; `begin`: if none has, each gets one that began long ago, without a quarantine. */
const initScript = new Script(`${tagEpoch}
local used, run = 0, runOf()
for _, common in ipairs(KEYS) do used = used + redis.call('HEXISTS', common, 'epoch') end
if ARGV[1] == 'begin' and used == 0 then
  for _, common in ipairs(KEYS) do
    redis.call('HSET', common, 'run', run, 'epoch', ARGV[2], 'born', '0', 'now', '0')
  end
end
return int(used)
`);

/**
 * Lets a store that has never been used grant at once, without the quarantine of a new epoch. Call it before the
 * first process starts, and never after a loss of memory: those processes may have credits that the store does not
 * know. Resolves with `false` if the store is in use, and changes nothing then: parts that a node has lost begin with
 * a quarantine. Throws the `RedisError` of a server that the store would refuse.
 */
export async function initRedisStore({ redis, name }: RedisStorePlace): Promise<boolean> {
  const runner = runnerOf(redis);
  const run: RunScript = (script, keys, args) => script.run(runner, keys, args);
  const checked = checkStoreName(name);
  checkEviction(await readServer(runner, commonKey(checked, 0)));
  const epoch = `init:${crypto.randomUUID()}`;
  // A cluster is looked at as a whole before any of its nodes is changed.
  for (const step of ["look", "begin"]) {
    const used = await ofAllTags(run, initScript, checked, [step, epoch]);
    if (used.every((count) => count === 0)) continue;
    await beginEpochs(run, checked, 0);
    return false;
  }
  return true;
}

const accountsScript = new Script(`
local accounts = redis.call('SMEMBERS', KEYS[1])
return #accounts == 0 and '[]' or cjson.encode(accounts)
`);

const nowOf = `${accountTime}
local p = redis.call('HMGET', KEYS[1], 'now', 'clock')
local now = timeAt(p[1], p[2], clockOf(tonumber(ARGV[1])))
`;

const reservationsScript = new Script(`${nowOf}local rows, all = {}, redis.call('HGETALL', KEYS[2])
for i = 1, #all, 2 do
  local amount, free, seq, expiresAt = string.match(all[i + 1], '^(%S+) (%S+) (%S+) (%S+)')
  if amount ~= '0' then
    rows[#rows + 1] = { process = all[i], amount = amount, free = free, silent = tonumber(expiresAt) <= now }
  end
end
return #rows == 0 and '[]' or cjson.encode(rows)
`);

interface ReservationRow {
  readonly process: string;
  readonly amount: string;
  readonly free: string;
  readonly silent: boolean;
}

/** Time of the server, shifted: for tests. */
interface ShiftedTime {
  readonly shiftMs?: () => number;
}

const unshifted = () => 0;

/** All reservations above 0, those of silent processes first. */
export async function listReservations(
  { redis, name }: RedisStorePlace,
  { shiftMs = unshifted }: ShiftedTime = {},
): Promise<readonly StoredReservation[]> {
  const runner = runnerOf(redis);
  const checked = checkStoreName(name);
  const accounts = (await ofEachTag((tag) =>
    accountsScript.run(runner, [inUseKey(checked, tag)], []),
  )) as readonly (readonly string[])[];
  const found: StoredReservation[] = [];
  for (const account of accounts.flat()) {
    const [common = "", , reservations = ""] = accountKeys(checked, account);
    const rows = (await reservationsScript.run(
      runner,
      [common, reservations],
      [String(shiftMs())],
    )) as readonly ReservationRow[];
    for (const { process, amount, free, silent } of rows) {
      found.push({ account, process, credits: Number(amount) / 1e6, unused: Number(free) / 1e6, silent });
    }
  }
  const key = ({ silent, account, process }: StoredReservation) => `${silent ? 0 : 1} ${account} ${process}`;
  return found.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** The reservation is due now: the next step of its account takes it for usage. */
const resolveScript = new Script(`${nowOf}local text = redis.call('HGET', KEYS[2], ARGV[2])
if not text then return 'false' end
local amount, free, seq, expiresAt, goneAt, recalls = string.match(text, '(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)')
if amount == '0' or tonumber(expiresAt) > now then return 'false' end
local due = string.format('%.0f', now)
redis.call('HSET', KEYS[2], ARGV[2], table.concat({ amount, free, seq, expiresAt, due, recalls }, ' '))
redis.call('ZADD', KEYS[3], due, ARGV[2])
return 'true'
`);

/**
 * Frees the reservation of a process that has no successor: it counts as spent from now on, and is free after the
 * settlement lag. If the process lives after all, its next sync registers what it has. Throws `invalid_option` if
 * there is no such reservation, or if its process has sent a sync within a lease.
 */
export async function resolveReservation(
  { redis, name }: RedisStorePlace,
  account: string,
  process: string,
  { shiftMs = unshifted }: ShiftedTime = {},
): Promise<void> {
  const [common = "", , reservations = "", due = ""] = accountKeys(checkStoreName(name), account);
  const done = await resolveScript.run(
    runnerOf(redis),
    [common, reservations, due],
    [String(shiftMs()), process],
  );
  if (done === true) return;
  invalidOption(
    "process",
    "one that has a reservation in this account, and has been silent for a lease",
    process,
  );
}

/** Where the outbox of a fleet is. */
export interface RedisOutboxPlace extends FleetOperatorOptions {
  /** A connected client. */
  readonly redis: RedisClient;
  /** That of `createRedisOutbox`. @default "default" */
  readonly name?: string;
}

/**
 * What operators do with the outboxes of a fleet, while it runs: list what is parked, dead or orphaned, send it again, or say that it
 * has been billed or never is. Throws `invalid_option`.
 */
export function operateRedisOutbox({ redis, name, waitMs, clock }: RedisOutboxPlace): OutboxOperator {
  // To look at what waits needs no server that keeps it.
  const store = createOutboxStore({ redis, name, acceptLoss: true });
  return createFleetOperator(store, {
    ...(waitMs !== undefined && { waitMs }),
    ...(clock !== undefined && { clock }),
  });
}

/** At once: a client sends them together. */
function ofEachTag<T>(ask: (tag: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: tags }, (_, tag) => ask(tag)));
}

function runnerOf(redis: RedisClient): ScriptRunner {
  return (
    scriptRunner(redis) ?? invalidOption("redis", "a client of ioredis, node-redis or @upstash/redis", redis)
  );
}
