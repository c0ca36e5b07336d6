import { sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import type { Difference } from "../wallets/difference.ts";

/** The sums of usage are those of the events that are counted, by hour, by day, and by customer and day. */
export async function usageSums(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with counted as (
           select org_id, customer_id, date_trunc('hour', received_at, 'UTC') as hour,
                  (received_at at time zone 'UTC')::date as day, agent_id, indicator,
                  coalesce(currency, '') as currency, count(*) as events, sum(amount) as credits
             from usage_events where counted
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
         told as (
           select 'hour' as slot, org_id, '' as customer_id, hour::text as at, agent_id, indicator, currency,
                  events::numeric as events, credits from usage_hours
            union all
           select 'day', org_id, '', day::text, agent_id, indicator, currency, events, credits from usage_days
            union all
           select 'customer', org_id, customer_id, day::text, agent_id, indicator, currency, events, credits
             from customer_usage_days)
    select 'sum' as what, org_id as "orgId",
           jsonb_build_array(slot, at, customer_id, agent_id, indicator, currency)::text as subject,
           case when expected.events is null then 'none' else row(expected.events, expected.credits)::text end as expected,
           case when told.events is null then 'none' else row(told.events, told.credits)::text end as received
      from expected full join told
     using (slot, org_id, customer_id, at, agent_id, indicator, currency)
     where (expected.events, expected.credits) is distinct from (told.events, told.credits)
     order by org_id, subject`.execute(transaction);
  return rows;
}
