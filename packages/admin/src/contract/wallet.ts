import { type Data, identifier, walletTopUpAnswer } from "@creditgate/client";
import { line, platformFee, record, walletTopUpFields } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { onlyOf, partFields, partOf } from "./part.ts";

const defineEndpoint = tagged("Customers and wallets");

/** How a wallet is paid for: in advance, or by the invoice of a period. */
export type AdminWalletKind = "prepaid" | "postpaid";

/**
 * How a wallet is: `exhausted` can pay nothing, `overage` pays out of its credit line, `funded` is any other. Usage that
 * is not settled yet does not count.
 */
export type WalletState = "funded" | "overage" | "exhausted";

const most = 1_000_000_000;

const walletKind = z.enum(["prepaid", "postpaid"]);
const walletState = z.enum(["funded", "overage", "exhausted"]);

const filterFields = {
  customerId: onlyOf.customerId,
  creditCurrencyKey: onlyOf.creditCurrencyKey,
  kind: walletKind.optional().describe("Only of this kind"),
  state: walletState.optional().describe("Only in this state"),
};

const walletFilter = z.strictObject(filterFields);

/** Which wallets. */
export type WalletFilter = Data<typeof walletFilter>;

const walletListQuery = z.strictObject({ ...partFields, ...filterFields });

export const adminWallet = record({
  customerId: z.string(),
  creditCurrencyKey: z.string(),
  kind: walletKind,
  state: walletState,
  /** `low` is near its end: in overage, below its threshold, or with less than a tenth of its limit left. Not in events. */
  urgency: z.enum(["exhausted", "low"]).nullish(),
  /** Credits that it can still pay; `null` is without a limit. Usage that is not settled counts as unspent. Not in events. */
  capacity: z.number().nullish(),
  /**
   * Below it the wallet is low, and `wallet.low` is sent. Of a postpaid wallet, what remains of its limit. `null`:
   * the organisation's. In an event it is the one that applies, and `null` if there is none.
   */
  lowThreshold: z.number().nullable(),
  /** What is ordered when the wallet falls below a balance; `null` is nothing. Not in events. */
  autoTopUp: z
    .looseObject({
      below: z.number(),
      credits: z.number(),
      price: record({ amount: z.number(), currency: z.string() }),
      maxPerPeriod: z.number(),
    })
    .nullish(),
  available: z.number(),
  pending: z.number(),
  overageUsed: z.number(),
  overageLimit: z.number(),
  postpaidUsed: z.number(),
  postpaidLimit: z.number(),
  /** Credits of usage that is accepted and not debited yet. */
  unsettled: z.number().nonnegative().optional(),
  ...taggedFields,
});

/** A wallet, as operators see it: its balance, whose it is, what kind it is, and how it is. */
export type AdminWallet = Data<typeof adminWallet>;

/** Credits that a wallet is held against. */
export const creditLimit = credits(z.number());
const positive = credits(z.number().positive("Invalid input: expected more than 0"));
/** The same message for a missing value and for no number: 0 must be explicit. */
const postpaidLimit = credits(z.number("Invalid input: expected a number of credits, where 0 is no limit"));

function credits(number: z.ZodNumber): z.ZodType<number> {
  return number.min(0).max(most).refine(isMicro, "Invalid input: expected at most 6 decimals");
}

/** A wallet to open. It is empty: a prepaid one is filled by a top-up. */
export const walletCreateRequest = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("prepaid").describe("How it is paid for"),
    /** One that the organisation has: in the price of an indicator, in its fixture, or by `currencies.set()`. */
    creditCurrencyKey: identifier,
    overageLimit: creditLimit.optional().describe("Credits that a prepaid one may be overdrawn by"),
  }),
  z.strictObject({
    kind: z.literal("postpaid").describe("How it is paid for"),
    creditCurrencyKey: identifier,
    /** Has no default: nothing is denied without one. */
    postpaidLimit: postpaidLimit.describe("Credits of a postpaid one in a period; 0 is no limit"),
  }),
]);

export type WalletCreateRequest = Data<typeof walletCreateRequest>;

const walletLimitsRequest = z.strictObject({
  ...editFields,
  /** `null` is that of the organisation. */
  lowThreshold: creditLimit.nullish().describe("Credits below which the wallet is low"),
  overageLimit: creditLimit.optional().describe("Credits that a prepaid one may be overdrawn by"),
  postpaidLimit: creditLimit.optional().describe("Credits of a postpaid one in a period; 0 is no limit"),
  /** `null` orders nothing. An order that is open stays so. */
  autoTopUp: z
    .strictObject({
      below: positive,
      credits: positive,
      price: platformFee.refine(({ amount }) => amount > 0, "Invalid input: expected an amount above 0"),
      maxPerPeriod: z.int().min(1).max(1_000),
    })
    .nullish()
    .describe("What is ordered when a prepaid wallet falls below a balance"),
});

/** The limit that the kind of wallet has, and its threshold. What is left out stays. */
export type WalletLimitsRequest = Data<typeof walletLimitsRequest>;

