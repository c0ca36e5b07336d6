import { checkInteger, invalidOption } from "@creditgate/core/adapter";
import {
  createFleetOutbox,
  type FleetOutbox,
  type FleetOutboxOptions,
  fleetOutboxOptionNames,
  type ListedRow,
  type OutboxHeartbeat,
  type OutboxHeartbeatResult,
  type OutboxStep,
  type OutboxStore,
  type OutboxWritten,
  type RowRequest,
  type StoredRow,
} from "@creditgate/fleet";
import { Connection, checkEviction, checkOptions } from "./connection.ts";
import { RedisError } from "./connection-trouble.ts";
import {
  heartbeatScript,
  listScript,
  readScript,
  requestScript,
  takeRequestsScript,
  writeScript,
} from "./outbox-scripts.ts";
import type { RedisClient } from "./redis-client.ts";
import type { Script } from "./script.ts";

/** Options of {@link createRedisOutbox}. */
export interface RedisOutboxOptions extends FleetOutboxOptions {
  /** A connected client of ioredis, node-redis or @upstash/redis. It stays the caller's: close it after the outbox. */
  readonly redis: RedisClient;
  /** Processes with the same name take over each other's remainder; letters, digits, `-`, `_`, `.`. @default "default" */
  readonly name?: string;
  /** Takes a Redis without an append-only file: its restart may lose all that waits. @default false */
  readonly acceptLoss?: boolean;
  /** An answer that takes longer has failed; milliseconds, 1 to 60_000. @default 5_000 */
  readonly timeoutMs?: number;
}

const optionNames: Readonly<Record<keyof RedisOutboxOptions, true>> = {
  ...fleetOutboxOptionNames,
  redis: true,
  name: true,
  acceptLoss: true,
  timeoutMs: true,
};

/**
 * An outbox in Redis, for processes without a disk: one for each gate. Throws `invalid_option`. A server that may lose what is
 * written is refused when it is first used, with a `RedisError`.
 */
export function createRedisOutbox(options: RedisOutboxOptions): FleetOutbox {
  checkOptions("createRedisOutbox", options, optionNames);
  const { redis, name, acceptLoss, timeoutMs, ...fleet } = options;
  return createFleetOutbox(createOutboxStore({ redis, name, acceptLoss, timeoutMs }), fleet);
}

/** Time of the server, shifted: for tests. */
interface ShiftedTime {
  readonly shiftMs?: () => number;
}

type StoreOptions = {
  readonly [Name in "redis" | "name" | "acceptLoss" | "timeoutMs"]: RedisOutboxOptions[Name] | undefined;
};

/** The store beneath, for those who look into it. */
export function createOutboxStore(
  { redis, name = "default", acceptLoss = false, timeoutMs = 5_000 }: Partial<StoreOptions>,
  { shiftMs = () => 0 }: ShiftedTime = {},
): OutboxStore {
  if (redis === undefined) invalidOption("redis", "a client of ioredis, node-redis or @upstash/redis", redis);
  if (typeof name !== "string" || !/^[\w.-]{1,100}$/.test(name)) {
    invalidOption("name", "1 to 100 letters, digits, -, _ and .", name);
  }
  if (typeof acceptLoss !== "boolean") invalidOption("acceptLoss", "true or false", acceptLoss);
  checkInteger("timeoutMs", timeoutMs, 1, 60_000);
  const connection = new Connection({
    redis,
    timeoutMs,
    check(facts) {
      checkEviction(facts);
      if (acceptLoss) return;
      if (facts.isRewriting) {
        throw new RedisError(
          "unsafe_server",
          "appendonly: expected a file that is complete, received one that is being written, until when a restart of Redis may lose usage that waits: it is tried again",
        );
      }
      if (facts.appendOnly === false) {
        throw new RedisError(
          "unsafe_server",
          "appendonly: expected yes, received no, by which a restart of Redis loses usage that waits: CONFIG SET appendonly yes, and in redis.conf, or acceptLoss: true",
        );
      }
    },
  });
  return new RedisOutboxStore(connection, name, shiftMs);
}

class RedisOutboxStore implements OutboxStore {
  readonly #connection: Connection;
  readonly #keys: string[];
  readonly #shiftMs: () => number;

  constructor(connection: Connection, name: string, shiftMs: () => number) {
    this.#connection = connection;
    this.#shiftMs = shiftMs;
    const parts = [
      "stream",
      "processes",
      "places",
      "lanes",
      "ledgers",
      "values",
      "notes",
      "requests",
      "gone",
      "last",
    ];
    this.#keys = parts.map((part) => `{cgo:${name}}:${part}`);
  }

  async heartbeat(heartbeat: OutboxHeartbeat): Promise<OutboxHeartbeatResult> {
    const answer = (await this.#run(heartbeatScript, heartbeat)) as OutboxHeartbeatResult;
    const { status, lanes = [], ledgers = [], values = {} } = answer;
    return { status, lanes, ledgers, values };
  }

  async write(step: OutboxStep): Promise<OutboxWritten> {
    const { status, places = [] } = (await this.#run(writeScript, step)) as OutboxWritten;
    return { status, places };
  }

  async read(process: string, lane: string, after = "0"): Promise<readonly StoredRow[]> {
    return (await this.#run(readScript, { process, lane, after })) as readonly StoredRow[];
  }

  async takeRequests(process: string): Promise<readonly RowRequest[]> {
    return (await this.#run(takeRequestsScript, { process })) as readonly RowRequest[];
  }

  async list(after = ""): Promise<readonly ListedRow[]> {
    return (await this.#run(listScript, { after })) as readonly ListedRow[];
  }

  async request(requests: readonly RowRequest[]): Promise<void> {
    await this.#run(requestScript, { requests });
  }

  #run(script: Script, question: object): Promise<unknown> {
    return this.#connection.run(script, this.#keys, [JSON.stringify(question), String(this.#shiftMs())]);
  }
}
