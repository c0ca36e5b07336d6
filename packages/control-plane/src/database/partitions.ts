import { sql } from "kysely";
import { errorCode } from "../errors/control-plane-error.ts";
import type { Database } from "./connection.ts";

/** Tables with a partition for each month (UTC). */
export const tablesByMonth = [
  "usage_reports",
  "usage_outcomes",
  "idempotent_answers",
  "audit_log",
  "ledger_entries",
] as const;

export type TableByMonth = (typeof tablesByMonth)[number];

const lockNotAvailable = "55P03";
const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Makes the partitions of this month and the next two, and lets those go that every organisation lets go: usage and answers are
 * dropped, the audit log and the ledger are detached. What they take the locks of is held for a moment: where it is not had in time, it is
 * tried again with the next call. Any number of processes may do so at once.
 */
export async function keepPartitions(database: Database, now: Date): Promise<void> {
  for (const table of tablesByMonth) {
    await unlessLocked(async () => {
      await makePartitions(database, table, now);
      let gone = false;
      while ((await letPartitionGo(database, table, now)) !== undefined) gone = true;
      if (gone && table === "usage_reports") while (await dropBudgetSums(database));
    });
  }
  const before = new Date(now.getTime() - dayMs);
  // Past the turn of a month its keys are in an index again that both sides find.
  await sql`delete from usage_keys_at_turn where received_at < ${before}`.execute(database);
  await sql`delete from answer_keys_at_turn where created_at < ${before}`.execute(database);
}

/** Resolves the names of those that were made. */
export async function makePartitions(
  database: Database,
  table: TableByMonth,
  now: Date,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from make_partitions(${table}, ${now}::timestamptz) as name`.execute(database);
  return rows.map(({ name }) => name);
}

/** Lets the oldest go, if all of it may; resolves its name. */
export async function letPartitionGo(
  database: Database,
  table: TableByMonth,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`
    select let_partition_go(${table}, ${now}::timestamptz) as name`.execute(database);
  return rows[0]?.name ?? undefined;
}

/**
 * Drops some sums of periods whose usage is gone; resolves whether there may be more. The longest period is a month; a budget that never
 * begins anew still counts, and one that does may be changed to one that does not: the sum since its beginning stays. Waits for no sum
 * that is held, whose holder may wait for one of these.
 */
async function dropBudgetSums(database: Database, batchSize = 10_000): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from budget_sums where ctid = any(array(
      select sums.ctid from budget_sums as sums
       where period < (select max(until) - interval '32 days' from dropped_usage)
         and not exists (select from budgets as budget
                          where (budget.org_id, budget.customer_id, budget.currency) = (sums.org_id, sums.customer_id, sums.currency)
                            and budget.key in (sums.key, substring(sums.key from '^[^:]+:') || '*')
                            and (budget.begun_at = sums.period or budget.every is null and budget.begun_at < sums.period))
         and not exists (select from budgets as budget
                          where (budget.org_id, budget.currency) = (sums.org_id, sums.currency) and budget.customer_id is null
                            and budget.key = substring(sums.key from '^[^:]+:') || '*'
                            and (budget.begun_at = sums.period or budget.every is null and budget.begun_at < sums.period))
       limit ${batchSize}
         for update of sums skip locked))`.execute(database);
  return numAffectedRows === BigInt(batchSize);
}

/** Does what takes locks of tables; where one is not had in time, nothing. */
export async function unlessLocked(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (errorCode(error) !== lockNotAvailable) throw error;
  }
}

/**
 * How long before and after the beginning of a month two who write under one key may do so at once, in milliseconds:
 * longer than writing takes, and than clocks are apart.
 */
const turnMs = 10 * 60 * 1_000;

/** Whether the index of one month (UTC) may not be enough to tell that a key is unique. */
export function isAtTurnOfMonth(time: Date): boolean {
  const [before, after] = [new Date(time.getTime() - turnMs), new Date(time.getTime() + turnMs)];
  return before.getUTCMonth() !== after.getUTCMonth();
}

/** The beginning of the month (UTC) that an instant is in. */
export function startOfMonth(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));
}
