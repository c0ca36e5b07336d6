-- Usage, answers, the audit log and the ledger have a partition for each month (UTC). The role that serves may not change
-- the schema: it calls the functions here, which make and drop partitions in the name of the owner.

create function usage_month(at timestamptz) returns timestamptz language sql immutable as $$
  select date_trunc('month', at at time zone 'UTC') at time zone 'UTC'
$$;
create function months_later(at timestamptz, months integer) returns timestamptz language sql immutable as $$
  select ((at at time zone 'UTC') + make_interval(months => months)) at time zone 'UTC'
$$;

-- Partitions that are tables of their own now, for the owner to export and drop.
create table detached_partitions (
  name        text primary key,
  parent      text not null,
  until       timestamptz not null,
  detached_at timestamptz not null
);

-- The partitions of a table that have an end, and where they begin.
create function partition_spans(parent text, out name text, out starts_at timestamptz, out ends_at timestamptz) returns setof record
  language sql stable set search_path from current as $$
  select relname::text,
         coalesce(substring(expr from 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity'),
         substring(expr from 'TO \(''([^'']+)''\)')::timestamptz
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

-- Makes a partition with the bound of its rows.
create function make_partition(parent text, child text, bound text) returns void
  language plpgsql set search_path from current as $$
begin
  execute format('create table %I (like %I including defaults including constraints)', child, parent);
  -- The others have a key of the whole.
  if parent in ('audit_log', 'idempotent_answers') then
    execute format('alter table %I add primary key (%s)', child,
                   case parent when 'audit_log' then 'org_id, audit_id' else 'org_id, operation, idempotency_key' end);
  end if;
  if parent = 'usage_reports' then execute format('alter table %I add unique (org_id, idempotency_key)', child); end if;
  if parent = 'ledger_entries' then
    execute format('create unique index %I on %I (org_id, usage_id)', child || '_once_per_usage', child);
    execute format('create unique index %I on %I (org_id, customer_id, currency) where cause = ''opening''',
                   child || '_one_opening', child);
    execute format('create unique index %I on %I (org_id, invoice_id, cause, customer_id, currency) where invoice_id is not null',
                   child || '_once_per_invoice', child);
    execute format('create unique index %I on %I (org_id, credit_note_id, customer_id, currency, grant_id) nulls not distinct where credit_note_id is not null',
                   child || '_once_per_credit_note', child);
  end if;
  if parent in ('usage_reports', 'audit_log', 'ledger_entries') then
    execute format('create trigger %I before update or delete or truncate on %I for each statement execute function refuse_change()',
                   child || '_append_only', child);
  end if;
  execute format('alter table %I attach partition %I %s', parent, child, bound);
end
$$;

-- The column by whose months a table is divided; an error for one that is not.
create function month_column(parent text) returns text language plpgsql stable set search_path from current as $$
declare
  name text := substring(pg_get_partkeydef(to_regclass(parent)) from '\((.*)\)');
begin
  if name is null then raise exception 'expected a table in partitions, received %', parent; end if;
  return name;
end
$$;

-- Makes the partitions of a month and the next two, also if there are later ones. A month of which there are rows already,
-- since none was made in time, stays without one.
create function make_partitions(parent text, at timestamptz) returns setof text
  language plpgsql security definer set search_path from current as $$
declare
  divided_by text := month_column(parent);
  month timestamptz;
  taken boolean;
  child text;
begin
  if has_partition(parent, months_later(usage_month(at), 2)) then return; end if;
  perform set_config('lock_timeout', '1s', true);
  perform pg_advisory_xact_lock(5120774013);
  for month in select months_later(usage_month(at), i) from generate_series(0, 2) as i loop
    child := parent || '_' || to_char(month at time zone 'UTC', 'YYYY_MM');
    continue when has_partition(parent, month) or to_regclass(child) is not null;
    -- Locked before it is read: a row that came in between would be in the way of its month's partition.
    execute format('lock table %I in access exclusive mode', parent || '_default');
    execute format('select exists (select from %I where %I >= $1 and %2$I < $2)', parent || '_default', divided_by)
       into taken using month, months_later(month, 1);
    continue when taken;
    perform make_partition(parent, child, format('for values from (%L) to (%L)', month, months_later(month, 1)));
    return next child;
  end loop;
end
$$;

-- Lets the oldest partition go if each organisation that has rows in it does. Usage and answers are dropped; the audit log
-- and the ledger become tables of their own. Usage is kept until it is settled; its outcomes, as long as it; the ledger, until
-- the usage that it settled is gone and each postpaid wallet in it is invoiced up to its end; what the audit log has of no
-- organisation, for as long as any organisation keeps its own.
create function let_partition_go(parent text, at timestamptz) returns text
  language plpgsql security definer set search_path from current as $$
declare
  kept_months text := case parent
    when 'usage_reports' then 'usage_kept_months' when 'idempotent_answers' then 'answers_kept_months'
    when 'audit_log' then 'audit_kept_months' when 'ledger_entries' then 'ledger_kept_months' end;
  oldest record;
  needed boolean;
begin
  perform month_column(parent);
  perform set_config('lock_timeout', '1s', true);
  perform pg_advisory_xact_lock(5120774013);
  select * into oldest from partition_spans(parent) order by ends_at limit 1;
  if not found or months_later(oldest.ends_at, 2) > at then return null; end if;
  -- What a wrong clock would write meanwhile is to be in the sums, too.
  if parent = 'ledger_entries' then execute format('lock table %I in share mode', oldest.name); end if;
  if parent = 'usage_outcomes' then
    if not exists (select from dropped_usage where until >= oldest.ends_at) then return null; end if;
    execute format('drop table %I', oldest.name);
    return oldest.name;
  end if;
  execute format(
    'select exists (select from organizations
                     where (%2$I is null or months_later($1, %2$I) > $2)
                       and exists (select from %1$I as kept where kept.org_id in (organizations.org_id, 0)))',
    oldest.name, kept_months)
     into needed using oldest.ends_at, at;
  if needed then return null; end if;
  if parent = 'ledger_entries' then
    if exists (select from usage_reports where received_at < oldest.ends_at) then return null; end if;
    execute format(
      'select exists (select from organizations join wallets using (org_id)
                       where kind = ''postpaid'' and accrues_from < $1
                         and exists (select from %I as entry where (entry.org_id, entry.customer_id, entry.currency)
                                                                 = (wallets.org_id, wallets.customer_id, wallets.currency)))',
      oldest.name) into needed using oldest.ends_at;
    if needed then return null; end if;
    execute format(
      'insert into ledger_carried as carried
         select org_id, customer_id, currency, max(entry_no), count(*), sum(available), sum(pending), sum(overage_used),
                sum(postpaid_used)
           from %I group by 1, 2, 3
             on conflict (org_id, customer_id, currency) do update
            set last_entry = greatest(carried.last_entry, excluded.last_entry), entries = carried.entries + excluded.entries,
                available = carried.available + excluded.available, pending = carried.pending + excluded.pending,
                overage_used = carried.overage_used + excluded.overage_used,
                postpaid_used = carried.postpaid_used + excluded.postpaid_used', oldest.name);
  end if;
  if parent = 'usage_reports' then
    -- In the order of intake. What is being queued is seen, also what is queued again.
    lock table usage_reports in access exclusive mode;
    lock table usage_due in share mode;
    if exists (select from usage_due where received_at < oldest.ends_at) then return null; end if;
    insert into dropped_usage (until, dropped_at) values (oldest.ends_at, at) on conflict (until) do nothing;
  end if;
  if parent in ('usage_reports', 'idempotent_answers') then
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
revoke all on function make_partition, make_partitions, let_partition_go from public;

-- Each table begins with a first partition, up to the end of the next month, and one for what no other was made for. The
-- indexes of the first are named as those of its table.
do $$
declare
  until timestamptz := months_later(usage_month(now()), 2);
  parent text;
  child text;
  index record;
begin
  for parent, child in values ('usage_reports', 'usage_events'), ('usage_outcomes', 'usage_outcomes_first'),
                              ('idempotent_answers', 'idempotent_answers_first'),
                              ('audit_log', 'audit_log_first'), ('ledger_entries', 'ledger_entries_first') loop
    perform make_partition(parent, parent || '_default', 'default');
    perform make_partition(parent, child, format('for values from (minvalue) to (%L)', until));
    for index in select inhrelid::regclass as name, replace(inhparent::regclass::text, parent, child) as new_name
                   from pg_inherits join pg_index on indexrelid = inhrelid where indrelid = child::regclass loop
      continue when index.name::text = index.new_name;
      execute format('alter index %s rename to %I', index.name, index.new_name);
    end loop;
  end loop;
end
$$;
