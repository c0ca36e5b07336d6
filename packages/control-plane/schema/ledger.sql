-- Every change of a wallet, with its cause, in partitions by the month (UTC) in which it was made. Rows are never changed.
-- No foreign keys: making a partition would lock wallets, invoices and credit notes, whose rows stay.
create sequence ledger_ids;
create table ledger_entries (
  entry_id            bigint not null default nextval('ledger_ids'),
  org_id              bigint not null,
  customer_id         text not null,
  currency            text not null,
  cause               text not null check (cause in
    ('opening', 'usage', 'top_up', 'benefit', 'payment', 'period', 'void', 'refund', 'correction', 'credit_note')),
  usage_id            uuid,
  top_up_id           uuid,
  available           bigint not null,
  pending             bigint not null,
  overage_used        bigint not null,
  postpaid_used       bigint not null,
  created_at          timestamptz not null,
  invoice_id          uuid,
  reason              text,
  -- When it counts: usage when it was received, unless that period is invoiced already. The invoice of a period has the
  -- entries from before its end. What is on an invoice counts before any end.
  accrued_at          timestamptz not null default now(),
  credit_note_id      uuid,
  -- What the wallet has after the entry, written by the holder of its lock.
  available_after     bigint not null,
  pending_after       bigint not null,
  overage_used_after  bigint not null,
  postpaid_used_after bigint not null,
  check ((cause = 'usage') = (usage_id is not null)),
  check ((cause = 'top_up') = (top_up_id is not null)),
  check ((available, pending, overage_used, postpaid_used) <> (0, 0, 0, 0)),
  constraint ledger_entries_check4 check ((cause in ('refund', 'correction')) = (reason is not null)),
  constraint ledger_entries_invoice check (
    (cause in ('benefit', 'payment', 'period', 'void')) = (invoice_id is not null)),
  constraint ledger_entries_credit_note check ((cause = 'credit_note') = (credit_note_id is not null))
) partition by range (created_at);
alter sequence ledger_ids owned by ledger_entries.entry_id;
create index ledger_entries_accrued on ledger_entries (org_id, customer_id, currency, accrued_at)
  include (postpaid_used) where postpaid_used <> 0 and cause <> 'period';
create index ledger_entries_time on ledger_entries (org_id, created_at, entry_id);
create index ledger_entries_customer_time on ledger_entries (org_id, customer_id, created_at, entry_id);
create index ledger_entries_wallet_time on ledger_entries (org_id, customer_id, currency, created_at, entry_id);
create index ledger_entries_currency_time on ledger_entries (org_id, currency, created_at, entry_id);
-- Usage is the common cause; the others are rare, and have indexes of their own.
create index ledger_entries_cause on ledger_entries (org_id, cause, created_at, entry_id) where cause <> 'usage';
create index ledger_entries_customer_cause on ledger_entries (org_id, customer_id, cause, created_at, entry_id)
  where cause <> 'usage';
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- What the entries of detached months sum to, for each wallet that has any, and the last of them: what the others begin with.
create table ledger_carried (
  org_id        bigint not null,
  customer_id   text not null,
  currency      text not null,
  last_entry_id bigint not null,
  available     bigint not null,
  pending       bigint not null,
  overage_used  bigint not null,
  postpaid_used bigint not null,
  primary key (org_id, customer_id, currency)
);
