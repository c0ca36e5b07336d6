-- Reports of usage, in partitions by the month (UTC) in which they were received. The customer and the indicator exist
-- (refuse_removal), and no foreign key looks them up again. The amount is the price in force when it was received.
create table usage_reports (
  org_id          bigint not null,
  usage_id        uuid not null,
  idempotency_key text,
  request_hash    text not null constraint usage_events_request_hash_check check (request_hash ~ '^[0-9a-f]{64}$'),
  agent_id        text not null,
  indicator       text not null,
  customer_id     text not null,
  raw_usage       json not null,
  currency        text,
  amount          bigint not null constraint usage_events_amount_check check (amount >= 0),
  received_at     timestamptz not null,
  due_at          timestamptz not null,
  settled_at      timestamptz,
  outcome         text constraint usage_events_outcome_check
                  check (outcome in ('debited', 'accrued', 'free', 'not_credits', 'wallet_missing', 'out_of_range')),
  -- Whether it is in the sums by time: it is added once, in the transaction that settles it. Null: not yet.
  counted         boolean,
  -- The transaction that wrote it last. By that, and by what its last reading could see, the feed knows which changes it
  -- has not sent, in whatever order transactions commit.
  changed_in      xid8 not null default pg_current_xact_id(),
  constraint usage_events_check check ((settled_at is null) = (outcome is null)),
  constraint usage_events_check1 check (currency is not null or amount = 0)
) partition by range (received_at);
create index usage_reports_due on usage_reports (due_at) where settled_at is null;
create index usage_reports_unbilled on usage_reports (org_id, customer_id, currency, outcome)
  where outcome in ('wallet_missing', 'out_of_range');
create index usage_reports_unsettled on usage_reports (org_id, customer_id, currency) include (amount)
  where settled_at is null or outcome = 'wallet_missing';
create index usage_reports_time on usage_reports (org_id, received_at, usage_id);
create index usage_reports_customer_time on usage_reports (org_id, customer_id, received_at, usage_id);
create index usage_reports_indicator_time on usage_reports (org_id, agent_id, indicator, received_at, usage_id);
create index usage_reports_outcome_time on usage_reports (org_id, outcome, received_at, usage_id)
  where outcome in ('wallet_missing', 'out_of_range', 'free', 'not_credits');
create index usage_reports_open_time on usage_reports (org_id, received_at, usage_id)
  where settled_at is null or counted is null;
create index usage_reports_changed on usage_reports (org_id, changed_in);

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
-- once over all partitions.
create function unsettled_usage(bigint, text, text) returns numeric language plpgsql stable set search_path from current as $$
begin
  return (select coalesce(sum(amount), 0) from usage_reports
           where org_id = $1 and customer_id = $2 and currency = $3
             and (settled_at is null or outcome = 'wallet_missing'));
end
$$;

-- Usage whose settlement failed by itself. No foreign key: noting it must not wait for a row that is locked.
create table settlement_failures (
  org_id    bigint not null,
  usage_id  uuid not null,
  message   text not null,
  failed_at timestamptz not null,
  primary key (org_id, usage_id)
);
create index settlement_failures_retry on settlement_failures (failed_at);
