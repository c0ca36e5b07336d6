create table if not exists wallets (
  customer_id text primary key,
  available bigint not null
);

create table if not exists billed_usage (
  key text primary key,
  customer_id text not null,
  credits bigint not null,
  usage jsonb not null,
  billed_at timestamptz not null default now()
);

-- To try the application with.
insert into wallets values ('alice', 100), ('bob', 0) on conflict do nothing;
