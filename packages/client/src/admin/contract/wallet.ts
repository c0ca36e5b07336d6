import { z } from "zod";
import { type PlatformFee, platformFee } from "../../contract/order.ts";
import { identifier, line } from "../../contract/text.ts";
import { type WalletBalance, type WalletTopUpRequest, walletTopUpFields } from "../../contract/wallet.ts";
import { type Edit, editFields, type Tagged, taggedFields } from "./etag.ts";
import { type Part, type PartQuery, partEnd, partFields } from "./part.ts";

/** How a wallet is paid for: in advance, or by the invoice of a period. */
export type AdminWalletKind = "prepaid" | "postpaid";

/**
 * How a wallet is: `exhausted` can pay nothing, `overage` pays out of its credit line, `funded` is any other. Usage that
 * is not settled yet does not count.
 */
export type WalletState = "funded" | "overage" | "exhausted";

/** A wallet, as operators see it: its balance, whose it is, what kind it is, and how it is. */
export interface AdminWallet extends WalletBalance, Tagged {
  readonly customer_id: string;
  readonly credit_currency_key: string;
  readonly kind: AdminWalletKind;
  readonly state: WalletState;
  /**
   * Below it the wallet is low, which `wallet.low` tells: of a postpaid one, what its limit leaves. `null` is that of the
   * organisation; in an event it is the one that holds, and `null` where there is none.
   */
  readonly low_threshold: number | null;
  /** What is ordered when the wallet falls below a balance; `null` is nothing. Not in events. */
  readonly auto_top_up?: AutoTopUp | null | undefined;
}

/**
 * Orders credits when `available` falls below a balance: an order of type `top_up` with an invoice, which
 * `invoice.created` tells. Its credits are pending until it is paid, and no second one is made while it is open.
 */
export interface AutoTopUp {
  /** Credits, above 0. */
  readonly below: number;
  /** How many are ordered. */
  readonly credits: number;
  /** What they cost, in minor units, above 0. */
  readonly price: PlatformFee;
  /** Orders in a billing period at most, 1 to 1000; those that were cancelled count. */
  readonly max_per_period: number;
}

/** Which wallets. */
export interface WalletFilter {
  readonly customer_id?: string | undefined;
  readonly credit_currency_key?: string | undefined;
  readonly kind?: AdminWalletKind | undefined;
  readonly state?: WalletState | undefined;
}

/** Which part of them. */
export interface WalletListQuery extends PartQuery, WalletFilter {}

/** A part of the wallets, by customer and currency. */
export interface WalletListAnswer extends Part {
  readonly wallets: readonly AdminWallet[];
}

/** A wallet to open. It is empty: a prepaid one is filled by a top-up. */
export type WalletCreateRequest = PrepaidWalletRequest | PostpaidWalletRequest;

/** A wallet that is paid for in advance. */
export interface PrepaidWalletRequest {
  readonly kind: "prepaid";
  /** One that the organisation has: in the price of an indicator, in its fixture, or by `currencies.set()`. */
  readonly credit_currency_key: string;
  /** Credits that may be used beyond what was paid. @default 0 */
  readonly overage_limit?: number | undefined;
}

/** A wallet that is invoiced at the end of a period. */
export interface PostpaidWalletRequest {
  readonly kind: "postpaid";
  readonly credit_currency_key: string;
  /** Credits that may be used in a period; 0 is no limit at all. Has no default: nothing is denied without one. */
  readonly postpaid_limit: number;
}

/** The limit that the kind of wallet has, and its threshold. What is left out stays. */
export interface WalletLimitsRequest extends Edit {
  /** `null` is that of the organisation. */
  readonly low_threshold?: number | null | undefined;
  readonly overage_limit?: number | undefined;
  readonly postpaid_limit?: number | undefined;
  /** Of a prepaid wallet; `null` orders nothing. An order that is open stays so. */
  readonly auto_top_up?: AutoTopUp | null | undefined;
}

/** A top-up of prepaid wallets (API, section 4.1) by an operator. */
export interface AdminTopUpRequest extends WalletTopUpRequest {
  /** Stands in the audit log. @default none */
  readonly reason?: string | undefined;
}

/** Credits to give or to take outside of usage and payment. */
export interface AdjustmentRequest {
  readonly customer_id: string;
  readonly credit_currency_key: string;
  /** Not 0, at most 6 decimals; a refund is above 0, a correction below 0 takes credits. */
  readonly credits: number;
  /** Stands in the ledger and in the audit log. */
  readonly reason: string;
}

