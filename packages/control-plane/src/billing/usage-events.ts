import { type Insertable, sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { UsageEventsTable } from "../database/tables.ts";
import { maxCredits, microCredits } from "./credits.ts";

/** An event that is priced, and not settled yet. */
export type UsageEvent = Insertable<UsageEventsTable>;

/** No event may cost more, in micro-credits. */
export const largestAmount: bigint = microCredits(maxCredits) ?? 0n;

/** Stores events in one statement; resolves the ids of those whose idempotency key was not there before. */
export async function insertUsage(
  database: Database | DatabaseTransaction,
  events: readonly UsageEvent[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ usage_id: string }>`
    insert into usage_events (org_id, usage_id, idempotency_key, request_hash, agent_id, indicator, customer_id,
                              raw_usage, currency, amount, received_at, due_at)
    select * from unnest(${list(events.map((event) => event.org_id))}::bigint[],
                         ${list(events.map((event) => event.usage_id))}::uuid[],
                         ${events.map((event) => event.idempotency_key ?? null)}::text[],
                         ${list(events.map((event) => event.request_hash))}::text[],
                         ${events.map((event) => event.agent_id)}::text[],
                         ${events.map((event) => event.indicator)}::text[],
                         ${events.map((event) => event.customer_id)}::text[],
                         ${events.map((event) => event.raw_usage)}::json[],
                         ${events.map((event) => event.currency ?? null)}::text[],
                         ${list(events.map((event) => event.amount))}::bigint[],
                         ${list(events.map((event) => isoTime(event.received_at)))}::timestamptz[],
                         ${list(events.map((event) => isoTime(event.due_at)))}::timestamptz[])
    on conflict (org_id, idempotency_key) do nothing
    returning usage_id`.execute(database);
  return new Set(rows.map((row) => row.usage_id));
}

/** An array literal of values that need no quotes; finding out costs more than sending them. */
function list(values: readonly (string | bigint | number)[]): string {
  return `{${values.join()}}`;
}

function isoTime(time: Date | string): string {
  return typeof time === "string" ? time : time.toISOString();
}
