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
"local function digits(n) return string.format('%.0f', n) end\n" \
"local function pair(text)\n" \
"  local a, b = string.match(text or '', '^(%d+) (%d+)$')\n" \
"  return tonumber(a), tonumber(b)\n" \
"end\n" \
"local mark = redis.pcall('GET', KEYS[1])\n" \
"local born, run, more = string.match(type(mark) == 'string' and mark or '', '^(%d+) (%S+) ?(.*)$')\n" \
"born = tonumber(born)\n" \
"local id, seen = string.match(more or '', '^(%w+) (%d+)$')\n" \
"seen = tonumber(seen) or 0\n" \
"local facts\n" \
"local function fact(name)\n" \
"  facts = facts or redis.call('INFO', 'replication')\n" \
"  return string.match(facts, '\\n' .. name .. ':(%w+)') or ''\n" \
"end\n" \
/*
 * Did this run of the server get the state from the run in the mark?  A promoted replica has its
 * master's replication ID as the second one.  So has a Redis that loaded an old file, but
 * its backlog has nothing of that ID's stream.
 */ \
"local function continues()\n" \
"  if ARGV[2] ~= '2' then return ARGV[2] == '1' end\n" \
"  return id == fact('master_replid') or id == fact('master_replid2') and\n" \
"    (tonumber(fact('repl_backlog_first_byte_offset')) or 0) <\n" \
"    (tonumber(fact('second_repl_offset')) or 0)\n" \
"end\n" \
"local lost = not born or run ~= ARGV[1] and not continues()\n"

/*
 * The first take after Redis lost its state starts a new epoch.  The replication ID changes when
 * the first replica comes, or the last has gone, so the mark is renewed.
 */
#define MARKING \
"if lost then born = (mark == false and ARGV[3] == '1') and 0 or now end\n" \
"if lost or run ~= ARGV[1] or math.abs(now - seen) >= 1000000 then\n" \
"  (lost and redis.call or redis.pcall)('SET', KEYS[1], digits(born) .. ' ' .. ARGV[1] .. ' ' ..\n" \
"    fact('master_replid') .. ' ' .. digits(now))\n" \
"end\n"

/* The token bucket: what is particular to this kind of meter is here. */
#define BUCKETS \
/* Fills 'b' until 'to'; what is leased is not filled again before it is used. */ \
"local function fill(b, to)\n" \
"  if to > b.time then\n" \
"    b.debt = math.max(b.out, b.debt - (to - b.time) * b.T)\n" \
"    b.time = to\n" \
"  end\n" \
"end\n" \
/* A lease whose time is over counts as used at its end. */ \
"local function expire(b)\n" \
"  table.sort(b.leases, function(x, y) return x.till < y.till end)\n" \
"  while b.leases[1] and b.leases[1].till <= now do\n" \
"    local one = table.remove(b.leases, 1)\n" \
"    fill(b, one.till)\n" \
"    b.out = b.out - one.n * b.P\n" \
"    b.gone[#b.gone + 1] = one.name\n" \
"  end\n" \
"  fill(b, now)\n" \
"end\n" \
"local function read_leases(b, all)\n" \
"  for i = 1, #all, 2 do\n" \
"    local n, till = pair(all[i + 1])\n" \
"    if all[i] ~= 's' and n and (b.out + n * b.P) <= b.debt then\n" \
"      b.leases[#b.leases + 1] = { name = all[i], n = n, till = till }\n" \
"      b.out = b.out + n * b.P\n" \
"    elseif all[i] ~= 's' then\n" \
"      b.gone[#b.gone + 1] = all[i]\n" \
"    end\n" \
"  end\n" \
"end\n" \
"local function open(key, at)\n" \
"  local T, P, B = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])\n" \
"  local b = { key = key, T = T, P = P, B = B, cap = B * P, time = born,\n" \
"    debt = born == 0 and 0 or B * P,\n" \
"    out = 0, leases = {}, gone = {}, found = false, fresh = false }\n" \
"  local all = redis.pcall('HGETALL', key)\n" \
"  local state\n" \
"  for i = 1, #all, 2 do\n" \
"    if all[i] == 's' then state = all[i + 1] end\n" \
"  end\n" \
"  local debt, time = pair(state)\n" \
"  if all.err or (#all > 0 and not (debt and debt <= b.cap)) then\n" \
"    b.debt, b.time = b.cap, math.max(born, now)\n" \
"    b.fresh = true\n" \
"  elseif debt and time >= born then\n" \
"    b.debt, b.time, b.found = debt, time, true\n" \
"    b.since = time\n" \
"    read_leases(b, all)\n" \
"  else\n" \
"    b.fresh = #all > 0\n" \
"  end\n" \
"  expire(b)\n" \
"  return b\n" \
"end\n" \
"local function divide(a, by)\n" \
"  local rest = math.fmod(a, by)\n" \
"  return (a - rest) / by, rest\n" \
"end\n" \
"local function left(b) return (divide(b.cap - b.debt, b.P)) end\n" \
"local function take(b, n)\n" \
"  local fits = n * b.P <= b.cap - b.debt\n" \
"  if fits then b.debt = b.debt + n * b.P end\n" \
"  return fits\n" \
"end\n" \
"local function give(b, n) b.debt = math.max(b.out, b.debt - n * b.P) end\n" \
"local function wait(b, tokens)\n" \
"  if tokens > b.B then return -1 end\n" \
"  local whole, rest = divide(tokens * b.P - (b.cap - b.debt), b.T)\n" \
"  return whole + (rest > 0 and 1 or 0) + (b.time - now)\n" \
"end\n" \
/* Appends the tokens left, and the time until there is another. */ \
"local function tell(answers, b)\n" \
"  local n = left(b)\n" \
"  answers[#answers + 1] = n\n" \
"  answers[#answers + 1] = n < b.B and wait(b, n + 1) or 0\n" \
"  return answers\n" \
"end\n" \
/* Leased tokens refill only after their lease, so a bucket with leases lives longer. */ \
"local function save(b)\n" \
"  if b.fresh then redis.call('DEL', b.key) end\n" \
"  local last = b.time + divide(b.debt, b.T) + 1\n" \
"  local fills = divide(b.out, b.T) + 1\n" \
"  for _, one in ipairs(b.leases) do last = math.max(last, one.till + fills) end\n" \
"  if b.debt == 0 and #b.leases == 0 then\n" \
"    redis.call('DEL', b.key)\n" \
"    return\n" \
"  end\n" \
"  if not b.fresh then\n" \
"    for _, name in ipairs(b.gone) do redis.call('HDEL', b.key, name) end\n" \
"  end\n" \
"  redis.call('HSET', b.key, 's', digits(b.debt) .. ' ' .. digits(b.time))\n" \
"  redis.call('PEXPIRE', b.key, digits(math.ceil((last - now) / 1000) + 1))\n" \
"end\n"

