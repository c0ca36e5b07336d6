import type { Clock } from "../time/clock.ts";
import { Problem } from "./problem.ts";
import { sourceOf } from "./source-address.ts";
import { createTokenBuckets } from "./token-buckets.ts";

/**
 * Out of what the attempts of all addresses come: each kind has its own, so that a flood of one keeps none of the others out.
 * `none` is for what is bounded elsewhere.
 */
export type Budget = "people" | "strangers" | "none";

/** Bounds the attempts with credentials that are not known to be good: any client can make them. */
export interface Attempts {
  /** Counts an attempt of an address. Throws a 429 or 503 where there have been too many. */
  begin(address: string | undefined, budget?: Budget): void;
  /** Takes back the last attempt: its credential is good. */
  forgive(address: string | undefined, budget?: Budget): void;
}

/** Enough for a misconfigured client to see its error, too few to guess or to load the database. */
const perAddress = { perSecond: 10, burst: 50 };
const perProcess = { perSecond: 200, burst: 1_000 };

export function createAttempts(clock: Clock): Attempts {
  const addresses = createTokenBuckets({ ...perAddress, clock });
  const everyone = createTokenBuckets({ ...perProcess, clock });

  return {
    begin(address, budget = "people") {
      const seconds = addresses.take(sourceOf(address));
      if (seconds > 0) {
        throw new Problem(
          429,
          "too_many_attempts",
          `expected at most ${perAddress.perSecond} requests per second without a valid credential from an address, received more`,
          { headers: { "retry-after": String(seconds) }, isHeldBack: true },
        );
      }
      if (budget === "none") return;
      const busySeconds = everyone.take(budget);
      if (busySeconds === 0) return;
      throw new Problem(503, "overloaded", "Too many requests without a valid credential. Try again.", {
        headers: { "retry-after": String(busySeconds) },
        isHeldBack: true,
      });
    },
    forgive(address, budget = "people") {
      addresses.giveBack(sourceOf(address));
      everyone.giveBack(budget);
    },
  };
}
