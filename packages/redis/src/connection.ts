import { checkNames, errorMessage, inTime, invalidOption } from "@creditgate/core/adapter";
import { ConnectionTrouble, RedisError } from "./connection-trouble.ts";
import { type RedisClient, type ScriptRunner, scriptRunner } from "./redis-client.ts";
import type { Script } from "./script.ts";
import { readServer, type ServerFacts } from "./server-check.ts";

interface ConnectionOptions {
  readonly redis: RedisClient;
  readonly timeoutMs: number;
  /** Throws where the server is not fit for what it is to keep. */
  check(facts: ServerFacts): void;
  /** A server that was fit may be set otherwise, or another one take its place: it is looked at again after so long, and after a failure. @default never */
  readonly recheckMs?: number;
  /** Milliseconds that do not step. @default `performance.now` */
  readonly now?: () => number;
}

/** Runs scripts, none of them before the server has been found fit. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #redis: ScriptRunner;
  readonly #trouble: ConnectionTrouble;
  #checked: Promise<void> | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#redis =
      scriptRunner(options.redis) ??
      invalidOption("redis", "a client of ioredis, node-redis or @upstash/redis", options.redis);
    this.#trouble = ConnectionTrouble.of(options.redis);
  }

  /** Rejects with a {@link RedisError} if the server is not fit, or with the error of the client. Asked again after a failure. */
  check(key: string): Promise<void> {
    const { check, recheckMs = Number.POSITIVE_INFINITY, now = () => performance.now() } = this.#options;
    if (now() - this.#checkedAt >= recheckMs) this.#checked = undefined;
    if (this.#checked !== undefined) return this.#checked;
    this.#checkedAt = now();
    this.#checked = this.#inTime(readServer(this.#redis, key)).then(check);
    this.#checked.catch(() => {
      this.#checked = undefined;
    });
    return this.#checked;
  }

  async run(script: Script, keys: string[], args: string[]): Promise<unknown> {
    await this.check(keys[0] ?? "");
    try {
      return await this.#inTime(script.run(this.#redis, keys, args));
    } catch (error) {
      if (this.#options.recheckMs !== undefined) this.#checked = undefined;
      throw error;
    }
  }

  /** A client may wait for its server for ever. What it sends later has no second effect: steps are numbered. */
  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const { timeoutMs } = this.#options;
    const trouble = this.#trouble;
    trouble.listen();
    const late = () => new RedisError("timeout", `Redis has not answered in ${timeoutMs} ms`, trouble.cause);
    try {
      const answered = await inTime(answer, timeoutMs, late);
      trouble.answered();
      return answered;
    } catch (error) {
      checkWrites(error);
      if (trouble.cause === undefined || error instanceof RedisError) throw error;
      throw new RedisError("unreachable", errorMessage(error), trouble.cause);
    }
  }
}

/** Throws where the server has said why it takes no writes. */
function checkWrites(error: unknown): void {
  const [, why = ""] = /\b(READONLY|OOM) /.exec(errorMessage(error)) ?? [];
  const fix = fixes[why];
  if (fix !== undefined) throw new RedisError("unsafe_server", fix, error);
}

const fixes: Readonly<Record<string, string | undefined>> = {
  READONLY:
    "Redis is a replica: give the client the address of the primary, by Sentinel or the cluster where it changes",
  OOM: "Redis has reached its maxmemory: raise that, or use another Redis than for a cache",
};

/** Throws unless what is written stays. */
export function checkEviction({ evictionPolicy }: ServerFacts): void {
  if (evictionPolicy === undefined || evictionPolicy === "noeviction") return;
  throw new RedisError(
    "unsafe_server",
    `maxmemory-policy: expected noeviction, received ${evictionPolicy}, by which Redis may forget what it holds for wallets: CONFIG SET maxmemory-policy noeviction, and in redis.conf, or use another Redis than for a cache`,
  );
}

/** Refuses what is no object of these options; of a client in their place it says where that goes. */
export function checkOptions(
  factory: string,
  options: unknown,
  names: Readonly<Record<string, true>>,
): asserts options is object {
  if (typeof options !== "object" || options === null) invalidOption("options", "an object", options);
  if (scriptRunner(options as RedisClient) !== undefined) {
    invalidOption("options", `an object: ${factory}({ redis })`, "a client itself");
  }
  checkNames(options, names);
}
