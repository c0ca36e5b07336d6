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
