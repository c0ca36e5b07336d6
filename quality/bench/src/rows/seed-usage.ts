import { customerIdOf, isPostpaid, organizationOf, thisMonth, timeOf, uuidOf } from "./seed-people.ts";
import type { SeedStep } from "./seed-step.ts";

/** A number from 0 to 1, the same for a row each time. */
const random = (row: string, salt: number): string =>
  `((hashint8extended(${row}, ${salt}) & 2147483647) / 2147483648.0)`;

/** A UUID of version 7. */
const timedId = (row: string, time: string): string =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${row}::text), 1, 3)
    || '8' || substr(md5(${row}::text), 4, 15))::uuid`;

/** Reports: some customers use much, most use little. Nearly all are debited; the last ones are not settled yet. */
export const usage: readonly SeedStep[] = [
  {
    name: "usage",
    sql: ({ usage: rows, customers }) => `
      create temporary table told as
        select i, at, customer, ${timedId("i", "at")} as usage_id,
               case when i > ${rows} - 500 then 'unsettled' when i % 4999 = 0 then 'wallet_missing' when i % 1000 = 1 then 'free'
                    when i % 1000 = 2 then 'not_credits' when ${isPostpaid("customer")} then 'accrued'
                    else 'debited' end as outcome
          from (select i, date_trunc('milliseconds', ${timeOf("i", rows)}) as at, 1 + floor(${customers} * ${random("i", 1)} ^ 2)::bigint as customer
                  from generate_series(1, ${rows}::bigint) as i) as report;
      insert into usage_reports (org_id, usage_id, idempotency_key, request_hash, agent_id, indicator, customer_id, raw_usage,
                                currency, amount, received_at)
        select ${organizationOf("customer")}, usage_id, ${uuidOf("'key-' || i")}::text, repeat('0', 64),
               'agent-' || 1 + i % 5, case when i % 7 < 5 then 'message' else 'tokens' end, ${customerIdOf("customer")},
               '{"provider":"openai","model":"gpt-5","inputTokens":1200,"outputTokens":40}',
               case when outcome = 'not_credits' then null when outcome = 'wallet_missing' then 'rare' else 'credits' end,
               case when outcome in ('free', 'not_credits') then 0 else 1000000 + i % 1000 end, at
          from told order by i;
      insert into usage_due (org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, due_at)
        select org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, received_at + interval '1 second'
          from usage_reports join told using (usage_id) where outcome = 'unsettled';
      insert into usage_outcomes (org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, settled_at, outcome)
        select org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, received_at + interval '1 second',
               outcome
          from usage_reports join told using (usage_id) where outcome not in ('unsettled', 'accrued', 'debited')`,
  },
  {
    name: "sums of usage",
    sql: () => `
      insert into customer_usage_days (org_id, customer_id, day, agent_id, indicator, currency, events, credits)
        select org_id, customer_id, (received_at at time zone 'UTC')::date, agent_id, indicator, coalesce(currency, ''),
               count(*), sum(amount)
          from usage_reports join told using (usage_id) where outcome <> 'unsettled' group by 1, 2, 3, 4, 5, 6;
      insert into customer_usage_months (org_id, agent_id, indicator, currency, month, customer_id, events, credits)
        select org_id, coalesce(agent_id, ''), coalesce(indicator, ''), currency, month, customer_id,
               sum(events), sum(credits)
          from customer_usage_days, lateral (select date_trunc('month', day::timestamp)::date as month) as told
         group by org_id, currency, month, customer_id, grouping sets ((agent_id, indicator), ())
         order by 1, 2, 3, 4, 5, 6;
      insert into usage_hours (org_id, hour, agent_id, indicator, currency, events, credits)
        select org_id, date_trunc('hour', received_at, 'UTC'), agent_id, indicator, coalesce(currency, ''),
               count(*), sum(amount)
          from usage_reports join told using (usage_id) where outcome <> 'unsettled' group by 1, 2, 3, 4, 5;
      insert into usage_days (org_id, day, agent_id, indicator, currency, events, credits)
        select org_id, (hour at time zone 'UTC')::date, agent_id, indicator, currency, sum(events), sum(credits)
          from usage_hours group by 1, 2, 3, 4, 5`,
  },
  {
    name: "wallets",
    sql: ({ customers }) => `
      create temporary table used as
        select org_id, customer_id, sum(amount) as amount,
               coalesce(sum(amount) filter (where received_at >= ${thisMonth}), 0) as this_month
          from usage_reports join told using (usage_id) where outcome in ('debited', 'accrued') group by 1, 2;
      insert into wallets (org_id, customer_id, currency, kind, available, postpaid_used, accrues_from)
        select org_id, customer_id, 'credits', case when is_postpaid then 'postpaid' else 'prepaid' end,
               case when is_postpaid then 0 else 1000000000000 - coalesce(amount, 0) end,
               case when is_postpaid then coalesce(this_month, 0) else 0 end, ${thisMonth}
          from (select ${organizationOf("i")} as org_id, ${customerIdOf("i")} as customer_id,
                       ${isPostpaid("i")} as is_postpaid from generate_series(1, ${customers}) as i) as wallet
          left join used using (org_id, customer_id)`,
  },
];
