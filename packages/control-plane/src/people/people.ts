import { hash } from "node:crypto";
import { Problem } from "../http/problem.ts";
import { sourceOf } from "../http/source-address.ts";
import { createTokenBuckets, type TokenBuckets } from "../http/token-buckets.ts";
import type { Clock } from "../time/clock.ts";
import type { OidcOptions, OpenIdConnect } from "./open-id-connect.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import type { Site } from "./site.ts";

/** How people sign in. */
export interface PeopleOptions {
  /**
   * Where browsers find the control plane: https, or http on this machine. Cookies, links and the check of origins go by it,
   * and never by what a request says. @default the address of this machine that is listened on
   */
  readonly publicUrl?: string | undefined;
  /** An identity provider beside passwords; takes a `publicUrl`. @default none */
  readonly oidc?: OidcOptions | undefined;
}

/** What it takes for people to sign in. */
export interface People {
  readonly site: Site;
  readonly passwords: Passwords;
  readonly limits: SignInLimits;
  /** `undefined` where passwords are all there is. */
  readonly oidc: OpenIdConnect | undefined;
  /** The names of the admin tokens: links that one has made end with it. */
  readonly tokenNames: readonly string[];
}

export function createPeople(
  { site, oidc, tokenNames }: Pick<People, "site" | "oidc" | "tokenNames">,
  clock: Clock,
): People {
  return { site, oidc, tokenNames, passwords: createPasswords(), limits: createSignInLimits(clock) };
}

/** Bounds the guesses at passwords, whether there is such an account or not. */
export interface SignInLimits {
  /** Counts a guess, by a device that is known to the account or by a stranger. Throws a 429 after too many. */
  begin(email: string, address: string | undefined, device?: string): void;
  /** Takes it back: it was right. */
  forgive(email: string, address: string | undefined, device?: string): void;
}

/** Enough for one who mistypes, from an address or with a device that is known. */
const perAccountAndSource = { perSecond: 1 / 30, burst: 10 };
/** Of all strangers: 43,500 a day. Wide, since an owner with a new device is a stranger too. */
const perAccount = { perSecond: 1 / 2, burst: 300 };
const perAddress = { perSecond: 1 / 5, burst: 30 };
/** Of all strangers at all accounts. */
const perProcess = { perSecond: 200, burst: 1_000 };

export function createSignInLimits(clock: Clock): SignInLimits {
  const sources = createTokenBuckets({ ...perAccountAndSource, clock });
  const accounts = createTokenBuckets({ ...perAccount, clock });
  const addresses = createTokenBuckets({ ...perAddress, clock });
  const everyone = createTokenBuckets({ ...perProcess, clock });
  const bucketsOf = (email: string, address: string | undefined, device: string | undefined) => {
    const account = hash("sha256", email);
    // What strangers have used up keeps a known device out nowhere.
    if (device !== undefined) return [[sources, `${account} ${device}`]] as const;
    const source = sourceOf(address);
    return [
      [addresses, source],
      [sources, `${account} ${source}`],
      [everyone, ""],
      [accounts, account],
    ] as const;
  };

  return {
    begin(email, address, device) {
      const taken: (readonly [TokenBuckets, string])[] = [];
      let seconds = 0;
      // In this order: what is refused to an address takes nothing from the account, or it could shut its owner out.
      for (const [buckets, name] of bucketsOf(email, address, device)) {
        seconds = buckets.take(name);
        if (seconds > 0) break;
        taken.push([buckets, name]);
      }
      if (seconds === 0) return;
      for (const [buckets, name] of taken) buckets.giveBack(name);
      throw new Problem(
        429,
        "too_many_attempts",
        "expected fewer attempts to sign in to an account, or from an address, received more",
        { headers: { "retry-after": String(seconds) }, isHeldBack: true },
      );
    },
    forgive(email, address, device) {
      for (const [buckets, name] of bucketsOf(email, address, device)) buckets.giveBack(name);
    },
  };
}
