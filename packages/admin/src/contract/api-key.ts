import { type Data, identifier } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { partOf, partQuery } from "./part.ts";

const defineEndpoint = tagged("API keys");

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

const fields = {
  keyId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  createdAt: z.string(),
  /** `admin:<name>`, `user:<e-mail>` or `fixture`; `null` where it was made before that was noted. */
  createdBy: z.string().nullable(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
};

const adminApiKey = record(fields);

/** An API key, without the key. */
export type AdminApiKey = Data<typeof adminApiKey>;

const createdApiKey = record({ ...fields, apiKey: z.string() });

/** An API key that has just been made: the only time that it is shown. */
export type CreatedApiKey = Data<typeof createdApiKey>;

const rotatedApiKey = record({
  ...fields,
  apiKey: z.string(),
  /** When the old one ends. */
  previousExpiresAt: z.string(),
});

/** An API key that takes the place of another. */
export type RotatedApiKey = Data<typeof rotatedApiKey>;

const apiKeyCreateRequest = z.strictObject({
  name: identifier,
  scopes: z.array(z.enum(apiKeyScopes)).min(1).optional().describe("What it may do; all without it"),
  expiresAt: z.iso.datetime({ offset: true }).optional().describe("When it ends; never without it"),
});

/** An API key to make. */
export type ApiKeyCreateRequest = Data<typeof apiKeyCreateRequest>;

const apiKeyRotateRequest = z.strictObject({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 24 * 60 * 60)
    .optional()
    .describe("How long the old one is good besides, up to 30 days (86400)"),
  /** `null` is never. @default when the old one would have */
  expiresAt: z.iso.datetime({ offset: true }).nullish().describe("When the new one ends"),
});

const keys = `${organization}/api-keys` as const;

/** The API keys of an organisation. */
export const apiKeys = {
  /** All of them, ended ones too, the oldest first. Retried. */
  list: defineEndpoint({
    name: "apiKeyList",
    path: keys,
    kind: "all",
    scope: "read",
    query: partQuery,
    answer: partOf({ apiKeys: z.array(adminApiKey) }),
    summary: "Lists API keys",
  }),
  /** A new key, which is shown this once. Never retried once sent. */
  create: defineEndpoint({
    name: "apiKeyCreate",
    method: "POST",
    path: keys,
    scope: "keys",
    body: apiKeyCreateRequest,
    answer: createdApiKey,
    summary: "Creates an API key, shown once",
    statuses: [201],
  }),
  /** A new key in place of another, which goes on for `overlapSeconds`. Never retried once sent. */
  rotate: defineEndpoint({
    name: "apiKeyRotate",
    method: "POST",
    path: `${keys}/{keyId}/rotate`,
    scope: "keys",
    body: apiKeyRotateRequest.prefault({}),
    answer: rotatedApiKey,
    summary: "Rotates an API key",
    statuses: [201],
  }),
  /** Ends a key. Retried. */
  revoke: defineEndpoint({
    name: "apiKeyRevoke",
    method: "POST",
    path: `${keys}/{keyId}/revoke`,
    idempotent: true,
    scope: "keys",
    answer: adminApiKey,
    summary: "Revokes an API key",
  }),
};
