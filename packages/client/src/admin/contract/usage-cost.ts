import { z } from "zod";
import { isDecimal } from "../../contract/decimal.ts";
import type { RawUsage } from "../../contract/index.ts";
import { instant } from "./part.ts";

/** A use that has not happened, and when it would. */
export interface UsageCostRequest {
  /** What would be reported. @default nothing but the event itself */
  readonly rawUsage?: RawUsage | undefined;
  /** How long the voice call would be, in minutes; without it, it is none. */
  readonly callMinutes?: number | string | undefined;
  /** By the price of this instant, as `2026-01-01T00:00:00Z`. @default now */
  readonly at?: string | undefined;
}

/** The same, as it stands in an address. */
export interface UsageCostQuery {
  /** As JSON. */
  readonly raw_usage?: string | undefined;
  readonly call_minutes?: string | undefined;
  readonly at?: string | undefined;
}

/** A line of a cost. */
export interface UsageCostPart {
  /** The rate's name, such as `perThousandInputTokens`; `perUnit` of a unit. */
  readonly component: string;
  /** The name of the unit; `null` where it is none. */
  readonly unit: string | null;
  /** As decimal text: events, tokens, characters, images, requests, units, seconds of audio, minutes of a call. */
  readonly quantity: string;
  /** Credits, as decimal text; `null` where there is none, and it costs nothing. */
  readonly rate: string | null;
  /** Whether the rate is that of the tokens which these are a part of: they have none of their own. */
  readonly isRateOfTotal: boolean;
  readonly credits: number;
}

/** What a use would cost: computed as that of a report is, and nothing is stored or billed. */
export interface UsageCost {
  /** The instant whose price it is. */
  readonly at: string;
  /** The version of the price that holds then. */
  readonly version: number;
  readonly billing: string;
  /** `null` where the indicator is not in CREDITS, which costs nothing. */
  readonly credit_currency_key: string | null;
  readonly credits: number;
  /** The model whose rates differ, where it did the work; `null` where the default price holds. */
  readonly modelPrice: {
    readonly provider: string;
    readonly model: string;
    readonly plan: string | null;
  } | null;
  /** They add up to `credits`. */
  readonly parts: readonly UsageCostPart[];
}

const mostMinutes = 1_000_000;

/** Parses the query for a cost, out of a URL. */
export const usageCostQuery: z.ZodType<UsageCostQuery> = z.strictObject({
  raw_usage: z.string().max(8_192).optional(),
  call_minutes: z
    .string()
    .refine(
      (text) => isDecimal(text, mostMinutes, 15),
      `Invalid input: expected minutes, from 0 to ${mostMinutes}, with at most 15 decimals`,
    )
    .optional(),
  at: instant.optional(),
});

/** Parses a cost. Fields that are not listed are passed on. */
export const usageCost: z.ZodType<UsageCost> = z.looseObject({
  at: z.string(),
  version: z.int(),
  billing: z.string(),
  credit_currency_key: z.string().nullable(),
  credits: z.number(),
  modelPrice: z
    .looseObject({ provider: z.string(), model: z.string(), plan: z.string().nullable() })
    .nullable(),
  parts: z.array(
    z.looseObject({
      component: z.string(),
      unit: z.string().nullable(),
      quantity: z.string(),
      rate: z.string().nullable(),
      isRateOfTotal: z.boolean(),
      credits: z.number(),
    }),
  ),
});
