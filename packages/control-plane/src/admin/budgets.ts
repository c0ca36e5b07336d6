import type { Endpoint } from "@creditgate/client";
import { sql } from "kysely";
import { type AuditAction, audit } from "../audit/audit-log.ts";
import {
  type Budget,
  type BudgetKey,
  type BudgetPlace,
  type BudgetTerms,
  deleteBudget,
  insertBudget,
  readBudget,
  resetBudget,
  updateBudget,
} from "../budgets/budget.ts";
import { forgetEvents } from "../budgets/warnings.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { timeZoneOf } from "../database/existence.ts";
import { lockOrganization } from "../database/locks.ts";
import { answer, type Call } from "../endpoint/call.ts";
import type { Answer } from "../endpoint/idempotency.ts";
import type { JsonObject } from "../http/json.ts";
import { requireCustomer, requireUnerased, unknown } from "../http/problem.ts";
import { invalid } from "../http/validation.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import { checkedMicroCredits } from "../money/decimal.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import { lockWallets } from "../wallets/ledger.ts";
import { auditEdit, type TaggedRecord, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";

const defaultsByKey = createKeyset("asc", [
  ["currency", "text"],
  ["key", "text"],
]);

const byKey = createKeyset("asc", [
  ["customer_id", "text"],
  ["currency", "text"],
  ["key", "text"],
]);

type BudgetCall = Pick<
  Call<Endpoint<unknown, unknown, "externalId" | "creditCurrencyKey" | "budgetKey">>,
  "orgId" | "params" | "actor" | "at"
>;

type DefaultCall = Pick<
  Call<Endpoint<unknown, unknown, "creditCurrencyKey" | "budgetKind">>,
  "orgId" | "params" | "actor" | "at"
>;

/** What parts of the wallets' work may spend. */
export function budgetHandlers(database: Database, defaults: Pick<PeriodSettings, "timeZone">) {
  /** Makes or changes a budget, which is locked. */
  async function set(
    transaction: DatabaseTransaction,
    call: Pick<BudgetCall, "actor" | "at"> & { readonly body: SetBody },
    { key, isNew, current, recordOf }: BeingSet,
  ): Promise<Answer> {
    const { at, body } = call;
    const terms = termsIn(body);
    const { credit_limit } = terms;
    if (isNew && credit_limit === undefined) {
      const detail = "expected a number of credits, since there is no budget of this key, received none";
      throw invalid([{ pointer: "/limit", detail }]);
    }
    if (isNew && credit_limit !== undefined) {
      const time_zone = terms.time_zone ?? (await timeZoneOf(transaction, key.orgId, defaults));
      await insertBudget(transaction, key, { ...terms, credit_limit, time_zone }, at);
    } else if (Object.keys(terms).length > 0) {
      await updateBudget(transaction, key, terms);
    } else if (current !== undefined) return answer(200, current);
    await forgetEvents(transaction, key);
    const made = await readBudget(transaction, key, at);
    if (made === undefined) throw unknown("budget", key.key);
    const after = recordOf(made);
    const change = { orgId: key.orgId, subject: subjectOf(key), before: current ?? null, after };
    await auditEdit(transaction, call, { action: "budget.set", current, ...change });
    return answer(isNew ? 201 : 200, after);
  }

  return {
    async budgetList({ orgId, at, query }) {
      let budgets = database
        .selectFrom("budgets")
        .select(["customer_id", "currency", "key", "credit_limit as limit", "every", "time_zone as timeZone"])
        .select(["warn_at as warnAt", "mode"])
        .select(sql<Date>`budget_period(budgets, ${at})`.as("period"))
        .select(sql<Date | null>`budget_resets(budgets, ${at})`.as("resetsAt"))
        .select(({ selectFrom }) =>
          selectFrom("budget_sums as sums")
            .select(({ fn }) => fn.coalesce(fn.sum<string>("used"), sql<string>`0`).as("used"))
            .whereRef("sums.org_id", "=", "budgets.org_id")
            .whereRef("sums.customer_id", "=", "budgets.customer_id")
            .whereRef("sums.currency", "=", "budgets.currency")
            .whereRef("sums.key", "=", "budgets.key")
            .where("sums.period", ">=", sql<Date>`budget_period(budgets, ${at})`)
            .as("used"),
        )
        .where("org_id", "=", orgId)
        .where("customer_id", "is not", null);
      if (query.customerId !== undefined) budgets = budgets.where("customer_id", "=", query.customerId);
      const { rows, next } = await readPart(
        budgets.$narrowType<{ customer_id: string }>(),
        byKey,
        listPart(query),
      );
      const records = rows.map(({ customer_id: customerId, currency, key, used, ...budget }) =>
        record({ orgId, customerId, currency, key }, { ...budget, kind: null, used: used ?? "0" }),
      );
      return answer(200, { budgets: records, next });
    },

    async budgetRead({ orgId, params, at }) {
      await requireCustomer(database, orgId, params.externalId);
      const key = keyOf({ orgId, params });
      return answer(200, known(key, await readBudget(database, key, at)));
    },

    budgetSet: (call) =>
      changing(database, call, async (transaction, key) => {
        const before = await readBudget(transaction, key, call.at);
        const isNew = before === undefined || before.kind !== null;
        const current = before && record(key, before);
        return set(transaction, call, { key, isNew, current, recordOf: (budget) => record(key, budget) });
      }),

    budgetReset: (call) =>
      changing(database, call, async (transaction, key) => {
        const before = await readBudget(transaction, key, call.at);
        if (!(await resetBudget(transaction, key, call.at))) throw unknown("budget", key.key);
        const after = known(key, await readBudget(transaction, key, call.at));
        await note(transaction, call, key, "budget.reset", { before: known(key, before), after });
        return answer(200, after);
      }),

    budgetDelete: (call) =>
      changing(database, call, async (transaction, key) => {
        const before = await readBudget(transaction, key, call.at);
        if (!(await deleteBudget(transaction, key))) throw unknown("budget", key.key);
        await forgetEvents(transaction, key);
        await note(transaction, call, key, "budget.delete", { before: known(key, before) });
        return answer(200, known(key, before));
      }),

    async budgetDefaultList({ orgId, at, query }) {
      const budgets = database
        .selectFrom("budgets")
        .select(["currency", "key", "credit_limit as limit", "every", "time_zone as timeZone"])
        .select(["warn_at as warnAt", "mode"])
        .select(sql<Date | null>`budget_resets(budgets, ${at})`.as("resetsAt"))
        .where("org_id", "=", orgId)
        .where("customer_id", "is", null);
      const { rows, next } = await readPart(budgets, defaultsByKey, listPart(query));
      return answer(200, { budgets: rows.map(defaultRecord), next });
    },

    budgetDefaultSet: (call) =>
      changingDefault(database, call, async (transaction, key) => {
        const before = await readBudget(transaction, key, call.at);
        const recordOf = (budget: Budget) => defaultRecord({ ...key, ...budget });
        const current = before && recordOf(before);
        return set(transaction, call, { key, isNew: before === undefined, current, recordOf });
      }),

    budgetDefaultDelete: (call) =>
      changingDefault(database, call, async (transaction, key) => {
        const before = await readBudget(transaction, key, call.at);
        if (before === undefined || !(await deleteBudget(transaction, key))) throw unknown("budget", key.key);
        await forgetEvents(transaction, key);
        const removed = defaultRecord({ ...key, ...before });
        await note(transaction, call, key, "budget.delete", { before: removed });
        return answer(200, removed);
      }),
  } satisfies Partial<AdminHandlers>;
}

/** Changes a budget under the lock of its wallet, as settlement adds to its sums: two changes, or a change and a debit, come one after the other. */
function changing(
  database: Database,
  call: BudgetCall,
  change: (transaction: DatabaseTransaction, key: BudgetKey) => Promise<Answer>,
): Promise<Answer> {
  const key = keyOf(call);
  return database.transaction().execute(async (transaction) => {
    await requireUnerased(transaction, key.orgId, key.customerId);
    const [wallet] = await lockWallets(transaction, [key]);
    if (wallet === undefined) throw unknown("wallet", key.currency);
    return change(transaction, key);
  });
}

/** The same of a default for all customers, under the lock of the organisation: it is of no wallet. */
function changingDefault(
  database: Database,
  { orgId, params }: DefaultCall,
  change: (transaction: DatabaseTransaction, key: BudgetPlace) => Promise<Answer>,
): Promise<Answer> {
  const { creditCurrencyKey: currency, budgetKind: key } = params;
  return database.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, orgId);
    return change(transaction, { orgId, customerId: null, currency, key });
  });
}

