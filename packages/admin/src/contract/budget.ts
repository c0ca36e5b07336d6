import { type Data, identifier } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { onlyOf, partFields, partOf } from "./part.ts";
import { creditLimit } from "./wallet.ts";

const defineEndpoint = tagged("Customers and wallets");

/** A key as work names it, such as `member:42`, or a kind of key, such as `member:*`. */
export const budgetName: z.ZodType<string> = z
  .string()
  .regex(
    /^(?:[\w.:-]{1,128}|[\w.-]{1,126}:\*)$/,
    "Invalid input: expected 1 to 128 letters, digits, . _ : and -, or a kind such as member:*",
  );

const mode = z.enum(["enforce", "warn"]);
const every = z.enum(["hour", "day", "week", "month"]);

/** A kind of key, such as `member:*`. */
export const budgetKind: z.ZodType<string> = z
  .string()
  .regex(/^[\w.-]{1,126}:\*$/, "Invalid input: expected a kind such as member:*");

const termFields = {
  creditCurrencyKey: z.string(),
  key: z.string(),
  limit: z.number(),
  /** How often it begins anew; `null`: never. */
  every: every.nullable(),
  /** Whose calendar that goes by. */
  timeZone: z.string(),
  /** Credits from which on `budget.low` is sent; `null`: four fifths of the limit. */
  warnAt: z.number().nullable(),
  /** Whether work stays within it, or it only counts and warns. */
  mode,
  /** When the next period begins; `null`: none does. */
  resetsAt: z.string().nullable(),
  ...taggedFields,
};

export const adminBudget = record({
  customerId: z.string(),
  /** The kind whose budget the key has, such as `member:*`, the customer's or that of all customers; `null`: it has its own. */
  kind: z.string().nullable(),
  /** Credits debited in its present period; 0 of a kind, which no work names. */
  used: z.number(),
  /** Credits of usage that is accepted in this period and not debited yet. Not in lists. */
  unsettled: z.number().optional(),
  /** When its present period began. */
  period: z.string(),
  ...termFields,
});

/** What part of a wallet's work may spend. A kind such as `member:*` stands for each key of its kind that has no budget of its own. */
export type AdminBudget = Data<typeof adminBudget>;

export const adminBudgetDefault = record(termFields);

/** What each key of a kind may spend, of each customer that has no budget of this kind. Each key counts by itself. */
export type AdminBudgetDefault = Data<typeof adminBudgetDefault>;

const budgetListQuery = z.strictObject({ ...partFields, customerId: onlyOf.customerId });

export const budgetSetRequest = z.strictObject({
  ...editFields,
  /** Required to make one. */
  limit: creditLimit.optional().describe("Credits that may be used in a period"),
  /** @default never, of a new one */
  every: every.nullish().describe("How often it begins anew; null is never"),
  /** @default that of the organisation, or UTC */
  timeZone: identifier.optional().describe("Whose calendar that goes by, as Europe/Amsterdam"),
  warnAt: creditLimit
    .nullish()
    .describe("Credits from which on budget.low is sent; null is four fifths of the limit"),
  /** @default enforce */
  mode: mode.optional().describe("Whether work stays within it, or it only counts and warns"),
});

/** A budget to make or to change. What is left out stays. */
export type BudgetSetRequest = Data<typeof budgetSetRequest>;

const path =
  `${organization}/customers/{externalId}/wallets/{creditCurrencyKey}/budgets/{budgetKey}` as const;

const defaultPath = `${organization}/budget-defaults/{creditCurrencyKey}/{budgetKind}` as const;

/** What parts of the wallets' work may spend, by customer, currency and key. */
export const budgets = {
  /** By customer, currency and key. Retried. */
  list: defineEndpoint({
    name: "budgetList",
    path: `${organization}/budgets`,
    kind: "list",
    scope: "read",
    query: budgetListQuery,
    answer: partOf({ budgets: z.array(adminBudget) }),
    summary: "Lists budgets",
  }),
  /** The budget that the key stands for: its own, or that of its kind with what the key has used. 404 `budget_unknown`. Retried. */
  get: defineEndpoint({
    name: "budgetRead",
    path,
    scope: "read",
    answer: adminBudget,
    summary: "Reads a budget",
  }),
  /**
   * Makes a budget, or changes it; 404 `wallet_unknown` without a wallet. A key that has been used under the budget of its kind keeps
   * what it has used. Retried.
   */
  set: defineEndpoint({
    name: "budgetSet",
    method: "POST",
    path,
    idempotent: true,
    scope: "money",
    body: budgetSetRequest,
    answer: adminBudget,
    summary: "Creates or updates a budget",
    statuses: [200, 201],
  }),
  /** Lets it begin anew, now. Never retried once sent. */
  reset: defineEndpoint({
    name: "budgetReset",
    method: "POST",
    path: `${path}/reset`,
    scope: "money",
    answer: adminBudget,
    summary: "Lets a budget begin anew",
  }),
  /** Work that names it is denied from now on, unless its kind has a budget. Answers what it was. Never retried once sent. */
  delete: defineEndpoint({
    name: "budgetDelete",
    method: "POST",
    path: `${path}/delete`,
    scope: "money",
    answer: adminBudget,
    summary: "Deletes a budget",
  }),
  /** Budgets of kinds such as `member:*`, for all customers that have none of this kind. */
  defaults: {
    /** By currency and key. Retried. */
    list: defineEndpoint({
      name: "budgetDefaultList",
      path: `${organization}/budget-defaults`,
      kind: "list",
      scope: "read",
      query: z.strictObject(partFields),
      answer: partOf({ budgets: z.array(adminBudgetDefault) }),
      summary: "Lists budgets for all customers",
    }),
    /** Makes one, or changes it, for keys that count already, too. Retried. */
    set: defineEndpoint({
      name: "budgetDefaultSet",
      method: "POST",
      path: defaultPath,
      idempotent: true,
      scope: "money",
      body: budgetSetRequest,
      answer: adminBudgetDefault,
      summary: "Creates or updates a budget for all customers",
      statuses: [200, 201],
    }),
    /** Work that names its keys is denied from now on, if no other budget is theirs. Answers what it was. Never retried once sent. */
    delete: defineEndpoint({
      name: "budgetDefaultDelete",
      method: "POST",
      path: `${defaultPath}/delete`,
      scope: "money",
      answer: adminBudgetDefault,
      summary: "Deletes a budget for all customers",
    }),
  },
};
