import type { Data } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";

const defineEndpoint = tagged("Usage");

const settlementState = record({
  /** Reports that wait, up to 10,000. */
  waiting: z.number(),
  /** Whether there are more than these. */
  more: z.boolean(),
  /** The credits of these, by currency. */
  sums: z.array(record({ creditCurrencyKey: z.string(), credits: z.number() })),
  /** Since when one of them is due; `null` where none waits. */
  dueSince: z.string().nullable(),
  /** Whether that is more than 5 seconds ago: balances run behind by as much. */
  isLate: z.boolean(),
});

/** What is accepted and not settled yet. What has failed to settle is not in it: it is listed by itself. */
export type SettlementState = Data<typeof settlementState>;

const settlementAgesAnswer = record({
  from: z.string(),
  to: z.string(),
  ages: z.array(
    record({
      /** The beginning of the half hour. */
      at: z.string(),
      /** Reports in the sample, up to 60. */
      sampled: z.number(),
      /** From receiving a report to settling it, in milliseconds; of one that waits, until now. */
      medianMs: z.number(),
      p95Ms: z.number(),
    }),
  ),
});

/** Settlement of the last 24 hours. Half hours without usage are left out. */
export type SettlementAgesAnswer = Data<typeof settlementAgesAnswer>;

export const settlementEndpoints = {
  /** What is accepted and not settled yet. */
  settlement: defineEndpoint({
    name: "settlementState",
    path: `${organization}/settlement`,
    scope: "read",
    answer: settlementState,
    summary: "Returns what is accepted and not settled yet",
  }),
  /** How long settlement took in the last 24 hours. */
  settlementAges: defineEndpoint({
    name: "settlementAges",
    path: `${organization}/settlement-ages`,
    scope: "read",
    answer: settlementAgesAnswer,
    summary: "Returns how long settlement took in the last 24 hours",
  }),
};
