import { z } from "zod";
import type { OpenRecord } from "./record.ts";
import { identifier, line } from "./text.ts";
import { type Units, units } from "./units.ts";

/** What a model call consumed (API, section 2.4), and its parts. Fields that are not listed are passed on. */
export interface RawUsage {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly plan?: string | undefined;
  /** Tokens read, a non-negative safe integer. */
  readonly inputTokens?: number | undefined;
  /** Tokens written, a non-negative safe integer. */
  readonly outputTokens?: number | undefined;
  // Not in the API, and kept by a service that does not know them. The totals include them: they are billed rightly without.
  /** Of `inputTokens`, those that came from a cache. */
  readonly cachedInputTokens?: number | undefined;
  /** Of `inputTokens`, those that were written to a cache. */
  readonly cacheWriteTokens?: number | undefined;
  /** Of `inputTokens`, those of audio. */
  readonly audioInputTokens?: number | undefined;
  /** Of `outputTokens`, those of reasoning. */
  readonly reasoningTokens?: number | undefined;
  /** Of `outputTokens`, those of audio. */
  readonly audioOutputTokens?: number | undefined;
  /** Images made. */
  readonly images?: number | undefined;
  /** Seconds of audio heard. */
  readonly seconds?: number | undefined;
  /** Characters spoken. */
  readonly characters?: number | undefined;
  /** Requests made, where a report is of several. */
  readonly requests?: number | undefined;
  /** What the indicator has a rate of its own for; any other is refused, so that no work is given away. */
  readonly units?: Units | undefined;
}

/** A usage report (API, sections 2.4 and 4.2). It is settled asynchronously, within seconds. */
export interface UsageReportRequest {
  readonly agentId: string;
  /** External ID of the customer. */
  readonly customerId: string;
  /** Name of the agent's indicator. */
  readonly indicator: string;
  readonly rawUsage: RawUsage;
}

/** The answer to a usage report. The API does not show it; a service that tells has these fields, others are passed on. */
export interface UsageReportAnswer extends OpenRecord {
  /** What the report costs, in credits, as stored at its acceptance: the same for a repeated key. 0 without a currency. */
  readonly credits?: number | undefined;
  /** The currency in which it is debited; `null` where the indicator is not in CREDITS. */
  readonly currency?: string | null | undefined;
}

/** A usage report in a batch, under the key that a single post sends as `Idempotency-Key`. Not in the API: our addition. */
export interface KeyedUsageReport extends UsageReportRequest {
  /** 1 to 255 visible ASCII characters. */
  readonly key: string;
}

/** Usage reports in one request, each taken by itself. Not in the API: our addition. */
export interface UsageBatchRequest {
  /** 1 to 500. */
  readonly reports: readonly KeyedUsageReport[];
}

/** What became of a report in a batch. */
export interface UsageBatchResult {
  readonly key: string;
  /** The status that a single post would have been answered with. */
  readonly status: number;
  /** The body that a single post would have been answered with, or its problem. */
  readonly body?: unknown;
}

/** An answer to each report of a batch, in any order. */
export interface UsageBatchAnswer {
  readonly results: readonly UsageBatchResult[];
}

/** A count of tokens or characters: a non-negative safe integer. */
export const count: z.ZodType<number> = z.int().nonnegative();

/** The name of a provider, a model or a plan: up to 256 bytes, may be empty. */
export const origin: z.ZodType<string> = line(0, 256);

/** Parses what a model call consumed (API, section 2.4). */
export const rawUsage: z.ZodType<RawUsage> = z.looseObject({
  provider: origin.optional(),
  model: origin.optional(),
  plan: origin.optional(),
  inputTokens: count.optional(),
  outputTokens: count.optional(),
  cachedInputTokens: count.optional(),
  cacheWriteTokens: count.optional(),
  audioInputTokens: count.optional(),
  reasoningTokens: count.optional(),
  audioOutputTokens: count.optional(),
  images: count.optional(),
  seconds: count.optional(),
  characters: count.optional(),
  requests: count.optional(),
  units: units.optional(),
});

const report = {
  agentId: identifier,
  customerId: identifier,
  indicator: identifier,
  rawUsage,
};

/** Parses the body of a usage report (API, section 4.2). */
export const usageReportRequest: z.ZodType<UsageReportRequest> = z.object(report);

/** Parses the answer to a usage report: fields are optional, but those that are there must have their type. */
export const usageReportAnswer: z.ZodType<UsageReportAnswer> = z.looseObject({
  credits: z.number().nonnegative().optional(),
  currency: z.string().nullish(),
});

const key = z
  .string()
  .regex(
    /^[\x21-\x7e]{1,255}$/,
    "Invalid input: expected 1 to 255 printable ASCII characters without spaces",
  );

/** Parses the body of a batch of usage reports. */
export const usageBatchRequest: z.ZodType<UsageBatchRequest> = z.object({
  reports: z
    .array(z.object({ key, ...report }))
    .min(1)
    .max(500),
});

/** Parses the answer to a batch of usage reports. */
export const usageBatchAnswer: z.ZodType<UsageBatchAnswer> = z.object({
  results: z.array(z.object({ key: z.string(), status: z.int(), body: z.unknown() })),
});
