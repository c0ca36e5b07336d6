import type { Migration } from "../migration.ts";

/** Adds what was counted by day before there were months, and finds the customers of a day, of an indicator and of all. */
export const customerMonthsBefore: Migration = {
  version: 43,
  name: "customer-months-before",
  online: [
    // Month after month, so that no customer is locked for long. What the months lack is added, once: an interruption, and
    // what is counted meanwhile, do no harm. Planned anew each time: the table is empty at first.
    `do $do$
declare
  slot record;
begin
  for slot in select distinct org_id, date_trunc('month', day::timestamp)::date as month from usage_days order by 1, 2 loop
    execute $$
      with days as materialized (
             select agent_id, indicator, currency, customer_id, sum(events) as events, sum(credits) as credits
               from customer_usage_days
              where org_id = $1 and day >= $2 and day < $2 + interval '1 month'
              group by 1, 2, 3, 4),
           series as (
             select distinct agent_id, indicator, currency from days union select distinct '', '', currency from days),
           told as (
             select months.* from series, lateral (
                    select agent_id, indicator, currency, customer_id, events, credits from customer_usage_months
                     where org_id = $1 and agent_id = series.agent_id and indicator = series.indicator
                       and currency = series.currency and month = $2 offset 0) as months)
      insert into customer_usage_months as tally
             (org_id, agent_id, indicator, currency, month, customer_id, events, credits)
      select $1, agent_id, indicator, currency, $2, customer_id, sum(events), sum(credits)
        from (select * from days
               union all
              select '', '', currency, customer_id, events, credits from days
               union all
              select agent_id, indicator, currency, customer_id, -events, -credits from told) as lacking
       group by agent_id, indicator, currency, customer_id
      having sum(events) <> 0 or sum(credits) <> 0
       order by customer_id, agent_id, indicator, currency
          on conflict (org_id, agent_id, indicator, currency, month, customer_id)
          do update set events = tally.events + excluded.events, credits = tally.credits + excluded.credits
    $$ using slot.org_id, slot.month;
    commit;
  end loop;
end
$do$`,
    "create index concurrently if not exists customer_usage_days_currency on customer_usage_days (org_id, currency, day, customer_id)",
    "create index concurrently if not exists customer_usage_days_series on customer_usage_days (org_id, agent_id, indicator, currency, day, customer_id)",
    "drop index concurrently if exists customer_usage_days_day",
  ],
};
