import type { RequestHandler } from "express";
import type { Clock } from "../clock.ts";
import { caller } from "./authentication.ts";
import { Problem } from "./problem.ts";

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Keys beyond this many are forgotten, the longest unused first: a forgotten key has a full bucket. */
const maxBuckets = 10_000;

/**
 * A token bucket per API key: `perSecond` requests in the long run, a second's worth at once. It guards this process
 * against a client that runs wild; replicas do not share it.
 */
export function rateLimit(perSecond: number, clock: Clock): RequestHandler {
  const buckets = new Map<string, Bucket>();

  return (_request, response, next) => {
    const { keyId } = caller(response);
    const now = clock.now();
    const { tokens, filledAt } = buckets.get(keyId) ?? { tokens: perSecond, filledAt: now };
    // A clock that is set back fills nothing, and takes nothing away.
    const filled = Math.min(perSecond, tokens + (Math.max(0, now - filledAt) * perSecond) / 1_000);
    const granted = filled >= 1;
    buckets.delete(keyId);
    buckets.set(keyId, { tokens: granted ? filled - 1 : filled, filledAt: now });
    const [oldest] = buckets.keys();
    if (buckets.size > maxBuckets && oldest !== undefined) buckets.delete(oldest);
    if (granted) return next();
    throw new Problem(
      429,
      "rate_limited",
      `expected at most ${perSecond} requests per second with this API key, received more`,
      { headers: { "retry-after": String(Math.max(1, Math.ceil((1 - filled) / perSecond))) } },
    );
  };
}