#define COMMON BEGINNING MARKING BUCKETS

const char *const script_look = BEGINNING
"if lost then born = now end\n"
BUCKETS
"local answers = {}\n"
"for i = 2, #KEYS do\n"
"  local b = open(KEYS[i], 3 + (i - 2) * 3)\n"
"  answers[#answers + 1] = left(b)\n"
"  answers[#answers + 1] = divide(b.out, b.P)\n"
"  answers[#answers + 1] = b.since and math.max(now - b.since, 0) or -1\n"
"end\n"
"return answers\n";

const char *const script_texts[SCRIPT_COUNT] = {
	[SCRIPT_TAKE] = COMMON
"local all, peek = ARGV[4] == '1', ARGV[5] == '1'\n"
"local buckets, list, answers, good = {}, {}, {}, true\n"
"for i = 2, #KEYS do\n"
"  local at = 6 + (i - 2) * 4\n"
"  local b = buckets[KEYS[i]]\n"
"  if not b then\n"
"    b = open(KEYS[i], at)\n"
"    buckets[KEYS[i]] = b\n"
"    list[#list + 1] = b\n"
"  end\n"
"  local amount = tonumber(ARGV[at + 3])\n"
"  if take(b, amount) then\n"
"    b.taken = (b.taken or 0) + amount\n"
"    answers[#answers + 1] = 1\n"
"    answers[#answers + 1] = 0\n"
"  else\n"
"    good = false\n"
"    answers[#answers + 1] = 0\n"
"    answers[#answers + 1] = wait(b, amount)\n"
"  end\n"
"end\n"
"local keeps = not peek and (good or not all)\n"
"for _, b in ipairs(list) do\n"
"  if b.taken and keeps then save(b) end\n"
"  if b.taken and not keeps then give(b, b.taken) end\n"
"end\n"
"for i = 2, #KEYS do tell(answers, buckets[KEYS[i]]) end\n"
"return answers\n",
	[SCRIPT_GIVE] = COMMON
"local b = open(KEYS[2], 4)\n"
"if not b.found then return 0 end\n"
"give(b, tonumber(ARGV[7]))\n"
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
"  b.gone[#b.gone + 1] = mine.name\n"
"else\n"
"  if kept + back > 0 then lapsed = 1 end\n"
"  if least > 0 then least = least + kept end\n"
"  if wanted > 0 then wanted = wanted + kept end\n"
"  kept, back = 0, 0\n"
"end\n"
"give(b, math.min(back + given, b.B))\n"
"local room = left(b)\n"
"local got = 0\n"
"if room >= least then got = math.min(room, wanted) end\n"
"take(b, got)\n"
"b.out = b.out + got * b.P\n"
"if kept + got > 0 then\n"
"  b.leases[#b.leases + 1] = { name = ARGV[4], n = kept + got, till = now + tonumber(ARGV[13]) }\n"
"end\n"
"save(b)\n"
"if kept + got > 0 then\n"
"  redis.call('HSET', b.key, ARGV[4], digits(kept + got) .. ' ' .. digits(now + tonumber(ARGV[13])))\n"
"end\n"
"local delay = 0\n"
"if got < wanted then delay = wait(b, got == 0 and math.max(least, 1) or 1) end\n"
"return tell({ lapsed, got, delay }, b)\n",
};
/* clang-format on */
