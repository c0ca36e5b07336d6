import type { Data } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { onlyOf, partFields, partOf, partQuery, reasonField, spanFields } from "./part.ts";

const defineEndpoint = tagged("Usage");

const unbilledUsageQuery = z.strictObject({
  ...partFields,
  customerId: onlyOf.customerId,
  creditCurrencyKey: onlyOf.creditCurrencyKey,
  reason: z.enum(["wallet_missing", "out_of_range"]).optional().describe("Only for this cause"),
});

const usageResettleRequest = z
  .strictObject({
    ...spanFields,
    customerId: onlyOf.customerId,
    agentId: onlyOf.agentId,
    indicator: onlyOf.indicator,
    creditCurrencyKey: onlyOf.creditCurrencyKey,
    cause: z.enum(["wallet_missing", "out_of_range", "failed"]).optional().describe("Only for this cause"),
    usageIds: z.array(z.guid()).min(1).max(1_000).optional().describe("Only these reports"),
    reason: reasonField,
  })
  .refine(({ agentId, indicator }) => indicator === undefined || agentId !== undefined, {
    path: ["agentId"],
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
      customerId: z.string(),
      creditCurrencyKey: z.string(),
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
      customerId: z.string().nullable(),
      creditCurrencyKey: z.string().nullable(),
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
      customerId: z.string().nullable(),
      creditCurrencyKey: z.string().nullable(),
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
    path: `${organization}/unbilled-usage`,
    kind: "list",
    scope: "read",
    query: unbilledUsageQuery,
    answer: unbilledUsageAnswer,
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
    summary: "Settles usage again, each report once",
  }),
  /** Usage that could not be settled, and why. */
  settlementFailures: defineEndpoint({
    name: "settlementFailureList",
    path: `${organization}/settlement-failures`,
    kind: "list",
    scope: "read",
    query: partQuery,
    answer: settlementFailuresAnswer,
    summary: "Lists usage that could not be settled",
  }),
  /** Periods that could not be invoiced, and why. */
  periodFailures: tagged("Organisations")({
    name: "periodFailureList",
    path: `${organization}/period-failures`,
    kind: "list",
    scope: "read",
    query: partQuery,
    answer: periodFailuresAnswer,
    summary: "Lists periods that could not be invoiced",
  }),
};
