/** SQL that queues reports, those of a table, as if they were not settled. In the sums by time or, if not `counted`, not. */
export function queued(
  reports: string,
  { due = "received_at", counted = false }: { readonly due?: string; readonly counted?: boolean } = {},
): string {
  return `insert into usage_due (org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, due_at, counted)
          select org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, ${due}, ${counted} from ${reports}`;
}

/** SQL that stores reports, of rows with their columns, which wait to be settled. */
export function reported(rows: string, due = "received_at"): string {
  return `with report as (${rows}),
               added as (
                 insert into usage_reports (org_id, usage_id, idempotency_key, request_hash, agent_id, indicator, customer_id,
                                            raw_usage, currency, amount, received_at)
                 select org_id, ${timedId}, idempotency_key, repeat('0', 64), 'chat', indicator, customer_id,
                        '{}', currency, amount, received_at from report returning *)
          ${queued("added", { due })} returning usage_id`;
}

/** A UUID of version 7. */
const timedId =
  "(lpad(to_hex((extract(epoch from received_at) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 14))::uuid";
