-- Reports of usage, in partitions by the month (UTC) in which they were received: written once, never changed. The customer
-- and the indicator exist (refuse_removal), and no foreign key looks them up again. The amount is the price in force when it
-- was received.
create table usage_reports (
  org_id          bigint not null,
  usage_id        uuid not null,
  received_at     timestamptz not null,
  amount          bigint not null constraint usage_events_amount_check check (amount >= 0),
  idempotency_key text,
  request_hash    text not null constraint usage_events_request_hash_check check (request_hash ~ '^[0-9a-f]{64}$'),
  agent_id        text not null,
  indicator       text not null,
  customer_id     text not null,
  currency        text,
  raw_usage       json not null,
  -- The budgets that it names, and in which of their periods it counts, as [[key, period], ...]. Null: it names none, or was
  -- taken by a version that knows none.
  budgets         jsonb,
  primary key (org_id, received_at, usage_id),
  constraint usage_events_check1 check (currency is not null or amount = 0)
) partition by range (received_at);
create index usage_reports_customer_time on usage_reports (org_id, customer_id, received_at, usage_id);
create index usage_reports_indicator_time on usage_reports (org_id, agent_id, indicator, received_at, usage_id);
create trigger usage_reports_append_only before update or delete or truncate on usage_reports
  for each statement execute function refuse_change();

-- When a report was received: its ID, a UUID of version 7, begins with it.
create function usage_time(usage_id uuid) returns timestamptz language sql immutable parallel safe
  return to_timestamp(('x' || left(replace(usage_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);

-- Reports that wait to be settled. Each is written with its report, and deleted by the transaction that settles it.
create table usage_due (
  org_id      bigint not null,
  usage_id    uuid not null,
  received_at timestamptz not null,
  due_at      timestamptz not null,
  amount      bigint not null,
  -- The transaction that wrote it. By that, and by what its last reading could see, the feed knows which changes it has not
  -- sent, in whatever order transactions commit.
  written_in  xid8 not null default pg_current_xact_id(),
  -- Whether it is in the sums by time, since it was settled before. It is added once, as it is settled first.
  counted     boolean not null default false,
  customer_id text not null,
  agent_id    text not null,
  indicator   text not null,
  currency    text,
  -- When it failed by itself last, and why.
  failed_at   timestamptz,
  message     text,
  budgets     jsonb,
  primary key (org_id, received_at, usage_id)
);
create index usage_due_next on usage_due (due_at) where failed_at is null;
create index usage_due_failed on usage_due (org_id, usage_id) where failed_at is not null;
create index usage_due_wallet on usage_due (org_id, customer_id, currency) include (amount);
create index usage_due_budgets on usage_due (org_id, customer_id) where budgets is not null;
create index usage_due_written on usage_due (org_id, written_in);

-- How late settlement was when a worker reported it last, in one row: intake gives way to it.
create table settlement_pace (
  id      smallint primary key default 1 check (id = 1),
  late_ms double precision not null check (late_ms >= 0),
  reported_at timestamptz not null default now()
);

-- Reports that were settled without an entry of the ledger, in partitions by the month of the report. One whose wallet can
-- pay it after all goes back to usage_due.
create table usage_outcomes (
  org_id      bigint not null,
  usage_id    uuid not null,
  received_at timestamptz not null,
  settled_at  timestamptz not null,
  amount      bigint not null,
  written_in  xid8 not null default pg_current_xact_id(),
  customer_id text not null,
  agent_id    text not null,
  indicator   text not null,
  currency    text,
  outcome     text not null check (outcome in ('free', 'not_credits', 'wallet_missing', 'out_of_range')),
  primary key (org_id, usage_id, received_at)
) partition by range (received_at);
create index usage_outcomes_time on usage_outcomes (org_id, outcome, received_at, usage_id);
create index usage_outcomes_unbilled on usage_outcomes (org_id, customer_id, currency, outcome) include (amount, received_at)
  where outcome in ('wallet_missing', 'out_of_range');
create index usage_outcomes_written on usage_outcomes (org_id, written_in);

-- A key is unique in a month by an index. Around the beginning of a month, when two who report under one key may store in
-- two months at once, it is unique here.
create table usage_keys_at_turn (
  org_id          bigint not null,
  idempotency_key text not null,
  received_at     timestamptz not null,
  primary key (org_id, idempotency_key)
);

-- Which months of usage are gone. Their sums and their entries in the ledger are not.
create table dropped_usage (
  until      timestamptz primary key,
  dropped_at timestamptz not null
);

-- What a wallet will still be debited, usage that waits for the wallet included. A function, so that a connection plans it
-- once over all partitions; by indexes, since the queue may have been short then and be long now.
create function unsettled_usage(bigint, text, text) returns numeric language plpgsql stable
  set search_path from current set enable_seqscan = off as $$
begin
  return (select coalesce(sum(amount), 0) from usage_due where org_id = $1 and customer_id = $2 and currency = $3)
       + (select coalesce(sum(amount), 0) from usage_outcomes
           where org_id = $1 and customer_id = $2 and currency = $3 and outcome = 'wallet_missing');
end
$$;
