import { z } from "zod";
import { line } from "../../contract/text.ts";
import { instant, type Part, partEnd } from "./part.ts";

/** A person who signs in. */
export interface AccountUser {
  readonly userId: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  /** Without one there is only the identity provider to sign in by. */
  readonly hasPassword: boolean;
}

/** An organisation that the account may see, and what it may do there. */
export interface AccountOrganization {
  readonly organizationId: string;
  readonly name: string;
  readonly roles: readonly string[];
}

/** Who asks, and what that one may do. */
export interface AdminAccount {
  /** `null` for an admin token. */
  readonly user: AccountUser | null;
  /** Whether it may do everything, in every organisation. */
  readonly operator: boolean;
  /** Those that it is a member of, up to 1,000, by name. */
  readonly organizations: readonly AccountOrganization[];
  /** `null` for a token. */
  readonly session: AccountSession | null;
}

/** When the session ends: at `expiresAt`, or before it when nothing is asked until `idleExpiresAt`. */
export interface AccountSession {
  readonly createdAt: string;
  readonly idleExpiresAt: string;
  readonly expiresAt: string;
}

/** Who signs in. */
export interface SignInRequest {
  readonly email: string;
  readonly password: string;
}

/** A change of one's own password. All other sessions end, and all tokens. */
export interface PasswordChangeRequest {
  readonly currentPassword: string;
  /** 12 characters or more, 256 bytes at most, and none that is easy to guess. */
  readonly newPassword: string;
}

/** How one can sign in here. */
export interface SignInWays {
  /** What the identity provider is called; `null` where there are only passwords. It begins at `GET /admin/api/oidc/start`. */
  readonly identityProvider: string | null;
  /** Whether there are people; without any the link that `creditgate serve` prints makes the first. */
  readonly hasUsers: boolean;
}

/** A token of a person, without the token. It may do what that person may. */
export interface UserToken {
  readonly tokenId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  /** To the minute. */
  readonly lastUsedAt: string | null;
}

/** A token that has just been made: the only time that it is shown. */
export interface CreatedUserToken extends UserToken {
  readonly token: string;
}

/** A token to make. */
export interface UserTokenCreateRequest {
  /** Stands in the audit log. */
  readonly name: string;
  /** An instant with its offset (ISO 8601), at most 366 days ahead. @default 90 days ahead */
  readonly expiresAt?: string | undefined;
}

/** Which of the flows at the identity provider comes back; what else it sends along is passed over. */
export interface OidcCallbackQuery {
  readonly state?: string | undefined;
  readonly code?: string | undefined;
}

/** An e-mail address, in lower case. */
export const email: z.ZodType<string> = z
  .string()
  .max(254)
  .transform((text) => text.trim().normalize("NFC").toLowerCase())
  .refine(
    (text) => /^[^\s@\p{Cc}]{1,64}@[^\s@.\p{Cc}]+(\.[^\s@.\p{Cc}]+)*$/u.test(text),
    "Invalid input: expected an e-mail address",
  );

/** Never told back: `line` would do so. */
export const password: z.ZodType<string> = z.string().min(1).max(256);

/** What a person or a token is called. */
export const personName: z.ZodType<string> = line(1, 100);

/** Parses the body of a sign-in. */
export const signInRequest: z.ZodType<SignInRequest> = z.strictObject({ email, password });

/** Parses the body of a change of password. */
export const passwordChangeRequest: z.ZodType<PasswordChangeRequest> = z.strictObject({
  currentPassword: password,
  newPassword: password,
});

/** Parses the body that makes a token. */
export const userTokenCreateRequest: z.ZodType<UserTokenCreateRequest> = z.strictObject({
  name: personName,
  expiresAt: instant.optional(),
});

/** Parses what the identity provider sends back. */
export const oidcCallbackQuery: z.ZodType<OidcCallbackQuery> = z.looseObject({
  state: z.string().max(1_000).optional(),
  code: z.string().max(10_000).optional(),
});

/** Parses who asks. Fields that are not listed are passed on. */
export const adminAccount: z.ZodType<AdminAccount> = z.looseObject({
  user: z
    .looseObject({ userId: z.string(), email: z.string(), name: z.string(), hasPassword: z.boolean() })
    .nullable(),
  operator: z.boolean(),
  organizations: z.array(
    z.looseObject({ organizationId: z.string(), name: z.string(), roles: z.array(z.string()) }),
  ),
  session: z
    .looseObject({ createdAt: z.string(), idleExpiresAt: z.string(), expiresAt: z.string() })
    .nullable(),
});

/** Parses how one can sign in. */
export const signInWays: z.ZodType<SignInWays> = z.looseObject({
  identityProvider: z.string().nullable(),
  hasUsers: z.boolean(),
});

const tokenFields = {
  tokenId: z.string(),
  name: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
};

/** Parses a token as lists show it. */
export const userToken: z.ZodType<UserToken> = z.looseObject(tokenFields);

/** Parses a token that has just been made. */
export const createdUserToken: z.ZodType<CreatedUserToken> = z.looseObject({
  ...tokenFields,
  token: z.string(),
});

/** A part of one's tokens, the oldest first. */
export interface UserTokenListAnswer extends Part {
  readonly tokens: readonly UserToken[];
}

/** Parses a part of one's tokens. */
export const userTokenListAnswer: z.ZodType<UserTokenListAnswer> = z.looseObject({
  tokens: z.array(userToken),
  ...partEnd,
});

/** Parses an answer that says nothing. */
export const done: z.ZodType<object> = z.looseObject({});
