import type { Migration } from "../migration.ts";

export const usageSums: Migration = {
  version: 21,
  name: "usage-sums",
  sql: `
-- Whether the event is in the sums below: it is counted once, in the transaction that settles it first. Null: not yet.
alter table usage_events add column counted boolean;

-- What was used, by the time at which it was received (UTC); without a currency it was not in CREDITS. No foreign keys:
-- settlement must not wait for a row that is held. The credits are micro-credits, of which a sum may be more than a bigint.
create table usage_hours (
  org_id    bigint not null,
  hour      timestamptz not null,
  agent_id  text not null,
  indicator text not null,
  currency  text not null,
  events    bigint not null,
  credits   numeric not null,
  primary key (org_id, hour, agent_id, indicator, currency)
) with (fillfactor = 70);
create table usage_days (
  org_id    bigint not null,
  day       date not null,
  agent_id  text not null,
  indicator text not null,
  currency  text not null,
  events    bigint not null,
  credits   numeric not null,
  primary key (org_id, day, agent_id, indicator, currency)
) with (fillfactor = 70);
create table customer_usage_days (
  org_id      bigint not null,
  customer_id text not null,
  day         date not null,
  agent_id    text not null,
  indicator   text not null,
  currency    text not null,
  events      bigint not null,
  credits     numeric not null,
  primary key (org_id, customer_id, day, agent_id, indicator, currency)
) with (fillfactor = 85);
create index customer_usage_days_day on customer_usage_days (org_id, day, customer_id);
`,
};
