/* SPDX-License-Identifier: Apache-2.0 */
/*
 * script.c - the scripts.  Numbers are written with %.0f, since Lua's tostring()
 * keeps 14 digits only, and divided by way of fmod(), which is exact.
 */
#include "wire.h"

/* clang-format off */
#define BEGINNING \
"local clock = redis.call('TIME')\n" \
"local now = clock[1] * 1000000 + clock[2]\n" \
"local format, two, five = string.format, '%.0f %.0f', '%.0f %.0f %.0f %.0f %.0f'\n" \
"local function add(list, value) list[#list + 1] = value end\n" \
"local function numbers(text)\n" \
"  local found = {}\n" \
"  if not text or string.find(text, '[^%d ]') then return found end\n" \
"  for n in string.gmatch(text, '%d+') do found[#found + 1] = tonumber(n) end\n" \
"  return found\n" \
"end\n" \
/* Returns all fields of a bucket, or an error, and the numbers in its state. */ \
"local function read(key)\n" \
"  local all, state = redis.pcall('HGETALL', key), nil\n" \
"  for i = 1, #all, 2 do state = all[i] == 's' and all[i + 1] or state end\n" \
"  return all, numbers(state)\n" \
"end\n" \
"local mark = redis.pcall('GET', KEYS[1])\n" \
"local born, run, more = string.match(type(mark) == 'string' and mark or '', '^(%d+) (%S+) ?(.*)$')\n" \
"local id, seen = string.match(more or '', '^(%w+) (%d+)$')\n" \
"born, seen = tonumber(born), tonumber(seen) or 0\n" \
"local facts\n" \
"local function fact(name)\n" \
"  facts = facts or redis.call('INFO', 'replication')\n" \
"  return string.match(facts, '\\n' .. name .. ':(%w+)') or ''\n" \
"end\n" \
/*
 * Did this run of the server get the state from the run in the mark?  A promoted replica has its
 * master's replication ID as the second one.  So has a Redis that loaded an old file, but
 * its backlog has nothing of that ID's stream.  In a cluster a slot may have come from another
 * master that still runs; the runs of these follow that of the server.  While one of them is not
 * known yet, nobody can tell.
 */ \
"local function continues()\n" \
"  if ARGV[2] == '1' then return true end\n" \
"  if id == fact('master_replid') then return ARGV[2] == '2' end\n" \
"  if id == fact('master_replid2') then\n" \
"    return ARGV[2] == '2' and (tonumber(fact('repl_backlog_first_byte_offset')) or 0) <\n" \
"      (tonumber(fact('second_repl_offset')) or 0)\n" \
"  end\n" \
"  return string.find(ARGV[1], ' ' .. run, 1, true) ~= nil\n" \
"end\n" \
"local self = string.match(ARGV[1], '^%S+')\n" \
"local lost = not born or run ~= self and not continues()\n" \
"if lost and born and string.find(ARGV[1], ' ?', 1, true) then\n" \
"  return redis.error_reply('TRYAGAIN limen does not know all masters yet')\n" \
"end\n"

/*
 * The first take after Redis lost its state starts a new epoch.  The replication ID changes when
 * the first replica comes, or the last has gone, so the mark is renewed.
 */
#define MARKING \
"if lost then born = (mark == false and ARGV[3] == '1') and 0 or now end\n" \
"if lost or run ~= self or math.abs(now - seen) >= 1000000 then\n" \
"  (lost and redis.call or redis.pcall)('SET', KEYS[1],\n" \
"    format('%.0f %s %s %.0f', born, self, fact('master_replid'), now))\n" \
"end\n"

/*
 * Windows: 'debt' is what was used in the period 'n', which ends at 'e'; 'before' what was used
 * in the one before, if it slides.  What is leased counts in the latest period.
 */
