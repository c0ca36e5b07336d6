import type { MemberRole, OidcCallbackQuery } from "@creditgate/admin";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { Site } from "./site.ts";

/** Which identity provider signs people in, and what becomes of those who were not invited. */
export interface OidcOptions {
  /** As its discovery document says it: https, or http on this machine. */
  readonly issuer: string;
  readonly clientId: string;
  /** @default none: a public client, which PKCE protects */
  readonly clientSecret?: string | undefined;
  /** What the provider is called on the page. @default the host of the issuer */
  readonly name?: string | undefined;
  /** Who becomes a member without an invitation. @default no one */
  readonly join?: readonly JoinRule[] | undefined;
}

/** People with a verified e-mail of a domain become members. */
export interface JoinRule {
  /** All of what stands behind the @, in lower case. */
  readonly domain: string;
  /** What the organisation is called. */
  readonly organization: string;
  readonly roles: readonly MemberRole[];
}

/** What is kept from the beginning of a sign-in to its end. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Who has signed in at the provider, by its word. */
export interface OidcClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly isVerified: boolean;
  readonly name: string | undefined;
}

/** An identity provider: authorization code flow with PKCE, state and nonce. */
export interface OpenIdConnect {
  readonly name: string;
  readonly join: readonly JoinRule[];
  /** Where the browser is sent, and what to keep meanwhile. Rejects where the provider cannot be asked. */
  begin(): Promise<{ readonly url: URL; readonly flow: OidcFlow }>;
  /** Rejects unless the provider says, to us and for this flow, who it is. */
  finish(flow: OidcFlow, query: OidcCallbackQuery): Promise<OidcClaims>;
}

const timeoutSeconds = 10;

export function createOpenIdConnect(
  { issuer, clientId, clientSecret, name = new URL(issuer).host, join = [] }: OidcOptions,
  site: Pick<Site, "address">,
): OpenIdConnect {
  let discovered: Promise<Configuration> | undefined;
  const redirectUri = () => site.address("/admin/api/oidc/callback");

  /** At the first sign-in, not at the start: without the provider the service must run all the same. */
  function configuration(): Promise<Configuration> {
    discovered ??= discovery(
      new URL(issuer),
      clientId,
      clientSecret,
      clientSecret === undefined ? None() : undefined,
      {
        timeout: timeoutSeconds,
        // Without it the library takes TLS for a signature, as the standard allows.
        execute: [
          enableNonRepudiationChecks,
          ...(new URL(issuer).protocol === "http:" ? [allowInsecureRequests] : []),
        ],
      },
    ).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  }

  return {
    name,
    join,
    async begin() {
      const provider = await configuration();
      const flow = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri(),
        scope: "openid email profile",
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.codeVerifier),
        code_challenge_method: "S256",
      });
      return { url, flow };
    },
    async finish({ state, nonce, codeVerifier }, query) {
      const provider = await configuration();
      const url = new URL(redirectUri());
      for (const [parameter, value] of Object.entries(query)) {
        if (typeof value === "string") url.searchParams.set(parameter, value);
      }
      const tokens = await authorizationCodeGrant(provider, url, {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new TypeError("The identity provider has sent no ID token.");
      const profile =
        claims.email === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
          ? await fetchUserInfo(provider, tokens.access_token, claims.sub)
          : claims;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: typeof profile.email === "string" ? profile.email : undefined,
        isVerified: profile.email_verified === true,
        name: typeof profile.name === "string" ? profile.name : undefined,
      };
    },
  };
}
