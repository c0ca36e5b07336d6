import { Script } from "./script.ts";
import { tagEpoch } from "./tag-epoch.ts";

/**
 * `exchange()` of core, in the same order and with the same sums. KEYS: what the hash tag has in common (run, epoch, born, now); of
 * the account its figures, its reservations, when they are due, and its windows; the accounts of the tag that have reservations. ARGV: the sync as
 * JSON, a shift of the time, for tests, and the account.
 * Numbers are doubles here as there. They are written as decimal text, since cjson keeps 14 digits.
 */
export const exchangeScript: Script = new Script(`${tagEpoch}
local common, figures, reservations, due, windows, inUse = unpack(KEYS)
local q = cjson.decode(ARGV[1])
local terms = q.terms
local most = 9007199254740991
local function plus(sum, part) return part > most - sum and most or sum + part end
local function minus(sum, part, left)
  if left == 0 then return 0 end
  return sum == most and most or sum - part
end

local f = redis.call('HMGET', figures, 'epoch', 'prepaid', 'postpaid', 'extended', 'stamp', 'installedAt', 'countedFrom',
  'shownPrepaid', 'shownPostpaid', 'lagMs', 'used', 'queued', 'out', 'inForce', 'recalls', 'requestAt', 'requestDone')
local prepaid, postpaid, extended, stamp = f[2] or nil, f[3] or nil, f[4] == '1', tonumber(f[5] or nil)
-- A number, the name of a problem, or nothing.
local function capacityOf(text) return tonumber(text) or text ~= '' and text or nil end
prepaid, postpaid = capacityOf(prepaid), capacityOf(postpaid)
local function figure(index) return tonumber(f[index] or 0) or 0 end
local installedAt, countedFrom, shownPrepaid, shownPostpaid, lagMs = figure(6), figure(7), figure(8), figure(9), figure(10)
local used, queued, out, inForce, recalls = figure(11), figure(12), figure(13), figure(14), figure(15)
local requestAt, requestDone = tonumber(f[16] or nil), f[17] == '1'
local wasOut = out > 0

-- A key that was deleted or evicted while others of the account are there: what it had is forgotten, as by a restart.
local function isTorn()
  local function isThere(...) return redis.call('EXISTS', ...) > 0 end
  if not f[1] then return isThere(reservations, due, windows) or redis.call('SISMEMBER', inUse, ARGV[3]) == 1 end
  return (inForce > 0 and not isThere(reservations)) or (used > 0 and not isThere(windows))
end
local shift = tonumber(ARGV[2])
local clock = clockOf(shift)
local epoch, born, now = openTag(common, runOf(), clock, q.id .. ':' .. int(q.seq), isTorn)
if not epoch then return '{"refused":"info"}' end

local function addUsage(at, amount, ofQueue)
  if amount == 0 then return end
  local last = int(math.ceil(at / terms.windowMs) * terms.windowMs)
  local before = redis.call('HGET', windows, last)
  local sum, part = 0, 0
  if before then sum, part = string.match(before, '(%d+) (%d+)') end
  redis.call('HSET', windows, last, int(plus(tonumber(sum), amount)) .. ' ' .. int(plus(tonumber(part), ofQueue)))
  used = plus(used, amount)
  queued = plus(queued, ofQueue)
end

local function parseReservation(text)
  local amount, free, seq, expiresAt, goneAt, answered = string.match(text, '(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)')
  return { amount = tonumber(amount), free = tonumber(free), seq = tonumber(seq), expiresAt = tonumber(expiresAt),
    goneAt = tonumber(goneAt), recalls = tonumber(answered) }
end
local function reservationOf(id)
  local text = redis.call('HGET', reservations, id)
  return text and parseReservation(text) or nil
end
local function putReservation(id, reservation)
  redis.call('HSET', reservations, id, table.concat({ int(reservation.amount), int(reservation.free), int(reservation.seq), int(reservation.expiresAt),
    reservation.goneAt and int(reservation.goneAt) or '-', int(reservation.recalls) }, ' '))
  if reservation.amount == 0 then redis.call('ZADD', due, int(reservation.expiresAt), id)
  elseif reservation.goneAt then redis.call('ZADD', due, int(reservation.goneAt), id)
  else redis.call('ZREM', due, id) end
  if reservation.amount == 0 then return end
  inForce = inForce + 1
  out = plus(out, reservation.amount)
end
local function setReservation(id, before, reservation)
  if before and before.amount > 0 then
    inForce = inForce - 1
    out = minus(out, before.amount, inForce)
  end
  if reservation then return putReservation(id, reservation) end
  redis.call('HDEL', reservations, id)
  redis.call('ZREM', due, id)
end

-- beginEpoch
if f[1] ~= epoch then
  prepaid, postpaid, stamp, shownPrepaid, shownPostpaid, requestAt = nil, nil, nil, 0, 0, nil
  out, inForce = 0, 0
  redis.call('DEL', due)
  local all = redis.call('HGETALL', reservations)
  for i = 1, #all, 2 do
    local reservation = parseReservation(all[i + 1])
    recalls = math.max(recalls, reservation.recalls)
    putReservation(all[i], reservation)
  end
  local sum, part = 0, 0
  for _, text in ipairs(redis.call('HVALS', windows)) do
    local amount, ofQueue = string.match(text, '(%d+) (%d+)')
    sum, part = plus(sum, tonumber(amount)), plus(part, tonumber(ofQueue))
  end
  sum, part = math.max(sum, used), math.max(part, queued)
  used, queued = 0, 0
  redis.call('DEL', windows)
  addUsage(now, sum, part)
end
lagMs = redis.call('HLEN', windows) > 0 and math.max(lagMs, terms.lagMs) or terms.lagMs

local own = reservationOf(q.id)
local function answer(x)
  local values = { 'epoch', epoch, 'extended', extended and '1' or '0', 'installedAt', int(installedAt), 'countedFrom', int(countedFrom),
    'shownPrepaid', int(shownPrepaid), 'shownPostpaid', int(shownPostpaid), 'lagMs', int(lagMs), 'used', int(used), 'queued', int(queued),
    'out', int(out), 'inForce', int(inForce), 'recalls', int(recalls), 'requestDone', requestDone and '1' or '0' }
  local function text(value)
    if type(value) == 'number' then return int(value) end
    return value
  end
  for name, value in pairs({ prepaid = text(prepaid) or '', postpaid = text(postpaid) or '', stamp = text(stamp) or '', requestAt = text(requestAt) or '' }) do
    values[#values + 1] = name
    values[#values + 1] = value
  end
  redis.call('HSET', figures, unpack(values))
  if (out > 0) ~= wasOut then redis.call(out > 0 and 'SADD' or 'SREM', inUse, ARGV[3]) end
  -- An idle account goes when no snapshot of its time can be installed any more.
  local idleFrom = int(clock - shift + lagMs + 2 * terms.maxStaleMs + terms.leaseMs)
  for _, key in ipairs({ figures, reservations, due, windows }) do
    if out > 0 then redis.call('PERSIST', key) else redis.call('PEXPIREAT', key, idleFrom) end
  end
  x.now, x.epoch, x.born, x.reservation = int(now), epoch, int(born), int(own and own.amount or 0)
  x.recalls, x.stamp, x.prepaid, x.postpaid, x.extended = int(recalls), text(stamp), text(prepaid), text(postpaid), extended
  x.out, x.used, x.shownPrepaid, x.shownPostpaid = int(out), int(used), int(shownPrepaid), int(shownPostpaid)
  x.recent = int(extended and math.max(0, used - queued - shownPrepaid) or 0)
  return cjson.encode(x)
end

-- mustRegister
local isLate = not q.at or now >= q.at + terms.leaseMs
if q.epoch and q.epoch ~= epoch or not own and q.keep + q.acked + q.need + q.want > 0
  and (isLate or (not q.register and q.keep + q.acked > 0)) then return answer({ status = 'register' }) end
if own and q.seq <= own.seq then return answer({ status = 'repeated' }) end

-- install
local s = q.snapshot
if s and s.epoch == epoch and s.stamp <= now and now - s.stamp <= terms.maxStaleMs and (not stamp or s.stamp > stamp) then
  local comparable = stamp and stamp > born + lagMs and not s.extended and not extended
    and s.stamp > installedAt and s.stamp - countedFrom <= terms.maxStaleMs
  local sum = used
  local function fallen(before, after, shown)
    if not comparable or type(before) ~= 'number' or type(after) ~= 'number' then return 0 end
    if before == most or after == most or sum == most then return 0 end
    return math.min(shown + math.max(0, before - after), sum)
  end
  shownPrepaid = fallen(prepaid, s.prepaid, shownPrepaid)
  shownPostpaid = fallen(postpaid, s.postpaid, shownPostpaid)
  prepaid, postpaid, extended, stamp, installedAt = s.prepaid, s.postpaid, s.extended, s.stamp, now
  local counted, all = 0, redis.call('HGETALL', windows)
  local left = #all / 2
  for i = 1, #all, 2 do
    local last = tonumber(all[i])
    local amount, ofQueue = string.match(all[i + 1], '(%d+) (%d+)')
    amount, ofQueue = tonumber(amount), tonumber(ofQueue)
    if last + lagMs < stamp then
      redis.call('HDEL', windows, all[i])
      left = left - 1
      used = minus(used, amount, left)
      queued = minus(queued, ofQueue, left)
      shownPrepaid = math.max(0, shownPrepaid - amount)
      shownPostpaid = math.max(0, shownPostpaid - amount)
    elseif last < stamp then counted = math.min(most, counted + amount - ofQueue) end
  end
  if extended then
    shownPrepaid = used == most and 0 or counted
    shownPostpaid = shownPrepaid
  elseif shownPrepaid + shownPostpaid == 0 then countedFrom = stamp end
  if requestAt == stamp then requestDone = true end
end
if q.failed and q.failed == requestAt then requestDone = true end

addUsage(now, q.acked, q.queued)
for _, id in ipairs(q.retire or {}) do
  setReservation(id, reservationOf(id), { amount = 0, free = 0, seq = most, expiresAt = now + terms.leaseMs, recalls = 0 })
end
if q.retire then own = reservationOf(q.id) end

-- clearAway
local cleared = 0
for _, id in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', int(now), 'LIMIT', 0, 21)) do
  if id ~= q.id and cleared < 20 then
    local reservation = reservationOf(id)
    local at = reservation.amount > 0 and reservation.goneAt or reservation.expiresAt
    setReservation(id, reservation, nil)
    addUsage(at, reservation.amount, 0)
    cleared = cleared + 1
  end
end

-- grant
local isOwnInForce = own and own.amount > 0
local othersInForce = inForce - (isOwnInForce and 1 or 0)
local others = isOwnInForce and minus(out, own.amount, othersInForce) or out
local calm = stamp and now - stamp <= terms.maxStaleMs and now >= born + terms.leaseMs and stamp > born + (extended and 0 or lagMs) or false
local capacity, shown = prepaid, shownPrepaid
if q.kind ~= 'prepaid' then capacity, shown = postpaid, shownPostpaid end
local room = calm and type(capacity) == 'number' and capacity - others - (used - shown) or -most
local denied = calm and q.need > 0 and q.base + q.first > room
local amount = q.register and now < born + terms.leaseMs and math.max(q.keep, q.claim) or q.keep
local needed = q.base
if calm and not denied then
  needed = math.min(q.base + q.need, math.max(q.base, room))
  local rest = math.max(0, room - needed)
  local parts = 2 * (othersInForce + 1)
  amount = math.max(amount, needed + math.min(q.want, (rest - math.fmod(rest, parts)) / parts))
end
local granted = { amount = amount, free = amount - needed, seq = q.seq, expiresAt = now + terms.leaseMs,
  goneAt = amount > 0 and q.abandonMs and now + q.abandonMs or nil, recalls = math.max(own and own.recalls or recalls, q.recalled or 0) }
-- A late sync that says nothing leaves no number, by which a later copy would be taken for a new one.
if own or not isLate then
  setReservation(q.id, own, granted)
  own = granted
end
local waiting = 0
if denied then
  if q.recall then recalls = recalls + 1 end
  local all = redis.call('HGETALL', reservations)
  for i = 1, #all, 2 do
    if all[i] ~= q.id then
      local other = parseReservation(all[i + 1])
      if other.free > 0 and other.recalls < recalls and other.expiresAt > now then waiting = waiting + 1 end
    end
  end
end

-- refreshFor
local refresh
if q.refresh then
  local since = q.refresh == 'now' and now or q.refresh
  if stamp and stamp >= since then refresh = 'here'
  elseif requestAt and not requestDone and now < requestAt + terms.requestMs then refresh = 'wait'
  elseif requestAt and now < requestAt + terms.minRefreshMs then refresh = 'wait'
  else
    requestAt, requestDone, refresh = now, false, 'go'
  end
end
return answer({ status = 'ok', calm = calm, denied = denied, waiting = waiting, refresh = refresh })
`);
