import type { UsageFilter } from "@creditgate/admin";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { createKeyset, cutPart, type Placed } from "../lists/keyset.ts";
import { during, type ListPart } from "../lists/list.ts";

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
}

const newest = createKeyset("desc", [
  ["received_at", "timestamptz"],
  ["usage_id", "uuid"],
]);

export const usageColumns: RawBuilder<unknown> = sql`usage_id as "usageId", agent_id as "agentId", indicator, customer_id as "customerId",
  raw_usage::text as "rawUsage", currency, amount, received_at as "receivedAt", settled_at as "settledAt", outcome,
  idempotency_key as "idempotencyKey"`;

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
    sql`org_id = ${orgId}`,
    during("received_at", filter),
    newest.after(part),
    ...conditionsOf(filter),
  ];
  const read = (more: readonly RawBuilder<unknown>[]) => sql`
    select ${usageColumns}, received_at, usage_id, ${newest.place} as place from usage_reports
     where ${sql.join([...conditions, ...more], sql` and `)}
     order by ${newest.order} limit ${part.limit + 1}`;
  const { rows } = await sql<UsageRow & Placed>`${source(orgId, filter, read, part)}`.execute(database);
  return cutPart(rows, { ...part, limit: Math.min(part.limit, howManyFit(rows)) });
}

/** Of an agent the newest of each of its indicators are read, of which the newest are the page: each has an index. */
function source(
  orgId: bigint,
  { agent_id, indicator, customer_id }: UsageFilter,
  read: (more: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>,
  { limit }: ListPart,
): RawBuilder<unknown> {
  if (agent_id === undefined || indicator !== undefined || customer_id !== undefined) return read([]);
  return sql`
    select found.* from indicators,
           lateral (${read([sql`usage_reports.indicator = indicators.name`])}) as found
     where indicators.org_id = ${orgId} and indicators.agent_id = ${agent_id}
     order by ${newest.order} limit ${limit + 1}`;
}

function conditionsOf(filter: UsageFilter): readonly RawBuilder<unknown>[] {
  const { customer_id, agent_id, indicator, outcome, idempotency_key } = filter;
  const conditions: RawBuilder<unknown>[] = [];
  if (customer_id !== undefined) conditions.push(sql`customer_id = ${customer_id}`);
  if (agent_id !== undefined) conditions.push(sql`usage_reports.agent_id = ${agent_id}`);
  if (indicator !== undefined) conditions.push(sql`indicator = ${indicator}`);
  if (idempotency_key !== undefined) conditions.push(sql`idempotency_key = ${idempotency_key}`);
  if (outcome === "unsettled") conditions.push(sql`settled_at is null`);
  else if (outcome !== undefined) {
    // The condition of the index of what is rare, in its words.
    conditions.push(
      sql`outcome = ${outcome} and outcome in ('wallet_missing', 'out_of_range', 'free', 'not_credits')`,
    );
  }
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
    select ${usageColumns} from usage_reports where org_id = ${orgId} and usage_id = ${usageId}::uuid`.execute(
    database,
  );
  return rows[0];
}
