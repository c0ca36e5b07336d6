-- Processes that send heartbeats, what their gates decided, and which wallets their ledgers spend.
create table gates (
  org_id   bigint not null references organizations,
  gate_id  uuid not null,
  name     text not null,
  -- As text: its numbers are those that were sent.
  said     text not null,
  heard_at timestamptz not null,
  retries  text[] not null default '{}',
  primary key (org_id, gate_id)
);
create index gates_by_time on gates (org_id, heard_at);

create table gate_decisions (
  org_id    bigint not null references organizations,
  -- The beginning of five minutes.
  at        timestamptz not null,
  name      text not null,
  code      text not null,
  decisions bigint not null check (decisions > 0),
  primary key (org_id, at, name, code)
);

create table gate_wallets (
  org_id      bigint not null references organizations,
  customer_id text not null,
  currency    text not null,
  -- The ID of a process whose ledger is in its memory; of all others shared or guard.
  ledger      text not null,
  first_at    timestamptz not null,
  last_at     timestamptz not null,
  primary key (org_id, customer_id, currency, ledger)
);
