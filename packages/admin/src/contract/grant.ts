import { type Data, identifier } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { instant, onlyOf, partFields, partOf, reasonField } from "./part.ts";
import { refundRequest } from "./wallet.ts";

const defineEndpoint = tagged("Customers and wallets");

const source = z.enum(["promotion", "purchase"]);
const state = z.enum(["scheduled", "active", "expired", "ended"]);

export const adminGrant = record({
  grantId: z.string(),
  customerId: z.string(),
  creditCurrencyKey: z.string(),
  source,
  /** From 0 to 100; a lower one is spent first, and what no grant has has 50. */
  priority: z.number(),
  credits: z.number(),
  /** Credits that are not spent; of an ended grant, what has lapsed or was taken back. */
  remaining: z.number(),
  /**
   * `scheduled` has not begun; `active` is in what is available; `expired` pays for 24 hours more what was used before, and
   * what else would be overage; `ended` is spent, void or lapsed.
   */
  state,
  effectiveAt: z.string(),
  /** `null`: never. */
  expiresAt: z.string().nullable(),
  /** The order that it came with; `null`: none. */
  orderId: z.string().nullable(),
  /** The allowance whose period it is for; `null`: none. */
  allowanceId: z.string().nullable(),
});

/** Credits of a prepaid wallet that expire, or are spent before or after others. */
export type AdminGrant = Data<typeof adminGrant>;

const grantListQuery = z.strictObject({
  ...partFields,
  customerId: onlyOf.customerId,
  state: state.optional().describe("Only in this state"),
});

const { customerId, creditCurrencyKey, credits } = refundRequest.shape;

/** Balances report it, with a year of four digits. */
const instantOfGrant = instant.refine(
  (text) => Date.parse(text) < Date.UTC(10_000, 0),
  "Invalid input: expected an instant before the year 10000",
);

export const grantCreateRequest = z.strictObject({
  customerId,
  creditCurrencyKey,
  credits: credits.describe("Credits to give; above 0, at most 6 decimals"),
  source: source.describe("Whether they are given or sold"),
  /** @default 50 */
  priority: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe("From 0 to 100; a lower one is spent first; 50 without it"),
  /** @default now */
  effectiveAt: instantOfGrant
    .optional()
    .describe("When they can be spent, as 2026-01-01T00:00:00Z; now without it"),
  /** @default never */
  expiresAt: instantOfGrant.optional().describe("When they expire; never without it"),
  reason: identifier.describe("Why, for the audit log"),
});

/** Credits to grant. */
export type GrantCreateRequest = Data<typeof grantCreateRequest>;

const grantExtendRequest = z.strictObject({
  expiresAt: instantOfGrant.describe("When it expires; later than now and than before"),
  reason: reasonField,
});

const path = `${organization}/grants/{grantId}` as const;

/** Credits of prepaid wallets that expire, or are spent before or after others. */
export const grants = {
  /** By customer, currency and when they begin. Retried. */
  list: defineEndpoint({
    name: "grantList",
    path: `${organization}/grants`,
    kind: "list",
    scope: "read",
    query: grantListQuery,
    answer: partOf({ grants: z.array(adminGrant) }),
    summary: "Lists grants of credits",
  }),
  /**
   * Grants credits, once for each `idempotencyKey`. 404 `wallet_unknown`; 409 `customer_erased`; 422 `wallet_postpaid`, `grant_out_of_time`,
   * `amount_out_of_range`, and `too_many_grants` where the wallet has 1,000 that are not over.
   */
  create: defineEndpoint({
    name: "grantCreate",
    method: "POST",
    path: `${organization}/grants`,
    kind: "once",
    onceAs: "admin/grant",
    scope: "money",
    body: grantCreateRequest,
    answer: adminGrant,
    summary: "Grants credits",
  }),
  /** Lets a grant expire later. 409 `grant_over` for one that has expired or ended; 422 `grant_out_of_time`. Retried. */
  extend: defineEndpoint({
    name: "grantExtend",
    method: "POST",
    path: `${path}/extend`,
    idempotent: true,
    scope: "money",
    body: grantExtendRequest,
    answer: adminGrant,
    summary: "Lets a grant expire later",
  }),
  /**
   * Takes back what remains of a grant, but for what accepted usage needs; it ends. 409 `grant_over` for one that has expired or ended; 422
   * `credits_used` where all that remains is needed. Never retried once sent.
   */
  void: defineEndpoint({
    name: "grantVoid",
    method: "POST",
    path: `${path}/void`,
    scope: "money",
    body: z.strictObject({ reason: reasonField }),
    answer: adminGrant,
    summary: "Takes back what remains of a grant",
  }),
};
