/** What we call of ioredis: a `Redis` or a `Cluster`. */
export interface IoredisClient {
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** What we call of node-redis (`redis`, `@redis/client`): a client, a pool or a cluster. */
export interface NodeRedisClient {
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** What we call of `@upstash/redis`, which speaks HTTP. */
export interface UpstashClient {
  evalsha(sha: string, keys: string[], args: string[]): Promise<unknown>;
  eval(script: string, keys: string[], args: string[]): Promise<unknown>;
}

/** A connected client of the caller's. We open no connection, and close none. */
export type RedisClient = IoredisClient | NodeRedisClient | UpstashClient;

/** What we need of Redis, whichever client it is reached by. */
export interface ScriptRunner {
  evalSha(sha: string, keys: string[], args: string[]): Promise<unknown>;
  eval(script: string, keys: string[], args: string[]): Promise<unknown>;
}

/** `undefined` for what is none of the clients that we know. */
export function scriptRunner(redis: RedisClient): ScriptRunner | undefined {
  if (typeof redis !== "object" || redis === null) return undefined;
  // In this order: ioredis has an `evalsha` too, with other arguments.
  if ("evalSha" in redis) {
    return {
      evalSha: (sha, keys, args) => redis.evalSha(sha, { keys, arguments: args }),
      eval: (script, keys, args) => redis.eval(script, { keys, arguments: args }),
    };
  }
  if ("call" in redis && typeof redis.call === "function") {
    return {
      evalSha: (sha, keys, args) => redis.call("evalsha", sha, String(keys.length), ...keys, ...args),
      eval: (script, keys, args) => redis.call("eval", script, String(keys.length), ...keys, ...args),
    };
  }
  if ("evalsha" in redis && typeof redis.evalsha === "function") {
    return {
      evalSha: (sha, keys, args) => redis.evalsha(sha, keys, args),
      eval: (script, keys, args) => redis.eval(script, keys, args),
    };
  }
  return undefined;
}
