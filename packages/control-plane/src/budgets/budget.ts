import { type RawBuilder, sql, type Updateable } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { BudgetPeriod, BudgetsTable } from "../database/tables.ts";
import type { WalletKey } from "../wallets/entry.ts";

export interface BudgetKey extends WalletKey {
  readonly key: string;
}

/** Whose budget it is: a key of a customer's; or a kind of key of all customers that have none of this kind, without a customer. */
export interface BudgetPlace extends Omit<BudgetKey, "customerId"> {
  readonly customerId: string | null;
}

/** What a budget is held against, and what is used of it. Amounts are micro-credits. */
export interface Budget {
  /** The kind whose budget the key has; `null`: it has its own. */
  readonly kind: string | null;
  readonly limit: bigint;
  readonly every: BudgetPeriod | null;
  readonly timeZone: string;
  readonly warnAt: bigint | null;
  readonly mode: "enforce" | "warn";
  /** Decimal text, as sums are. */
  readonly used: string;
  readonly unsettled: string;
  readonly period: Date;
  readonly resetsAt: Date | null;
}

/** The budget that a key stands for, its own or that of its kind; `undefined` if it has none. */
export async function readBudget(
  database: Database | DatabaseTransaction,
  { orgId, customerId, currency, key }: BudgetPlace,
  at: Date,
): Promise<Budget | undefined> {
  const { rows } = await sql<Budget>`
    select case when budget.key <> ${key} or budget.customer_id is distinct from ${customerId}::text then budget.key end as kind,
           budget.credit_limit as limit, every, time_zone as "timeZone", warn_at as "warnAt", mode,
           used, unsettled, period, resets_at as "resetsAt"
      from budget_of(${orgId}, ${customerId}, ${currency}, ${key}) as budget,
           budgets_at(${orgId}, ${customerId}, array[${currency}], array[${key}], ${at}) as present`.execute(
    database,
  );
  return rows[0];
}

/** What may be changed of a budget. */
export type BudgetTerms = Pick<
  Updateable<BudgetsTable>,
  "credit_limit" | "every" | "time_zone" | "warn_at" | "mode"
>;

/**
 * Makes a budget. A key that has had the budget of its kind goes on where it was; what one of this key that was deleted has
 * used does not count, also if a clock that is ahead made it.
 */
export async function insertBudget(
  transaction: DatabaseTransaction,
  budget: BudgetPlace,
  terms: BudgetTerms & { readonly credit_limit: bigint; readonly time_zone: string },
  at: Date,
): Promise<void> {
  const { orgId, customerId, currency, key } = budget;
  const { credit_limit, every = null, time_zone, warn_at = null, mode = "enforce" } = terms;
  await sql`
    insert into budgets (org_id, customer_id, currency, key, credit_limit, every, time_zone, warn_at, mode, begun_at)
    select ${orgId}, ${customerId}, ${currency}, ${key}, ${credit_limit}::bigint, ${every}, ${time_zone}, ${warn_at}::bigint, ${mode},
           coalesce(
             (select begun_at from budget_of(${orgId}, ${customerId}, ${currency}, ${key})),
             greatest(${at}::timestamptz,
                      (select max(period) from budget_sums
                        where ${isOf(budget)} and period < ${at}::timestamptz + interval '1 minute') + interval '1 millisecond'))`.execute(
    transaction,
  );
}

export async function updateBudget(
  transaction: DatabaseTransaction,
  key: BudgetPlace,
  terms: BudgetTerms,
): Promise<void> {
  await transaction.updateTable("budgets").set(terms).where(isOf(key)).execute();
}

/** Lets a budget begin anew; resolves whether there is one. */
export async function resetBudget(
  transaction: DatabaseTransaction,
  key: BudgetKey,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("budgets")
    // Also by a clock that is behind the one by which it began.
    .set({ begun_at: sql<Date>`greatest(${at}::timestamptz, begun_at + interval '1 millisecond')` })
    .where(isOf(key))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Resolves whether there was one. Its sums stay, as its reports do. */
export async function deleteBudget(transaction: DatabaseTransaction, key: BudgetPlace): Promise<boolean> {
  const { numDeletedRows } = await transaction.deleteFrom("budgets").where(isOf(key)).executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Of a row of `budgets` or `budget_sums`. */
export function isOf({ orgId, customerId, currency, key }: BudgetPlace): RawBuilder<boolean> {
  const isCustomers = customerId === null ? sql`customer_id is null` : sql`customer_id = ${customerId}`;
  return sql<boolean>`(org_id = ${orgId} and ${isCustomers} and currency = ${currency} and key = ${key})`;
}
