/**
 * Who may write what: `OutboxStore.heartbeat` of @creditgate/core. The names of processes that have been taken over stay for a week; a heartbeat
 * reads only the others, however many there have been.
 */
export const outboxHeartbeat = (schema: string): string => `
create index outbox_process_present on ${schema}.outbox_process (outbox) where state <> 'taken';
create index outbox_process_taken on ${schema}.outbox_process (outbox) where state = 'taken';
drop index ${schema}.outbox_process_outbox;

create or replace function ${schema}.outbox_heartbeat(outbox_name text, heartbeat jsonb) returns json language plpgsql as $f$
declare
  me constant text := heartbeat->>'process';
  abandon_ms constant bigint := (heartbeat->>'abandonMs')::bigint;
  joining constant boolean := (heartbeat->>'joining')::boolean;
  leaving constant boolean := (heartbeat->>'leaving')::boolean;
  present bigint;
  own ${schema}.outbox_process;
  gone text[];
begin
  if current_setting('synchronous_commit') = 'off' then perform set_config('synchronous_commit', 'on', true); end if;
  -- One heartbeat at a time: two that take each other over would wait for each other.
  perform pg_advisory_xact_lock(hashtext('creditgate_outbox'), hashtext(outbox_name));
  present := ${schema}.clock();
  if joining then
    with joined as (
      insert into ${schema}.outbox_process (id, outbox, name, heartbeat_at, seen_since)
      values (me, outbox_name, heartbeat->>'name', present, present) on conflict (id) do nothing returning id)
    insert into ${schema}.outbox_lane (id, owner) select id, id from joined;
  end if;
  select * into own from ${schema}.outbox_process where id = me for update;
  if not found or own.seq < (heartbeat->>'seq')::bigint then
    return json_build_object('status', 'behind', 'lanes', '[]'::json, 'ledgers', '[]'::json, 'values', '{}'::json);
  elsif own.state = 'taken' then
    return json_build_object('status', 'taken', 'lanes', '[]'::json, 'ledgers', '[]'::json, 'values', '{}'::json);
  end if;
  if 2 * (present - own.heartbeat_at) >= abandon_ms then own.seen_since := present; end if;
  update ${schema}.outbox_process
  set heartbeat_at = present, seen_since = least(own.seen_since, present), state = case when leaving then 'left' else 'live' end
  where id = me;
  own.seen_since := least(own.seen_since, present);
  if not leaving then
    -- The clock has stepped back, by more than it takes to write: until it had caught up, one that is gone would be waited for.
    update ${schema}.outbox_process
    set heartbeat_at = least(heartbeat_at, present), seen_since = least(seen_since, present)
    where outbox = outbox_name and state <> 'taken' and greatest(heartbeat_at, seen_since) > present + 1000;
    -- Waits for a step that one of them is in the midst of: then it is not silent any more.
    with locked as (
      select id, name, state, heartbeat_at from ${schema}.outbox_process
      where outbox = outbox_name and id <> me and state <> 'taken'
        and (state = 'left' or (joining and name = heartbeat->>'name')
             or present - greatest(heartbeat_at, own.seen_since) >= abandon_ms)
      for update)
    select coalesce(array_agg(id), '{}') into gone from locked;
    update ${schema}.outbox_process set state = 'taken' where id = any(gone);
    update ${schema}.outbox_lane set owner = me where owner = any(gone);
    -- A process that wakes after so long is one that the store does not know. Looked for by those that join: each leaves one name.
    if joining then
      delete from ${schema}.outbox_process
      where outbox = outbox_name and state = 'taken' and present - heartbeat_at > 604800000 + abandon_ms;
    end if;
  end if;
  return json_build_object(
    'status', 'ok',
    'lanes', (select coalesce(json_agg(id), '[]') from ${schema}.outbox_lane where owner = me),
    'ledgers', (
      select coalesce(json_agg(distinct ledger.id), '[]')
      from ${schema}.outbox_ledger as ledger join ${schema}.outbox_lane as lane on lane.id = ledger.lane
      where lane.owner = me and not exists (
        select from ${schema}.outbox_ledger as other
          join ${schema}.outbox_lane as others on others.id = other.lane
          join ${schema}.outbox_process as owner on owner.id = others.owner
        where other.id = ledger.id and others.owner <> me and owner.outbox = outbox_name)),
    'values', (select coalesce(json_object_agg(name, value), '{}') from ${schema}.outbox_value where outbox = outbox_name));
end
$f$;
`;
