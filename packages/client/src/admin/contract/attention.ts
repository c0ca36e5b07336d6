import { z } from "zod";
import { type Part, type PartQuery, partEnd, partFields, type SpanQuery, spanFields } from "./part.ts";
import { type AdminWallet, adminWallet } from "./wallet.ts";

/** How many there are, up to a number from which on they are not counted. */
export interface Counted {
  readonly count: number;
  /** Whether there are more than that. */
  readonly more: boolean;
}

/** What an operator should look at. Counted up to 1,000. */
export interface Attention {
  /** Wallets that can pay nothing. */
  readonly exhausted: Counted;
  /** Wallets near their end: below their threshold, on their credit line, or in the last tenth of their limit. */
  readonly low: Counted;
  /** Reports that no wallet has paid, since there is none in their currency. */
  readonly walletMissing: Counted;
  /** Reports that no wallet has paid, since it cannot hold the amount. */
  readonly outOfRange: Counted;
  /** Reports that could not be settled. */
  readonly settlementFailures: Counted;
  /** Periods that could not be invoiced. */
  readonly periodFailures: Counted;
  /** Webhook endpoints that were disabled since they failed. */
  readonly webhooksDisabled: Counted;
  /** Events of the last 7 days that were given up. */
  readonly deliveriesGivenUp: Counted;
}

/** `exhausted` can pay nothing; `low` is below its threshold, on its credit line, or in the last tenth of its limit. */
export type WalletUrgency = "exhausted" | "low";

/** A wallet near its end, or at it. */
export interface UrgentWallet extends AdminWallet {
  readonly customerName: string;
  readonly urgency: WalletUrgency;
  readonly urgentSince: string;
}

/** Which wallets near their end. */
export interface UrgentWalletListQuery extends PartQuery {
  readonly urgency: WalletUrgency;
}

/** A part of them, those that came there last first. */
export interface UrgentWalletListAnswer extends Part {
  readonly wallets: readonly UrgentWallet[];
}

/** Why usage was accepted and not paid by a wallet. */
export type RefusalReason = "wallet_missing" | "out_of_range";

/** Usage of a span that no wallet has paid, by reason; counted up to 10,000 reports each. */
export interface UsageRefusalsAnswer {
  readonly from: string;
  readonly to: string;
  readonly refusals: readonly (Counted & { readonly reason: RefusalReason })[];
}

const countedFields = { count: z.number(), more: z.boolean() };
const counted = z.looseObject(countedFields);

/** Parses what an operator should look at. Fields that are not listed are passed on. */
export const attention: z.ZodType<Attention> = z.looseObject({
  exhausted: counted,
  low: counted,
  walletMissing: counted,
  outOfRange: counted,
  settlementFailures: counted,
  periodFailures: counted,
  webhooksDisabled: counted,
  deliveriesGivenUp: counted,
});

const urgency = z.enum(["exhausted", "low"]);

/** Parses the query for wallets near their end. */
export const urgentWalletListQuery: z.ZodType<UrgentWalletListQuery> = z.strictObject({
  ...partFields,
  urgency,
});

/** Parses a part of the wallets near their end. */
export const urgentWalletListAnswer: z.ZodType<UrgentWalletListAnswer> = z.looseObject({
  wallets: z.array(
    z.intersection(
      adminWallet,
      z.looseObject({ customerName: z.string(), urgency, urgentSince: z.string() }),
    ),
  ),
  ...partEnd,
});

/** Parses the query for usage that no wallet has paid. */
export const usageRefusalsQuery: z.ZodType<SpanQuery> = z.strictObject(spanFields);

/** Parses usage that no wallet has paid. Fields that are not listed are passed on. */
export const usageRefusalsAnswer: z.ZodType<UsageRefusalsAnswer> = z.looseObject({
  from: z.string(),
  to: z.string(),
  refusals: z.array(z.looseObject({ reason: z.enum(["wallet_missing", "out_of_range"]), ...countedFields })),
});
