import type { Migration } from "../migration.ts";

export const voidsAndCreditNotes: Migration = {
  version: 26,
  name: "voids-and-credit-notes",
  sql: `
-- An order that is not active yet may be cancelled; its invoice is void then.
alter table orders add column cancelled_at timestamptz;
alter table orders
  drop constraint orders_status_check,
  drop constraint orders_check,
  add constraint orders_status_check check (status in ('pending', 'active', 'superseded', 'cancelled')) not valid,
  add constraint orders_activated check ((status in ('pending', 'cancelled')) = (activated_at is null)) not valid,
  add constraint orders_cancelled check ((status = 'cancelled') = (cancelled_at is not null)) not valid;

-- What a void invoice of a period has billed is on the next one, or forgiven. What credit notes have credited is in minor units.
alter table invoices
  add column voided_at       timestamptz,
  add column voided_usage    text,
  add column credited_amount bigint not null default 0;
alter table invoices
  drop constraint invoices_status_check,
  add constraint invoices_status_check check (status in ('open', 'paid', 'void')) not valid,
  add constraint invoices_void check ((status = 'void') = (voided_at is not null)) not valid,
  add constraint invoices_voided_usage check (
    voided_usage in ('rebilled', 'forgiven') and status = 'void' and kind = 'period' or voided_usage is null) not valid,
  add constraint invoices_credited check (
    credited_amount = 0 or (status = 'paid' and credited_amount between 0 and coalesce(amount, 0))) not valid;

-- What is void stays so, also where a replica of the version before marks it paid.
create function refuse_revival() returns trigger language plpgsql as $$
begin
  raise exception '% that is % stays so', tg_table_name, old.status;
end
$$;
create trigger invoices_stay_void before update of status on invoices
  for each row when (old.status = 'void' and new.status <> 'void') execute function refuse_revival();
create trigger orders_stay_cancelled before update of status on orders
  for each row when (old.status = 'cancelled' and new.status <> 'cancelled') execute function refuse_revival();

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
  primary key (org_id, credit_note_id),
  foreign key (org_id, invoice_id) references invoices,
  foreign key (org_id, customer_id) references customers
);
create index credit_notes_time on credit_notes (org_id, created_at, credit_note_id);
create index credit_notes_customer on credit_notes (org_id, customer_id, created_at, credit_note_id);
create index credit_notes_invoice on credit_notes (org_id, invoice_id, created_at, credit_note_id);
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

alter table ledger_entries add column credit_note_id uuid;
alter table ledger_entries
  drop constraint ledger_entries_cause_check,
  drop constraint ledger_entries_check3,
  add constraint ledger_entries_cause_check check (cause in
    ('opening', 'usage', 'top_up', 'benefit', 'payment', 'period', 'void', 'refund', 'correction', 'credit_note')) not valid,
  add constraint ledger_entries_invoice check (
    (cause in ('benefit', 'payment', 'period', 'void')) = (invoice_id is not null)) not valid,
  add constraint ledger_entries_credit_note check ((cause = 'credit_note') = (credit_note_id is not null)) not valid,
  add constraint ledger_entries_org_id_credit_note_id_fkey
    foreign key (org_id, credit_note_id) references credit_notes not valid;
`,
};
