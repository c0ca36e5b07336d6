import type { Migration } from "../migration.ts";

export const closingPeriods: Migration = {
  version: 10,
  name: "closing-periods",
  sql: `
-- When an entry counts: usage when it was received, unless that period is invoiced already. A period's invoice holds
-- the entries from before its end. What is on an invoice already counts before any end.
alter table ledger_entries add column accrued_at timestamptz not null default '-infinity';
alter table ledger_entries alter column accrued_at set default now();
alter table ledger_entries disable trigger ledger_entries_append_only;
update ledger_entries
   set accrued_at = accrued.at
  from (select entry.entry_id,
               case when entry.postpaid_used < 0 then wallets.accrues_from
                    else greatest(coalesce(usage.received_at, entry.created_at), wallets.accrues_from) end as at
          from wallets
          join ledger_entries as entry using (org_id, customer_id, currency)
          left join usage_events as usage on usage.org_id = entry.org_id and usage.usage_id = entry.usage_id
         where wallets.kind = 'postpaid'
           and entry.entry_id > coalesce((select max(period.entry_id) from ledger_entries as period
                                           where (period.org_id, period.customer_id, period.currency)
                                               = (wallets.org_id, wallets.customer_id, wallets.currency)
                                             and period.cause = 'period'), 0)) as accrued
 where ledger_entries.entry_id = accrued.entry_id;
alter table ledger_entries enable trigger ledger_entries_append_only;
create index ledger_entries_accrued on ledger_entries (org_id, customer_id, currency, accrued_at)
  include (postpaid_used) where postpaid_used <> 0 and cause <> 'period';

-- The wallets of an organisation by what is due first.
drop index wallets_accruing;
create index wallets_accruing on wallets (org_id, accrues_from, customer_id, currency) where kind = 'postpaid';

-- Only of invoices that have an order: while there are few statistics PostgreSQL takes the smallest index to look up an
-- invoice's ID, and one of nothing but nulls is the smallest, but has to be read from end to end.
drop index invoices_order;
create index invoices_order on invoices (org_id, order_id, created_at desc, invoice_id desc) where order_id is not null;

-- What a credit cost from some instant on. A version is never changed; the next one takes its place.
create table unit_prices (
  org_id        bigint not null,
  currency      text not null,
  version       integer not null check (version > 0),
  valid_from    timestamptz not null,
  unit_amount   numeric check (unit_amount >= 0),
  unit_currency text check (unit_currency ~ '^[A-Z]{3}$'),
  primary key (org_id, currency, version),
  foreign key (org_id, currency) references currencies,
  check ((unit_amount is null) = (unit_currency is null))
);
insert into unit_prices (org_id, currency, version, valid_from, unit_amount, unit_currency)
  select org_id, currency, 1, 'epoch', unit_amount, unit_currency from currencies where unit_amount is not null;
create trigger unit_prices_append_only before update or delete or truncate on unit_prices
  for each statement execute function refuse_change();

-- Periods that could not be invoiced, until they can. Without a customer: those of the whole organisation.
create table period_failures (
  org_id      bigint not null references organizations,
  customer_id text,
  currency    text,
  period_end  timestamptz,
  message     text not null,
  failed_at   timestamptz not null,
  unique nulls not distinct (org_id, customer_id, currency),
  check ((customer_id is null) = (currency is null))
);
`,
};
