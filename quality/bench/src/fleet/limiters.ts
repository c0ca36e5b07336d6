import { createHash } from "node:crypto";
import { Ratelimit } from "@upstash/ratelimit";
import type { Redis as UpstashClient } from "@upstash/redis";
import type { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { plenty } from "../batch-client.ts";

/** What a user would ask before each piece of work instead. Rejects where it may not begin. */
type Limiter = (customerId: string) => Promise<void>;

/** On a connection to Redis, by what is printed. */
export const limiters = {
  "rate-limiter-flexible": createFlexibleLimiter,
  "@upstash/ratelimit": createUpstashLimiter,
} as const;

export type LimiterName = keyof typeof limiters;

function createFlexibleLimiter(redis: Redis): Limiter {
  const limiter = new RateLimiterRedis({ storeClient: redis, points: plenty, duration: 600 });
  return async (customerId) => {
    await limiter.consume(customerId);
  };
}

/**
 * By its cheapest algorithm, and over a connection of ioredis: its own client sends each question by HTTP, which would take it
 * several times as long.
 */
function createUpstashLimiter(redis: Redis): Limiter {
  const limiter = new Ratelimit({
    // It calls no other methods for this algorithm.
    redis: scriptsOn(redis) as unknown as UpstashClient,
    limiter: Ratelimit.fixedWindow(plenty, "10 m"),
  });
  return async (customerId) => {
    const { success } = await limiter.limit(customerId);
    if (!success) throw new Error(`${customerId} is limited`);
  };
}

/** Its scripts begin with a flag that Upstash's server knows alone. Without it they have other hashes. */
function scriptsOn(redis: Redis): Pick<UpstashClient, "eval" | "evalsha"> {
  const known = new Map<string, string>();
  const run = (sha: string, keys: string[], args: unknown[]) =>
    redis.evalsha(sha, keys.length, ...keys, ...args.map(String));
  return {
    async evalsha(sha: string, keys: string[], args: unknown[]) {
      const own = known.get(sha);
      if (own === undefined) throw new Error("NOSCRIPT");
      return run(own, keys, args);
    },
    async eval(script: string, keys: string[], args: unknown[]) {
      const own = String(await redis.script("LOAD", script.replace(/^#!.*\n/, "")));
      known.set(createHash("sha1").update(script).digest("hex"), own);
      return run(own, keys, args);
    },
  } as Pick<UpstashClient, "eval" | "evalsha">;
}
