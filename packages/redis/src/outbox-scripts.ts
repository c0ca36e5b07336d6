import { Script } from "./script.ts";

/**
 * KEYS of all: the stream of rows, processes, places of the last step, lanes, ledgers, values, notes, requests; of processes that
 * have been taken over, when that was and the number of their last step. A lane is a consumer of the stream's group: what stands in it
 * is pending there. A row that is dropped is acknowledged and deleted.
 */
const common = `
local stream, processes, places, lanes, ledgers, values, notes, requests, gone, last = unpack(KEYS)
local q = cjson.decode(ARGV[1])
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000) + tonumber(ARGV[2])

local function load(id)
  local text = redis.call('HGET', processes, id)
  return text and cjson.decode(text) or nil
end

local function save(id, process)
  redis.call('HSET', processes, id, cjson.encode(process))
end

local function lanesOf(id)
  local found, all = {}, redis.call('HGETALL', lanes)
  for i = 1, #all, 2 do
    if all[i + 1] == id then found[#found + 1] = all[i] end
  end
  return found
end

-- The lane that a row stands in: its consumer.
local function laneOf(place)
  local pending = redis.call('XPENDING', stream, 'gates', place, place, 1)[1]
  return pending and pending[2]
end

-- The number of the last step of a process that has been taken over.
local function lastOf(id)
  return tonumber(redis.call('HGET', last, id) or nil)
end

-- Whether the stream is not the one that this process has its lane in: then the rows that it has written are gone.
local function hasLostStream(id)
  local made = redis.pcall('XGROUP', 'CREATECONSUMER', stream, 'gates', id)
  if type(made) ~= 'table' then return made ~= 0 end
  if string.find(made.err, 'NOGROUP', 1, true) or redis.call('EXISTS', stream) == 0 then return true end
  -- A server that is full says so of a stream that is there: to write all of it a second time would fill it again.
  error(made.err)
end

-- An empty table would be an object.
local function list(parts)
  return #parts == 0 and '[]' or cjson.encode(parts)
end
`;

/** Who may write what: `OutboxStore.beat`. */
export const heartbeatScript: Script = new Script(`${common}
-- So long a process that has been taken over can be informed.
local remembered = 604800000

local taken = lastOf(q.process)
if taken then return taken < q.seq and '{"status":"behind"}' or '{"status":"taken"}' end
local own = load(q.process)
if q.joining and not own then
  own = { name = q.name, heartbeat = now, since = now, seq = 0, state = 'live' }
  redis.pcall('XGROUP', 'CREATE', stream, 'gates', '0', 'MKSTREAM')
  redis.call('XGROUP', 'CREATECONSUMER', stream, 'gates', q.process)
  redis.call('HSET', lanes, q.process, q.process)
end
if not own or own.seq < q.seq or hasLostStream(q.process) then return '{"status":"behind"}' end
if 2 * (now - own.heartbeat) >= q.abandonMs then own.since = now end
own.heartbeat, own.since = now, math.min(own.since, now)
own.state = q.leaving and 'left' or 'live'
save(q.process, own)

if not q.leaving then
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', gone, '-inf', now - remembered, 'LIMIT', 0, 100)) do
    redis.call('ZREM', gone, id)
    redis.call('HDEL', last, id)
  end
  local all = redis.call('HGETALL', processes)
  for i = 1, #all, 2 do
    local id, other = all[i], cjson.decode(all[i + 1])
    if other.heartbeat > now or other.since > now then
      -- The clock has stepped back: until it had caught up, one that is gone would be waited for.
      other.heartbeat, other.since = math.min(other.heartbeat, now), math.min(other.since, now)
      save(id, other)
    end
    if id == q.process then
      -- Goes on.
    elseif (q.joining and other.name == q.name) or other.state == 'left'
        or now - math.max(other.heartbeat, own.since) >= q.abandonMs then
      redis.call('HDEL', processes, id)
      redis.call('HDEL', places, id)
      redis.call('ZADD', gone, now, id)
      redis.call('HSET', last, id, other.seq)
      for _, lane in ipairs(lanesOf(id)) do redis.call('HSET', lanes, lane, q.process) end
    end
  end
end

local mine, found, others = lanesOf(q.process), {}, {}
local isMine = {}
for _, lane in ipairs(mine) do isMine[lane] = true end
local begun = redis.call('HKEYS', ledgers)
for _, field in ipairs(begun) do
  local lane, id = string.match(field, '^(%S+) (.*)$')
  if not isMine[lane] then others[id] = true end
end
local seen = {}
for _, field in ipairs(begun) do
  local _, id = string.match(field, '^(%S+) (.*)$')
  if not others[id] and not seen[id] then seen[id] = true; found[#found + 1] = id end
end
local set, flat = {}, redis.call('HGETALL', values)
for i = 1, #flat, 2 do set[flat[i]] = flat[i + 1] end
return '{"status":"ok","lanes":' .. list(mine) .. ',"ledgers":' .. list(found) .. ',"values":' .. cjson.encode(set) .. '}'
`);

