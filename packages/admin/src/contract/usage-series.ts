import { type Data, identifier } from "@creditgate/client";
import { ordinal, record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { spanFields } from "./part.ts";

const defineEndpoint = tagged("Usage");

const usageSeriesQuery = z.strictObject({
  by: z.enum(["agent", "customer"]).describe("Whose usage stands by itself"),
  creditCurrencyKey: identifier.describe("In this credit currency"),
  unit: z.enum(["hour", "day"]).optional().describe("How it is added up; day by default"),
  ...spanFields,
  top: ordinal
    .refine((number) => number <= 20, "Invalid input: expected a whole number from 1 to 20")
    .optional()
    .describe("How many stand by themselves, 1 to 20: those that used most; 4 by default"),
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
  creditCurrencyKey: z.string(),
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
    path: `${organization}/usage-series`,
    scope: "read",
    query: usageSeriesQuery,
    answer: usageSeriesAnswer,
    summary: "Usage over time, by the agents or customers that used most",
  }),
};
