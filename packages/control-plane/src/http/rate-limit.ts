import type { RequestHandler } from "express";
import type { Clock } from "../time/clock.ts";
import { caller } from "./authentication.ts";
import { Problem } from "./problem.ts";
import { createTokenBuckets } from "./token-buckets.ts";

/**
 * Bounds the requests with an API key: `perSecond` in the long run, a second's worth at once. It guards this process
 * against a client that runs wild; replicas do not share it.
 */
export function rateLimit(perSecond: number, clock: Clock): RequestHandler {
  const buckets = createTokenBuckets({ perSecond, burst: perSecond, clock });

  return (_request, response, next) => {
    const seconds = buckets.take(caller(response).keyId);
    if (seconds === 0) return next();
    throw new Problem(
      429,
      "rate_limited",
      `expected at most ${perSecond} requests per second with this API key, received more`,
      { headers: { "retry-after": String(seconds) }, isHeldBack: true },
    );
  };
}
