-- Every change of a wallet, with its cause, in partitions by the month (UTC) in which it was made. Rows are never changed.
-- No foreign keys: making a partition would lock wallets, invoices and credit notes, whose rows stay.
create table ledger_entries (
  org_id              bigint not null,
  -- Its number among those of its wallet, without gaps, in the order in which the wallet was locked.
  entry_no            bigint not null,
  created_at          timestamptz not null,
  -- When it counts: usage when it was received, unless that period is invoiced already. The invoice of a period has the
  -- entries from before its end. What is on an invoice counts before any end.
  accrued_at          timestamptz not null default now(),
  available           bigint not null,
  pending             bigint not null,
  overage_used        bigint not null,
  postpaid_used       bigint not null,
  -- What the wallet has after the entry, written by the holder of its lock.
  available_after     bigint not null,
  pending_after       bigint not null,
  overage_used_after  bigint not null,
  postpaid_used_after bigint not null,
  -- The transaction that wrote it, as in usage_due.
  written_in          xid8 not null default pg_current_xact_id(),
  customer_id         text not null,
  currency            text not null,
  cause               text not null check (cause in
    ('opening', 'usage', 'top_up', 'benefit', 'payment', 'period', 'void', 'refund', 'correction', 'credit_note', 'grant', 'expiry')),
  usage_id            uuid,
  top_up_id           uuid,
  invoice_id          uuid,
  credit_note_id      uuid,
  grant_id            uuid,
  reason              text,
  primary key (org_id, customer_id, currency, created_at, entry_no),
  check ((cause = 'usage') = (usage_id is not null)),
  check ((cause = 'top_up') = (top_up_id is not null)),
  check ((available, pending, overage_used, postpaid_used) <> (0, 0, 0, 0)),
  constraint ledger_entries_check4 check ((cause in ('refund', 'correction')) = (reason is not null)),
  constraint ledger_entries_invoice check (
    (cause in ('benefit', 'payment', 'period', 'void')) = (invoice_id is not null)),
  constraint ledger_entries_credit_note check ((cause = 'credit_note') = (credit_note_id is not null)),
  constraint ledger_entries_grant check ((cause in ('grant', 'expiry')) = (grant_id is not null) or cause = 'credit_note')
) partition by range (created_at);
create index ledger_entries_accrued on ledger_entries (org_id, customer_id, currency, accrued_at)
  include (postpaid_used) where postpaid_used <> 0 and cause <> 'period';
create index ledger_entries_time on ledger_entries (org_id, created_at, customer_id, currency, entry_no);
create index ledger_entries_customer_time on ledger_entries (org_id, customer_id, created_at, currency, entry_no);
create index ledger_entries_currency_time on ledger_entries (org_id, currency, created_at, customer_id, entry_no);
-- Usage is the common cause; the others are rare, and have indexes of their own.
create index ledger_entries_cause on ledger_entries (org_id, cause, created_at, customer_id, currency, entry_no)
  where cause <> 'usage';
create index ledger_entries_customer_cause on ledger_entries (org_id, customer_id, cause, created_at, currency, entry_no)
  where cause <> 'usage';
create index ledger_entries_written on ledger_entries (org_id, written_in) where usage_id is not null;
-- But a reason that names a person goes with an erasure.
create trigger ledger_entries_append_only
  before delete or truncate or update of org_id, entry_no, created_at, accrued_at, available, pending, overage_used, postpaid_used,
         available_after, pending_after, overage_used_after, postpaid_used_after, written_in, customer_id, currency, cause, usage_id,
         top_up_id, invoice_id, credit_note_id, grant_id
  on ledger_entries for each statement execute function refuse_change();

-- When each report was settled, and how. Entries of other causes are not left out, but have no usage_id: with a condition a
-- join would read all of the ledger.
create view usage_settlements as
  select org_id, usage_id, created_at as settled_at, case when postpaid_used = 0 then 'debited' else 'accrued' end as outcome, written_in
    from ledger_entries
   union all
  select org_id, usage_id, settled_at, outcome, written_in from usage_outcomes;

-- What the entries of detached months sum to, for each wallet that has any, how many they are, and the last of them: what the
-- others begin with.
create table ledger_carried (
  org_id        bigint not null,
  customer_id   text not null,
  currency      text not null,
  last_entry    bigint not null,
  entries       bigint not null,
  available     bigint not null,
  pending       bigint not null,
  overage_used  bigint not null,
  postpaid_used bigint not null,
  primary key (org_id, customer_id, currency)
);
