import { z } from "zod";
import { type Data, identifier, line, record, units } from "./fields.ts";
import { budgetRules } from "./usage-fields.ts";

/** A count of tokens or characters: a non-negative safe integer. */
const count = z.int().nonnegative();

/** The name of a provider, a model or a plan: up to 256 bytes, may be empty. */
export const origin = line(0, 256);

/** Parses what a model call consumed (API, section 2.4). */
export const rawUsage = record({
  provider: origin.optional(),
  model: origin.optional(),
  plan: origin.optional(),
  /** Tokens read, a non-negative safe integer. */
  inputTokens: count.optional(),
  /** Tokens written, a non-negative safe integer. */
  outputTokens: count.optional(),
  // Not in the API, and kept by a service that does not know them. The totals include them: they are billed rightly without.
  /** Of `inputTokens`, those that came from a cache. */
  cachedInputTokens: count.optional(),
  /** Of `inputTokens`, those that were written to a cache. */
  cacheWriteTokens: count.optional(),
  /** Of `inputTokens`, those of audio. */
  audioInputTokens: count.optional(),
  /** Of `outputTokens`, those of reasoning. */
  reasoningTokens: count.optional(),
  /** Of `outputTokens`, those of audio. */
  audioOutputTokens: count.optional(),
  /** Images made. */
  images: count.optional(),
  /** Seconds of audio input. */
  seconds: count.optional(),
  /** Characters spoken. */
  characters: count.optional(),
  /** Requests made, where a report is of several. */
  requests: count.optional(),
  /** What the indicator has a rate of its own for; any other is refused, so that no work is given away. */
  units: units.optional(),
});

/** What a model call consumed (API, section 2.4), and its parts. Fields that are not listed are passed on. */
export type RawUsage = Data<typeof rawUsage>;

/** A key of a budget: 1 to 128 letters, digits, `.`, `_`, `:` and `-`. */
export const budgetKey = z
  .string()
  .regex(budgetRules.key, "Invalid input: expected 1 to 128 letters, digits, . _ : and -");

const reportedBudget = z.object({
  key: budgetKey,
  /** The instant at which the newest period began that was known when the report was written. */
  period: z.iso.datetime({ offset: true }).optional(),
});

const report = {
  agentId: identifier,
  /** External ID of the customer. */
  customerId: identifier,
  /** Name of the agent's indicator. */
  indicator: identifier,
  rawUsage,
  /** The budgets that it counts in, up to 8, each once. Not in the API: only for a service that knows budgets. */
  budgets: z
    .array(reportedBudget)
    .max(budgetRules.inReport)
    .refine(isEachOnce, "Invalid input: expected each key once")
    .optional(),
};

function isEachOnce(budgets: readonly { readonly key: string }[]): boolean {
  return new Set(budgets.map(({ key }) => key)).size === budgets.length;
}

/** Parses the body of a usage report (API, section 4.2). */
export const usageReportRequest = z.object(report);

/** A usage report (API, sections 2.4 and 4.2). It is settled asynchronously, within seconds. */
export type UsageReportRequest = Data<typeof usageReportRequest>;

/** Parses the answer to a usage report: fields are optional, but those that are there must have their type. */
export const usageReportAnswer = z.looseObject({
  /** What the report costs, in credits, as stored at its acceptance: the same for a repeated key. 0 without a currency. */
  credits: z.number().nonnegative().optional(),
  /** The currency in which it is debited; `null` where the indicator is not in CREDITS. */
  currency: z.string().nullish(),
  /** The keys of the budgets that were stored with the report. A service that knows none does not return it. */
  budgets: z.array(z.string()).optional(),
});

/** The answer to a usage report. The API does not show it. An extended service returns these fields; others are passed on. */
export type UsageReportAnswer = Data<typeof usageReportAnswer>;

const keyedUsageReport = z.object({
  /** 1 to 255 visible ASCII characters. */
  key: z
    .string()
    .regex(
      /^[\x21-\x7e]{1,255}$/,
      "Invalid input: expected 1 to 255 printable ASCII characters without spaces",
    ),
  ...report,
});

/** A usage report in a batch, under the key that a single post sends as `Idempotency-Key`. Not in the API: our addition. */
export type KeyedUsageReport = Data<typeof keyedUsageReport>;

/** Parses the body of a batch of usage reports. */
export const usageBatchRequest = z.object({
  /** 1 to 500. */
  reports: z.array(keyedUsageReport).min(1).max(500),
});

/** Usage reports in one request, each taken by itself. Not in the API: our addition. */
export type UsageBatchRequest = Data<typeof usageBatchRequest>;

const usageBatchResult = z.object({
  key: z.string(),
  /** The status that a single post would have been answered with. */
  status: z.int(),
  /** The body that a single post would have been answered with, or its problem. */
  body: z.unknown().optional(),
});

/** What became of a report in a batch. */
export type UsageBatchResult = Data<typeof usageBatchResult>;

/** Parses the answer to a batch of usage reports. */
export const usageBatchAnswer = z.object({ results: z.array(usageBatchResult) });

/** An answer to each report of a batch, in any order. */
export type UsageBatchAnswer = Data<typeof usageBatchAnswer>;
