import type { Data } from "@creditgate/client";
import { line, record } from "@creditgate/client/parts";
import { z } from "zod";
import { service, tagged } from "./define-endpoint.ts";
import { instant, partOf, partQuery } from "./part.ts";

const defineEndpoint = tagged("People");

/** An e-mail address, in lower case. */
export const email = z
  .string()
  .max(254)
  .transform((text) => text.trim().normalize("NFC").toLowerCase())
  .refine(
    (text) => /^[^\s@\p{Cc}]{1,64}@[^\s@.\p{Cc}]+(\.[^\s@.\p{Cc}]+)*$/u.test(text),
    "Invalid input: expected an e-mail address",
  );

/** Never echoed, as `line` would do. */
export const password = z.string().min(1).max(256);

/** What a person or a token is called. */
export const personName = line(1, 100);

const passwordChangeRequest = z.strictObject({
  currentPassword: password,
  /** 12 characters or more, 256 bytes at most, and none that is easy to guess. */
  newPassword: password,
});

const userTokenCreateRequest = z.strictObject({
  /** Stands in the audit log. */
  name: personName,
  /** An instant with its offset (ISO 8601), at most 366 days ahead. @default 90 days ahead */
  expiresAt: instant.optional(),
});

const oidcCallbackQuery = record({
  state: z.string().max(1_000).optional(),
  code: z.string().max(10_000).optional(),
});

/** Which of the flows at the identity provider comes back; what else it sends along is passed over. */
export type OidcCallbackQuery = Data<typeof oidcCallbackQuery>;

export const adminAccount = record({
  /** Who has signed in; `null` for an admin token. */
  user: record({
    userId: z.string(),
    /** In lower case. */
    email: z.string(),
    name: z.string(),
    /** Without one there is only the identity provider to sign in by. */
    hasPassword: z.boolean(),
  }).nullable(),
  /** Whether it may do everything, in every organisation. */
  operator: z.boolean(),
  /** Those that it is a member of, up to 1,000, by name. */
  organizations: z.array(
    record({ organizationId: z.string(), name: z.string(), roles: z.array(z.string()) }),
  ),
  /** `null` for a token. */
  session: record({
    createdAt: z.string(),
    /** It ends then if nothing is asked until then. */
    idleExpiresAt: z.string(),
    expiresAt: z.string(),
  }).nullable(),
});

/** Who asks, and what that one may do. */
export type AdminAccount = Data<typeof adminAccount>;

export type AccountSession = NonNullable<AdminAccount["session"]>;

const signInWays = record({
  /** What the identity provider is called; `null` where there are only passwords. It begins at `GET /admin/api/oidc/start`. */
  identityProvider: z.string().nullable(),
  /** Whether there are people; without any the link that `creditgate serve` prints makes the first. */
  hasUsers: z.boolean(),
});

/** How one can sign in here. */
export type SignInWays = Data<typeof signInWays>;

const tokenFields = {
  tokenId: z.string(),
  name: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
  /** To the minute. */
  lastUsedAt: z.string().nullable(),
};

const userToken = record(tokenFields);

/** A token of a person, without the token. It may do what that person may. */
export type UserToken = Data<typeof userToken>;

const createdUserToken = record({ ...tokenFields, token: z.string() });

/** A token that has just been made: the only time that it is shown. */
export type CreatedUserToken = Data<typeof createdUserToken>;

/** Parses an answer that says nothing. */
const done = record({});

const tokens = `${service}/account/tokens` as const;

/** Who asks; and for the page of a person who signs in, everything about that. */
export const account = {
  /** Who asks, and what that one may do where. Retried. */
  read: defineEndpoint({
    name: "accountRead",
    path: `${service}/account`,
    scope: "user",
    answer: adminAccount,
    summary: "Returns who is signed in",
  }),
  /** How one can sign in. Retried. */
  signInWays: defineEndpoint({
    name: "signInWays",
    path: `${service}/sign-in`,
    scope: "anyone",
    answer: signInWays,
    summary: "Returns how people may sign in",
  }),
  /** Signs in; the browser gets the cookie. 401 `sign_in_refused`, 429 `too_many_attempts`. Never retried once sent. */
  signIn: defineEndpoint({
    name: "signIn",
    method: "POST",
    path: `${service}/sign-in`,
    scope: "anyone",
    countsAttempts: true,
    body: z.strictObject({ email, password }),
    answer: adminAccount,
    summary: "Signs a person in",
  }),
  oidcStart: defineEndpoint({
    name: "oidcStart",
    path: `${service}/oidc/start`,
    kind: "redirect",
    scope: "anyone",
    // A browser comes from any page: what its address has besides is passed over.
    query: record({}),
    summary: "Sends a browser to the identity provider",
    statuses: [303],
  }),
  oidcCallback: defineEndpoint({
    name: "oidcCallback",
    path: `${service}/oidc/callback`,
    kind: "redirect",
    scope: "anyone",
    query: oidcCallbackQuery,
    summary: "Takes a browser back from the identity provider",
    statuses: [303],
  }),
  /** Ends this session. Retried. */
  signOut: defineEndpoint({
    name: "signOut",
    method: "POST",
    path: `${service}/account/sign-out`,
    idempotent: true,
    scope: "session",
    answer: done,
    summary: "Ends the session",
  }),
  /** Ends all sessions of the person. Retried. */
  signOutEverywhere: defineEndpoint({
    name: "signOutEverywhere",
    method: "POST",
    path: `${service}/account/sign-out-everywhere`,
    idempotent: true,
    scope: "session",
    answer: done,
    summary: "Ends all sessions of the person",
  }),
  /** Sets another password; all other sessions end, and all tokens. 403 `password_wrong`. Never retried once sent. */
  changePassword: defineEndpoint({
    name: "passwordChange",
    method: "POST",
    path: `${service}/account/password`,
    scope: "session",
    body: passwordChangeRequest,
    answer: adminAccount,
    summary: "Changes the password",
  }),
  /** Tokens of the person, for a session only: one that could make another would outlive its end. */
  tokens: {
    /** All of them, ended ones too, the oldest first. Retried. */
    list: defineEndpoint({
      name: "userTokenList",
      path: tokens,
      kind: "all",
      scope: "session",
      query: partQuery,
      answer: partOf({ tokens: z.array(userToken) }),
      summary: "Lists the tokens of the person",
    }),
    /** A new token, which is shown this once. Never retried once sent. */
    create: defineEndpoint({
      name: "userTokenCreate",
      method: "POST",
      path: tokens,
      scope: "session",
      body: userTokenCreateRequest,
      answer: createdUserToken,
      summary: "Creates a token, shown once",
      statuses: [201],
    }),
    /** Ends a token. Retried. */
    revoke: defineEndpoint({
      name: "userTokenRevoke",
      method: "POST",
      path: `${tokens}/{tokenId}/revoke`,
      idempotent: true,
      scope: "session",
      answer: userToken,
      summary: "Ends a token",
    }),
  },
};
