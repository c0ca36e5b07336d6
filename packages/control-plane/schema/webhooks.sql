-- Where an organisation wants to receive events. Without a list of events: all of them.
create table webhook_endpoints (
  org_id        bigint not null references organizations,
  endpoint_id   uuid not null,
  url           text not null,
  description   text,
  events        text[],
  created_at    timestamptz not null,
  -- Since when each attempt has failed.
  failing_since timestamptz,
  disabled_at   timestamptz,
  disabled_why  text check (disabled_why in ('administrator', 'failing', 'gone')),
  primary key (org_id, endpoint_id),
  check ((disabled_at is null) = (disabled_why is null))
);

-- Those that have not ended sign side by side.
create table webhook_secrets (
  org_id      bigint not null,
  endpoint_id uuid not null,
  secret_id   uuid not null,
  secret      text not null,
  created_at  timestamptz not null,
  ends_at     timestamptz,
  primary key (org_id, endpoint_id, secret_id),
  foreign key (org_id, endpoint_id) references webhook_endpoints on delete cascade
);

-- What has happened, written in the transaction in which it did. An event is a wallet's, or with an empty currency its
-- customer's; those of one are sent in the order of their numbers.
create table webhook_events (
  org_id      bigint not null references organizations,
  event_id    uuid not null,
  sequence    bigint generated always as identity,
  type        text not null,
  customer_id text not null,
  currency    text not null,
  body        text not null,
  created_at  timestamptz not null,
  primary key (org_id, event_id)
);
create index webhook_events_since on webhook_events (org_id, created_at, event_id);
create index webhook_events_age on webhook_events (created_at);

-- No foreign key to the endpoint: settlement must not fail, nor wait, because one is deleted.
create table webhook_deliveries (
  org_id          bigint not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  sequence        bigint not null,
  type            text not null,
  customer_id     text not null,
  currency        text not null,
  created_at      timestamptz not null,
  status          text not null default 'pending' check (status in ('pending', 'delivered', 'given_up')),
  attempts        integer not null default 0,
  attempted_at    timestamptz,
  duration_ms     integer,
  response_status integer,
  response        text,
  error           text,
  primary key (org_id, endpoint_id, event_id),
  foreign key (org_id, event_id) references webhook_events
);
create index webhook_deliveries_stream on webhook_deliveries (org_id, endpoint_id, customer_id, currency, sequence)
  where status = 'pending';
create index webhook_deliveries_oldest on webhook_deliveries (created_at) where status = 'pending';
create index webhook_deliveries_list on webhook_deliveries (org_id, created_at, sequence, endpoint_id);
create index webhook_deliveries_endpoint on webhook_deliveries (org_id, endpoint_id, created_at, sequence);
create index webhook_deliveries_customer on webhook_deliveries (org_id, customer_id, created_at, sequence, endpoint_id);
create index webhook_deliveries_undelivered on webhook_deliveries (org_id, created_at, sequence, endpoint_id)
  where status <> 'delivered';
create index webhook_deliveries_event on webhook_deliveries (org_id, event_id);

-- How many events of a wallet wait for an endpoint, and when the first of them is due. One sender at a time has a claim.
create table webhook_streams (
  org_id      bigint not null,
  endpoint_id uuid not null,
  customer_id text not null,
  currency    text not null,
  waiting     integer not null check (waiting >= 0),
  due_at      timestamptz not null,
  claim       uuid,
  primary key (org_id, endpoint_id, customer_id, currency)
);
create index webhook_streams_due on webhook_streams (org_id, endpoint_id, due_at) where waiting > 0;
create index webhook_streams_done on webhook_streams (due_at) where waiting = 0;
