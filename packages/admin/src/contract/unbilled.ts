import { type Data, identifier } from "@creditgate/client";
import { line, record } from "@creditgate/client/parts";
import { z } from "zod";
import { defineEndpoint, organization } from "./define-endpoint.ts";
import { partFields, partOf, partQuery, spanFields } from "./part.ts";

const unbilledUsageQuery = z.strictObject({
  ...partFields,
  customer_id: identifier.optional(),
  credit_currency_key: identifier.optional(),
  reason: z.enum(["wallet_missing", "out_of_range"]).optional(),
});

const usageResettleRequest = z
  .strictObject({
    ...spanFields,
    customer_id: identifier.optional(),
    agent_id: identifier.optional(),
    /** With its `agent_id`. */
    indicator: identifier.optional(),
    credit_currency_key: identifier.optional(),
    /** Only what was not billed for this reason, or what has failed. @default all of them */
    cause: z.enum(["wallet_missing", "out_of_range", "failed"]).optional(),
    /** Only these reports. */
    usageIds: z.array(z.guid()).min(1).max(1_000).optional(),
    /** For the audit log. */
    reason: line(1, 256),
  })
  .refine(({ agent_id, indicator }) => indicator === undefined || agent_id !== undefined, {
    path: ["agent_id"],
    message: "Invalid input: expected the agent of the indicator",
  });

/** Usage to settle again: all that passes the filters. */
export type UsageResettleRequest = Data<typeof usageResettleRequest>;

const usageResettleAnswer = record({
  /** Reports, at most 1,000 of each cause. */
  resettled: z.number(),
  /** Whether there may be more of them: ask again. */
  more: z.boolean(),
});

const unbilledUsageAnswer = partOf({
  usage: z.array(
    record({
      customer_id: z.string(),
      credit_currency_key: z.string(),
      /** `wallet_missing` or `out_of_range`. */
      reason: z.string(),
      /** Reports. */
      events: z.number(),
      credits: z.number(),
      /** When the oldest was received. */
      since: z.string(),
    }),
  ),
});

const periodFailuresAnswer = partOf({
  failures: z.array(
    record({
      /** `null` for those of the whole organisation. */
      customer_id: z.string().nullable(),
      credit_currency_key: z.string().nullable(),
      periodEnd: z.string().nullable(),
      message: z.string(),
      failedAt: z.string(),
    }),
  ),
});

const settlementFailuresAnswer = partOf({
  failures: z.array(
    record({
      usageId: z.string(),
      customer_id: z.string().nullable(),
      credit_currency_key: z.string().nullable(),
      credits: z.number().nullable(),
      receivedAt: z.string().nullable(),
      message: z.string(),
      failedAt: z.string(),
    }),
  ),
});

/** The usage of an organisation that no wallet has paid, by wallet and reason. */
export const unbilled = {
  list: defineEndpoint({
    name: "unbilledUsageList",
    method: "GET",
    path: `${organization}/unbilled-usage`,
    kind: "list",
    scope: "read",
    query: unbilledUsageQuery,
    answer: unbilledUsageAnswer,
    tag: "Usage",
    summary: "Lists usage that no wallet has paid",
  }),
  /**
   * Settles usage again that no wallet has paid, or that has failed: each report at most once, at the price of its time. What still has no
   * wallet is left, and settled when there is one. Retried.
   */
  resettle: defineEndpoint({
    name: "usageResettle",
    method: "POST",
    path: `${organization}/usage/resettle`,
    idempotent: true,
    scope: "money",
    body: usageResettleRequest,
    answer: usageResettleAnswer,
    tag: "Usage",
    summary: "Settles usage again, each report once",
  }),
  /** Usage that could not be settled, and why. */
  settlementFailures: defineEndpoint({
    name: "settlementFailureList",
    method: "GET",
    path: `${organization}/settlement-failures`,
    kind: "list",
    scope: "read",
    query: partQuery,
    answer: settlementFailuresAnswer,
    tag: "Usage",
    summary: "Lists usage that could not be settled",
  }),
  /** Periods that could not be invoiced, and why. */
  periodFailures: defineEndpoint({
    name: "periodFailureList",
    method: "GET",
    path: `${organization}/period-failures`,
    kind: "list",
    scope: "read",
    query: partQuery,
    answer: periodFailuresAnswer,
    tag: "Organisations",
    summary: "Lists periods that could not be invoiced",
  }),
};
