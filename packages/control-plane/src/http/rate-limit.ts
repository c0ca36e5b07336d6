import type { RequestHandler } from "express";
import type { Clock } from "../time/clock.ts";
import { caller } from "./authentication.ts";
import { Problem } from "./problem.ts";
import { createTokenBuckets } from "./token-buckets.ts";

/** Bounds the requests with an API key. */
export interface RateLimit {
  /** Counts a request. Throws a 429 where there have been too many. */
  take(keyId: string): void;
  /** Counts more, for a request that was let in and is as much work as several: the next ones wait for it. */
  spend(keyId: string, requests: number): void;
}

/**
 * `perSecond` in the long run, a second's worth at once; 0 is no limit. It guards this process against a client that runs
 * wild; replicas do not share it.
 */
export function createRateLimit(perSecond: number, clock: Clock): RateLimit {
  if (perSecond === 0) return { take: () => undefined, spend: () => undefined };
  const buckets = createTokenBuckets({ perSecond, burst: perSecond, clock });

  return {
    take(keyId) {
      const seconds = buckets.take(keyId);
      if (seconds === 0) return;
      throw new Problem(
        429,
        "rate_limited",
        `expected at most ${perSecond} requests per second with this API key, received more`,
        { headers: { "retry-after": String(seconds) }, isHeldBack: true },
      );
    },
    spend: buckets.spend,
  };
}

export function rateLimit(limit: RateLimit): RequestHandler {
  return (_request, response, next) => {
    limit.take(caller(response).keyId);
    next();
  };
}