const adjustment = {
  customerId: identifier,
  creditCurrencyKey: identifier,
  reason: identifier.describe("Why, for the ledger and the audit log"),
};

export const adminTopUpRequest = z.strictObject({
  ...walletTopUpFields,
  /** Stands in the audit log. @default none */
  reason: line(1, 256).optional(),
});

export const correctionRequest = z.strictObject({
  ...adjustment,
  /** Not 0, at most 6 decimals; a refund is above 0, a correction below 0 takes credits. */
  credits: z
    .number()
    .min(-most)
    .max(most)
    .refine(
      (credits) => credits !== 0 && isMicro(credits),
      "Invalid input: expected at most 6 decimals, not 0",
    ),
});

export const refundRequest = z.strictObject({
  ...adjustment,
  /** Not 0, at most 6 decimals; a refund is above 0, a correction below 0 takes credits. */
  credits: z
    .number()
    .positive("Invalid input: expected more than 0")
    .max(most)
    .refine(isMicro, "Invalid input: expected at most 6 decimals"),
});

/** Credits to give or to take outside of usage and payment. */
export type AdjustmentRequest = Data<typeof refundRequest>;

/** By the shortest text that denotes the number, as the service reads it: never by `x * 1e6`. */
function isMicro(credits: number): boolean {
  const [, fraction = "", exponent = "0"] = /^-?\d+(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(credits)) ?? [];
  return fraction.length - Number(exponent) <= 6;
}

/** What is ordered when a wallet falls below a balance. */
export type AutoTopUp = NonNullable<AdminWallet["autoTopUp"]>;

const walletsOfCustomer = `${organization}/customers/{externalId}/wallets` as const;
const walletPath = `${walletsOfCustomer}/{creditCurrencyKey}` as const;

/** The wallets of an organisation's customers, by customer and currency. Only here they come into being, but for the credits of an order. */
export const wallets = {
  list: defineEndpoint({
    name: "walletList",
    path: `${organization}/wallets`,
    kind: "list",
    scope: "read",
    query: walletListQuery,
    answer: partOf({ wallets: z.array(adminWallet) }),
    summary: "Lists wallets",
  }),
  csv: defineEndpoint({
    name: "walletCsv",
    path: `${organization}/wallets.csv`,
    kind: "csv",
    scope: "read",
    query: walletFilter,
    summary: "The wallets as a file",
  }),
  /** The customer's wallet in the currency; 404 `wallet_unknown` where there is none. Retried. */
  get: defineEndpoint({
    name: "walletRead",
    path: walletPath,
    scope: "read",
    answer: adminWallet,
    summary: "Reads a wallet",
  }),
  /**
   * Opens an empty wallet; 409 `wallet_exists` where the customer has one in the currency, 422 `currency_unknown` where the
   * organisation does not have the currency: `currencies.set()` makes one; 422 `too_many_wallets` where the customer has 500.
   * Never retried once sent.
   */
  create: defineEndpoint({
    name: "walletCreate",
    method: "POST",
    path: walletsOfCustomer,
    scope: "money",
    body: walletCreateRequest,
    answer: adminWallet,
    summary: "Opens a wallet",
    statuses: [201],
  }),
  /** Changes the limit that the kind of wallet has. Retried. */
  setLimits: defineEndpoint({
    name: "walletLimits",
    method: "POST",
    path: `${walletPath}/limits`,
    idempotent: true,
    scope: "money",
    body: walletLimitsRequest,
    answer: adminWallet,
    summary: "Changes the limits of a wallet",
  }),
  /** Adds credits to prepaid wallets, as `createClient().wallets.topUp()` does, in an administrator's name, with a reason for the audit log. */
  topUp: defineEndpoint({
    name: "adminTopUp",
    method: "POST",
    path: `${organization}/top-ups`,
    kind: "once",
    onceAs: "admin/top-up",
    scope: "money",
    body: adminTopUpRequest,
    answer: walletTopUpAnswer,
    summary: "Adds credits to prepaid wallets",
  }),
  /** Gives credits back, with a reason, once for each `idempotencyKey`. */
  refund: defineEndpoint({
    name: "walletRefund",
    method: "POST",
    path: `${organization}/refunds`,
    kind: "once",
    onceAs: "admin/refund",
    scope: "money",
    body: refundRequest,
    answer: adminWallet,
    summary: "Gives credits back",
  }),
  /** Gives or takes credits, with a reason, once for each `idempotencyKey`. */
  correct: defineEndpoint({
    name: "walletCorrection",
    method: "POST",
    path: `${organization}/corrections`,
    kind: "once",
    onceAs: "admin/correction",
    scope: "money",
    body: correctionRequest,
    answer: adminWallet,
    summary: "Gives or takes credits",
  }),
};

/** The same request as `create`, by one who takes "there is one" for an answer: that makes it safe to repeat. */
export const walletEnsure = defineEndpoint({
  name: "walletEnsure",
  method: "POST",
  path: walletsOfCustomer,
  idempotent: true,
  scope: "money",
  body: walletCreateRequest,
  answer: adminWallet,
  summary: "Opens a wallet if there is none",
});
