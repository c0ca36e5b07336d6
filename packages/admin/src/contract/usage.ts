import { type Data, identifier } from "@creditgate/client";
import { ordinal, record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { onlyOf, partFields, partOf, spanFields } from "./part.ts";

const defineEndpoint = tagged("Usage");

/** What usage is summed by. */
export type UsageSumsBy = "hour" | "day" | "agent" | "indicator" | "customer";

/** What is wrong with an indicator without its agent. */
export const needsAgent = {
  path: ["agentId"],
  message: "Invalid input: expected the agent of the indicator",
};

/** Whose usage, and of what. */
export const usageOf = {
  customerId: onlyOf.customerId,
  agentId: onlyOf.agentId,
  indicator: onlyOf.indicator,
};

/** Whether an indicator comes with its agent. */
export function hasAgent({
  agentId,
  indicator,
}: {
  readonly agentId?: unknown;
  readonly indicator?: unknown;
}): boolean {
  return indicator === undefined || agentId !== undefined;
}

const filterFields = {
  ...spanFields,
  ...usageOf,
  outcome: z
    .enum(["unsettled", "wallet_missing", "out_of_range", "free", "not_credits"])
    .optional()
    .describe("Only with this outcome"),
  idempotencyKey: identifier.optional().describe("Only the report with this key"),
};

const usageFilter = z.strictObject(filterFields).refine(hasAgent, needsAgent);

/** Which usage, by what it was reported for. */
export type UsageFilter = Data<typeof usageFilter>;

const usageListQuery = z.strictObject({ ...partFields, ...filterFields }).refine(hasAgent, needsAgent);

/** Which part of the usage. */
export type UsageListQuery = Data<typeof usageListQuery>;

const usageSumsQuery = z
  .strictObject({
    by: z.enum(["hour", "day", "agent", "indicator", "customer"]).describe("What is summed by"),
    ...spanFields,
    ...usageOf,
    creditCurrencyKey: onlyOf.creditCurrencyKey,
    /** Of what is summed by, 1 to 1,000; each with all its currencies. @default 100 */
    limit: ordinal
      .refine((sums) => sums <= 1_000, "Invalid input: expected a whole number from 1 to 1000")
      .optional(),
    /** The `next` of the part before. */
    cursor: partFields.cursor,
  })
  .refine(hasAgent, needsAgent);

/** Which sums of usage. Days and hours are those of UTC. */
export type UsageSumsQuery = Data<typeof usageSumsQuery>;

export const adminUsage = record({
  usageId: z.string(),
  agentId: z.string(),
  indicator: z.string(),
  customerId: z.string(),
  /** As it was reported. */
  rawUsage: z.looseObject({}),
  /** `null` where the indicator was not in CREDITS. */
  creditCurrencyKey: z.string().nullable(),
  credits: z.number(),
  receivedAt: z.string(),
  settledAt: z.string().nullable(),
  /** `debited`, `accrued`, `free`, `not_credits`, `wallet_missing` or `out_of_range`; `null` until it is settled. */
  outcome: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  /** The budgets that it names, by key. */
  budgets: z.array(
    record({
      key: z.string(),
      /** When the period began in which it counts; `null`: nowhere, since there was no budget of this key. */
      period: z.string().nullable(),
    }),
  ),
});

/** A report of usage, and what has become of it. */
export type AdminUsage = Data<typeof adminUsage>;

const usageListAnswer = partOf({ usage: z.array(adminUsage) });

/** A part of the usage, the newest first. */
export type UsageListAnswer = Data<typeof usageListAnswer>;

const usageSumsAnswer = partOf({
  by: z.string(),
  from: z.string(),
  to: z.string(),
  sums: z.array(
    record({
      hour: z.string().optional(),
      /** `YYYY-MM-DD`. */
      day: z.string().optional(),
      agentId: z.string().optional(),
      indicator: z.string().optional(),
      customerId: z.string().optional(),
      /** `null` where indicators were not in CREDITS. */
      creditCurrencyKey: z.string().nullable(),
      /** Reports. */
      events: z.number(),
      credits: z.number(),
    }),
  ),
});

/** A part of sums of usage, in the order of what it is summed by. */
type UsageSumsAnswer = Data<typeof usageSumsAnswer>;

/** The usage of an hour, a day, an agent, an indicator or a customer, in one currency: which of them goes by what was asked. */
export type UsageSum = UsageSumsAnswer["sums"][number];

/** The usage of an organisation, the newest first. */
export const usage = {
  list: defineEndpoint({
    name: "usageList",
    path: `${organization}/usage`,
    kind: "list",
    scope: "read",
    query: usageListQuery,
    answer: usageListAnswer,
    summary: "Lists reports of usage, the newest first",
  }),
  csv: defineEndpoint({
    name: "usageCsv",
    path: `${organization}/usage.csv`,
    kind: "csv",
    scope: "read",
    query: usageFilter,
    summary: "The usage as a file",
  }),
  /** Sums of usage, exact and as of the moment: what is not settled yet is in them. */
  sums: defineEndpoint({
    name: "usageSums",
    path: `${organization}/usage-sums`,
    kind: "list",
    scope: "read",
    query: usageSumsQuery,
    answer: usageSumsAnswer,
    summary: "Sums of usage",
  }),
  /** The report with this ID; 404 `usage_unknown` where there is none. Retried. */
  get: defineEndpoint({
    name: "usageRead",
    path: `${organization}/usage/{usageId}`,
    scope: "read",
    answer: adminUsage,
    summary: "Reads a report of usage",
  }),
};
