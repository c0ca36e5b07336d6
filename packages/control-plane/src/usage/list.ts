import type { UsageFilter } from "@creditgate/admin";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { StoredBudgets } from "../database/tables.ts";
import { createKeyset, cutPart, during, type ListPart, type Placed } from "../lists/keyset.ts";

/** A report of usage, as it is stored. */
export interface UsageRow {
  readonly usageId: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly customerId: string;
  /** JSON text. */
  readonly rawUsage: string;
  readonly currency: string | null;
  readonly amount: bigint;
  readonly receivedAt: Date;
  readonly settledAt: Date | null;
  readonly outcome: string | null;
  readonly idempotencyKey: string | null;
  readonly budgets: StoredBudgets | null;
}

const newest = createKeyset("desc", [
  ["usage.received_at", "timestamptz"],
  ["usage.usage_id", "uuid"],
]);

/** Of a report named `usage`, and of `settlement`, its row of `usage_settlements` if it has one. */
export const usageColumns: RawBuilder<unknown> = sql`usage.usage_id as "usageId", usage.agent_id as "agentId", usage.indicator,
  usage.customer_id as "customerId", usage.raw_usage::text as "rawUsage", usage.currency, usage.amount,
  usage.received_at as "receivedAt", settlement.settled_at as "settledAt", settlement.outcome,
  usage.idempotency_key as "idempotencyKey", usage.budgets`;

const withSettlement = sql`left join usage_settlements as settlement using (org_id, usage_id)`;

/** What the reports of a page may be in JSON: half of what our client takes. A report has 16 KiB at most. */
const maxPageBytes = 512 * 1024;

/** A part of the usage of an organisation, the newest first. */
export async function listUsage(
  database: Database,
  orgId: bigint,
  filter: UsageFilter,
  part: ListPart,
): Promise<{ readonly rows: readonly UsageRow[]; readonly next: string | null }> {
  const conditions = [
    sql`usage.org_id = ${orgId}`,
    during("usage.received_at", filter),
    newest.after(part),
    ...conditionsOf(filter),
  ];
  const read = (more: readonly RawBuilder<unknown>[]) => sql`
    select report.* from ${tableOf(filter)} where ${sql.join([...conditions, ...more], sql` and `)}
     order by ${newest.order} limit ${part.limit + 1}`;
  const { rows } = await sql<UsageRow & Placed>`
    select ${usageColumns}, ${newest.place} as place
      from (${source(orgId, filter, read, part)}) as usage ${withSettlement}
     order by ${newest.order}`.execute(database);
  return cutPart(rows, { ...part, limit: Math.min(part.limit, howManyFit(rows)) });
}

/** Of an agent the newest of each of its indicators are read, of which the newest are the page: each has an index. */
function source(
  orgId: bigint,
  { agentId, indicator, customerId }: UsageFilter,
  read: (more: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>,
  { limit }: ListPart,
): RawBuilder<unknown> {
  if (agentId === undefined || indicator !== undefined || customerId !== undefined) return read([]);
  return sql`
    select usage.* from indicators,
           lateral (${read([sql`usage.indicator = indicators.name`])}) as usage
     where indicators.org_id = ${orgId} and indicators.agent_id = ${agentId}
     order by ${newest.order} limit ${limit + 1}`;
}

/** What waits, and what has no entry in the ledger, have tables of their own: each report of these is looked up. */
function tableOf({ outcome }: UsageFilter): RawBuilder<unknown> {
  if (outcome === undefined) return sql`usage_reports as usage, lateral (select usage.*) as report`;
  const table = outcome === "unsettled" ? "usage_due" : "usage_outcomes";
  return sql`${sql.table(table)} as usage,
    lateral (select * from usage_reports
              where (org_id, received_at, usage_id) = (usage.org_id, usage.received_at, usage.usage_id) limit 1) as report`;
}

function conditionsOf(filter: UsageFilter): readonly RawBuilder<unknown>[] {
  const { customerId, agentId, indicator, outcome, idempotencyKey } = filter;
  const conditions: RawBuilder<unknown>[] = [];
  if (customerId !== undefined) conditions.push(sql`usage.customer_id = ${customerId}`);
  if (agentId !== undefined) conditions.push(sql`usage.agent_id = ${agentId}`);
  if (indicator !== undefined) conditions.push(sql`usage.indicator = ${indicator}`);
  if (idempotencyKey !== undefined) conditions.push(sql`report.idempotency_key = ${idempotencyKey}`);
  if (outcome !== undefined && outcome !== "unsettled") conditions.push(sql`usage.outcome = ${outcome}`);
  return conditions;
}

function howManyFit(rows: readonly UsageRow[]): number {
  let bytes = 0;
  const over = rows.findIndex(({ rawUsage }) => {
    bytes += rawUsage.length + 500;
    return bytes > maxPageBytes;
  });
  return over === -1 ? rows.length : Math.max(1, over);
}

/** One report. */
export async function readUsage(
  database: Database,
  orgId: bigint,
  usageId: string,
): Promise<UsageRow | undefined> {
  const { rows } = await sql<UsageRow>`
    select ${usageColumns} from usage_reports as usage ${withSettlement}
     where org_id = ${orgId} and received_at = usage_time(${usageId}) and usage_id = ${usageId}::uuid`.execute(
    database,
  );
  return rows[0];
}
