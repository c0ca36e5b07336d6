import type { Data, RawUsage } from "@creditgate/client";
import { isDecimal, record } from "@creditgate/client/parts";
import { z } from "zod";
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

const mostMinutes = 1_000_000;

export const usageCostQuery = z.strictObject({
  /** As JSON. */
  rawUsage: z.string().max(8_192).optional(),
  callMinutes: z
    .string()
    .refine(
      (text) => isDecimal(text, mostMinutes, 15),
      `Invalid input: expected minutes, from 0 to ${mostMinutes}, with at most 15 decimals`,
    )
    .optional(),
  at: instant.optional(),
});

/** The same, as it stands in an address. */
export type UsageCostQuery = Data<typeof usageCostQuery>;

export const usageCost = record({
  /** The instant whose price it is. */
  at: z.string(),
  /** The version of the price that holds then. */
  version: z.int(),
  billing: z.string(),
  /** `null` where the indicator is not in CREDITS, which costs nothing. */
  creditCurrencyKey: z.string().nullable(),
  credits: z.number(),
  /** The model whose rates differ, where it did the work; `null` where the default price holds. */
  modelPrice: z
    .looseObject({ provider: z.string(), model: z.string(), plan: z.string().nullable() })
    .nullable(),
  /** They add up to `credits`. */
  parts: z.array(
    record({
      /** The rate's name, such as `perThousandInputTokens`; `perUnit` of a unit. */
      component: z.string(),
      /** The name of the unit; `null` where it is none. */
      unit: z.string().nullable(),
      /** As decimal text: events, tokens, characters, images, requests, units, seconds of audio, minutes of a call. */
      quantity: z.string(),
      /** Credits, as decimal text; `null` where there is none, and it costs nothing. */
      rate: z.string().nullable(),
      /** Whether the rate is that of the tokens which these are a part of: they have none of their own. */
      isRateOfTotal: z.boolean(),
      credits: z.number(),
    }),
  ),
});

/** What a use would cost: computed as that of a report is, and nothing is stored or billed. */
export type UsageCost = Data<typeof usageCost>;

/** A line of a cost. */
export type UsageCostPart = UsageCost["parts"][number];
