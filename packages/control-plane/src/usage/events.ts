import { type Insertable, type Selectable, sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { UsageEventsTable } from "../database/tables.ts";
import { maxCredits, microCredits } from "../money/credits.ts";

/** An event that is priced, and not settled yet. */
export type UsageEvent = Insertable<UsageEventsTable>;

/** No event may cost more, in micro-credits. */
export const largestAmount: bigint = microCredits(maxCredits) ?? 0n;

/** What an event has beside its report, in bytes, roughly. */
const fieldBytes = 1_000;

/** How much an event takes in a statement, in bytes, roughly. */
export function sizeOfUsage({ raw_usage }: UsageEvent): number {
  return raw_usage.length + fieldBytes;
}

/**
 * Stores events in one statement; resolves the ids of those whose customer exists, and whose idempotency key was not
 * there before; of two with one key the first is stored. The fields go as one JSON document and the reports as another,
 * as they are: an array of texts would escape each of them again. The reports are not in the first document, because
 * there PostgreSQL reads their strings, and refuses `\u0000`.
 */
export async function insertUsage(
  database: Database | DatabaseTransaction,
  events: readonly UsageEvent[],
): Promise<ReadonlySet<string>> {
  const fields = JSON.stringify(events.map(fieldsOf));
  const reports = `[${events.map((event) => event.raw_usage).join()}]`;
  const { rows } = await sql<{ usage_id: string }>`
    insert into usage_events (org_id, usage_id, idempotency_key, request_hash, agent_id, indicator, customer_id,
                              currency, amount, received_at, due_at, raw_usage)
    select org_id, usage_id, idempotency_key, request_hash, agent_id, indicator, customer_id,
           currency, amount, received_at, due_at, raw_usage
      from rows from (
             json_to_recordset(${fields}::json)
               as (org_id bigint, usage_id uuid, idempotency_key text, request_hash text, agent_id text, indicator text,
                   customer_id text, currency text, amount bigint, received_at timestamptz, due_at timestamptz),
             json_array_elements(${reports}::json))
             with ordinality as event (org_id, usage_id, idempotency_key, request_hash, agent_id, indicator, customer_id,
                                       currency, amount, received_at, due_at, raw_usage, position)
     where exists (select from customers
                    where (customers.org_id, external_id) = (event.org_id, event.customer_id))
     order by position
    on conflict (org_id, idempotency_key) do nothing
    returning usage_id`.execute(database);
  return new Set(rows.map((row) => row.usage_id));
}

export type StoredUsage = Pick<
  Selectable<UsageEventsTable>,
  "usage_id" | "request_hash" | "amount" | "currency"
>;

/** Reads in one statement what is stored under the keys of events, where there is anything. */
export async function findUsage(
  database: Database,
  events: readonly UsageEvent[],
): Promise<(event: UsageEvent) => StoredUsage | undefined> {
  const stored = new Map<string, StoredUsage>();
  if (events.length > 0) {
    const keys = JSON.stringify(
      events.map(({ org_id, idempotency_key }) => [String(org_id), idempotency_key]),
    );
    const { rows } = await sql<StoredUsage & { org_id: bigint; idempotency_key: string }>`
      select usage_events.org_id, usage_events.idempotency_key, usage_id, request_hash, amount, currency
        from json_array_elements(${keys}::json) as key
        join usage_events on usage_events.org_id = (key ->> 0)::bigint
                         and usage_events.idempotency_key = key ->> 1`.execute(database);
    for (const row of rows) stored.set(nameOf(row), row);
  }
  return (event) => stored.get(nameOf(event));
}

function nameOf({ org_id, idempotency_key }: Pick<UsageEvent, "org_id" | "idempotency_key">): string {
  return `${org_id} ${idempotency_key}`;
}

function fieldsOf(event: UsageEvent): object {
  return {
    // JSON knows no bigint, and a number would lose digits.
    org_id: String(event.org_id),
    usage_id: event.usage_id,
    idempotency_key: event.idempotency_key,
    request_hash: event.request_hash,
    agent_id: event.agent_id,
    indicator: event.indicator,
    customer_id: event.customer_id,
    currency: event.currency,
    amount: String(event.amount),
    received_at: event.received_at,
    due_at: event.due_at,
  };
}
