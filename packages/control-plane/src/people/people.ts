import type { Clock } from "../time/clock.ts";
import type { OpenIdConnect } from "./open-id-connect.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { createSignInLimits, type SignInLimits } from "./sign-in-limits.ts";
import type { Site } from "./site.ts";

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
