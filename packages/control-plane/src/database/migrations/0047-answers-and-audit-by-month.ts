import type { Migration } from "../migration.ts";

/**
 * The partitions of answers and of the audit log. Both tables keep their names: what is there becomes the first partition
 * of each, and a replica of the version before goes on writing to the whole, with the rights that it had. Nothing is
 * copied: the indexes and the checks are there.
 */
export const answersAndAuditByMonth: Migration = {
  version: 47,
  name: "answers-and-audit-by-month",
  sql: `
alter table idempotent_answers rename to idempotent_answers_first;
alter table idempotent_answers_first rename constraint idempotent_answers_pkey to idempotent_answers_first_pkey;
alter table idempotent_answers_first drop constraint idempotent_answers_org_id_fkey;
create table idempotent_answers (like idempotent_answers_first including defaults including constraints)
  partition by range (created_at);
alter table idempotent_answers drop constraint idempotent_answers_before;

alter table audit_log rename to audit_log_first;
alter table audit_log_first rename constraint audit_log_pkey to audit_log_first_pkey;
alter index audit_log_time rename to audit_log_first_time;
alter index audit_log_organization_time rename to audit_log_first_organization_time;
alter index audit_log_action rename to audit_log_first_action;
alter index audit_log_all_by_action rename to audit_log_first_all_by_action;

-- The partitions share one sequence, which an identity would not in every version of PostgreSQL.
do $$
declare
  last bigint;
begin
  execute format('select case when is_called then last_value + 1 else last_value end from %s',
                 pg_get_serial_sequence('audit_log_first', 'audit_id')) into last;
  alter table audit_log_first alter column audit_id drop identity;
  execute format('create sequence audit_ids start with %s', last);
end
$$;
alter table audit_log_first alter column audit_id set default nextval('audit_ids');
create table audit_log (like audit_log_first including defaults including constraints) partition by range (at);
alter table audit_log drop constraint audit_log_before;
alter sequence audit_ids owned by audit_log.audit_id;
create index audit_log_time on audit_log (at, audit_id);
create index audit_log_organization_time on audit_log (org_id, at, audit_id);
create index audit_log_action on audit_log (org_id, action, at, audit_id);
create index audit_log_all_by_action on audit_log (action, at, audit_id);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

do $$
declare
  parent text;
  bound text;
  held record;
  holder text;
begin
  foreach parent in array array['idempotent_answers', 'audit_log'] loop
    select substring(pg_get_constraintdef(oid) from '''([^'']+)''') into bound
      from pg_constraint where conname = parent || '_before' and conrelid = (parent || '_first')::regclass;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent, parent || '_first', bound);
    execute format('alter table %I drop constraint %I', parent || '_first', parent || '_before');
    for held in select grantee, privilege_type as privilege from pg_class, aclexplode(relacl)
                 where oid = (parent || '_first')::regclass and grantee <> relowner loop
      holder := case held.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(held.grantee)) end;
      execute format('grant %s on %I to %s', held.privilege, parent, holder);
      execute format('revoke %s on %I from %s', held.privilege, parent || '_first', holder);
      if parent = 'audit_log' and held.privilege = 'INSERT' then
        execute format('grant usage on sequence audit_ids to %s', holder);
      end if;
    end loop;
  end loop;
end
$$;

-- A key is unique in a month by an index. Around the beginning of one, where two who ask under one key may be answered in
-- two months at once, it is unique here.
create table answer_keys_at_turn (
  org_id          bigint not null,
  operation       text not null,
  idempotency_key text not null,
  created_at      timestamptz not null,
  primary key (org_id, operation, idempotency_key)
);

-- For how many whole months after theirs an organisation keeps answers, and needs its audit log at hand; null: for ever.
alter table organizations add column answers_kept_months integer, add column audit_kept_months integer;
alter table organizations
  add constraint organizations_answers_kept_months check (answers_kept_months >= 2) not valid,
  add constraint organizations_audit_kept_months check (audit_kept_months >= 2) not valid;

-- Partitions that are tables of their own now, for the owner to export and drop.
create table detached_partitions (
  name        text primary key,
  parent      text not null,
  until       timestamptz not null,
  detached_at timestamptz not null
);

-- The partitions of a table that have an end.
create function partitions_of(parent text, out name text, out ends_at timestamptz) returns setof record
  language sql stable set search_path from current as $$
  select relname::text, bound::timestamptz
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid,
         lateral (select substring(pg_get_expr(relpartbound, pg_class.oid) from 'TO \\(''([^'']+)''\\)') as bound) as expr
   where inhparent = parent::regclass and bound is not null
$$;

-- Makes a partition, or with no month the one for what no other was made for.
create function make_partition(parent text, month timestamptz) returns text
  language plpgsql set search_path from current as $$
declare
  child text := parent || '_' || coalesce(to_char(month at time zone 'UTC', 'YYYY_MM'), 'default');
begin
  execute format('create table %I (like %I including defaults including constraints)', child, parent);
  execute format('alter table %I add primary key (%s)', child,
                 case parent when 'audit_log' then 'org_id, audit_id' else 'org_id, operation, idempotency_key' end);
  if parent = 'audit_log' then
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
create function make_partitions(parent text, at timestamptz) returns setof text
  language plpgsql security definer set search_path from current as $$
declare
  reached timestamptz;
  month timestamptz;
  taken boolean;
begin
  if parent not in ('idempotent_answers', 'audit_log') then raise exception 'expected a table in partitions, received %', parent; end if;
  select max(ends_at) into reached from partitions_of(parent);
  if reached >= months_later(usage_month(at), 3) then return; end if;
  perform pg_advisory_xact_lock(5120774013);
  perform set_config('lock_timeout', '1s', true);
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

-- Lets the oldest partition go if each organisation that has rows in it does: answers are dropped, the audit log becomes a
-- table of its own. What the audit log has of no organisation is kept for as long as any organisation keeps its own.
create function let_partition_go(parent text, at timestamptz) returns text
  language plpgsql security definer set search_path from current as $$
declare
  oldest record;
  needed boolean;
begin
  if parent not in ('idempotent_answers', 'audit_log') then raise exception 'expected a table in partitions, received %', parent; end if;
  perform pg_advisory_xact_lock(5120774013);
  perform set_config('lock_timeout', '1s', true);
  select * into oldest from partitions_of(parent) order by ends_at limit 1;
  if not found or months_later(oldest.ends_at, 2) > at then return null; end if;
  execute format(
    'select exists (select from organizations
                     where (%2$I is null or months_later($1, %2$I) > $2)
                       and exists (select from %1$I as kept where kept.org_id in (organizations.org_id, 0)))',
    oldest.name, case parent when 'audit_log' then 'audit_kept_months' else 'answers_kept_months' end)
     into needed using oldest.ends_at, at;
  if needed then return null; end if;
  if parent = 'audit_log' then
    execute format('alter table audit_log detach partition %I', oldest.name);
    insert into detached_partitions (name, parent, until, detached_at) values (oldest.name, parent, oldest.ends_at, at);
  else
    execute format('drop table %I', oldest.name);
  end if;
  return oldest.name;
end
$$;
revoke all on function make_partition, make_partitions, let_partition_go from public;

select make_partition('idempotent_answers', null), make_partition('audit_log', null);

-- Whether a key was answered before an instant. A function, whose plan over all partitions is made once for a connection.
create function was_answered(bigint, text, text, before timestamptz) returns boolean
  language plpgsql stable set search_path from current as $$
begin
  return exists (select from idempotent_answers
                  where org_id = $1 and operation = $2 and idempotency_key = $3 and created_at < before);
end
$$;
`,
};
