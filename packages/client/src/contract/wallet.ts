import { z } from "zod";
import { dictionary } from "./dictionary.ts";
import { identifier } from "./text.ts";

/** One wallet of a customer, in credits (API, section 2.1). `available` may be negative: debt. */
export interface WalletBalance {
  /** Prepaid credits ready to spend; 0 on postpaid wallets. */
  readonly available: number;
  /** Credits of invoices that are not paid yet; not spendable. */
  readonly pending: number;
  /** Credits drawn from the credit line. */
  readonly overage_used: number;
  /** Size of the credit line in credits. */
  readonly overage_limit: number;
  /** Credits accrued in the current billing period; 0 on prepaid wallets. */
  readonly postpaid_used: number;
  /** Hard stop in credits; 0 is no limit on a postpaid wallet, and on every prepaid wallet it is 0. */
  readonly postpaid_limit: number;
  /**
   * Credits of usage that the service has accepted and not debited yet, as of the same instant as the other amounts.
   * Only from a service that tells: an addition of Creditgate's control plane, as is `kind`.
   */
  readonly unsettled?: number | undefined;
  readonly kind?: "prepaid" | "postpaid" | undefined;
}

/** Query of the balance endpoint (API, section 4.1). */
export interface WalletBalanceQuery {
  /** External ID of the customer. */
  readonly customer_id: string;
}

/** All wallets of a customer by credit currency key (API, section 4.1). Inherits nothing: any key is an ordinary key. */
export interface WalletBalanceAnswer {
  readonly balances: Readonly<Record<string, WalletBalance>>;
}

/** A top-up of prepaid wallets (API, section 4.1): overage is cleared first, the remainder becomes available. */
export interface WalletTopUpRequest {
  /** External ID of the customer. */
  readonly customer_id: string;
  /** At least one. */
  readonly top_ups: readonly WalletTopUp[];
}

/** Credits for one prepaid wallet (API, section 4.1). */
export interface WalletTopUp {
  readonly credit_currency_key: string;
  /** Credits to add, above 0; fractions allowed. */
  readonly credits: number;
}

/** What became of each top-up (API, section 4.1); a 200 alone does not promise `success`, so `topUp()` looks at it. */
export interface WalletTopUpAnswer {
  readonly message: string;
  readonly results: readonly WalletTopUpResult[];
}

/** The wallet after its top-up, in credits (API, section 4.1). */
export interface WalletTopUpResult {
  readonly credit_currency_key: string;
  readonly success: boolean;
  readonly available: number;
  readonly pending: number;
  /** Why not, in words; an addition of Creditgate's control plane. */
  readonly reason?: string | undefined;
}

/** Parses a wallet balance entry: six finite numbers (API, section 2.1), and what a service tells beyond them. */
export const walletBalance: z.ZodType<WalletBalance> = z.object({
  available: z.number(),
  pending: z.number(),
  overage_used: z.number(),
  overage_limit: z.number(),
  postpaid_used: z.number(),
  postpaid_limit: z.number(),
  unsettled: z.number().nonnegative().optional(),
  kind: z.enum(["prepaid", "postpaid"]).optional(),
});

/** Parses the query of the balance endpoint (API, section 4.1). */
export const walletBalanceQuery: z.ZodType<WalletBalanceQuery> = z.object({ customer_id: identifier });

/** Parses the answer of the balance endpoint (API, section 4.1). */
export const walletBalanceAnswer: z.ZodType<WalletBalanceAnswer> = z.object({
  balances: dictionary(walletBalance),
});

/** Of the body of a top-up. */
export const walletTopUpFields: {
  readonly customer_id: z.ZodType<string>;
  readonly top_ups: z.ZodType<readonly WalletTopUp[]>;
} = {
  customer_id: identifier,
  top_ups: z.array(z.object({ credit_currency_key: identifier, credits: z.number().positive() })).min(1),
};

/** Parses the body of a top-up (API, section 4.1). */
export const walletTopUpRequest: z.ZodType<WalletTopUpRequest> = z.object(walletTopUpFields);

/** Parses the answer of a top-up (API, section 4.1). */
export const walletTopUpAnswer: z.ZodType<WalletTopUpAnswer> = z.object({
  message: z.string(),
  results: z.array(
    z.object({
      credit_currency_key: z.string(),
      success: z.boolean(),
      available: z.number(),
      pending: z.number(),
      reason: z.string().optional(),
    }),
  ),
});
