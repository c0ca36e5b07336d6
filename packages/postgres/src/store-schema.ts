import { exchangeFunctions } from "./exchange-function.ts";

/** The tables and functions of the shared store. `schema` is quoted; `literal` is the same in a string. */
export const storeSchema = (schema: string): string => `
-- One row: what the accounts' figures are worth.
create table ${schema}.store (
  id int primary key default 1 check (id = 1),
  run text not null,
  epoch text not null,
  born bigint not null
);

-- What each figure means: account-state.ts of @creditgate/core. Half of each page stays free, so that a step writes no index.
create table ${schema}.account (
  key text primary key,
  epoch text,
  born bigint not null default 0,
  now bigint not null default 0,
  prepaid jsonb,
  postpaid jsonb,
  extended boolean not null default false,
  stamp bigint,
  installed_at bigint not null default 0,
  counted_from bigint not null default 0,
  shown_prepaid bigint not null default 0,
  shown_postpaid bigint not null default 0,
  lag_ms bigint not null default 0,
  used bigint not null default 0,
  queued bigint not null default 0,
  windows jsonb not null default '{}',
  out bigint not null default 0,
  in_force int not null default 0,
  reservations jsonb not null default '{}',
  recalls bigint not null default 0,
  request_at bigint,
  request_done boolean not null default false,
  -- Rounded up to an hour: nearly all steps leave it as it is.
  idle_from bigint
) with (fillfactor = 50);
create index account_idle_from on ${schema}.account (idle_from);

create function ${schema}.clock() returns bigint language sql volatile as $f$
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint
$f$;

-- Another one for each cluster, each promotion or restore to a point in time, and each restore of a dump.
create function ${schema}.run() returns text language sql volatile as $f$
  select system_identifier || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '.' || to_regclass(${literal(`${schema}.account`)})::oid
  from pg_control_system()
$f$;

create function ${schema}.renew(present_run text) returns void language sql as $f$
  update ${schema}.store set run = present_run, epoch = gen_random_uuid(), born = ${schema}.clock()
  where run <> present_run
$f$;

-- A table that is emptied has forgotten reservations.
create function ${schema}.forgotten() returns trigger language plpgsql as $f$
begin
  update ${schema}.store set epoch = gen_random_uuid(), born = ${schema}.clock();
  return null;
end
$f$;
create trigger forgotten after truncate on ${schema}.account execute function ${schema}.forgotten();

insert into ${schema}.store (run, epoch, born) values (${schema}.run(), gen_random_uuid(), ${schema}.clock());
`;

/** The step, and what it knows of rows that are deleted by hand. */
export const exchangeSchema = (schema: string): string => `
-- What the clock of the server showed at the last step.
alter table ${schema}.account add column clock bigint not null default 9007199254740991;

-- Rows that were idle for long hold nothing: the step itself deletes them.
create function ${schema}.forgotten_row() returns trigger language plpgsql as $f$
begin
  if old.out > 0 or old.idle_from is null or old.idle_from >= ${schema}.clock() then
    update ${schema}.store set epoch = gen_random_uuid(), born = ${schema}.clock();
  end if;
  return null;
end
$f$;
create trigger forgotten_row after delete on ${schema}.account for each row execute function ${schema}.forgotten_row();
${exchangeFunctions(schema)}`;

/** A text as SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
