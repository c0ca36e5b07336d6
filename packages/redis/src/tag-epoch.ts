/**
 * For scripts: the clock of the server, shifted for tests, and `timeAt()` of core in Lua. All accounts of a hash tag have one time, which
 * stands with what the clock showed then in the key of what they have in common.
 */
export const accountTime: string = `
local function clockOf(shift)
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000) + shift
end
local function timeAt(now, seen, clock)
  now = tonumber(now or clock)
  if clock >= now then return clock end
  return now + math.max(0, clock - tonumber(seen or clock))
end
`;

/**
 * For scripts: what the accounts of a hash tag have in common. `openTag` returns its epoch, when that began, and the time. Another epoch
 * begins when the server is another one, or has forgotten something. It returns nothing to a user who may not run INFO as others may: a
 * restart would look like none.
 */
export const tagEpoch: string = `${accountTime}
local function int(n) return string.format('%.0f', n) end
local function runOf()
  local info = redis.pcall('INFO', 'server')
  return type(info) == 'string' and string.match(info, 'run_id:(%x+)') or '-'
end
local function openTag(common, run, clock, name, hasForgotten)
  local p = redis.call('HMGET', common, 'run', 'epoch', 'born', 'now', 'clock')
  if run == '-' and p[1] and p[1] ~= '-' then return nil end
  local now = timeAt(p[4], p[5], clock)
  local epoch, born = p[2], tonumber(p[3] or 0)
  if p[1] ~= run or not epoch or hasForgotten() then
    epoch, born = name .. ':' .. int(now), now
    redis.call('HSET', common, 'run', run, 'epoch', epoch, 'born', int(born))
  end
  redis.call('HSET', common, 'now', int(now), 'clock', int(clock))
  return epoch, born, now
end
`;
