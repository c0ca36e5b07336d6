import { z } from "zod";

/** What is accepted and not settled yet. What has failed to settle is not in it: it is listed by itself. */
export interface SettlementState {
  /** Reports that wait, up to 10,000. */
  readonly waiting: number;
  /** Whether there are more than these. */
  readonly more: boolean;
  /** The credits of these, by currency. */
  readonly sums: readonly { readonly credit_currency_key: string; readonly credits: number }[];
  /** Since when one of them is due; `null` where none waits. */
  readonly dueSince: string | null;
  /** Whether that is more than 5 seconds ago: balances run behind by as much. */
  readonly isLate: boolean;
}

/** Parses what is not settled yet. Fields that are not listed are passed on. */
export const settlementState: z.ZodType<SettlementState> = z.looseObject({
  waiting: z.number(),
  more: z.boolean(),
  sums: z.array(z.looseObject({ credit_currency_key: z.string(), credits: z.number() })),
  dueSince: z.string().nullable(),
  isLate: z.boolean(),
});

/** How long settlement took for what was received in a half hour, by a sample of up to 60 reports. */
export interface SettlementAge {
  /** The beginning of the half hour. */
  readonly at: string;
  /** Reports in the sample. */
  readonly sampled: number;
  /** From receiving a report to settling it, in milliseconds; of one that waits, until now. */
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** Settlement of the last 24 hours. Half hours without usage are left out. */
export interface SettlementAgesAnswer {
  readonly from: string;
  readonly to: string;
  readonly ages: readonly SettlementAge[];
}

/** Parses the ages of settlement. Fields that are not listed are passed on. */
export const settlementAgesAnswer: z.ZodType<SettlementAgesAnswer> = z.looseObject({
  from: z.string(),
  to: z.string(),
  ages: z.array(
    z.looseObject({ at: z.string(), sampled: z.number(), medianMs: z.number(), p95Ms: z.number() }),
  ),
});