#define WINDOWS \
"local function divide(a, by)\n" \
"  local rest = math.fmod(a, by)\n" \
"  return (a - rest) / by, rest\n" \
"end\n" \
/* a * b / by for products above 2^53, rounded up by 'more' = by - 1. */ \
"local function scale(a, b, more, by)\n" \
"  local bits, q, r = {}, 0, 0\n" \
"  while a > 0 do a, bits[#bits + 1] = divide(a, 2) end\n" \
"  for i = #bits, 1, -1 do\n" \
"    local whole, rest = divide(r * 2 + bits[i] * b, by)\n" \
"    q, r = q * 2 + whole, rest\n" \
"  end\n" \
"  return q + (divide(r + more, by))\n" \
"end\n" \
/* Moves on to the period of 'at', unless that is earlier. */ \
"local function roll(b, at)\n" \
"  local n, e = b.n2, b.e2\n" \
"  if b.kind ~= 'c' then n = divide(at, b.len) e = (n + 1) * b.len\n" \
"  elseif not e then n, e = at < b.e and b.n or b.n + 1, b.e\n" \
"  elseif at < b.e1 then n, e = b.n1, b.e1 end\n" \
"  if n < b.n then return end\n" \
"  if n > b.n and b.kind == 's' then\n" \
"    b.before = n == b.n + 1 and b.debt - b.out or 0\n" \
"    b.debt = b.out\n" \
"  elseif n > b.n then\n" \
"    for _, one in ipairs(b.leases) do add(b.gone, one.name) end\n" \
"    b.debt, b.out, b.leases = 0, 0, {}\n" \
"  end\n" \
"  b.n, b.e = n, e\n" \
"end\n"

/* The token bucket, and what tells it from windows. */
#define BUCKETS WINDOWS \
/* Fills 'b' until 'to'; what is leased is not filled again before it is used. */ \
"local function fill(b, to)\n" \
"  if b.kind then roll(b, to)\n" \
"  elseif to > b.time then\n" \
"    b.debt = math.max(b.out, b.debt - (to - b.time) * b.T)\n" \
"    b.time = to\n" \
"  end\n" \
"end\n" \
/*
 * A bucket of which Redis may have lost the state, or whose key holds something else, is empty; that
 * of a window counts as used up until its period ends.
 */ \
