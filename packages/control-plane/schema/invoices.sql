-- Who issues documents, from an instant on. A version is never changed; the next one takes its place. A tax has a name and
-- a rate in basis points, as [{ "name": "VAT", "basisPoints": 1900 }]; amounts contain it.
create table issuers (
  org_id        bigint not null references organizations,
  version       integer not null check (version > 0),
  valid_from    timestamptz not null,
  legal_name    text not null,
  address       text[] not null,
  tax_id        text,
  taxes         jsonb not null check (jsonb_typeof(taxes) = 'array'),
  footer        text,
  payment_terms text,
  -- In which the days of its documents are.
  time_zone     text not null,
  set_by        text not null,
  primary key (org_id, version)
);
create trigger issuers_append_only before update or delete or truncate on issuers
  for each statement execute function refuse_change();

-- Of an order, or of a postpaid wallet's period. The amount is in minor units of money, the credits are micro-credits.
create table invoices (
  org_id          bigint not null,
  invoice_id      uuid not null,
  customer_id     text not null,
  order_id        uuid,
  kind            text not null check (kind in ('order', 'period')),
  status          text not null check (status in ('open', 'paid', 'void')),
  amount          bigint check (amount >= 0),
  currency        text check (currency ~ '^[A-Z]{3}$'),
  credit_currency text,
  credits         bigint check (credits > 0),
  period_start    timestamptz,
  period_end      timestamptz,
  created_at      timestamptz not null,
  paid_at         timestamptz,
  voided_at       timestamptz,
  -- What a void invoice of a period billed is on the next one, or forgiven.
  voided_usage    text,
  -- What credit notes have credited, in minor units.
  credited_amount bigint not null default 0,
  number          bigint not null,
  issuer_version  integer,
  -- The customer as it was: name, addressLines, city, country, taxId. It stays when the customer is erased.
  bill_to         jsonb not null,
  -- What its agents and its credits were called, by their keys.
  names           jsonb not null,
  -- The spans of a period that had a price each: since, credits (micro), unitAmount, amount (minor units).
  parts           jsonb,
  -- Those of the issuer, each with its amount in minor units as text; tax_amount is their sum, and a part of the amount.
  taxes           jsonb,
  tax_amount      bigint,
  primary key (org_id, invoice_id),
  foreign key (org_id, customer_id) references customers,
  foreign key (org_id, order_id) references orders,
  constraint invoices_issuer foreign key (org_id, issuer_version) references issuers,
  check ((status = 'paid') = (paid_at is not null)),
  check (kind = 'period' or (order_id is not null and amount is not null)),
  check ((kind = 'period') = (credits is not null)),
  check (num_nulls(credit_currency, credits, period_start, period_end) in (0, 4)),
  check (period_start < period_end),
  constraint invoices_void check ((status = 'void') = (voided_at is not null)),
  constraint invoices_voided_usage check (
    voided_usage in ('rebilled', 'forgiven') and status = 'void' and kind = 'period' or voided_usage is null),
  constraint invoices_credited check (
    credited_amount = 0 or (status = 'paid' and credited_amount between 0 and coalesce(amount, 0))),
  constraint invoices_taxes check (
    (taxes is null) = (tax_amount is null) and (tax_amount is null or tax_amount between 0 and amount))
);
-- Only of invoices that have an order: with few statistics PostgreSQL takes the smallest index to look up an invoice, and
-- one of nothing but nulls is the smallest, but is read from end to end.
create index invoices_order on invoices (org_id, order_id, created_at desc, invoice_id desc) where order_id is not null;
create index invoices_customer on invoices (org_id, customer_id, created_at desc, invoice_id desc);
create index invoices_organization on invoices (org_id, created_at desc, invoice_id desc);
create index invoices_status on invoices (org_id, status, created_at desc, invoice_id desc);
create index invoices_kind on invoices (org_id, kind, created_at desc, invoice_id desc);
create index invoices_paid on invoices (org_id, paid_at, invoice_id) where paid_at is not null;
create index invoices_voided on invoices (org_id, voided_at, invoice_id) where voided_at is not null;
create unique index invoices_once_per_period on invoices (org_id, customer_id, credit_currency, period_end)
  where kind = 'period';
create unique index invoices_once_numbered on invoices (org_id, number);
-- An invoice that is void stays so.
create trigger invoices_stay_void before update of status on invoices
  for each row when (old.status = 'void' and new.status <> 'void') execute function refuse_revival();
-- What has been issued stays as it is: only its state moves on.
create trigger invoices_stay_issued
  before delete or truncate or update of org_id, invoice_id, customer_id, order_id, kind, amount, currency, credit_currency, credits,
         period_start, period_end, created_at, issuer_version, bill_to, names, parts, taxes, tax_amount
  on invoices for each statement execute function refuse_change();

-- Against an invoice that is paid: money that the customer is owed, in minor units, and credits that are taken back.
create table credit_notes (
  org_id         bigint not null,
  credit_note_id uuid not null,
  invoice_id     uuid not null,
  customer_id    text not null,
  amount         bigint check (amount >= 0),
  currency       text check (currency ~ '^[A-Z]{3}$'),
  reason         text not null,
  created_at     timestamptz not null,
  number         bigint not null,
  issuer_version integer,
  taxes          jsonb,
  tax_amount     bigint,
  primary key (org_id, credit_note_id),
  foreign key (org_id, invoice_id) references invoices,
  foreign key (org_id, customer_id) references customers,
  constraint credit_notes_issuer foreign key (org_id, issuer_version) references issuers,
  constraint credit_notes_taxes check (
    (taxes is null) = (tax_amount is null) and (tax_amount is null or tax_amount between 0 and amount))
);
create index credit_notes_time on credit_notes (org_id, created_at, credit_note_id);
create index credit_notes_customer on credit_notes (org_id, customer_id, created_at, credit_note_id);
create index credit_notes_invoice on credit_notes (org_id, invoice_id, created_at, credit_note_id);
create unique index credit_notes_once_numbered on credit_notes (org_id, number);
create trigger credit_notes_append_only before update or delete or truncate on credit_notes
  for each statement execute function refuse_change();

create table credit_note_credits (
  org_id         bigint not null,
  credit_note_id uuid not null,
  currency       text not null,
  amount         bigint not null check (amount > 0),
  primary key (org_id, credit_note_id, currency),
  foreign key (org_id, credit_note_id) references credit_notes
);
create trigger credit_note_credits_append_only before update or delete or truncate on credit_note_credits
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
