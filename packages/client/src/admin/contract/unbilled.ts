import { z } from "zod";
import { identifier, line } from "../../contract/text.ts";
import { type Part, type PartQuery, partEnd, partFields, type SpanQuery, spanFields } from "./part.ts";

/** Usage of a wallet that was accepted and that no wallet has paid, in one sum. */
export interface UnbilledUsage {
  readonly customer_id: string;
  readonly credit_currency_key: string;
  /** `wallet_missing` or `out_of_range`. */
  readonly reason: string;
  /** Reports. */
  readonly events: number;
  readonly credits: number;
  /** When the oldest was received. */
  readonly since: string;
}

/** Why usage is not billed. */
export type UnbilledReason = "wallet_missing" | "out_of_range";

/** Which usage that is not billed. */
export interface UnbilledUsageQuery extends PartQuery {
  readonly customer_id?: string | undefined;
  readonly credit_currency_key?: string | undefined;
  readonly reason?: UnbilledReason | undefined;
}

/** A period that could not be invoiced. */
export interface PeriodFailure {
  /** `null` for those of the whole organisation. */
  readonly customer_id: string | null;
  readonly credit_currency_key: string | null;
  readonly periodEnd: string | null;
  readonly message: string;
  readonly failedAt: string;
}

/** Usage that could not be settled. */
export interface SettlementFailure {
  readonly usageId: string;
  readonly customer_id: string | null;
  readonly credit_currency_key: string | null;
  readonly credits: number | null;
  readonly receivedAt: string | null;
  readonly message: string;
  readonly failedAt: string;
}

/** Usage to settle again: all that passes the filters. */
export interface UsageResettleRequest extends SpanQuery {
  readonly customer_id?: string | undefined;
  readonly agent_id?: string | undefined;
  /** With its `agent_id`. */
  readonly indicator?: string | undefined;
  readonly credit_currency_key?: string | undefined;
  /** Only what was not billed for this reason, or what has failed. @default all of them */
  readonly cause?: UnbilledReason | "failed" | undefined;
  /** Only these reports. */
  readonly usageIds?: readonly string[] | undefined;
  /** For the audit log. */
  readonly reason: string;
}

/** What was taken up again. */
export interface UsageResettleAnswer {
  /** Reports, at most 1,000 of each cause. */
  readonly resettled: number;
  /** Whether there may be more of them: ask again. */
  readonly more: boolean;
}

/** Parses the query for usage that is not billed. */
export const unbilledUsageQuery: z.ZodType<UnbilledUsageQuery> = z.strictObject({
  ...partFields,
  customer_id: identifier.optional(),
  credit_currency_key: identifier.optional(),
  reason: z.enum(["wallet_missing", "out_of_range"]).optional(),
});

/** Parses what is to be settled again. */
export const usageResettleRequest: z.ZodType<UsageResettleRequest> = z
  .strictObject({
    ...spanFields,
    customer_id: identifier.optional(),
    agent_id: identifier.optional(),
    indicator: identifier.optional(),
    credit_currency_key: identifier.optional(),
    cause: z.enum(["wallet_missing", "out_of_range", "failed"]).optional(),
    usageIds: z.array(z.guid()).min(1).max(1_000).optional(),
    reason: line(1, 256),
  })
  .refine(({ agent_id, indicator }) => indicator === undefined || agent_id !== undefined, {
    path: ["agent_id"],
    message: "Invalid input: expected the agent of the indicator",
  });

/** Parses what was taken up again. */
export const usageResettleAnswer: z.ZodType<UsageResettleAnswer> = z.looseObject({
  resettled: z.number(),
  more: z.boolean(),
});

/** A part of the usage that is not billed, by wallet and reason. */
export interface UnbilledUsageAnswer extends Part {
  readonly usage: readonly UnbilledUsage[];
}

/** Parses a part of the usage that is not billed. */
export const unbilledUsageAnswer: z.ZodType<UnbilledUsageAnswer> = z.looseObject({
  usage: z.array(
    z.looseObject({
      customer_id: z.string(),
      credit_currency_key: z.string(),
      reason: z.string(),
      events: z.number(),
      credits: z.number(),
      since: z.string(),
    }),
  ),
  ...partEnd,
});

/** A part of the periods that could not be invoiced. */
export interface PeriodFailuresAnswer extends Part {
  readonly failures: readonly PeriodFailure[];
}

/** Parses a part of the periods that could not be invoiced. */
export const periodFailuresAnswer: z.ZodType<PeriodFailuresAnswer> = z.looseObject({
  failures: z.array(
    z.looseObject({
      customer_id: z.string().nullable(),
      credit_currency_key: z.string().nullable(),
      periodEnd: z.string().nullable(),
      message: z.string(),
      failedAt: z.string(),
    }),
  ),
  ...partEnd,
});

/** A part of the usage that could not be settled. */
export interface SettlementFailuresAnswer extends Part {
  readonly failures: readonly SettlementFailure[];
}

/** Parses a part of the usage that could not be settled. */
export const settlementFailuresAnswer: z.ZodType<SettlementFailuresAnswer> = z.looseObject({
  failures: z.array(
    z.looseObject({
      usageId: z.string(),
      customer_id: z.string().nullable(),
      credit_currency_key: z.string().nullable(),
      credits: z.number().nullable(),
      receivedAt: z.string().nullable(),
      message: z.string(),
      failedAt: z.string(),
    }),
  ),
  ...partEnd,
});
