/**
 * The tables and functions of the outbox of a fleet: what `OutboxStore` of @creditgate/core asks for, with the syncs that it uses.
 * A place is never used twice, so a row that was dropped stays dropped.
 */
export const outboxSchema = (schema: string): string => `
create table ${schema}.outbox_process (
  id text primary key,
  outbox text not null,
  name text not null,
  heartbeat_at bigint not null,
  -- Since when it has not been silent for half of what makes a process gone.
  seen_since bigint not null,
  seq bigint not null default 0,
  -- What the last step was answered with, for a repetition of it.
  places jsonb not null default '[]',
  state text not null default 'live'
) with (fillfactor = 50);
create index outbox_process_outbox on ${schema}.outbox_process (outbox);

create table ${schema}.outbox_lane (id text primary key, owner text not null);
create index outbox_lane_owner on ${schema}.outbox_lane (owner);

create table ${schema}.outbox_ledger (lane text not null, id text not null, primary key (lane, id));

create table ${schema}.outbox_row (
  place bigint primary key generated always as identity,
  lane text not null,
  text text not null,
  note text not null
) with (fillfactor = 80);
create index outbox_row_lane on ${schema}.outbox_row (lane, place);

create table ${schema}.outbox_value (outbox text not null, name text not null, value text not null, primary key (outbox, name));

create function ${schema}.outbox_write(outbox_name text, step jsonb) returns json language plpgsql as $f$
declare
  me constant text := step->>'process';
  own ${schema}.outbox_process;
begin
  if current_setting('synchronous_commit') = 'off' then perform set_config('synchronous_commit', 'on', true); end if;
  select * into own from ${schema}.outbox_process where id = me for update;
  if own.state = 'taken' then
    return json_build_object('status', 'taken', 'places', '[]'::json);
  elsif own.seq = (step->>'seq')::bigint then
    return json_build_object('status', 'ok', 'places', own.places);
  elsif own.id is null or own.seq + 1 <> (step->>'seq')::bigint then
    return json_build_object('status', 'behind', 'places', '[]'::json);
  end if;

  with ended as (
    delete from ${schema}.outbox_lane
    where owner = me and id in (select jsonb_array_elements_text(step->'endedLanes')) returning id),
  emptied as (delete from ${schema}.outbox_row where lane in (select id from ended)),
  moved as (delete from ${schema}.outbox_ledger where lane in (select id from ended) returning id)
  insert into ${schema}.outbox_ledger (lane, id) select distinct me, id from moved on conflict do nothing;

  with added as (
    insert into ${schema}.outbox_row (lane, text, note)
    select me, row.value->>'text', row.value->>'note'
    from jsonb_array_elements(step->'added') with ordinality as row(value, number) order by row.number
    returning place)
  select coalesce(jsonb_agg(place::text order by place), '[]') into own.places from added;

  update ${schema}.outbox_row as row set note = noted.note
  from jsonb_to_recordset(step->'noted') as noted(place bigint, note text)
  where row.place = noted.place and row.lane in (select id from ${schema}.outbox_lane where owner = me);

  delete from ${schema}.outbox_row as row
  where row.place in (select value::bigint from jsonb_array_elements_text(step->'dropped'))
    and row.lane in (select id from ${schema}.outbox_lane where owner = me);

  insert into ${schema}.outbox_value (outbox, name, value)
  select outbox_name, key, value from jsonb_each_text(step->'set')
  on conflict (outbox, name) do update set value = excluded.value;

  insert into ${schema}.outbox_ledger (lane, id)
  select distinct me, value from jsonb_array_elements_text(step->'begunLedgers') on conflict do nothing;
  delete from ${schema}.outbox_ledger
  where id in (select jsonb_array_elements_text(step->'endedLedgers'))
    and lane in (select id from ${schema}.outbox_lane where owner = me);

  update ${schema}.outbox_process
  set seq = (step->>'seq')::bigint, places = own.places, heartbeat_at = ${schema}.clock() where id = me;
  return json_build_object('status', 'ok', 'places', own.places);
end
$f$;
`;

/** What operators ask for a row, until the process that has it takes it. */
export const outboxRequestSchema = (schema: string): string => `
alter table ${schema}.outbox_row add column request text;
create index outbox_row_request on ${schema}.outbox_row (lane) where request is not null;
`;