"local function open(key, at)\n" \
"  local all, state = read(key)\n" \
"  local T, P, B = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])\n" \
"  local b = { key = key, T = T, P = T and P or 1, B = B, cap = T and B * P, len = P,\n" \
"    kind = not T and ARGV[at] or nil, n = not T and -1 or nil, e = 0, time = 0, debt = 0, before = 0,\n" \
"    out = 0, leases = {}, gone = {} }\n" \
"  if b.kind == 'c' then b.n1, b.b1, b.e1, b.n2, b.e2 = unpack(numbers(ARGV[at + 1])) end\n" \
"  local good = T and #state == 2 and state[1] <= b.cap or not T and #state == 5\n" \
"  b.found = good and state[#state] >= born\n" \
"  b.fresh = not b.found and (#all > 0 or all.err)\n" \
"  if b.found then\n" \
"    b.since = state[#state]\n" \
"    if T then b.debt, b.time = state[1], state[2]\n" \
"    else b.n, b.debt, b.e = state[1], state[2], state[3] end\n" \
"    if b.kind == 's' then b.before, b.e = b.e, (b.n + 1) * b.len end\n" \
"    if b.B == 0 then b.B = state[4] end\n" \
"    for i = 1, #all, 2 do\n" \
"      local lease = all[i] ~= 's' and numbers(all[i + 1])\n" \
"      if lease and #lease == 2 and b.out + lease[1] * b.P <= b.debt then\n" \
"        add(b.leases, { name = all[i], n = lease[1], till = lease[2] })\n" \
"        b.out = b.out + lease[1] * b.P\n" \
"      elseif lease then add(b.gone, all[i]) end\n" \
"    end\n" \
"  else\n" \
"    local lost = (good or not b.fresh) and born or math.max(born, now)\n" \
"    if T then b.debt, b.time = lost == 0 and 0 or b.cap, lost\n" \
"    elseif lost > 0 and B > 0 and (b.kind ~= 'c' or lost >= b.b1) then\n" \
"      roll(b, lost)\n" \
"      b.debt = B\n" \
"    end\n" \
"  end\n" \
/* A lease whose time is over counts as used at its end. */ \
"  table.sort(b.leases, function(x, y) return x.till < y.till end)\n" \
"  while b.leases[1] and b.leases[1].till <= now do\n" \
"    local one = table.remove(b.leases, 1)\n" \
"    fill(b, one.till)\n" \
"    b.out = math.max(0, b.out - one.n * b.P)\n" \
"    add(b.gone, one.name)\n" \
"  end\n" \
"  fill(b, now)\n" \
"  return b\n" \
"end\n" \
"local function left(b)\n" \
"  if not b.kind then return (divide(b.cap - b.debt, b.P)) end\n" \
"  local rest = b.kind == 's' and math.min(b.len, (b.n + 1) * b.len - now) or 0\n" \
"  local share = rest > 0 and scale(b.before, rest, b.len - 1, b.len) or 0\n" \
"  return math.max(0, b.B - b.debt - share)\n" \
"end\n" \
"local function take(b, n)\n" \
"  local fits = n <= left(b)\n" \
"  if fits then b.debt = b.debt + n * b.P end\n" \
"  return fits\n" \
"end\n" \
/* Gives back what was taken in the period 'n' of a window. */ \
"local function give(b, amount, n)\n" \
"  if not b.kind or b.n == n then b.debt = math.max(b.out, b.debt - amount * b.P)\n" \
"  elseif b.kind == 's' and b.n == n + 1 then b.before = math.max(0, b.before - amount) end\n" \
"end\n" \
"local function wait(b, tokens)\n" \
"  if tokens > b.B then return -1 end\n" \
"  if not b.kind then\n" \
"    local whole, rest = divide(tokens * b.P - (b.cap - b.debt), b.T)\n" \
"    return whole + (rest > 0 and 1 or 0) + (b.time - now)\n" \
"  end\n" \
"  if b.kind ~= 's' then return math.max(0, b.e - now) end\n" \
"  local room, used, begin = b.B - b.debt - tokens, b.before, b.n * b.len\n" \
"  if room < 0 then room, used, begin = b.B - tokens, b.debt, begin + b.len end\n" \
"  return math.max(0, begin + b.len - scale(room, b.len, 0, used) - now)\n" \
"end\n" \
/* Appends the tokens left, and the time until there is another. */ \
"local function tell(answers, b)\n" \
"  local n, reset = left(b), 0\n" \
"  if not b.kind and n < b.B then reset = wait(b, n + 1)\n" \
"  elseif b.kind and (b.kind ~= 's' or n == 0) then reset = wait(b, 1) end\n" \
"  add(answers, n)\n" \
"  add(answers, reset)\n" \
"  return answers\n" \
"end\n" \
/* Leased tokens refill only after their lease, so a bucket with leases lives longer. */ \
"local function save(b)\n" \
"  if b.fresh then redis.call('DEL', b.key) end\n" \
"  local empty = b.debt == 0 and #b.leases == 0 and (b.before or 0) == 0\n" \
"  if empty and not (b.kind and b.found) then return redis.call('DEL', b.key) end\n" \
"  local last, fills, text\n" \
"  if b.kind then\n" \
/* A window is kept for an hour after its end, an empty one for an hour: clocks may be set back. */ \
"    last = (empty and now or math.max(b.e, now)) + 3600000000\n" \
"    last, fills = last + (b.kind == 's' and b.len or 0), 0\n" \
"    text = format(five, b.n, b.debt, b.kind == 's' and b.before or b.e, b.B, now)\n" \
"  else\n" \
"    last, fills = b.time + divide(b.debt, b.T) + 1, divide(b.out, b.T) + 1\n" \
"    text = format(two, b.debt, b.time)\n" \
"  end\n" \
"  for _, one in ipairs(b.leases) do last = math.max(last, one.till + fills) end\n" \
"  for _, name in ipairs(b.fresh and {} or b.gone) do redis.call('HDEL', b.key, name) end\n" \
"  redis.call('HSET', b.key, 's', text)\n" \
"  redis.call('PEXPIRE', b.key, format('%.0f', math.ceil((last - now) / 1000) + 1))\n" \
"end\n"

#define COMMON BEGINNING MARKING BUCKETS

const char *const script_look = BEGINNING
"if lost then born = now end\n"
BUCKETS
"local answers = {}\n"
"for i = 2, #KEYS do\n"
"  local b = open(KEYS[i], 3 + (i - 2) * 3)\n"
"  local more = { left(b), (divide(b.out, b.P)), b.since and math.max(now - b.since, 0) or -1, b.B,\n"
"    tell({}, b)[2] }\n"
"  for _, n in ipairs(more) do add(answers, n) end\n"
"end\n"
"return answers\n";

