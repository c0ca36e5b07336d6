import { z } from "zod";
import { ordinal } from "../../contract/list.ts";
import { identifier } from "../../contract/text.ts";
import { spanFields } from "./part.ts";

/** Which usage over time. Days and hours are those of UTC. */
export interface UsageSeriesQuery {
  /** Whose usage stands by itself. */
  readonly by: "agent" | "customer";
  readonly credit_currency_key: string;
  /** @default "day" */
  readonly unit?: "hour" | "day" | undefined;
  /** From the beginning of a day on; by hour, of an hour. @default 30 days before `to`; by hour, 24 hours */
  readonly from?: string | undefined;
  /** Up to the beginning of a day, at most 366 later; by hour, of an hour, at most 744 later. @default the end of the running one */
  readonly to?: string | undefined;
  /** How many agents or customers stand by themselves, 1 to 20: those that used most. @default 4 */
  readonly top?: number | undefined;
}

/** Usage in one currency, added up. */
export interface UsageTotal {
  /** Reports. */
  readonly events: number;
  readonly credits: number;
}

/** The usage of one agent or customer over time. */
export interface UsageSeries extends UsageTotal {
  /** The ID of the agent, or of the customer. */
  readonly id: string;
  readonly name: string;
  /** Credits, for each of the `times`. */
  readonly values: readonly number[];
}

/** Usage over time, in one currency. Exact, with what is not settled yet. */
export interface UsageSeriesAnswer {
  readonly by: string;
  readonly unit: string;
  readonly credit_currency_key: string;
  readonly from: string;
  readonly to: string;
  /** The beginnings of the days or hours. */
  readonly times: readonly string[];
  /** Of those that used most, the most first. Which customers these are may have been found some moments before. */
  readonly series: readonly UsageSeries[];
  /** All others together, and their credits for each of the `times`. */
  readonly others: UsageTotal & { readonly values: readonly number[] };
  readonly total: UsageTotal;
  /** As much time before `from`. */
  readonly before: UsageTotal;
}

/** Parses the query for usage over time. */
export const usageSeriesQuery: z.ZodType<UsageSeriesQuery> = z.strictObject({
  by: z.enum(["agent", "customer"]),
  credit_currency_key: identifier,
  unit: z.enum(["hour", "day"]).optional(),
  ...spanFields,
  top: ordinal
    .refine((number) => number <= 20, "Invalid input: expected a whole number from 1 to 20")
    .optional(),
});

const total = { events: z.number(), credits: z.number() };
const values = z.array(z.number());

/** Parses usage over time. Fields that are not listed are passed on. */
export const usageSeriesAnswer: z.ZodType<UsageSeriesAnswer> = z.looseObject({
  by: z.string(),
  unit: z.string(),
  credit_currency_key: z.string(),
  from: z.string(),
  to: z.string(),
  times: z.array(z.string()),
  series: z.array(z.looseObject({ id: z.string(), name: z.string(), ...total, values })),
  others: z.looseObject({ ...total, values }),
  total: z.looseObject(total),
  before: z.looseObject(total),
});
