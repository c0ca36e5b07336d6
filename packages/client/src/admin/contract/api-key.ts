import { z } from "zod";
import { identifier } from "../../contract/text.ts";
import { type Part, partEnd } from "./part.ts";

/** What a key may be good for. */
export type ApiKeyScope = "read" | "usage" | "wallets" | "customers" | "orders" | "agents";

/** What a key may be good for: all there is. */
export const apiKeyScopes: readonly [ApiKeyScope, ...ApiKeyScope[]] = [
  "read",
  "usage",
  "wallets",
  "customers",
  "orders",
  "agents",
];

/** An API key, without the key. */
export interface AdminApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  /** `admin:<name>`, `user:<e-mail>` or `fixture`; `null` where it was made before that was noted. */
  readonly createdBy: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

/** An API key that has just been made: the only time that it is shown. */
export interface CreatedApiKey extends AdminApiKey {
  readonly apiKey: string;
}

/** An API key that takes the place of another. */
export interface RotatedApiKey extends CreatedApiKey {
  /** When the old one ends. */
  readonly previousExpiresAt: string;
}

/** An API key to make. */
export interface ApiKeyCreateRequest {
  readonly name: string;
  /** At least one. @default all of them */
  readonly scopes?: readonly ApiKeyScope[] | undefined;
  /** An instant with its offset (ISO 8601). @default never */
  readonly expiresAt?: string | undefined;
}

/** How an API key is replaced. */
export interface ApiKeyRotateRequest {
  /** For how long the old one is good besides the new one, 0 to 30 days. @default 86400 */
  readonly overlapSeconds?: number | undefined;
  /** When the new one ends, an instant with its offset (ISO 8601); `null` is never. @default when the old one would have */
  readonly expiresAt?: string | null | undefined;
}

const fields = {
  keyId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
};

/** Parses an API key as lists show it. Fields that are not listed are passed on. */
export const adminApiKey: z.ZodType<AdminApiKey> = z.looseObject(fields);

/** A part of the API keys, the oldest first. */
export interface ApiKeyListAnswer extends Part {
  readonly apiKeys: readonly AdminApiKey[];
}

/** Parses a part of the API keys. */
export const apiKeyListAnswer: z.ZodType<ApiKeyListAnswer> = z.looseObject({
  apiKeys: z.array(adminApiKey),
  ...partEnd,
});

/** Parses an API key that has just been made. */
export const createdApiKey: z.ZodType<CreatedApiKey> = z.looseObject({ ...fields, apiKey: z.string() });

/** Parses an API key that takes the place of another. */
export const rotatedApiKey: z.ZodType<RotatedApiKey> = z.looseObject({
  ...fields,
  apiKey: z.string(),
  previousExpiresAt: z.string(),
});

/** Parses the body that makes an API key. */
export const apiKeyCreateRequest: z.ZodType<ApiKeyCreateRequest> = z.strictObject({
  name: identifier,
  scopes: z.array(z.enum(apiKeyScopes)).min(1).optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
});

/** Parses the body that replaces an API key. */
export const apiKeyRotateRequest: z.ZodType<ApiKeyRotateRequest> = z.strictObject({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 24 * 60 * 60)
    .optional(),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
});
