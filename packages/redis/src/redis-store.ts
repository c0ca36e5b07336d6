import { checkInteger, invalidOption } from "@creditgate/core/adapter";
import { parseResponse, type SharedStore } from "@creditgate/fleet";
import { Connection, checkEviction, checkOptions } from "./connection.ts";
import { RedisError } from "./connection-trouble.ts";
import { beginEpochs, commonKey, Epochs, tags } from "./epochs.ts";
import { exchangeScript } from "./exchange-script.ts";
import type { RedisClient } from "./redis-client.ts";

/** Options of {@link createRedisStore}. */
export interface RedisStoreOptions {
  /** A connected client of ioredis, node-redis or @upstash/redis. It stays the caller's: close it after the gate. */
  readonly redis: RedisClient;
  /** Processes that share wallets have the same; letters, digits, `-`, `_`, `.`. @default "default" */
  readonly name?: string;
  /** An answer that takes longer has failed, and the sync is said again; milliseconds, 1 to 60_000. @default 2_000 */
  readonly timeoutMs?: number;
  /** Takes a line that an operator should read, once. @default `console` */
  readonly logger?: { error(message: string): void };
}

const optionNames: Readonly<Record<keyof RedisStoreOptions, true>> = {
  redis: true,
  name: true,
  timeoutMs: true,
  logger: true,
};

/** What a store is, beside what its options say: for tests. */
interface StoreTrial {
  readonly shiftMs?: () => number;
  readonly now?: () => number;
}

/** A setting of the server that was changed may evict keys from then on. */
const recheckMs = 60_000;

/**
 * A store that the ledgers of many processes share. Throws `invalid_option`. A server that may forget what it holds is refused
 * with a `RedisError`: at the first sync, and looked at again each minute and after a failure.
 */
export function createRedisStore(
  options: RedisStoreOptions,
  { shiftMs = () => 0, ...trial }: StoreTrial = {},
): SharedStore {
  checkOptions("createRedisStore", options, optionNames);
  const { redis, timeoutMs = 2_000, logger = console } = options;
  const name = checkStoreName(options.name);
  checkInteger("timeoutMs", timeoutMs, 1, 60_000);
  let isAdvised = false;
  let isLogged = false;
  const log = (error: RedisError) => {
    if (!isLogged) logger.error(`creditgate: ${error.message}`);
    isLogged = true;
    return error;
  };
  const connection = new Connection({
    redis,
    timeoutMs,
    recheckMs,
    ...trial,
    check(facts) {
      checkEviction(facts);
      if (facts.replicas === 0 || facts.minReplicas || isAdvised) return;
      isAdvised = true;
      logger.error(
        "creditgate: this Redis has replicas, and takes writes that none of them has: a failover then costs up to what was granted meanwhile. CONFIG SET min-replicas-to-write 1, and in redis.conf",
      );
    },
  });
  const epochs = new Epochs(() => beginEpochs((...script) => connection.run(...script), name, shiftMs()));
  return {
    // Later than it rejects by itself: the server is looked at before the step.
    timeoutMs: 3 * timeoutMs,
    async exchange(account, request) {
      const keys = accountKeys(name, account);
      // Lua takes the null of JSON for a value.
      const text = JSON.stringify(request, (_, value: unknown) => (value === null ? undefined : value));
      const answer = await connection.run(exchangeScript, keys, [text, String(shiftMs()), account]);
      if (isRefused(answer)) throw log(withoutInfo());
      const parsed = parseResponse(answer);
      // An answer in a quarantine grants nothing, so it can wait.
      await epochs.observe(parsed, request.terms.leaseMs);
      return parsed;
    },
  };
}

function isRefused(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "refused" in answer;
}

function withoutInfo(): RedisError {
  return new RedisError(
    "unsafe_server",
    "INFO: expected a user that may run it, as those of the other processes may, received one that may not, and would not notice a restart of Redis: ACL SETUSER <name> +info",
  );
}

export function checkStoreName(name: unknown = "default"): string {
  if (typeof name === "string" && /^[\w.-]{1,100}$/.test(name)) return name;
  return invalidOption("name", "1 to 100 letters, digits, -, _ and .", name);
}

/** All keys of an account are in one slot of a cluster. */
export function accountKeys(name: string, account: string): string[] {
  const tag = tagOf(account);
  return [
    commonKey(name, tag),
    ...["a", "r", "x", "b"].map((part) => `${name}:{cg${tag}}:${part}:${account}`),
    inUseKey(name, tag),
  ];
}

/** The accounts of this tag that have reservations: for operators. */
export function inUseKey(name: string, tag: number): string {
  return `${name}:{cg${tag}}:o`;
}

/** FNV-1a. */
function tagOf(account: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < account.length; index++) {
    hash = Math.imul(hash ^ account.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % tags;
}