/** `OutboxStore.write`. */
export const writeScript: Script = new Script(`${common}
local function drop(ids)
  if #ids == 0 then return end
  redis.call('XACK', stream, 'gates', unpack(ids))
  redis.call('XDEL', stream, unpack(ids))
  redis.call('HDEL', notes, unpack(ids))
  redis.call('HDEL', requests, unpack(ids))
end

if lastOf(q.process) then return '{"status":"taken"}' end
local own = load(q.process)
-- Before anything is written: what a script has done stays, also where it fails then.
if not own or hasLostStream(q.process) then return '{"status":"behind"}' end
if own.seq == q.seq then
  return '{"status":"ok","places":' .. (redis.call('HGET', places, q.process) or '[]') .. '}'
end
if own.seq + 1 ~= q.seq then return '{"status":"behind"}' end
own.seq = q.seq
own.heartbeat = now
save(q.process, own)

local added = {}
for i, row in ipairs(q.added) do
  added[i] = redis.call('XADD', stream, '*', 'row', row.text)
  if row.note ~= '' then redis.call('HSET', notes, added[i], row.note) end
end
if #added > 0 then
  -- No other step comes between, so these are all that is new: they become pending with this process.
  redis.call('XREADGROUP', 'GROUP', 'gates', q.process, 'COUNT', #added, 'STREAMS', stream, '>')
end
redis.call('HSET', places, q.process, list(added))

for _, noted in ipairs(q.noted) do redis.call('HSET', notes, noted.place, noted.note) end
-- Lua passes no more than some thousand arguments.
for from = 1, #q.dropped, 500 do
  drop({ unpack(q.dropped, from, math.min(from + 499, #q.dropped)) })
end
for name, value in pairs(q.set) do redis.call('HSET', values, name, value) end

for _, lane in ipairs(q.endedLanes) do
  if redis.call('HGET', lanes, lane) == q.process then
    repeat
      local ids = {}
      for i, pending in ipairs(redis.call('XPENDING', stream, 'gates', '-', '+', 500, lane)) do ids[i] = pending[1] end
      drop(ids)
    until #ids == 0
    redis.call('XGROUP', 'DELCONSUMER', stream, 'gates', lane)
    redis.call('HDEL', lanes, lane)
    for _, field in ipairs(redis.call('HKEYS', ledgers)) do
      local of, id = string.match(field, '^(%S+) (.*)$')
      if of == lane then
        redis.call('HDEL', ledgers, field)
        redis.call('HSET', ledgers, q.process .. ' ' .. id, '1')
      end
    end
  end
end
for _, id in ipairs(q.begunLedgers) do redis.call('HSET', ledgers, q.process .. ' ' .. id, '1') end
for _, id in ipairs(q.endedLedgers) do
  for _, lane in ipairs(lanesOf(q.process)) do redis.call('HDEL', ledgers, lane .. ' ' .. id) end
end
return '{"status":"ok","places":' .. list(added) .. '}'
`);

/** `OutboxStore.read`. */
export const readScript: Script = new Script(`${common}
if redis.call('HGET', lanes, q.lane) ~= q.process then return '[]' end
local rows, ids, after = {}, {}, q.after
repeat
  local lost = {}
  local answer = redis.call('XREADGROUP', 'GROUP', 'gates', q.lane, 'COUNT', 500, 'STREAMS', stream, after)
  local entries = answer and answer[1][2] or {}
  for _, entry in ipairs(entries) do
    after = entry[1]
    if entry[2] then
      ids[#ids + 1] = after
      rows[#rows + 1] = { place = after, text = entry[2][2] or '' }
    else lost[#lost + 1] = after end
  end
  -- Deleted or trimmed by hand, and pending still: there is nothing of them to take over.
  if #lost > 0 then
    redis.call('XACK', stream, 'gates', unpack(lost))
    redis.call('HDEL', notes, unpack(lost))
    redis.call('HDEL', requests, unpack(lost))
  end
until #ids > 0 or #entries == 0
if #ids == 0 then return '[]' end
for i, note in ipairs(redis.call('HMGET', notes, unpack(ids))) do rows[i].note = note or '' end
return cjson.encode(rows)
`);

/** `OutboxStore.takeRequests`. */
export const takeRequestsScript: Script = new Script(`${common}
local taken, all = {}, redis.call('HGETALL', requests)
for i = 1, #all, 2 do
  if #taken == 500 then break end
  local lane = laneOf(all[i])
  local isMine = lane and redis.call('HGET', lanes, lane) == q.process
  if isMine then taken[#taken + 1] = { place = all[i], text = all[i + 1] } end
  -- A row that is gone has no process.
  if isMine or not lane then redis.call('HDEL', requests, all[i]) end
end
return list(taken)
`);

/** `OutboxStore.list`. */
export const listScript: Script = new Script(`${common}
local rows, ids = {}, {}
for i, entry in ipairs(redis.call('XRANGE', stream, q.after == '' and '-' or '(' .. q.after, '+', 'COUNT', 500)) do
  ids[i] = entry[1]
  local lane = laneOf(entry[1])
  rows[i] = { place = entry[1], text = entry[2][2] or '', isOwn = lane and redis.call('HGET', lanes, lane) == lane or false }
end
if #ids == 0 then return '[]' end
for i, note in ipairs(redis.call('HMGET', notes, unpack(ids))) do rows[i].note = note or '' end
for i, request in ipairs(redis.call('HMGET', requests, unpack(ids))) do rows[i].isRequested = request and true or false end
return cjson.encode(rows)
`);

/** `OutboxStore.request`. */
export const requestScript: Script = new Script(`${common}
for _, request in ipairs(q.requests) do
  if #redis.call('XRANGE', stream, request.place, request.place) > 0 then
    redis.call('HSET', requests, request.place, request.text)
  end
end
return 'true'
`);
