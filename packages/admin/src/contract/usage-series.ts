import { type Data, identifier } from "@creditgate/client";
import { ordinal, record } from "@creditgate/client/parts";
import { z } from "zod";
import { defineEndpoint, organization } from "./define-endpoint.ts";
import { spanFields } from "./part.ts";

const usageSeriesQuery = z.strictObject({
  /** Whose usage stands by itself. */
  by: z.enum(["agent", "customer"]),
  credit_currency_key: identifier,
  /** @default "day" */
  unit: z.enum(["hour", "day"]).optional(),
  ...spanFields,
  /** How many agents or customers stand by themselves, 1 to 20: those that used most. @default 4 */
  top: ordinal
    .refine((number) => number <= 20, "Invalid input: expected a whole number from 1 to 20")
    .optional(),
});

const total = {
  /** Reports. */
  events: z.number(),
  credits: z.number(),
};
const values = z.array(z.number());

const usageSeriesAnswer = record({
  by: z.string(),
  unit: z.string(),
  credit_currency_key: z.string(),
  from: z.string(),
  to: z.string(),
  /** The beginnings of the days or hours. */
  times: z.array(z.string()),
  /** Of those that used most, the most first. Which customers these are may have been found some moments before. */
  series: z.array(
    record({
      /** The ID of the agent, or of the customer. */
      id: z.string(),
      name: z.string(),
      ...total,
      /** Credits, for each of the `times`. */
      values,
    }),
  ),
  /** All others together, and their credits for each of the `times`. */
  others: record({ ...total, values }),
  total: record(total),
  /** As much time before `from`. */
  before: record(total),
});

/** Usage over time, in one currency. Exact, with what is not settled yet. */
export type UsageSeriesAnswer = Data<typeof usageSeriesAnswer>;

export const usageSeriesEndpoints = {
  /** Usage over time, by the agents or customers that used most. */
  usage: defineEndpoint({
    name: "usageSeries",
    method: "GET",
    path: `${organization}/usage-series`,
    scope: "read",
    query: usageSeriesQuery,
    answer: usageSeriesAnswer,
    tag: "Usage",
    summary: "Usage over time, by the agents or customers that used most",
  }),
};
