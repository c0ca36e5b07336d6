import type { Migration } from "../migration.ts";

export const ordersAndAdministration: Migration = {
  version: 2,
  name: "orders-and-administration",
  sql: `
-- Where a setting is null, the one of the server holds.
alter table organizations
  add column billing_period text check (billing_period in ('daily', 'weekly', 'monthly')),
  add column billing_anchor integer check (billing_anchor between 1 and 28),
  add column time_zone      text;

alter table api_keys
  add column key_id       uuid not null unique default gen_random_uuid(),
  add column name         text not null default 'unnamed',
  add column scopes       text[] not null default '{read,usage,wallets,customers,orders,agents}',
  add column expires_at   timestamptz,
  add column revoked_at   timestamptz,
  add column last_used_at timestamptz;

-- What a credit of the currency costs, in minor units of money, where invoices are to say so.
create table currencies (
  org_id        bigint not null references organizations,
  currency      text not null,
  name          text,
  unit_amount   numeric check (unit_amount >= 0),
  unit_currency text check (unit_currency ~ '^[A-Z]{3}$'),
  created_at    timestamptz not null default now(),
  primary key (org_id, currency),
  check ((unit_amount is null) = (unit_currency is null))
);

-- A currency comes into being where it is first named.
create function name_currency() returns trigger language plpgsql as $$
begin
  if new.currency is not null then
    insert into currencies (org_id, currency) values (new.org_id, new.currency) on conflict do nothing;
  end if;
  return new;
end
$$;
insert into currencies (org_id, currency)
  select org_id, currency from wallets
   union
  select org_id, currency from indicators where currency is not null;
create trigger wallets_name_currency before insert on wallets
  for each row execute function name_currency();
create trigger indicators_name_currency before insert or update of currency on indicators
  for each row execute function name_currency();

-- From when on the wallet accrues what has not been invoiced.
alter table wallets
  add column accrues_from timestamptz not null default now(),
  add foreign key (org_id, currency) references currencies;
create index wallets_accruing on wallets (accrues_from) where kind = 'postpaid';

create table orders (
  org_id        bigint not null,
  order_id      uuid not null,
  customer_id   text not null,
  name          text not null,
  start_date    date not null,
  kind          text not null check (kind in ('plan', 'replacement')),
  status        text not null check (status in ('pending', 'active', 'superseded')),
  superseded_by uuid,
  created_at    timestamptz not null,
  activated_at  timestamptz,
  superseded_at timestamptz,
  primary key (org_id, order_id),
  foreign key (org_id, customer_id) references customers,
  foreign key (org_id, superseded_by) references orders,
  check ((status = 'pending') = (activated_at is null)),
  check ((status = 'superseded') = (superseded_at is not null)),
  check ((status = 'superseded') = (superseded_by is not null))
);
create index orders_customer on orders (org_id, customer_id, created_at);

-- The fee is in minor units of money.
create table order_line_items (
  org_id       bigint not null,
  order_id     uuid not null,
  position     integer not null,
  agent_id     text not null,
  fee_amount   bigint check (fee_amount >= 0),
  fee_currency text check (fee_currency ~ '^[A-Z]{3}$'),
  primary key (org_id, order_id, position),
  foreign key (org_id, order_id) references orders,
  foreign key (org_id, agent_id) references agents,
  check ((fee_amount is null) = (fee_currency is null))
);

create table credit_benefits (
  org_id   bigint not null,
  order_id uuid not null,
  position integer not null,
  currency text not null,
  amount   bigint not null check (amount > 0),
  primary key (org_id, order_id, position, currency),
  foreign key (org_id, order_id, position) references order_line_items
);

-- Of an order, or of a postpaid wallet's period; the amount is in minor units of money, the credits are micro-credits.
create table invoices (
  org_id          bigint not null,
  invoice_id      uuid not null,
  customer_id     text not null,
  order_id        uuid,
  kind            text not null check (kind in ('order', 'period')),
  status          text not null check (status in ('open', 'paid')),
  amount          bigint check (amount >= 0),
  currency        text check (currency ~ '^[A-Z]{3}$'),
  credit_currency text,
  credits         bigint check (credits > 0),
  period_start    timestamptz,
  period_end      timestamptz,
  created_at      timestamptz not null,
  paid_at         timestamptz,
  primary key (org_id, invoice_id),
  foreign key (org_id, customer_id) references customers,
  foreign key (org_id, order_id) references orders,
  check ((status = 'paid') = (paid_at is not null)),
  check (kind = 'period' or (order_id is not null and amount is not null)),
  check ((kind = 'period') = (credits is not null)),
  check (num_nulls(credit_currency, credits, period_start, period_end) in (0, 4)),
  check (period_start < period_end)
);
create index invoices_order on invoices (org_id, order_id);
create index invoices_customer on invoices (org_id, customer_id, created_at);
create unique index invoices_once_per_period on invoices (org_id, customer_id, credit_currency, period_end)
 where kind = 'period';

alter table ledger_entries
  add column invoice_id uuid,
  add column reason     text,
  add foreign key (org_id, invoice_id) references invoices,
  drop constraint ledger_entries_cause_check,
  add constraint ledger_entries_cause_check check (cause in
    ('opening', 'usage', 'top_up', 'benefit', 'payment', 'period', 'refund', 'correction')),
  add check ((cause in ('benefit', 'payment', 'period')) = (invoice_id is not null)),
  add check ((cause in ('refund', 'correction')) = (reason is not null));
create unique index ledger_entries_once_per_invoice
    on ledger_entries (org_id, invoice_id, cause, customer_id, currency) where invoice_id is not null;

-- Who changed money or keys: what was before, what was after.
create table audit_log (
  audit_id bigint generated always as identity primary key,
  org_id   bigint references organizations,
  actor    text not null,
  action   text not null,
  subject  jsonb not null,
  before   jsonb,
  after    jsonb,
  at       timestamptz not null
);
create index audit_log_organization on audit_log (org_id, audit_id);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
`,
};
