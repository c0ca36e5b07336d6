import type { Migration } from "../migration.ts";

/**
 * The partitions of the ledger, and what a wallet has after each entry. The table keeps its name: what is there becomes its
 * first partition, and a replica of the version before goes on writing to the whole, with the rights that it had and without
 * balances. Nothing is copied: the indexes and the check are there. No other table is locked that others need: who has one of
 * them and waits for this one would keep it from being had.
 */
export const ledgerByMonth: Migration = {
  version: 61,
  name: "ledger-by-month",
  sql: `
-- What the wallet has after the entry, written by who holds the wallet; null in entries from before.
alter table ledger_entries
  add column available_after     bigint,
  add column pending_after       bigint,
  add column overage_used_after  bigint,
  add column postpaid_used_after bigint;

alter table ledger_entries rename to ledger_entries_first;
alter table ledger_entries_first rename constraint ledger_entries_pkey to ledger_entries_first_pkey;
alter index ledger_entries_once_per_usage rename to ledger_entries_first_once_per_usage;
alter index ledger_entries_one_opening rename to ledger_entries_first_one_opening;
alter index ledger_entries_once_per_invoice rename to ledger_entries_first_once_per_invoice;
alter index ledger_entries_once_per_credit_note rename to ledger_entries_first_once_per_credit_note;
alter index ledger_entries_accrued rename to ledger_entries_first_accrued;
alter index ledger_entries_time rename to ledger_entries_first_time;
alter index ledger_entries_customer_time rename to ledger_entries_first_customer_time;
alter index ledger_entries_wallet_time rename to ledger_entries_first_wallet_time;
alter index ledger_entries_currency_time rename to ledger_entries_first_currency_time;
alter index ledger_entries_cause rename to ledger_entries_first_cause;
alter index ledger_entries_customer_cause rename to ledger_entries_first_customer_cause;

-- The partitions share one sequence, which an identity would not in every version of PostgreSQL.
do $$
declare
  last bigint;
begin
  execute format('select case when is_called then last_value + 1 else last_value end from %s',
                 pg_get_serial_sequence('ledger_entries_first', 'entry_id')) into last;
  alter table ledger_entries_first alter column entry_id drop identity;
  execute format('create sequence ledger_ids start with %s', last);
end
$$;
alter table ledger_entries_first alter column entry_id set default nextval('ledger_ids');
create table ledger_entries (like ledger_entries_first including defaults including constraints)
  partition by range (created_at);
alter table ledger_entries drop constraint ledger_entries_before;
alter sequence ledger_ids owned by ledger_entries.entry_id;
create index ledger_entries_accrued on ledger_entries (org_id, customer_id, currency, accrued_at)
  include (postpaid_used) where postpaid_used <> 0 and cause <> 'period';
create index ledger_entries_time on ledger_entries (org_id, created_at, entry_id);
create index ledger_entries_customer_time on ledger_entries (org_id, customer_id, created_at, entry_id);
create index ledger_entries_wallet_time on ledger_entries (org_id, customer_id, currency, created_at, entry_id);
create index ledger_entries_currency_time on ledger_entries (org_id, currency, created_at, entry_id);
create index ledger_entries_cause on ledger_entries (org_id, cause, created_at, entry_id) where cause <> 'usage';
create index ledger_entries_customer_cause on ledger_entries (org_id, customer_id, cause, created_at, entry_id)
  where cause <> 'usage';
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

do $$
declare
  bound text := (select substring(pg_get_constraintdef(oid) from '''([^'']+)''') from pg_constraint
                  where conname = 'ledger_entries_before' and conrelid = 'ledger_entries_first'::regclass);
  held record;
  holder text;
begin
  execute format('alter table ledger_entries attach partition ledger_entries_first for values from (minvalue) to (%L)', bound);
  alter table ledger_entries_first drop constraint ledger_entries_before;
  for held in select grantee, privilege_type as privilege from pg_class, aclexplode(relacl)
               where oid = 'ledger_entries_first'::regclass and grantee <> relowner loop
    holder := case held.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(held.grantee)) end;
    execute format('grant %s on ledger_entries to %s', held.privilege, holder);
    execute format('revoke %s on ledger_entries_first from %s', held.privilege, holder);
    if held.privilege = 'INSERT' then execute format('grant usage on sequence ledger_ids to %s', holder); end if;
  end loop;
end
$$;

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

-- Makes a partition, or with no month the one for what no other was made for.
create or replace function make_partition(parent text, month timestamptz) returns text
  language plpgsql set search_path from current as $$
declare
  child text := parent || '_' || coalesce(to_char(month at time zone 'UTC', 'YYYY_MM'), 'default');
begin
  execute format('create table %I (like %I including defaults including constraints)', child, parent);
  execute format('alter table %I add primary key (%s)', child,
                 case parent when 'audit_log' then 'org_id, audit_id' when 'ledger_entries' then 'org_id, entry_id'
                             else 'org_id, operation, idempotency_key' end);
  if parent = 'ledger_entries' then
    execute format('create unique index %I on %I (org_id, usage_id)', child || '_once_per_usage', child);
    execute format('create unique index %I on %I (org_id, customer_id, currency) where cause = ''opening''',
                   child || '_one_opening', child);
    execute format('create unique index %I on %I (org_id, invoice_id, cause, customer_id, currency) where invoice_id is not null',
                   child || '_once_per_invoice', child);
    execute format('create unique index %I on %I (org_id, credit_note_id, customer_id, currency) where credit_note_id is not null',
                   child || '_once_per_credit_note', child);
  end if;
  if parent in ('audit_log', 'ledger_entries') then
    execute format('create trigger %I before update or delete or truncate on %I for each statement execute function refuse_change()',
                   child || '_append_only', child);
  end if;
  execute format('alter table %I attach partition %I %s', parent, child,
                 case when month is null then 'default'
                      else format('for values from (%L) to (%L)', month, months_later(month, 1)) end);
  return child;
end
$$;

-- Makes the partitions of a month and the next two. A month of which there are rows already, where none was made in time,
-- stays without one.
create or replace function make_partitions(parent text, at timestamptz) returns setof text
  language plpgsql security definer set search_path from current as $$
declare
  reached timestamptz;
  month timestamptz;
  taken boolean;
begin
  if parent not in ('idempotent_answers', 'audit_log', 'ledger_entries') then raise exception 'expected a table in partitions, received %', parent; end if;
  select max(ends_at) into reached from partitions_of(parent);
  if reached >= months_later(usage_month(at), 3) then return; end if;
  perform set_config('lock_timeout', '1s', true);
  perform pg_advisory_xact_lock(5120774013);
  for month in select months_later(usage_month(at), i) from generate_series(0, 2) as i loop
    continue when month < reached or to_regclass(parent || '_' || to_char(month at time zone 'UTC', 'YYYY_MM')) is not null;
    execute format('select exists (select from %I where %I >= $1 and %2$I < $2)', parent || '_default',
                   case parent when 'audit_log' then 'at' else 'created_at' end)
       into taken using month, months_later(month, 1);
    continue when taken;
    return next make_partition(parent, month);
  end loop;
end
$$;

-- Lets the oldest partition go if each organisation that has rows in it does: answers are dropped, the audit log and the ledger
-- become tables of their own. What the audit log has of no organisation is kept for as long as any organisation keeps its own;
-- the ledger, until each postpaid wallet in it is invoiced up to its end.
create or replace function let_partition_go(parent text, at timestamptz) returns text
  language plpgsql security definer set search_path from current as $$
declare
  oldest record;
  needed boolean;
begin
  if parent not in ('idempotent_answers', 'audit_log', 'ledger_entries') then raise exception 'expected a table in partitions, received %', parent; end if;
  perform set_config('lock_timeout', '1s', true);
  perform pg_advisory_xact_lock(5120774013);
  select * into oldest from partitions_of(parent) order by ends_at limit 1;
  if not found or months_later(oldest.ends_at, 2) > at then return null; end if;
  -- Also what a wrong clock would write meanwhile is to be in the sums.
  if parent = 'ledger_entries' then execute format('lock table %I in share mode', oldest.name); end if;
  execute format(
    'select exists (select from organizations
                     where (%2$I is null or months_later($1, %2$I) > $2)
                       and exists (select from %1$I as kept where kept.org_id in (organizations.org_id, 0)))',
    oldest.name, case parent when 'audit_log' then 'audit_kept_months' when 'ledger_entries' then 'ledger_kept_months'
                             else 'answers_kept_months' end)
     into needed using oldest.ends_at, at;
  if needed then return null; end if;
  if parent = 'ledger_entries' then
    execute format(
      'select exists (select from organizations join wallets using (org_id)
                       where kind = ''postpaid'' and accrues_from < $1
                         and exists (select from %I as entry where (entry.org_id, entry.customer_id, entry.currency)
                                                                 = (wallets.org_id, wallets.customer_id, wallets.currency)))',
      oldest.name) into needed using oldest.ends_at;
    if needed then return null; end if;
    execute format(
      'insert into ledger_carried as carried
         select org_id, customer_id, currency, max(entry_id), sum(available), sum(pending), sum(overage_used), sum(postpaid_used)
           from %I group by 1, 2, 3
             on conflict (org_id, customer_id, currency) do update
            set last_entry_id = greatest(carried.last_entry_id, excluded.last_entry_id),
                available = carried.available + excluded.available, pending = carried.pending + excluded.pending,
                overage_used = carried.overage_used + excluded.overage_used,
                postpaid_used = carried.postpaid_used + excluded.postpaid_used', oldest.name);
  end if;
  if parent = 'idempotent_answers' then
    execute format('drop table %I', oldest.name);
  else
    -- Whatever writes to the table waits behind this, as while a backup reads it.
    perform set_config('lock_timeout', '200ms', true);
    execute format('alter table %I detach partition %I', parent, oldest.name);
    insert into detached_partitions (name, parent, until, detached_at) values (oldest.name, parent, oldest.ends_at, at);
  end if;
  return oldest.name;
end
$$;

select make_partition('ledger_entries', null);
`,
};
