import { sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import type { Event } from "../events/outbox.ts";
import { nameOf } from "../wallets/entry.ts";
import { type BudgetKey, type BudgetPlace, isOf } from "./budget.ts";

/** A budget that has reached a bound. Amounts are micro-credits. */
interface Warning extends BudgetKey {
  readonly level: 1 | 2;
  readonly limit: bigint;
  /** Decimal text. */
  readonly used: string;
  readonly period: Date;
  readonly resetsAt: Date | null;
  /** The oldest of these periods in which it was used. The sum of that records which event was sent: one of the next is for the next. */
  readonly oldest: Date;
}

/** The events of budgets that are low or exhausted, once in a period each. What goes past both bounds at once is exhausted. */
export async function budgetEvents(
  transaction: DatabaseTransaction,
  debited: readonly BudgetKey[],
  at: Date,
): Promise<readonly Event[]> {
  if (debited.length === 0) return [];
  const warnings = await findWarnings(transaction, debited, at);
  if (warnings.length > 0) await note(transaction, warnings);
  return warnings.map(eventOf);
}

/** Forgets which events of a budget were sent, of all keys that it stands for: they say nothing of terms that have changed. */
export async function forgetEvents(transaction: DatabaseTransaction, budget: BudgetPlace): Promise<void> {
  const { orgId, customerId, currency, key } = budget;
  const ownKeys = customerId === null ? sql`own.key in (sums.key, ${key})` : sql`own.key = sums.key`;
  const isOfKind = sql`org_id = ${orgId} and currency = ${currency} and starts_with(key, ${key.slice(0, -1)})
                       and ${customerId === null ? sql`true` : sql`customer_id = ${customerId}`}
                       and not exists (select from budgets as own
                                        where (own.org_id, own.customer_id, own.currency) = (sums.org_id, sums.customer_id, sums.currency)
                                          and ${ownKeys})`;
  // In the order in which settlement takes them: those of all customers are not locked by their wallets.
  await sql`
    update budget_sums as sums set warned = 0
      from (select org_id, customer_id, currency, key, period from budget_sums as sums
             where warned > 0 and ${key.endsWith("*") ? isOfKind : isOf(budget)}
             order by 1, 2, 3, 4, 5 for update) as sent
     where (sums.org_id, sums.customer_id, sums.currency, sums.key, sums.period)
         = (sent.org_id, sent.customer_id, sent.currency, sent.key, sent.period)`.execute(transaction);
}

/** Reads the sums of each budget by their index, however many others there are. */
async function findWarnings(
  transaction: DatabaseTransaction,
  debited: readonly BudgetKey[],
  at: Date,
): Promise<readonly Warning[]> {
  const keys = [...new Map(debited.map((key) => [`${nameOf(key)} ${key.key}`, key])).values()];
  const { rows } = await sql<Warning>`
    select key.org_id as "orgId", key.customer_id as "customerId", key.currency, key.key, level, credit_limit as limit,
           used, period, resets_at as "resetsAt", oldest
      from unnest(${keys.map(({ orgId }) => orgId)}::bigint[],
                  ${keys.map(({ customerId }) => customerId)}::text[],
                  ${keys.map(({ currency }) => currency)}::text[],
                  ${keys.map(({ key }) => key)}::text[]) as key (org_id, customer_id, currency, key)
     cross join lateral budget_of(key.org_id, key.customer_id, key.currency, key.key) as budget
     cross join lateral (select budget_period(budget, ${at}) as period, budget_resets(budget, ${at}) as resets_at) as present
     cross join lateral (
             select sum(sums.used) as used, min(sums.period) as oldest, max(sums.warned) as warned from budget_sums as sums
              where sums.org_id = key.org_id and sums.customer_id = key.customer_id and sums.currency = key.currency
                and sums.key = key.key and sums.period >= present.period) as total
     cross join lateral (
             select case when used >= credit_limit then 2
                         when used >= coalesce(warn_at, credit_limit - credit_limit / 5) then 1 else 0 end as level) as bound
     where used > 0 and level > warned`.execute(transaction);
  return rows;
}

async function note(transaction: DatabaseTransaction, warnings: readonly Warning[]): Promise<void> {
  await sql`
    update budget_sums as sums set warned = level
      from unnest(${warnings.map(({ orgId }) => orgId)}::bigint[],
                  ${warnings.map(({ customerId }) => customerId)}::text[],
                  ${warnings.map(({ currency }) => currency)}::text[],
                  ${warnings.map(({ key }) => key)}::text[],
                  ${warnings.map(({ oldest }) => oldest)}::timestamptz[],
                  ${warnings.map(({ level }) => level)}::smallint[])
           as warning (org_id, customer_id, currency, key, period, level)
     where (sums.org_id, sums.customer_id, sums.currency, sums.key, sums.period)
         = (warning.org_id, warning.customer_id, warning.currency, warning.key, warning.period)`.execute(
    transaction,
  );
}

function eventOf({ orgId, customerId, currency, key, level, limit, used, period, resetsAt }: Warning): Event {
  const data = {
    customerId,
    creditCurrencyKey: currency,
    key,
    limit,
    used: BigInt(used),
    period: period.toISOString(),
    resetsAt: resetsAt?.toISOString() ?? null,
  };
  return { orgId, type: level === 2 ? "budget.exhausted" : "budget.low", customerId, currency, data };
}
