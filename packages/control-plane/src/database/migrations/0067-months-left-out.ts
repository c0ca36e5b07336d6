import type { Migration } from "../migration.ts";

/**
 * The month of a partition may come before those that are there: a clock that was wrong for a while, ahead or behind, has
 * made others meanwhile. What it leaves out is made, and what it has made goes like any other.
 */
export const monthsLeftOut: Migration = {
  version: 67,
  name: "months-left-out",
  sql: `
-- The partitions of a table that have an end, and where they begin.
create function partition_spans(parent text, out name text, out starts_at timestamptz, out ends_at timestamptz) returns setof record
  language sql stable set search_path from current as $$
  select relname::text,
         coalesce(substring(expr from 'FROM \\(''([^'']+)''\\)')::timestamptz, '-infinity'),
         substring(expr from 'TO \\(''([^'']+)''\\)')::timestamptz
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid,
         lateral (select pg_get_expr(relpartbound, pg_class.oid) as expr) as bound
   where inhparent = parent::regclass and expr <> 'DEFAULT'
$$;

create function has_partition(parent text, at timestamptz) returns boolean
  language sql stable set search_path from current as $$
  select exists (select from partition_spans(parent) where starts_at <= at and ends_at > at)
$$;

-- Up to when each month after that of an instant has a partition. Later ones, which a clock has made that was ahead, do not
-- count, nor does the month itself: where none was made in time, none will be.
create function partitions_reach(parent text, at timestamptz) returns timestamptz
  language plpgsql stable set search_path from current as $$
declare
  reached timestamptz := months_later(usage_month(at), 1);
begin
  while has_partition(parent, reached) loop
    reached := months_later(reached, 1);
  end loop;
  return reached;
end
$$;

-- Makes the partitions of a month and the next two, also where there are later ones. A month of which there is usage already,
-- where none was made in time, stays without one.
create or replace function make_usage_partitions(at timestamptz) returns setof text
  language plpgsql security definer set search_path from current as $$
declare
  month timestamptz;
  taken boolean;
  child text;
begin
  if has_partition('usage_reports', months_later(usage_month(at), 2)) then return; end if;
  perform pg_advisory_xact_lock(5120774013);
  perform set_config('lock_timeout', '1s', true);
  for month in select months_later(usage_month(at), i) from generate_series(0, 2) as i loop
    child := 'usage_reports_' || to_char(month at time zone 'UTC', 'YYYY_MM');
    continue when has_partition('usage_reports', month) or to_regclass(child) is not null;
    select exists (select from usage_reports_default
                    where received_at >= month and received_at < months_later(month, 1)) into taken;
    continue when taken;
    execute format('create table %I (like usage_reports including defaults including constraints)', child);
    execute format('alter table %I add primary key (org_id, usage_id), add unique (org_id, idempotency_key)', child);
    execute format('alter table usage_reports attach partition %I for values from (%L) to (%L)', child,
                   month, months_later(month, 1));
    return next child;
  end loop;
end
$$;

-- Drops the oldest partition if each organisation that has usage in it lets it go, and all of it is settled and counted.
create or replace function drop_usage_partition(at timestamptz) returns text
  language plpgsql security definer set search_path from current as $$
declare
  oldest record;
  needed boolean;
begin
  perform pg_advisory_xact_lock(5120774013);
  perform set_config('lock_timeout', '1s', true);
  select * into oldest from usage_partitions() order by ends_at limit 1;
  if not found or months_later(oldest.ends_at, 2) > at then return null; end if;
  execute format(
    'select exists (select from organizations
                     where (usage_kept_months is null or months_later($1, usage_kept_months) > $2)
                       and exists (select from %1$I as usage where usage.org_id = organizations.org_id))
         or exists (select from %1$I where settled_at is null or counted is null)', oldest.name)
     into needed using oldest.ends_at, at;
  if needed then return null; end if;
  execute format('drop table %I', oldest.name);
  insert into dropped_usage (until, dropped_at) values (oldest.ends_at, at) on conflict (until) do nothing;
  return oldest.name;
end
$$;

-- Makes the partitions of a month and the next two, also where there are later ones. A month of which there are rows already,
-- where none was made in time, stays without one.
create or replace function make_partitions(parent text, at timestamptz) returns setof text
  language plpgsql security definer set search_path from current as $$
declare
  month timestamptz;
  taken boolean;
begin
  if parent not in ('idempotent_answers', 'audit_log', 'ledger_entries') then raise exception 'expected a table in partitions, received %', parent; end if;
  if has_partition(parent, months_later(usage_month(at), 2)) then return; end if;
  perform set_config('lock_timeout', '1s', true);
  perform pg_advisory_xact_lock(5120774013);
  for month in select months_later(usage_month(at), i) from generate_series(0, 2) as i loop
    continue when has_partition(parent, month) or to_regclass(parent || '_' || to_char(month at time zone 'UTC', 'YYYY_MM')) is not null;
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
    insert into detached_partitions (name, parent, until, detached_at) values (oldest.name, parent, oldest.ends_at, at)
      on conflict (name) do update set detached_at = excluded.detached_at;
  end if;
  return oldest.name;
end
$$;
`,
};
