/**
 * The step of a shared store (`exchange()` of @creditgate/core) in PL/pgSQL: the same order, the same sums, the same names where
 * they can be. A reservation is [amount, free, seq, expires at, gone at, recalls], a window [amount, queued].
 *
 * It is a text of its own because processes that compute the step and write it under the version that they have read meet: eight
 * on one wallet repeat it four times, and p99 is up to four times that of this function. A row that they lock instead stays locked
 * while one of them is stopped.
 */
export const exchangeFunctions = (schema: string): string => `
create or replace function ${schema}.plus(sum bigint, part bigint) returns bigint language sql immutable as $f$
  select least(9007199254740991, sum + part)
$f$;

-- The largest sum there is may stand for more, so it stays until no part is left.
create or replace function ${schema}.minus(sum bigint, part bigint, is_last boolean) returns bigint language sql immutable as $f$
  select case when is_last then 0 when sum = 9007199254740991 then sum else sum - part end
$f$;

create or replace function ${schema}.add_window(windows jsonb, at bigint, window_ms bigint, amount bigint, queued bigint)
returns jsonb language sql immutable as $f$
  select windows || jsonb_build_object(used.name, jsonb_build_array(
    ${schema}.plus(coalesce((windows->used.name->>0)::bigint, 0), amount),
    ${schema}.plus(coalesce((windows->used.name->>1)::bigint, 0), queued)))
  from (select ((at + window_ms - 1) / window_ms * window_ms)::text as name) as used
$f$;

-- timeAt() of core: while the clock is behind, time goes on as it does.
create or replace function ${schema}.time_at(last bigint, seen bigint, present bigint) returns bigint language sql immutable as $f$
  select case when present >= last then present else last + greatest(0, present - seen) end
$f$;

-- What the balance fell by is usage that it shows. Without two exact numbers there is nothing to compare.
create or replace function ${schema}.fallen(before jsonb, after jsonb, shown bigint, used bigint) returns bigint language sql immutable as $f$
  select case
    when before is null or jsonb_typeof(before) <> 'number' or jsonb_typeof(after) <> 'number' then 0
    when 9007199254740991 in (before::bigint, after::bigint, used) then 0
    else least(shown + greatest(0, before::bigint - after::bigint), used)
  end
$f$;

create or replace function ${schema}.exchange(account_key text, request jsonb) returns json language plpgsql as $f$
declare
  most constant bigint := 9007199254740991;
  a ${schema}.account;
  s ${schema}.store;
  present_run text;
  id constant text := request->>'id';
  seq constant bigint := (request->>'seq')::bigint;
  base constant bigint := (request->>'base')::bigint;
  keep constant bigint := (request->>'keep')::bigint;
  acked constant bigint := (request->>'acked')::bigint;
  first constant bigint := (request->>'first')::bigint;
  need constant bigint := (request->>'need')::bigint;
  wanted constant bigint := (request->>'want')::bigint;
  registers constant boolean := (request->>'register')::boolean;
  snapshot constant jsonb := request->'snapshot';
  lease_ms constant bigint := (request->'terms'->>'leaseMs')::bigint;
  max_stale_ms constant bigint := (request->'terms'->>'maxStaleMs')::bigint;
  window_ms constant bigint := (request->'terms'->>'windowMs')::bigint;
  own jsonb;
  own_amount bigint;
  is_late boolean;
  status text := 'ok';
  calm boolean := false;
  denied boolean := false;
  waiting int := 0;
  refresh text;
  snapshot_stamp bigint;
  snapshot_extended boolean;
  comparable boolean;
  counted bigint := 0;
  other text;
  x record;
  others bigint;
  others_in_force int;
  capacity jsonb;
  room bigint;
  amount bigint;
  needed bigint;
  rest bigint;
  asked bigint;
begin
  -- What is answered must not be forgotten by a crash, also where the database is set to take that risk.
  if current_setting('synchronous_commit') = 'off' then perform set_config('synchronous_commit', 'on', true); end if;
  select * into a from ${schema}.account where key = account_key for update;
  if not found then
    insert into ${schema}.account (key) values (account_key) on conflict (key) do nothing;
    select * into a from ${schema}.account where key = account_key for update;
    -- Each new account clears away two that have been idle for long, so that the table stays as large as what is in use.
    delete from ${schema}.account where key in (
      select key from ${schema}.account where idle_from < ${schema}.clock() and out = 0 and key <> account_key
      order by idle_from limit 2 for update skip locked);
  end if;

  select * into s from ${schema}.store;
  present_run := ${schema}.run();
  if s.run <> present_run then
    -- Another primary, or a restored database: it may be older than what was answered.
    perform ${schema}.renew(present_run);
    select * into s from ${schema}.store;
  end if;
  -- The clock is read under the lock of the account.
  declare
    last_now constant bigint := a.now;
    present constant bigint := ${schema}.clock();
    is_behind constant boolean := present < a.now;
  begin
    a.now := greatest(${schema}.time_at(a.now, a.clock, present), s.born);
    a.clock := present;
    if a.epoch is distinct from s.epoch then
      -- Of a clock that is behind it is not known when that was by the time of the account.
      a.epoch := s.epoch; a.born := case when is_behind then a.now else greatest(s.born, last_now) end;
      a.prepaid := null; a.postpaid := null; a.stamp := null; a.shown_prepaid := 0; a.shown_postpaid := 0; a.request_at := null;
      select least(most, coalesce(sum((value->>0)::bigint), 0)), count(*) filter (where value->>0 <> '0'), greatest(a.recalls, max((value->>5)::bigint))
        into a.out, a.in_force, a.recalls from jsonb_each(a.reservations);
      select greatest(a.used, least(most, coalesce(sum((value->>0)::bigint), 0))), greatest(a.queued, least(most, coalesce(sum((value->>1)::bigint), 0)))
        into a.used, a.queued from jsonb_each(a.windows);
      a.windows := case when a.used = 0 then '{}' else ${schema}.add_window('{}', a.now, window_ms, a.used, a.queued) end;
    end if;
  end;
  a.lag_ms := greatest((request->'terms'->>'lagMs')::bigint, case when a.windows <> '{}' then a.lag_ms else 0 end);
  a.idle_from := ((a.now + a.lag_ms + 2 * max_stale_ms + lease_ms) / 3600000 + 1) * 3600000;
  own := a.reservations->id;
  is_late := coalesce(a.now >= (request->>'at')::bigint + lease_ms, true);

  if request->>'epoch' <> a.epoch or own is null and keep + acked + need + wanted > 0
     and (is_late or (not registers and keep + acked > 0)) then
    status := 'register';
  elsif own is not null and seq <= (own->>2)::bigint then
    status := 'repeated';
  else
    if snapshot->>'epoch' = a.epoch then
      snapshot_stamp := (snapshot->>'stamp')::bigint;
      snapshot_extended := (snapshot->>'extended')::boolean;
      if snapshot_stamp <= a.now and a.now - snapshot_stamp <= max_stale_ms and (a.stamp is null or snapshot_stamp > a.stamp) then
        comparable := a.stamp is not null and a.stamp > a.born + a.lag_ms and not snapshot_extended and not a.extended
          and snapshot_stamp > a.installed_at and snapshot_stamp - a.counted_from <= max_stale_ms;
        a.shown_prepaid := case when comparable
          then ${schema}.fallen(a.prepaid, snapshot->'prepaid', a.shown_prepaid, a.used) else 0 end;
        a.shown_postpaid := case when comparable
          then ${schema}.fallen(a.postpaid, snapshot->'postpaid', a.shown_postpaid, a.used) else 0 end;
        a.prepaid := snapshot->'prepaid'; a.postpaid := snapshot->'postpaid';
        a.extended := snapshot_extended; a.stamp := snapshot_stamp; a.installed_at := a.now;
        for x in select key, (value->>0)::bigint as amount, (value->>1)::bigint as queued from jsonb_each(a.windows) loop
          if x.key::bigint + a.lag_ms < snapshot_stamp then
            a.windows := a.windows - x.key;
            a.used := ${schema}.minus(a.used, x.amount, a.windows = '{}');
            a.queued := ${schema}.minus(a.queued, x.queued, a.windows = '{}');
            a.shown_prepaid := greatest(0, a.shown_prepaid - x.amount);
            a.shown_postpaid := greatest(0, a.shown_postpaid - x.amount);
          elsif x.key::bigint < snapshot_stamp then
            counted := least(most, counted + x.amount - x.queued);
          end if;
        end loop;
        if a.extended then
          a.shown_prepaid := case when a.used = most then 0 else counted end;
          a.shown_postpaid := a.shown_prepaid;
        elsif a.shown_prepaid + a.shown_postpaid = 0 then
          a.counted_from := snapshot_stamp;
        end if;
        if a.request_at = snapshot_stamp then a.request_done := true; end if;
      end if;
    end if;
    if (request->>'failed')::bigint = a.request_at then a.request_done := true; end if;

    if acked > 0 then
      a.windows := ${schema}.add_window(a.windows, a.now, window_ms, acked, (request->>'queued')::bigint);
      a.used := ${schema}.plus(a.used, acked);
      a.queued := ${schema}.plus(a.queued, (request->>'queued')::bigint);
    end if;

    for other in select jsonb_array_elements_text(request->'retire') loop
      amount := coalesce((a.reservations->other->>0)::bigint, 0);
      if amount > 0 then
        a.in_force := a.in_force - 1;
        a.out := ${schema}.minus(a.out, amount, a.in_force = 0);
      end if;
      a.reservations := a.reservations || jsonb_build_object(other, jsonb_build_array(0, 0, most, a.now + lease_ms, null, 0));
    end loop;

    for x in
      select reservation.key, (reservation.value->>0)::bigint as amount, due.at
      from jsonb_each(a.reservations) as reservation,
        lateral (select case when reservation.value->>0 = '0' then reservation.value->>3 else reservation.value->>4 end::bigint as at) as due
      where reservation.key <> id and due.at <= a.now
      order by due.at, reservation.key collate "C" limit 20
    loop
      a.reservations := a.reservations - x.key;
      if x.amount > 0 then
        a.in_force := a.in_force - 1;
        a.out := ${schema}.minus(a.out, x.amount, a.in_force = 0);
        a.windows := ${schema}.add_window(a.windows, x.at, window_ms, x.amount, 0);
        a.used := ${schema}.plus(a.used, x.amount);
      end if;
    end loop;

    own := a.reservations->id;
    own_amount := coalesce((own->>0)::bigint, 0);
    others_in_force := a.in_force - case when own_amount > 0 then 1 else 0 end;
    others := case when own_amount > 0 then ${schema}.minus(a.out, own_amount, others_in_force = 0) else a.out end;
    calm := a.stamp is not null and a.now - a.stamp <= max_stale_ms and a.now >= a.born + lease_ms
      and a.stamp > a.born + case when a.extended then 0 else a.lag_ms end;
    capacity := case when request->>'kind' = 'prepaid' then a.prepaid else a.postpaid end;
    room := -most;
    if calm and jsonb_typeof(capacity) = 'number' then
      room := capacity::bigint - others
        - (a.used - case when request->>'kind' = 'prepaid' then a.shown_prepaid else a.shown_postpaid end);
    end if;
    denied := calm and need > 0 and base + first > room;
    amount := case when registers and a.now < a.born + lease_ms then greatest(keep, (request->>'claim')::bigint) else keep end;
    needed := base;
    if calm and not denied then
      needed := least(base + need, greatest(base, room));
      rest := greatest(0, room - needed);
      amount := greatest(amount, needed + least(wanted, rest / (2 * (others_in_force + 1))));
    end if;
    -- A late sync that says nothing leaves no number, by which a later copy would be taken for a new one.
    if own is not null or not is_late then
      a.out := others;
      a.in_force := others_in_force;
      if amount > 0 then
        a.in_force := a.in_force + 1;
        a.out := ${schema}.plus(a.out, amount);
      end if;
      a.reservations := a.reservations || jsonb_build_object(id, jsonb_build_array(
        amount, amount - needed, seq, a.now + lease_ms,
        case when amount > 0 then a.now + (request->>'abandonMs')::bigint end,
        greatest(coalesce((own->>5)::bigint, a.recalls), coalesce((request->>'recalled')::bigint, 0))));
    end if;
    if denied then
      if (request->>'recall')::boolean then a.recalls := a.recalls + 1; end if;
      select count(*) into waiting from jsonb_each(a.reservations) as reservation
      where reservation.key <> id and (reservation.value->>1)::bigint > 0
        and (reservation.value->>5)::bigint < a.recalls and (reservation.value->>3)::bigint > a.now;
    end if;

    if request->>'refresh' is not null then
      asked := case when request->>'refresh' = 'now' then a.now else (request->>'refresh')::bigint end;
      if a.stamp >= asked then
        refresh := 'here';
      elsif a.request_at is not null
            and ((not a.request_done and a.now < a.request_at + (request->'terms'->>'requestMs')::bigint)
                 or a.now < a.request_at + (request->'terms'->>'minRefreshMs')::bigint) then
        refresh := 'wait';
      else
        refresh := 'go'; a.request_at := a.now; a.request_done := false;
      end if;
    end if;
  end if;

  update ${schema}.account set
    epoch = a.epoch, born = a.born, now = a.now, clock = a.clock, prepaid = a.prepaid, postpaid = a.postpaid, extended = a.extended, stamp = a.stamp,
    installed_at = a.installed_at, counted_from = a.counted_from, shown_prepaid = a.shown_prepaid,
    shown_postpaid = a.shown_postpaid, lag_ms = a.lag_ms, used = a.used, queued = a.queued, windows = a.windows, out = a.out,
    in_force = a.in_force, reservations = a.reservations, recalls = a.recalls, request_at = a.request_at, request_done = a.request_done,
    idle_from = a.idle_from
  where key = account_key;
  return json_build_object(
    'status', status, 'now', a.now, 'epoch', a.epoch, 'born', a.born, 'reservation', coalesce((a.reservations->id->>0)::bigint, 0),
    'calm', calm, 'denied', denied, 'waiting', waiting, 'recalls', a.recalls, 'refresh', refresh, 'stamp', a.stamp,
    'prepaid', a.prepaid, 'postpaid', a.postpaid, 'extended', a.extended, 'out', a.out, 'used', a.used,
    'shownPrepaid', a.shown_prepaid, 'shownPostpaid', a.shown_postpaid,
    'recent', case when a.extended then greatest(0, a.used - a.queued - a.shown_prepaid) else 0 end);
end
$f$;
`;
