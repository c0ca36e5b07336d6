import { sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import type { Difference } from "./difference.ts";

/** The sums of usage are those of the events that were settled and are not dropped, by hour, by day, and by customer and day. */
export async function usageSums(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with gone as (select coalesce(max(until), '-infinity') as until from dropped_usage),
         counted as (
           select org_id, customer_id, date_trunc('hour', received_at, 'UTC') as hour,
                  (received_at at time zone 'UTC')::date as day, agent_id, indicator,
                  coalesce(currency, '') as currency, count(*) as events, sum(amount) as credits
             from usage_reports as report, gone
            where received_at >= gone.until
              and not exists (select from usage_due as due
                               where (due.org_id, due.received_at, due.usage_id) = (report.org_id, report.received_at, report.usage_id)
                                 and not due.counted)
            group by 1, 2, 3, 4, 5, 6, 7),
         expected as (
           select 'hour' as slot, org_id, '' as customer_id, hour::text as at, agent_id, indicator, currency,
                  sum(events) as events, sum(credits) as credits
             from counted group by 1, 2, 3, 4, 5, 6, 7
            union all
           select 'day', org_id, '', day::text, agent_id, indicator, currency, sum(events), sum(credits)
             from counted group by 1, 2, 3, 4, 5, 6, 7
            union all
           select 'customer', org_id, customer_id, day::text, agent_id, indicator, currency, sum(events), sum(credits)
             from counted group by 1, 2, 3, 4, 5, 6, 7),
         stored as (
           select 'hour' as slot, org_id, '' as customer_id, hour::text as at, agent_id, indicator, currency,
                  events::numeric as events, credits from usage_hours, gone where hour >= until
            union all
           select 'day', org_id, '', day::text, agent_id, indicator, currency, events, credits
             from usage_days, gone where day >= (until at time zone 'UTC')::date
            union all
           select 'customer', org_id, customer_id, day::text, agent_id, indicator, currency, events, credits
             from customer_usage_days, gone where day >= (until at time zone 'UTC')::date)
    select 'sum' as what, org_id as "orgId",
           jsonb_build_array(slot, at, customer_id, agent_id, indicator, currency)::text as subject,
           case when expected.events is null then 'none' else row(expected.events, expected.credits)::text end as expected,
           case when stored.events is null then 'none' else row(stored.events, stored.credits)::text end as received
      from expected full join stored
     using (slot, org_id, customer_id, at, agent_id, indicator, currency)
     where (expected.events, expected.credits) is distinct from (stored.events, stored.credits)
     order by org_id, subject`.execute(transaction);
  return rows;
}

/** The months of customers are the sums of their days, dropped ones included: of each agent and indicator, and of all. */
export async function customerMonths(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with days as (
           select org_id, agent_id, indicator, currency, date_trunc('month', day::timestamp)::date as month, customer_id,
                  sum(events) as events, sum(credits) as credits
             from customer_usage_days group by 1, 2, 3, 4, 5, 6),
         expected as (
           select * from days
            union all
           select org_id, '', '', currency, month, customer_id, sum(events), sum(credits) from days group by 1, 4, 5, 6),
         stored as (
           select org_id, agent_id, indicator, currency, month, customer_id, events::numeric as events, credits
             from customer_usage_months)
    select 'sum' as what, org_id as "orgId",
           jsonb_build_array('month', month::text, customer_id, agent_id, indicator, currency)::text as subject,
           case when expected.events is null then 'none' else row(expected.events, expected.credits)::text end as expected,
           case when stored.events is null then 'none' else row(stored.events, stored.credits)::text end as received
      from expected full join stored using (org_id, agent_id, indicator, currency, month, customer_id)
     where (expected.events, expected.credits) is distinct from (stored.events, stored.credits)
     order by org_id, subject`.execute(transaction);
  return rows;
}
