import { z } from "zod";
import { ordinal } from "../../contract/list.ts";
import { identifier } from "../../contract/text.ts";
import { type Part, type PartQuery, partEnd, partFields, type SpanQuery, spanFields } from "./part.ts";

/** A report of usage, and what has become of it. */
export interface AdminUsage {
  readonly usageId: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly customer_id: string;
  /** As it was reported. */
  readonly rawUsage: Readonly<Record<string, unknown>>;
  /** `null` where the indicator was not in CREDITS. */
  readonly credit_currency_key: string | null;
  readonly credits: number;
  readonly receivedAt: string;
  readonly settledAt: string | null;
  /** `debited`, `accrued`, `free`, `not_credits`, `wallet_missing` or `out_of_range`; `null` until it is settled. */
  readonly outcome: string | null;
  readonly idempotencyKey: string | null;
}

/** What has become of usage, where that is rare enough to look for. */
export type UsageOutcomeFilter = "unsettled" | "wallet_missing" | "out_of_range" | "free" | "not_credits";

/** Which usage, by what it was reported for. */
export interface UsageFilter extends SpanQuery {
  readonly customer_id?: string | undefined;
  readonly agent_id?: string | undefined;
  /** With its `agent_id`. */
  readonly indicator?: string | undefined;
  readonly outcome?: UsageOutcomeFilter | undefined;
  /** That of the one report. */
  readonly idempotency_key?: string | undefined;
}

/** Which part of the usage. */
export interface UsageListQuery extends PartQuery, UsageFilter {}

/** What usage is summed by. */
export type UsageSumsBy = "hour" | "day" | "agent" | "indicator" | "customer";

/** Which sums of usage. Days and hours are those of UTC. */
export interface UsageSumsQuery {
  readonly by: UsageSumsBy;
  /** From the beginning of a day on; by hour, of an hour. @default 30 days before `to`; by hour, 24 hours */
  readonly from?: string | undefined;
  /** Up to the beginning of a day, at most 366 later; by hour, of an hour, at most 744 later. @default the end of the running one */
  readonly to?: string | undefined;
  readonly customer_id?: string | undefined;
  readonly agent_id?: string | undefined;
  /** With its `agent_id`. */
  readonly indicator?: string | undefined;
  readonly credit_currency_key?: string | undefined;
  /** Of what is summed by, 1 to 1,000; each with all its currencies. @default 100 */
  readonly limit?: number | undefined;
  /** The `next` of the part before. */
  readonly cursor?: string | undefined;
}

/** The usage of an hour, a day, an agent, an indicator or a customer, in one currency: which of them goes by what was asked. */
export interface UsageSum {
  readonly hour?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly day?: string | undefined;
  readonly agentId?: string | undefined;
  readonly indicator?: string | undefined;
  readonly customer_id?: string | undefined;
  /** `null` where indicators were not in CREDITS. */
  readonly credit_currency_key: string | null;
  /** Reports. */
  readonly events: number;
  readonly credits: number;
}

/** What is wrong with an indicator without its agent. */
export const needsAgent: { readonly path: string[]; readonly message: string } = {
  path: ["agent_id"],
  message: "Invalid input: expected the agent of the indicator",
};

type UsageOf = Readonly<Record<"customer_id" | "agent_id" | "indicator", z.ZodType<string | undefined>>>;

/** Whose usage, and of what. */
export const usageOf: UsageOf = {
  customer_id: identifier.optional(),
  agent_id: identifier.optional(),
  indicator: identifier.optional(),
};

/** Whether an indicator comes with its agent. */
export function hasAgent({
  agent_id,
  indicator,
}: {
  readonly agent_id?: unknown;
  readonly indicator?: unknown;
}): boolean {
  return indicator === undefined || agent_id !== undefined;
}

const filterFields = {
  ...spanFields,
  ...usageOf,
  outcome: z.enum(["unsettled", "wallet_missing", "out_of_range", "free", "not_credits"]).optional(),
  idempotency_key: identifier.optional(),
};

/** Parses the query for all usage of a kind. */
export const usageFilter: z.ZodType<UsageFilter> = z.strictObject(filterFields).refine(hasAgent, needsAgent);

/** Parses the query for usage. */
export const usageListQuery: z.ZodType<UsageListQuery> = z
  .strictObject({ ...partFields, ...filterFields })
  .refine(hasAgent, needsAgent);

/** Parses the query for sums of usage. */
export const usageSumsQuery: z.ZodType<UsageSumsQuery> = z
  .strictObject({
    by: z.enum(["hour", "day", "agent", "indicator", "customer"]),
    ...spanFields,
    ...usageOf,
    credit_currency_key: identifier.optional(),
    limit: ordinal
      .refine((sums) => sums <= 1_000, "Invalid input: expected a whole number from 1 to 1000")
      .optional(),
    cursor: partFields.cursor,
  })
  .refine(hasAgent, needsAgent);

/** Parses a report of usage. Fields that are not listed are passed on. */
export const adminUsage: z.ZodType<AdminUsage> = z.looseObject({
  usageId: z.string(),
  agentId: z.string(),
  indicator: z.string(),
  customer_id: z.string(),
  rawUsage: z.looseObject({}),
  credit_currency_key: z.string().nullable(),
  credits: z.number(),
  receivedAt: z.string(),
  settledAt: z.string().nullable(),
  outcome: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
});

/** A part of the usage, the newest first. */
export interface UsageListAnswer extends Part {
  readonly usage: readonly AdminUsage[];
}

/** Parses a part of the usage. */
export const usageListAnswer: z.ZodType<UsageListAnswer> = z.looseObject({
  usage: z.array(adminUsage),
  ...partEnd,
});

/** A part of sums of usage, in the order of what it is summed by. */
export interface UsageSumsAnswer extends Part {
  readonly by: string;
  readonly from: string;
  readonly to: string;
  readonly sums: readonly UsageSum[];
}

/** Parses a part of sums of usage. */
export const usageSumsAnswer: z.ZodType<UsageSumsAnswer> = z.looseObject({
  by: z.string(),
  from: z.string(),
  to: z.string(),
  sums: z.array(
    z.looseObject({
      hour: z.string().optional(),
      day: z.string().optional(),
      agentId: z.string().optional(),
      indicator: z.string().optional(),
      customer_id: z.string().optional(),
      credit_currency_key: z.string().nullable(),
      events: z.number(),
      credits: z.number(),
    }),
  ),
  ...partEnd,
});
