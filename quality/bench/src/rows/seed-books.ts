import { customerIdOf, organizationOf, since, thisMonth, timeOf, uuidOf } from "./seed-people.ts";
import type { SeedStep } from "./seed-step.ts";

/** The numbers that were given. By the trigger each document would wait for all the versions of its counter in one transaction. */
const numbered = `
      insert into document_numbers (org_id, series, last)
        select org_id, 'invoice', max(number) from invoices group by 1
         union all
        select org_id, 'credit_note', max(number) from credit_notes group by 1
            on conflict (org_id, series) do update set last = excluded.last`;

/** Orders that are paid, invoices of each month of a postpaid wallet, and what all of it left in the ledger. */
export const books: readonly SeedStep[] = [
  {
    name: "orders",
    sql: ({ customers }) => `
      insert into orders (org_id, order_id, customer_id, name, start_date, kind, status, created_at, activated_at)
        select ${organizationOf("i")}, ${uuidOf("'order-' || i")}, ${customerIdOf("i")}, 'Plan', at::date,
               case when i % 100 = 7 then 'replacement' else 'plan' end, case when i % 50 = 2 then 'pending' else 'active' end,
               at, case when i % 50 = 2 then null else at end
          from generate_series(2, ${customers}, 5) as i, lateral (select ${timeOf("i", customers)} as at) as time;
      insert into order_line_items (org_id, order_id, position, agent_id, fee_amount, fee_currency)
        select org_id, order_id, 0, 'agent-1', 4900, 'EUR' from orders;
      insert into invoices (org_id, invoice_id, number, customer_id, order_id, kind, status, amount, currency, created_at, paid_at,
                            credited_amount)
        select org_id, ${uuidOf("order_id::text")}, row_number() over (partition by org_id order by created_at, order_id),
               customer_id, order_id, 'order',
               case when status = 'pending' then 'open' else 'paid' end, 4900, 'EUR', created_at, activated_at,
               case when status = 'active' and left(order_id::text, 1) = '0' then 100 else 0 end
          from orders;
      insert into credit_notes (org_id, credit_note_id, number, invoice_id, customer_id, amount, currency, reason, created_at)
        select org_id, ${uuidOf("invoice_id::text")}, row_number() over (partition by org_id order by number), invoice_id, customer_id, 100, 'EUR', 'an outage', created_at
          from invoices where credited_amount > 0;
      ${numbered}`,
  },
  {
    name: "invoices of periods",
    sql: () => `
      insert into invoices (org_id, invoice_id, number, customer_id, kind, status, credit_currency, credits, period_start, period_end,
                            created_at, paid_at)
        select org_id, gen_random_uuid(),
               (select last from document_numbers where document_numbers.org_id = period.org_id and series = 'invoice')
                 + row_number() over (partition by org_id order by period_end, customer_id), customer_id, 'period', case when is_open then 'open' else 'paid' end, 'credits', credits,
               month, period_end, period_end + interval '10 seconds', case when is_open then null else period_end + interval '9 days' end
          from (select org_id, customer_id, date_trunc('month', received_at, 'UTC') as month, sum(amount) as credits
                  from usage_reports join told using (usage_id)
                 where outcome = 'accrued' and received_at < ${thisMonth} group by 1, 2, 3) as period,
               lateral (select month + interval '1 month' as period_end) as ended,
               lateral (select period_end >= ${thisMonth} as is_open) as last;
      ${numbered}`,
  },
  {
    name: "ledger",
    sql: () => `
      insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, usage_id, invoice_id, available, pending, overage_used,
                                  postpaid_used, created_at, accrued_at, available_after, pending_after, overage_used_after,
                                  postpaid_used_after)
        select org_id, customer_id, currency, row_number() over so_far, cause, usage_id, invoice_id, available, 0, 0,
               postpaid_used, created_at, accrued_at,
               sum(available) over so_far, 0, 0, sum(postpaid_used) over so_far
          from (select org_id, customer_id, currency, 'opening' as cause, null::uuid as usage_id, null::uuid as invoice_id,
                       1000000000000 as available, 0 as postpaid_used, ${since} as created_at, ${since} as accrued_at
                  from wallets where kind = 'prepaid'
                 union all
                select org_id, customer_id, currency, 'usage', usage_id, null,
                       case when outcome = 'debited' then -amount else 0 end,
                       case when outcome = 'accrued' then amount else 0 end, received_at + interval '1 second', received_at
                  from usage_reports join told using (usage_id) where outcome in ('debited', 'accrued')
                 union all
                select org_id, customer_id, credit_currency, 'period', null, invoice_id, 0, -credits, created_at, period_end
                  from invoices where kind = 'period') as entry
        window so_far as (partition by org_id, customer_id, currency order by created_at, usage_id rows unbounded preceding)
         order by created_at, usage_id;
      update wallets set last_entry = entries
        from (select org_id, customer_id, currency, count(*) as entries from ledger_entries group by 1, 2, 3) as told
       where (wallets.org_id, wallets.customer_id, wallets.currency) = (told.org_id, told.customer_id, told.currency)`,
  },
  {
    name: "audit log",
    sql: ({ usage: rows }) => `
      insert into audit_log (org_id, actor, action, subject, before, after, at)
        select ${organizationOf("i")}, 'admin:bench', case when i % 500 = 1 then 'api_key.create' else 'wallet.limits' end,
               to_jsonb(${customerIdOf("i")}), '{"limit":1}', '{"limit":2}', ${timeOf("i", rows / 5)}
          from generate_series(1, ${rows} / 5) as i`,
  },
  {
    name: "calls and webhooks",
    sql: ({ customers }) => `
      insert into voice_sessions (org_id, session_id, agent_id, customer_id, opened_at, abandoned_at)
        select ${organizationOf("i")}, 'call-' || i, 'agent-1', ${customerIdOf("i")}, at, case when i % 3 = 0 then at end
          from generate_series(1, ${customers}, 20) as i, lateral (select ${timeOf("i", customers)} as at) as time;
      insert into webhook_endpoints (org_id, endpoint_id, url, created_at, disabled_at, disabled_why)
        values (1, ${uuidOf("'endpoint'")}, 'https://example.com/hook', now(), now(), 'administrator');
      insert into webhook_events (org_id, event_id, type, customer_id, currency, body, created_at)
        select 1, ${uuidOf("'event-' || i")}, 'wallet.low', ${customerIdOf("i")}, 'credits', '{}',
               now() - interval '30 days' * (1 - i / ${customers}::float8)
          from generate_series(1, ${customers}, 5) as i;
      insert into webhook_deliveries (org_id, endpoint_id, event_id, sequence, type, customer_id, currency, created_at, status, attempts)
        select org_id, ${uuidOf("'endpoint'")}, event_id, sequence, type, customer_id, currency, created_at,
               case when sequence % 1000 = 0 then 'given_up' else 'delivered' end, 1
          from webhook_events`,
  },
];