const most = 1_000_000_000;

const walletKind = z.enum(["prepaid", "postpaid"]);
const walletState = z.enum(["funded", "overage", "exhausted"]);

const filterFields = {
  customer_id: identifier.optional(),
  credit_currency_key: identifier.optional(),
  kind: walletKind.optional(),
  state: walletState.optional(),
};

/** Parses the query for all wallets of a kind. */
export const walletFilter: z.ZodType<WalletFilter> = z.strictObject(filterFields);

/** Parses the query for wallets. */
export const walletListQuery: z.ZodType<WalletListQuery> = z.strictObject({ ...partFields, ...filterFields });

/** Parses a wallet. Fields that are not listed are passed on. */
export const adminWallet: z.ZodType<AdminWallet> = z.looseObject({
  customer_id: z.string(),
  credit_currency_key: z.string(),
  kind: walletKind,
  state: walletState,
  low_threshold: z.number().nullable(),
  auto_top_up: z
    .looseObject({
      below: z.number(),
      credits: z.number(),
      price: z.looseObject({ amount: z.number(), currency: z.string() }),
      max_per_period: z.number(),
    })
    .nullish(),
  available: z.number(),
  pending: z.number(),
  overage_used: z.number(),
  overage_limit: z.number(),
  postpaid_used: z.number(),
  postpaid_limit: z.number(),
  ...taggedFields,
});

/** Parses a part of the wallets. */
export const walletListAnswer: z.ZodType<WalletListAnswer> = z.looseObject({
  wallets: z.array(adminWallet),
  ...partEnd,
});

/** Credits that a wallet is held against. */
export const creditLimit: z.ZodType<number> = credits(z.number());
const positive = credits(z.number().positive("Invalid input: expected more than 0"));
/** Both what is missing and what is no number is told so: 0 must be said. */
const postpaidLimit = credits(z.number("Invalid input: expected a number of credits, where 0 is no limit"));

function credits(number: z.ZodNumber): z.ZodType<number> {
  return number.min(0).max(most).refine(isMicro, "Invalid input: expected at most 6 decimals");
}

/** Parses the body that opens a wallet. */
export const walletCreateRequest: z.ZodType<WalletCreateRequest> = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("prepaid"),
    credit_currency_key: identifier,
    overage_limit: creditLimit.optional(),
  }),
  z.strictObject({
    kind: z.literal("postpaid"),
    credit_currency_key: identifier,
    postpaid_limit: postpaidLimit,
  }),
]);

/** Parses the body that changes a limit. */
export const walletLimitsRequest: z.ZodType<WalletLimitsRequest> = z.strictObject({
  ...editFields,
  low_threshold: creditLimit.nullish(),
  overage_limit: creditLimit.optional(),
  postpaid_limit: creditLimit.optional(),
  auto_top_up: z
    .strictObject({
      below: positive,
      credits: positive,
      price: platformFee.refine(({ amount }) => amount > 0, "Invalid input: expected an amount above 0"),
      max_per_period: z.int().min(1).max(1_000),
    })
    .nullish(),
});

const adjustment = {
  customer_id: identifier,
  credit_currency_key: identifier,
  reason: identifier,
};

/** Parses the body of a top-up by an operator. */
export const adminTopUpRequest: z.ZodType<AdminTopUpRequest> = z.strictObject({
  ...walletTopUpFields,
  reason: line(1, 256).optional(),
});

/** Parses the body of a correction: credits in either direction. */
export const correctionRequest: z.ZodType<AdjustmentRequest> = z.strictObject({
  ...adjustment,
  credits: z
    .number()
    .min(-most)
    .max(most)
    .refine(
      (credits) => credits !== 0 && isMicro(credits),
      "Invalid input: expected at most 6 decimals, not 0",
    ),
});

/** Parses the body of a refund. */
export const refundRequest: z.ZodType<AdjustmentRequest> = z.strictObject({
  ...adjustment,
  credits: z
    .number()
    .positive("Invalid input: expected more than 0")
    .max(most)
    .refine(isMicro, "Invalid input: expected at most 6 decimals"),
});

/** By the shortest text that denotes the number, as the service reads it: never by `x * 1e6`. */
function isMicro(credits: number): boolean {
  const [, fraction = "", exponent = "0"] = /^-?\d+(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(credits)) ?? [];
  return fraction.length - Number(exponent) <= 6;
}
