import type { Clock } from "../time/clock.ts";
import type { OidcOptions, OpenIdConnect } from "./open-id-connect.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { createSignInLimits, type SignInLimits } from "./sign-in-limits.ts";
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