const char *const script_reset = BEGINNING
"for i = 2, #KEYS do\n"
"  local _, state = read(KEYS[i])\n"
"  local text = format(two, 0, now)\n"
"  if #state == 5 then\n"
"    local third = ARGV[3 + (i - 2) * 3] == 's' and 0 or state[3]\n"
"    text = format(five, state[1], 0, third, state[4], now)\n"
"  end\n"
"  if #state == 2 or #state == 5 then redis.call('HSET', KEYS[i], 's', text) end\n"
"end\n"
"return #KEYS\n";

const char *const script_texts[SCRIPT_COUNT] = {
	[SCRIPT_TAKE] = COMMON
"local all, peek = ARGV[4] == '1', ARGV[5] == '1'\n"
"local buckets, list, answers, good = {}, {}, {}, true\n"
"for i = 2, #KEYS do\n"
"  local at = 6 + (i - 2) * 4\n"
"  local b = buckets[KEYS[i]]\n"
"  if not b then\n"
"    b = open(KEYS[i], at)\n"
"    buckets[KEYS[i]], list[#list + 1] = b, b\n"
"  end\n"
"  local amount = tonumber(ARGV[at + 3])\n"
"  local fits = take(b, amount)\n"
"  if fits then b.taken = (b.taken or 0) + amount end\n"
"  good = good and fits\n"
"  add(answers, fits and 1 or 0)\n"
"  add(answers, fits and 0 or wait(b, amount))\n"
"end\n"
"local keeps = not peek and (good or not all)\n"
"for _, b in ipairs(list) do\n"
"  if b.taken and b.taken > 0 and keeps then save(b) end\n"
"  if b.taken and not keeps then give(b, b.taken, b.n) end\n"
"end\n"
"for i = 2, #KEYS do add(tell(answers, buckets[KEYS[i]]), buckets[KEYS[i]].n or 0) end\n"
"return answers\n",
	[SCRIPT_GIVE] = COMMON
"local b = open(KEYS[2], 4)\n"
"if not b.found then return 0 end\n"
"give(b, tonumber(ARGV[7]), tonumber(ARGV[8]))\n"
"save(b)\n"
"return 1\n",
	/*
	 * Tokens that a process no longer keeps were used, unless it puts them back.  All
	 * tokens of a lapsed lease count as used, whatever the process says; only tokens
	 * that were taken and given back return to the bucket.
	 */
	[SCRIPT_LEASE] = COMMON
"local b = open(KEYS[2], 5)\n"
"local kept, back, given = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])\n"
"local least, wanted = tonumber(ARGV[11]), tonumber(ARGV[12])\n"
"local mine\n"
"for i, one in ipairs(b.leases) do\n"
"  if one.name == ARGV[4] then mine = table.remove(b.leases, i) break end\n"
"end\n"
"local lapsed = 0\n"
"if mine then\n"
"  kept = math.min(kept, mine.n)\n"
"  back = math.min(back, mine.n - kept)\n"
"  b.out = b.out - (mine.n - kept) * b.P\n"
"  add(b.gone, mine.name)\n"
"else\n"
"  if kept + back > 0 then lapsed = 1 end\n"
"  if least > 0 then least = least + kept end\n"
"  if wanted > 0 then wanted = wanted + kept end\n"
"  kept, back = 0, 0\n"
"end\n"
"local till = now + tonumber(ARGV[13])\n"
"if b.kind and b.kind ~= 's' then till = math.min(till, b.e - 1) end\n"
"give(b, back, b.n)\n"
"give(b, given, tonumber(ARGV[14]))\n"
"local room = left(b)\n"
"local got = room >= least and math.min(room, wanted) or 0\n"
"take(b, got)\n"
"b.out = b.out + got * b.P\n"
"local sum = kept + got\n"
"if sum > 0 then add(b.leases, { name = ARGV[4], n = sum, till = till }) end\n"
"save(b)\n"
"if sum > 0 then redis.call('HSET', b.key, ARGV[4], format(two, sum, till)) end\n"
"local delay = got < wanted and wait(b, got == 0 and math.max(least, 1) or 1) or 0\n"
"local answers = tell({ lapsed, got, delay }, b)\n"
"answers[6], answers[7] = b.n or 0, math.max(0, till - now)\n"
"return answers\n",
};
/* clang-format on */
