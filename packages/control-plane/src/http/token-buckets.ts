import type { Clock } from "../time/clock.ts";

interface Bucket {
  tokens: number;
  filledAt: number;
}

export interface TokenBucketsOptions {
  readonly perSecond: number;
  /** Tokens of a full bucket. */
  readonly burst: number;
  readonly clock: Clock;
}

/**
 * A token bucket for each name: `perSecond` in the long run, `burst` at once. It is this process's own. A name may have a rate
 * of its own, which is then its burst too.
 */
export interface TokenBuckets {
  /** Takes a token, and returns the seconds until there is one: 0 if it was taken. */
  take(name: string, ownRate?: number): number;
  /** Takes tokens, also those that are not there yet, down to a full bucket of them. */
  spend(name: string, tokens: number, ownRate?: number): void;
  /** Puts back a token that was taken. */
  giveBack(name: string): void;
}

/** Names beyond this many are forgotten, the longest unused first: a forgotten name has a full bucket. */
const maxBuckets = 10_000;

export function createTokenBuckets({ perSecond, burst, clock }: TokenBucketsOptions): TokenBuckets {
  const buckets = new Map<string, Bucket>();

  return {
    take(name, ownRate) {
      const now = clock.now();
      const [rate, most] = [ownRate ?? perSecond, ownRate ?? burst];
      const { tokens, filledAt } = buckets.get(name) ?? { tokens: most, filledAt: now };
      // A clock that is set back fills nothing, and takes nothing away.
      const filled = Math.min(most, tokens + (Math.max(0, now - filledAt) * rate) / 1_000);
      const isGranted = filled >= 1;
      buckets.delete(name);
      buckets.set(name, { tokens: isGranted ? filled - 1 : filled, filledAt: now });
      const [oldest] = buckets.keys();
      if (buckets.size > maxBuckets && oldest !== undefined) buckets.delete(oldest);
      return isGranted ? 0 : Math.max(1, Math.ceil((1 - filled) / rate));
    },
    spend(name, tokens, ownRate) {
      const bucket = buckets.get(name);
      if (bucket !== undefined) bucket.tokens = Math.max(-(ownRate ?? burst), bucket.tokens - tokens);
    },
    giveBack(name) {
      const bucket = buckets.get(name);
      if (bucket !== undefined) bucket.tokens += 1;
    },
  };
}
