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
}

export function createPeople(site: Site, oidc: OpenIdConnect | undefined, clock: Clock): People {
  return { site, oidc, passwords: createPasswords(), limits: createSignInLimits(clock) };
}
