import { hash } from "node:crypto";
import { Problem } from "../http/problem.ts";
import { sourceOf } from "../http/source-address.ts";
import { createTokenBuckets } from "../http/token-buckets.ts";
import type { Clock } from "../time/clock.ts";

/** Bounds the guesses at passwords, whether there is such an account or not. */
export interface SignInLimits {
  /** Counts a guess. Throws a 429 where there have been too many. */
  begin(email: string, address: string | undefined): void;
  /** Takes it back: it was right. */
  forgive(email: string, address: string | undefined): void;
}

/** One who mistypes gets through; one who guesses has 2,900 a day, from wherever. */
const perAccountAndAddress = { perSecond: 1 / 30, burst: 10 };
/** Wider, so that another address can hardly shut a person out. */
const perAccount = { perSecond: 1 / 30, burst: 100 };
const perAddress = { perSecond: 1 / 5, burst: 30 };

export function createSignInLimits(clock: Clock): SignInLimits {
  const both = createTokenBuckets({ ...perAccountAndAddress, clock });
  const accounts = createTokenBuckets({ ...perAccount, clock });
  const addresses = createTokenBuckets({ ...perAddress, clock });
  const bucketsOf = (email: string, address: string | undefined) => {
    const account = hash("sha256", email);
    const source = sourceOf(address);
    return [
      [addresses, source],
      [both, `${account} ${source}`],
      [accounts, account],
    ] as const;
  };

  return {
    begin(email, address) {
      // In this order: what is refused to an address takes nothing from the account, or it could shut its owner out.
      let seconds = 0;
      for (const [buckets, name] of bucketsOf(email, address)) {
        seconds = buckets.take(name);
        if (seconds > 0) break;
      }
      if (seconds === 0) return;
      throw new Problem(
        429,
        "too_many_attempts",
        "expected fewer attempts to sign in to an account, or from an address, received more",
        { headers: { "retry-after": String(seconds) }, isHeldBack: true },
      );
    },
    forgive(email, address) {
      for (const [buckets, name] of bucketsOf(email, address)) buckets.giveBack(name);
    },
  };
}
