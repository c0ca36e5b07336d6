import type { Migration } from "../migration.ts";

export const walletsAndUsage: Migration = {
  version: 1,
  name: "wallets-and-usage",
  sql: `
create table organizations (
  org_id     bigint generated always as identity primary key,
  name       text not null unique,
  created_at timestamptz not null default now()
);

-- The key itself is never stored; the lookup is the start of its hash, so that it tells nothing about short keys.
create table api_keys (
  org_id     bigint not null references organizations,
  key_lookup text not null check (length(key_lookup) = 8),
  key_hash   text not null unique check (key_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  primary key (org_id, key_hash)
);
create index api_keys_lookup on api_keys (key_lookup);

create table agents (
  org_id      bigint not null references organizations,
  agent_id    text not null,
  external_id text not null,
  name        text not null,
  description text,
  type        text,
  created_at  timestamptz not null default now(),
  primary key (org_id, agent_id),
  unique (org_id, external_id)
);

create table indicators (
  org_id                     bigint not null,
  agent_id                   text not null,
  name                       text not null,
  billing                    text not null,
  currency                   text,
  per_event                  numeric not null default 0 check (per_event >= 0),
  per_thousand_input_tokens  numeric not null default 0 check (per_thousand_input_tokens >= 0),
  per_thousand_output_tokens numeric not null default 0 check (per_thousand_output_tokens >= 0),
  primary key (org_id, agent_id, name),
  foreign key (org_id, agent_id) references agents,
  check (billing <> 'CREDITS' or currency is not null)
);

create table customers (
  org_id      bigint not null references organizations,
  external_id text not null,
  name        text not null,
  email       text,
  country     text,
  city        text,
  created_at  timestamptz not null default now(),
  primary key (org_id, external_id)
);

-- Amounts are micro-credits.
create table wallets (
  org_id         bigint not null,
  customer_id    text not null,
  currency       text not null,
  kind           text not null check (kind in ('prepaid', 'postpaid')),
  available      bigint not null default 0 check (available >= 0),
  pending        bigint not null default 0 check (pending >= 0),
  overage_used   bigint not null default 0 check (overage_used >= 0),
  overage_limit  bigint not null default 0 check (overage_limit >= 0),
  postpaid_used  bigint not null default 0 check (postpaid_used >= 0),
  postpaid_limit bigint not null default 0 check (postpaid_limit >= 0),
  primary key (org_id, customer_id, currency),
  foreign key (org_id, customer_id) references customers,
  check (available = 0 or overage_used = 0),
  check (kind = 'prepaid' or (available = 0 and pending = 0 and overage_used = 0 and overage_limit = 0)),
  check (kind = 'postpaid' or (postpaid_used = 0 and postpaid_limit = 0))
);

-- The amount is the price in force when the usage was received.
create table usage_events (
  org_id          bigint not null,
  usage_id        uuid not null,
  idempotency_key text,
  request_hash    text not null check (request_hash ~ '^[0-9a-f]{64}$'),
  agent_id        text not null,
  indicator       text not null,
  customer_id     text not null,
  raw_usage       json not null,
  currency        text,
  amount          bigint not null check (amount >= 0),
  received_at     timestamptz not null,
  due_at          timestamptz not null,
  settled_at      timestamptz,
  outcome         text check (outcome in ('debited', 'accrued', 'free', 'not_credits', 'wallet_missing', 'out_of_range')),
  primary key (org_id, usage_id),
  unique (org_id, idempotency_key),
  foreign key (org_id, agent_id, indicator) references indicators,
  foreign key (org_id, customer_id) references customers,
  check ((settled_at is null) = (outcome is null)),
  check (currency is not null or amount = 0)
);
create index usage_events_due on usage_events (due_at) where settled_at is null;

-- Every change of a wallet, with its cause; what is written here stays.
create table ledger_entries (
  entry_id      bigint generated always as identity primary key,
  org_id        bigint not null,
  customer_id   text not null,
  currency      text not null,
  cause         text not null check (cause in ('opening', 'usage', 'top_up')),
  usage_id      uuid,
  top_up_id     uuid,
  available     bigint not null,
  pending       bigint not null,
  overage_used  bigint not null,
  postpaid_used bigint not null,
  created_at    timestamptz not null,
  foreign key (org_id, customer_id, currency) references wallets,
  foreign key (org_id, usage_id) references usage_events,
  check ((cause = 'usage') = (usage_id is not null)),
  check ((cause = 'top_up') = (top_up_id is not null)),
  check ((available, pending, overage_used, postpaid_used) <> (0, 0, 0, 0))
);
create index ledger_entries_wallet on ledger_entries (org_id, customer_id, currency, entry_id);
create unique index ledger_entries_once_per_usage on ledger_entries (org_id, usage_id);
create unique index ledger_entries_one_opening on ledger_entries (org_id, customer_id, currency) where cause = 'opening';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- Answers that a repeated Idempotency-Key gets again, as they went out.
create table idempotent_answers (
  org_id          bigint not null references organizations,
  operation       text not null,
  idempotency_key text not null,
  request_hash    text not null check (request_hash ~ '^[0-9a-f]{64}$'),
  status          integer,
  body            text,
  created_at      timestamptz not null,
  primary key (org_id, operation, idempotency_key)
);
`,
};
