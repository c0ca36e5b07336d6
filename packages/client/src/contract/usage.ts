import { z } from "zod";
import { identifier, line } from "./text.ts";

/** What a model call consumed (API, section 2.4). Fields that are not listed are passed on. */
export interface RawUsage {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly plan?: string | undefined;
  /** Tokens read, a non-negative safe integer. */
  readonly inputTokens?: number | undefined;
  /** Tokens written, a non-negative safe integer. */
  readonly outputTokens?: number | undefined;
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
});

/** Parses the body of a usage report (API, section 4.2). */
export const usageReportRequest: z.ZodType<UsageReportRequest> = z.object({
  agentId: identifier,
  customerId: identifier,
  indicator: identifier,
  rawUsage,
});
