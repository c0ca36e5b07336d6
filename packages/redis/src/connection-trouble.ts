import { errorMessage } from "@creditgate/core/adapter";

/** The connection events of ioredis and node-redis clients. That of Upstash, which has no connection, is no emitter. */
interface Emitter {
  on(name: string, listener: (error?: unknown, node?: unknown) => void): unknown;
  listenerCount(name: string): number;
}

/** Why a client has no connection. Its commands do not say so: they wait, or reject without the cause. */
export class ConnectionTrouble {
  readonly #emitter: Emitter | undefined;
  #isListening = false;
  #cause: unknown;

  private constructor(redis: object) {
    if (isEmitter(redis)) this.#emitter = redis;
  }

  /** The one of this client: several stores and outboxes may have it. */
  static of(redis: object): ConnectionTrouble {
    const trouble = known.get(redis) ?? new ConnectionTrouble(redis);
    known.set(redis, trouble);
    return trouble;
  }

  /** The last error of the connection, unless it was answered on since; `undefined` where there is none. */
  get cause(): unknown {
    return this.#cause;
  }

  /**
   * Listens from now on, if the caller does. Alone this listener would change what the client does with an error that is not listened to:
   * node-redis ends the process, ioredis says it on the console.
   */
  listen(): void {
    if (this.#isListening || this.#emitter === undefined || this.#emitter.listenerCount("error") === 0)
      return;
    this.#isListening = true;
    // After the system's error a cluster of ioredis says what follows from it.
    this.#emitter.on("error", (error) => {
      if (!isOfAllNodes(error)) this.#cause = error;
    });
    // A cluster of ioredis says only here which node has what: the error that follows is of all, and says neither.
    this.#emitter.on("node error", (error, node) => {
      this.#cause = new RedisError("unreachable", `node ${node}`, error);
    });
    this.#emitter.on("ready", () => this.answered());
  }

  answered(): void {
    this.#cause = undefined;
  }
}

function isOfAllNodes(error: unknown): boolean {
  return error instanceof Error && "lastNodeError" in error;
}

const known = new WeakMap<object, ConnectionTrouble>();

function isEmitter(redis: object): redis is Emitter {
  return (
    "on" in redis &&
    typeof redis.on === "function" &&
    "listenerCount" in redis &&
    typeof redis.listenerCount === "function"
  );
}

/**
 * - `unsafe_server`: the server may lose what it must not, or accepts no writes; the message names the fix
 * - `timeout`: no answer in `timeoutMs`; `cause` is why the client has no connection, if it has reported that
 * - `unreachable`: the client has given up a command that it could not send; `cause` is why
 */
export type RedisErrorCode = "unsafe_server" | "timeout" | "unreachable";

/** The one error of this package, beside those of the client. Misuse is core's `invalid_option`. */
export class RedisError extends Error {
  override readonly name = "RedisError" as const;
  readonly code: RedisErrorCode;

  constructor(code: RedisErrorCode, message: string, cause?: unknown) {
    if (cause === undefined) super(message);
    else super(`${message}: ${errorMessage(cause)}`, { cause });
    this.code = code;
  }
}
