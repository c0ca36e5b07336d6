import type { Migration } from "../migration.ts";

/**
 * The partitions of usage, and what makes and drops them: the role that serves may not change the schema, and calls these
 * functions of the owner's. Nothing is copied: the indexes and the check are there.
 */
export const usageByMonth: Migration = {
  version: 38,
  name: "usage-by-month",
  sql: `
create table usage_reports (like usage_events including defaults including constraints) partition by range (received_at);
alter table usage_reports drop constraint usage_events_before;
create index usage_reports_due on usage_reports (due_at) where settled_at is null;
create index usage_reports_unbilled on usage_reports (org_id, customer_id, currency, outcome)
 where outcome in ('wallet_missing', 'out_of_range');
create index usage_reports_unsettled on usage_reports (org_id, customer_id, currency) include (amount)
 where settled_at is null or outcome = 'wallet_missing';
create index usage_reports_time on usage_reports (org_id, received_at, usage_id);
create index usage_reports_customer_time on usage_reports (org_id, customer_id, received_at, usage_id);
create index usage_reports_indicator_time on usage_reports (org_id, agent_id, indicator, received_at, usage_id);
create index usage_reports_outcome_time on usage_reports (org_id, outcome, received_at, usage_id)
 where outcome in ('wallet_missing', 'out_of_range', 'free', 'not_credits');
create index usage_reports_open_time on usage_reports (org_id, received_at, usage_id)
 where settled_at is null or counted is null;

do $$
declare
  bound text := (select substring(pg_get_constraintdef(oid) from '''([^'']+)''')
                   from pg_constraint where conname = 'usage_events_before' and conrelid = 'usage_events'::regclass);
begin
  execute format('alter table usage_reports attach partition usage_events for values from (minvalue) to (%L)', bound);
end
$$;
alter table usage_events drop constraint usage_events_before;

-- For what no partition was made for: nothing is refused for the lack of one.
create table usage_reports_default (like usage_events including defaults including constraints);
alter table usage_reports_default add primary key (org_id, usage_id), add unique (org_id, idempotency_key);
alter table usage_reports attach partition usage_reports_default default;

-- A key is unique in a month by an index. Around the beginning of one, where two who report under one key may store in two
-- months at once, it is unique here.
create table usage_keys_at_turn (
  org_id          bigint not null,
  idempotency_key text not null,
  received_at     timestamptz not null,
  primary key (org_id, idempotency_key)
);

-- For how many whole months after theirs the reports of an organisation are kept; null: for ever.
alter table organizations add column usage_kept_months integer;
alter table organizations add constraint organizations_usage_kept_months check (usage_kept_months >= 2) not valid;

-- Which months of usage are gone. Their sums and their entries in the ledger are not.
create table dropped_usage (
  until      timestamptz primary key,
  dropped_at timestamptz not null
);

-- The partitions that have an end.
create function usage_partitions(out name text, out ends_at timestamptz) returns setof record
  language sql stable set search_path from current as $$
  select relname::text, bound::timestamptz
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid,
         lateral (select substring(pg_get_expr(relpartbound, pg_class.oid) from 'TO \\(''([^'']+)''\\)') as bound) as expr
   where inhparent = 'usage_reports'::regclass and bound is not null
$$;

-- Makes the partitions of a month and the next two. A month of which there is usage already, where none was made in time,
-- stays without one.
create function make_usage_partitions(at timestamptz) returns setof text
  language plpgsql security definer set search_path from current as $$
declare
  reached timestamptz := (select max(ends_at) from usage_partitions());
  month timestamptz;
  taken boolean;
  child text;
begin
  if reached >= months_later(usage_month(at), 3) then return; end if;
  perform pg_advisory_xact_lock(5120774013);
  perform set_config('lock_timeout', '1s', true);
  for month in select months_later(usage_month(at), i) from generate_series(0, 2) as i loop
    child := 'usage_reports_' || to_char(month at time zone 'UTC', 'YYYY_MM');
    continue when month < reached or to_regclass(child) is not null;
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
create function drop_usage_partition(at timestamptz) returns text
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
  insert into dropped_usage (until, dropped_at) values (oldest.ends_at, at);
  return oldest.name;
end
$$;
revoke all on function make_usage_partitions, drop_usage_partition from public;

-- What a wallet will still be debited. A function, whose plan is made once for a connection and not for each reading.
create function unsettled_usage(bigint, text, text) returns numeric language plpgsql stable set search_path from current as $$
begin
  return (select coalesce(sum(amount), 0) from usage_reports
           where org_id = $1 and customer_id = $2 and currency = $3
             and (settled_at is null or outcome = 'wallet_missing'));
end
$$;
`,
};
