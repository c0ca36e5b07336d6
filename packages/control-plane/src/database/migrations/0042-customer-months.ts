import type { Migration } from "../migration.ts";

export const customerMonths: Migration = {
  version: 42,
  name: "customer-months",
  sql: `
-- What each customer used in a month (UTC): of each agent and indicator, and, where both are empty, of all of them. The
-- customer comes last: the next ones of a month are found without reading the others.
create table customer_usage_months (
  org_id      bigint not null,
  agent_id    text not null,
  indicator   text not null,
  currency    text not null,
  month       date not null,
  customer_id text not null,
  events      bigint not null,
  credits     numeric not null,
  primary key (org_id, agent_id, indicator, currency, month, customer_id)
) with (fillfactor = 85);

-- A replica that does not know of months counts days only: its days are added to the months by a trigger. Those that do
-- know say so by a setting of their transaction.
create function count_customer_month() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into customer_usage_months as tally (org_id, agent_id, indicator, currency, month, customer_id, events, credits)
  select new.org_id, series.agent_id, series.indicator, new.currency, date_trunc('month', new.day::timestamp)::date,
         new.customer_id, new.events - coalesce(old.events, 0), new.credits - coalesce(old.credits, 0)
    from (values ('', ''), (new.agent_id, new.indicator)) as series (agent_id, indicator)
      on conflict (org_id, agent_id, indicator, currency, month, customer_id)
      do update set events = tally.events + excluded.events, credits = tally.credits + excluded.credits;
  return null;
end
$$;
create trigger customer_usage_days_months after insert or update on customer_usage_days for each row
  when (current_setting('creditgate.counts_months', true) is distinct from 'on') execute function count_customer_month();
`,
};
