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
 * Stores events in one statement; resolves the ids of those whose idempotency key was not there before. The fields go
 * as one JSON document and the reports as another, as they are: an array of texts would escape each of them again. The
 * reports are not in the first document, because there PostgreSQL reads their strings, and refuses `\u0000`.
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
    select * from rows from (
      json_to_recordset(${fields}::json)
        as (org_id bigint, usage_id uuid, idempotency_key text, request_hash text, agent_id text, indicator text,
            customer_id text, currency text, amount bigint, received_at timestamptz, due_at timestamptz),
      json_array_elements(${reports}::json))
    on conflict (org_id, idempotency_key) do nothing
    returning usage_id`.execute(database);
  return new Set(rows.map((row) => row.usage_id));
}

export type StoredUsage = Pick<
  Selectable<UsageEventsTable>,
  "usage_id" | "request_hash" | "amount" | "currency"
>;

/** Reads in one statement what is stored under the keys of events; all of them are there. */
export async function findUsage(
  database: Database,
  events: readonly UsageEvent[],
): Promise<(event: UsageEvent) => StoredUsage> {
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
  return (event) => {
    const found = stored.get(nameOf(event));
    if (found === undefined) throw new Error(`The usage with the key of ${event.usage_id} is missing.`);
    return found;
  };
}

function nameOf({ org_id, idempotency_key }: Pick<UsageEvent, "org_id" | "idempotency_key">): string {
  return `${org_id} ${idempotency_key}`;
}

function fieldsOf({ raw_usage: _, org_id, amount, ...rest }: UsageEvent): object {
  // JSON knows no bigint, and a number would lose digits.
  return { org_id: String(org_id), amount: String(amount), ...rest };
}
