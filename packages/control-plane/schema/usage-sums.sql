-- What was used, by when it was received (UTC). Without a currency it was not in CREDITS. No foreign keys: settlement must
-- not wait for a row that is locked. The credits are micro-credits, whose sum may be more than a bigint.
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
create index customer_usage_days_currency on customer_usage_days (org_id, currency, day, customer_id);
create index customer_usage_days_series on customer_usage_days (org_id, agent_id, indicator, currency, day, customer_id);

-- By month, of each agent and indicator, and, with both empty, of all of them. The customer comes last: the next ones of a
-- month are found without reading the others.
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