interface BeingSet {
  readonly key: BudgetPlace;
  readonly isNew: boolean;
  /** As it is answered before; also that of its kind. */
  readonly current: TaggedRecord | undefined;
  recordOf(budget: Budget): TaggedRecord;
}

type SetBody = Parameters<AdminHandlers["budgetSet"]>[0]["body"];

function keyOf({ orgId, params }: Pick<BudgetCall, "orgId" | "params">): BudgetKey {
  const { externalId: customerId, creditCurrencyKey: currency, budgetKey: key } = params;
  return { orgId, customerId, currency, key };
}

function termsIn(body: SetBody): BudgetTerms {
  const { limit, every, timeZone, warnAt, mode } = body;
  return {
    ...(limit === undefined ? {} : { credit_limit: checkedMicroCredits(limit) }),
    ...(every === undefined ? {} : { every }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(mode === undefined ? {} : { mode }),
    ...(warnAt === undefined ? {} : { warn_at: warnAt === null ? null : checkedMicroCredits(warnAt) }),
  };
}

function note(
  transaction: DatabaseTransaction,
  { orgId, actor, at }: Pick<BudgetCall, "orgId" | "actor" | "at">,
  key: BudgetPlace,
  action: AuditAction,
  change: { readonly before: JsonObject; readonly after?: JsonObject },
): Promise<void> {
  return audit(transaction, { orgId, actor, action, subject: subjectOf(key), ...change }, at);
}

function subjectOf({ customerId, currency, key }: BudgetPlace): JsonObject {
  return { ...(customerId === null ? {} : { customer: customerId }), currency, budget: key };
}

function known(key: BudgetKey, budget: Budget | undefined): TaggedRecord {
  if (budget === undefined) throw unknown("budget", key.key);
  return record(key, budget);
}

function record(
  { customerId, currency, key }: BudgetKey,
  budget: Omit<Budget, "unsettled"> & Partial<Pick<Budget, "unsettled">>,
): TaggedRecord {
  const { kind, used, unsettled, period } = budget;
  return tagged("budget.set", {
    customerId,
    ...termsOf({ currency, key, ...budget }),
    kind,
    used: BigInt(used),
    ...(unsettled === undefined ? {} : { unsettled: BigInt(unsettled) }),
    period: period.toISOString(),
  });
}

type DefaultBudget = Pick<Budget, "limit" | "every" | "timeZone" | "warnAt" | "mode" | "resetsAt"> &
  Pick<BudgetPlace, "currency" | "key">;

function defaultRecord(budget: DefaultBudget): TaggedRecord {
  return tagged("budget.set", termsOf(budget));
}

function termsOf(budget: DefaultBudget): JsonObject {
  const { currency, key, limit, every, timeZone, warnAt, mode, resetsAt } = budget;
  return {
    creditCurrencyKey: currency,
    key,
    ...{ limit, every, timeZone, warnAt, mode },
    resetsAt: resetsAt?.toISOString() ?? null,
  };
}
