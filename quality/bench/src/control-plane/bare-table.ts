import type pg from "pg";

/** The columns of a report as it is stored. */
export const bareColumns = `org_id, usage_id, idempotency_key, request_hash, agent_id, indicator, customer_id,
  raw_usage, currency, amount, received_at`;

/** An empty table like that of usage reports, with its indexes and checks. */
export async function createBareTable(client: pg.Client): Promise<void> {
  await client.query("create table if not exists bare (like usage_reports including all)");
  await client.query("truncate bare");
}
