import { z } from "zod";
import { type Data, dictionary, identifier } from "./fields.ts";
import { creditBenefit } from "./order.ts";
import { budgetKey } from "./usage.ts";
import { budgetRules } from "./usage-fields.ts";

/** Parses a wallet balance entry: six finite numbers (API, section 2.1), and the additions of an extended service. */
export const walletBalance = z.object({
  /** Prepaid credits ready to spend; 0 on postpaid wallets. */
  available: z.number(),
  /** Credits of invoices that are not paid yet; not spendable. */
  pending: z.number(),
  /** Credits drawn from the credit line. */
  overage_used: z.number(),
  /** Size of the credit line in credits. */
  overage_limit: z.number(),
  /** Credits accrued in the current billing period; 0 on prepaid wallets. */
  postpaid_used: z.number(),
  /** Hard stop in credits; 0 is no limit on a postpaid wallet, and on every prepaid wallet it is 0. */
  postpaid_limit: z.number(),
  /**
   * Credits of usage that the service has accepted and not debited yet, as of the same instant as the other amounts.
   * Only from an extended service: an addition of Creditgate's control plane, as is `kind`.
   */
  unsettled: z.number().nonnegative().optional(),
  kind: z.enum(["prepaid", "postpaid"]).optional(),
  /** For people to see: what of `available` expires next, at most 10 instants. Only from an extended service, too. */
  expiring: z.array(z.object({ at: z.string(), credits: z.number() })).optional(),
});

/** One wallet of a customer, in credits (API, section 2.1). `available` may be negative: debt. */
export type WalletBalance = Data<typeof walletBalance>;

/** Parses the query of the balance endpoint (API, section 4.1). */
export const walletBalanceQuery = z.object({
  /** External ID of the customer. */
  customer_id: identifier,
});

/** Query of the balance endpoint (API, section 4.1). */
export type WalletBalanceQuery = Data<typeof walletBalanceQuery>;

/** Parses the answer of the balance endpoint (API, section 4.1). */
export const walletBalanceAnswer = z.object({ balances: dictionary(walletBalance) });

/** All wallets of a customer by credit currency key (API, section 4.1). Inherits nothing: any key is an ordinary key. */
export type WalletBalanceAnswer = Data<typeof walletBalanceAnswer>;

/** Parses a request for balances and budgets. */
export const walletBudgetsRequest = z.object({
  /** External ID of the customer. */
  customer_id: identifier,
  /** Keys of budgets by credit currency key, 1 to 100 in all. */
  budgets: dictionary(z.array(budgetKey).min(1))
    .refine(
      (budgets) => Object.values(budgets).flat().length <= budgetRules.inRequest,
      `Invalid input: expected at most ${budgetRules.inRequest} keys`,
    )
    .refine(
      (budgets) => Object.keys(budgets).every((currency) => identifier.safeParse(currency).success),
      "Invalid input: expected credit currency keys, of 1 to 256 bytes without control characters",
    ),
});

/** Asks for the balances, and for budgets as of the same instant. Not in the API: our addition. */
export type WalletBudgetsRequest = Data<typeof walletBudgetsRequest>;

/** Parses a budget of a customer in an answer, in credits. */
export const walletBudget = z.object({
  /** `null`: it holds no work back, and only warns. */
  limit: z.number().nullable(),
  /** Debited in its present period and later ones. */
  used: z.number(),
  /** Of usage that was accepted in these periods and is not debited yet. */
  unsettled: z.number().nonnegative(),
  /** When its present period began, and when the next begins; `null`: none does. */
  period: z.string(),
  resets_at: z.string().nullable(),
});

/** A budget of a customer, as the service answers it with the balances. */
export type WalletBudget = Data<typeof walletBudget>;

/** Of the body of a top-up. */
export const walletTopUpFields = {
  /** External ID of the customer. */
  customer_id: identifier,
  /** At least one. */
  top_ups: z.array(creditBenefit).min(1),
};

/** Parses the body of a top-up (API, section 4.1). */
export const walletTopUpRequest = z.object(walletTopUpFields);

/** A top-up of prepaid wallets (API, section 4.1): overage is cleared first, the remainder becomes available. */
export type WalletTopUpRequest = Data<typeof walletTopUpRequest>;

/** Credits for one prepaid wallet (API, section 4.1), above 0; fractions allowed. */
export type WalletTopUp = WalletTopUpRequest["top_ups"][number];

const walletTopUpResult = z.object({
  credit_currency_key: z.string(),
  success: z.boolean(),
  available: z.number(),
  pending: z.number(),
  /** Why not, in words; an addition of Creditgate's control plane. */
  reason: z.string().optional(),
});

/** The wallet after its top-up, in credits (API, section 4.1). */
export type WalletTopUpResult = Data<typeof walletTopUpResult>;

/** Parses the answer of a top-up (API, section 4.1). */
export const walletTopUpAnswer = z.object({ message: z.string(), results: z.array(walletTopUpResult) });

/** What became of each top-up (API, section 4.1); a 200 alone does not promise `success`, so `topUp()` looks at it. */
export type WalletTopUpAnswer = Data<typeof walletTopUpAnswer>;
