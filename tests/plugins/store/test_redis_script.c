/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_redis_script.c - the scripts in a real server, at times the test chooses:
 * they count as the store "memory" does, and leases never let more through.
 */
#include <hiredis.h>
#include <inttypes.h>
#include <limen/limen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../plugins/support/bucket/table.h"
#include "../../../plugins/store/redis/wire.h"
#include "plugin.h"
#include "redis_server.h"
#include "suite.h"

#define STEPS 400
#define CLOCK "redis.call('TIME')"

static uint64_t state = UINT64_C(88172645463325252);

static int64_t
draw(int64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state % (uint64_t)below);
}

/*
 * The script with a clock that stands at 'now'.  Keys vanish by the real clock,
 * which must not come first: after as many seconds instead of milliseconds.
 */
static char *
set_clock(script_id which, int64_t now)
{
	const char *text = script_texts[which];
	const char *at = strstr(text, CLOCK);
	const char *rest = at == NULL ? NULL : at + strlen(CLOCK);
	const char *expire = at == NULL ? NULL : strstr(rest, "PEXPIRE");
	char *out = NULL;

	CU_ASSERT_FATAL(expire != NULL);
	CU_ASSERT_FATAL(asprintf(&out, "%.*s{ 0, %" PRId64 " }%.*s%s", (int)(at - text), text, now,
	                         (int)(expire - rest), rest, expire + 1) > 0);
	return out;
}

/* Calls 'which' on the bucket "b", twice if 'doubled', with the arguments in 'rest'. */
static redisReply *
call(redisContext *redis, script_id which, int64_t now, bool doubled, const char *rest)
{
	char *script = set_clock(which, now);
	char copy[512];
	const char *words[40] = { "EVAL", script, doubled ? "3" : "2", "mark", "b" };
	int count = 5;
	redisReply *reply;

	if (doubled)
		words[count++] = "b";
	snprintf(copy, sizeof(copy), "run 0 1 %s", rest);
	for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
		words[count++] = word;
	reply = redisCommandArgv(redis, count, words, NULL);
	CU_ASSERT_FATAL(reply != NULL);
	plugin_assert(reply->type != REDIS_REPLY_ERROR, __FILE__, __LINE__, "%s",
	              reply->str == NULL ? "" : reply->str);
	free(script);
	return reply;
}

static redisContext *
dial(const struct redis_server *server)
{
	redisContext *redis = redisConnectUnix(redis_server_path(server));

	CU_ASSERT_FATAL(redis != NULL && redis->err == 0);
	return redis;
}

static void
forget(redisContext *redis)
{
	freeReplyObject(redisCommand(redis, "FLUSHALL"));
}

/* One batch of two takes of the same bucket, answered by both. */
static bool
compare_batch(redisContext *redis, tables *all, handle *held, const limen_rate *how, int64_t now,
              limen_store_take takes[2])
{
	limen_reading left;
	bool same = true;
	unsigned flags = (draw(2) ? LIMEN_TAKE_ALL : 0U) | (draw(4) ? 0U : LIMEN_TAKE_PEEK);
	char rest[256];
	redisReply *reply;

	for (int i = 0; i < 2; i++)
		takes[i] = (limen_store_take){
			.table = held, .key = "k", .key_length = 1,
			.amount = 1 + draw(how->burst + 1), .reading = &left,
		};
	snprintf(rest, sizeof(rest),
	         "%d %d %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64 " %" PRIu64 " %" PRIu64
	         " %" PRId64 " %" PRId64,
	         (flags & LIMEN_TAKE_ALL) != 0, (flags & LIMEN_TAKE_PEEK) != 0, how->tokens,
	         how->period, how->burst, takes[0].amount, how->tokens, how->period, how->burst,
	         takes[1].amount);
	reply = call(redis, SCRIPT_TAKE, now, true, rest);
	take_batch(all, takes, 2, flags, now);
	CU_ASSERT_FATAL(reply->elements == 10);
	for (size_t i = 0; i < 2; i++) {
		bool granted = reply->element[i * 2]->integer == 1;

		/* The module itself takes back what a batch of all or none was granted. */
		if (granted && (flags & LIMEN_TAKE_ALL) && (reply->element[0]->integer == 0 ||
		                                             reply->element[2]->integer == 0))
			granted = false;
		same = same && granted == takes[i].granted;
		if (!takes[i].granted && reply->element[i * 2]->integer == 0)
			same = same && reply->element[i * 2 + 1]->integer == takes[i].wait;
		same = same && reply->element[4 + i * 3]->integer == left.remaining &&
		       reply->element[5 + i * 3]->integer == left.reset;
	}
	freeReplyObject(reply);
	for (size_t i = 0; i < 2; i++)
		takes[i].granted = takes[i].granted && !(flags & LIMEN_TAKE_PEEK);
	return same;
}

static void
give_back(redisContext *redis, tables *all, const limen_rate *how, int64_t now,
          const limen_store_take *take)
{
	char rest[128];

	snprintf(rest, sizeof(rest), "%" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64, how->tokens,
	         how->period, how->burst, take->amount);
	freeReplyObject(call(redis, SCRIPT_GIVE, now, false, rest));
	take_settle(all, take, 1);
}

static void
compare_rate(redisContext *redis, int64_t tokens, int64_t period, int64_t burst)
{
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = tokens,
		                        .period = period, .burst = burst };
	limen_rate how = limen_rate_of(&spec);
	tables *all = tables_new();
	handle *held;
	int64_t now = limen_host_wall_time();

	all->capacity = 16;
	held = table_open(all, "t", &spec, NULL);
	forget(redis);
	for (int step = 0; step < STEPS; step++) {
		limen_store_take takes[2];

		if (!compare_batch(redis, all, held, &how, now, takes)) {
			plugin_assert(false, __FILE__, __LINE__,
			              "%" PRId64 " in %" PRId64 " us, burst %" PRId64
			              ": not as in memory at step %d", tokens, period, burst, step);
			break;
		}
		for (int i = 0; i < 2; i++) {
			if (takes[i].granted && draw(3) == 0)
				give_back(redis, all, &how, now, &takes[i]);
		}
		/* Time itself must stay below 2^53 us, which ends in the year 2255. */
		now += draw(how.fill > 10000000000000 ? 10000000000000
		                                      : (int64_t)(how.fill / 4 + 2));
	}
	table_close(all, held);
	tables_free(all);
}

static void
test_arithmetic(void)
{
	static const int64_t rates[][3] = {
		{ 1, 1000000, 1 }, { 10, 3600000000, 10 }, { 7, 1000003, 5 }, { 3, 7, 11 },
		{ 1000000, 1, 5000000 }, { 999, 1000, 2 }, { 1, 86400000000, 3 },
		{ 1, 86400000000, 104248 }, { 1, 1, INT64_C(9007199254740000) },
	};
	struct redis_server *server = redis_server_new(NULL);
	redisContext *redis;

	if (server == NULL || !redis_server_start(server))
		return;
	redis = dial(server);
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		compare_rate(redis, rates[i][0], rates[i][1], rates[i][2]);
	redisFree(redis);
	redis_server_free(server);
}

/* What one process does with its leases in the test. */
typedef struct holder {
	int64_t held;
	int64_t used;
	int64_t until;
} holder;

static void
ask_lease(redisContext *redis, int number, holder *who, int64_t now)
{
	char rest[256];
	bool leaves = draw(6) == 0;
	redisReply *reply;

	if (now >= who->until)
		who->held = 0;
	snprintf(rest, sizeof(rest), "l%d 10 1000000 20 %" PRId64 " %" PRId64 " 0 0 %d 2000000",
	         number, leaves ? 0 : who->held, leaves ? who->held : 0, leaves ? 0 : (int)draw(6));
	reply = call(redis, SCRIPT_LEASE, now, false, rest);
	CU_ASSERT_FATAL(reply->elements == 7);
	if (leaves || reply->element[0]->integer == 1)
		who->held = 0;
	who->held += reply->element[1]->integer;
	who->until = now + 2000000;
	freeReplyObject(reply);
}

/*
 * Three processes lease, use, put back and die at random: what they use in any
 * time is within the burst and the rate times that time.
 */
static void
test_leases(void)
{
	enum { USES = 4000 };
	struct redis_server *server = redis_server_new(NULL);
	int64_t now = limen_host_wall_time();
	static int64_t uses[USES];
	size_t count = 0;
	holder holders[3] = { { .held = 0 } };
	redisContext *redis;

	if (server == NULL || !redis_server_start(server))
		return;
	redis = dial(server);
	for (int step = 0; step < 3000 && count < USES; step++) {
		int number = (int)draw(3);
		holder *who = &holders[number];

		if (draw(3) == 0)
			ask_lease(redis, number, who, now);
		else if (who->held > 0 && now < who->until)
			who->held--, uses[count++] = now;
		if (draw(200) == 0)
			who->held = 0; /* dies; its lease ends by itself */
		now += draw(4) == 0 ? draw(300000) : draw(3000);
	}
	CU_ASSERT(count > 500);
	for (size_t from = 0; from < count; from++) {
		for (size_t to = from; to < count; to++) {
			int64_t most = 20 + (uses[to] - uses[from]) * 10 / 1000000;

			if ((int64_t)(to - from + 1) > most) {
				plugin_assert(false, __FILE__, __LINE__, "%zu uses, may be %ld",
				              to - from + 1, (long)most);
				from = to = count;
			}
		}
	}
	redisFree(redis);
	redis_server_free(server);
}

/* How many milliseconds after the last call the bucket vanishes, and so is full. */
static int64_t
get_life(redisContext *redis)
{
	/* set_clock() says why they are seconds. */
	redisReply *reply = redisCommand(redis, "TTL b");
	int64_t life;

	CU_ASSERT_FATAL(reply != NULL && reply->type == REDIS_REPLY_INTEGER);
	life = reply->integer;
	freeReplyObject(reply);
	return life;
}

/*
 * Ten tokens, one a second: what is leased for three seconds may be used at their end, and
 * fills again from then on only.
 */
static void
test_life(void)
{
	struct redis_server *server = redis_server_new(NULL);
	int64_t now = limen_host_wall_time();
	redisContext *redis;

	if (server == NULL || !redis_server_start(server))
		return;
	redis = dial(server);
	freeReplyObject(call(redis, SCRIPT_LEASE, now, false,
	                     "l1 1 1000000 10 0 0 0 0 5 3000000"));
	CU_ASSERT(get_life(redis) > 7000);
	/* Two put back, three kept. */
	freeReplyObject(call(redis, SCRIPT_LEASE, now, false,
	                     "l1 1 1000000 10 3 2 0 0 0 3000000"));
	CU_ASSERT(get_life(redis) > 5000 && get_life(redis) < 7000);
	redisFree(redis);
	redis_server_free(server);
}

/* Returns answer 'index' of a call. */
static int64_t
ask(redisContext *redis, script_id which, int64_t now, const char *rest, size_t index)
{
	redisReply *reply = call(redis, which, now, false, rest);
	int64_t number;

	CU_ASSERT_FATAL(reply->type == REDIS_REPLY_ARRAY && index < reply->elements);
	number = reply->element[index]->integer;
	freeReplyObject(reply);
	return number;
}

/*
 * Four of ten are leased for 30 s, ten seconds before the period ends.  The lease of a fixed window
 * ends with it; what is leased of a sliding one counts in the next period.
 */
static void
test_window_leases(void)
{
	struct redis_server *server = redis_server_new(NULL);
	int64_t end = (limen_host_wall_time() / 60000000 + 1) * 60000000;
	redisContext *redis;

	if (server == NULL || !redis_server_start(server))
		return;
	redis = dial(server);
	CU_ASSERT_EQUAL(ask(redis, SCRIPT_LEASE, end - 10000000,
	                    "l1 f 60000000 10 0 0 0 1 4 30000000 0", 6),
	                9999999);
	CU_ASSERT_EQUAL(ask(redis, SCRIPT_TAKE, end - 1, "0 0 f 60000000 10 7", 0), 0);
	CU_ASSERT_EQUAL(ask(redis, SCRIPT_TAKE, end - 1, "0 0 f 60000000 10 6", 0), 1);
	CU_ASSERT_EQUAL(ask(redis, SCRIPT_TAKE, end, "0 0 f 60000000 10 10", 0), 1);
	/* Its share is over, and tokens given back of the period before stay used. */
	CU_ASSERT_EQUAL(ask(redis, SCRIPT_LEASE, end, "l1 f 60000000 10 2 1 1 0 0 30000000 1", 3), 0);
	forget(redis);
	CU_ASSERT_EQUAL(ask(redis, SCRIPT_LEASE, end - 10000000,
	                    "l1 s 60000000 10 0 0 0 1 4 30000000 0", 6),
	                30000000);
	CU_ASSERT_EQUAL(ask(redis, SCRIPT_TAKE, end, "0 0 s 60000000 10 7", 0), 0);
	CU_ASSERT_EQUAL(ask(redis, SCRIPT_TAKE, end, "0 0 s 60000000 10 6", 0), 1);
	redisFree(redis);
	redis_server_free(server);
}

/* Asks for one token of ten and returns whether it was granted. */
static bool
is_granted(redisContext *redis, int64_t now, const char *run)
{
	char *script = set_clock(SCRIPT_TAKE, now);
	const char *words[] = { "EVAL", script, "2", "mark", "b", run, "0", "1", "0", "0", "1",
		                "1000000", "10", "1" };
	redisReply *reply = redisCommandArgv(redis, 14, words, NULL);
	bool granted;

	CU_ASSERT_FATAL(reply != NULL && reply->elements == 5);
	granted = reply->element[0]->integer == 1;
	freeReplyObject(reply);
	free(script);
	return granted;
}

static void
test_marks(void)
{
	struct redis_server *server = redis_server_new(NULL);
	int64_t now = limen_host_wall_time();
	redisContext *redis;

	if (server == NULL || !redis_server_start(server))
		return;
	redis = dial(server);
	/* New, so full; then another run, so empty, and a token comes after a second. */
	CU_ASSERT_TRUE(is_granted(redis, now, "one"));
	CU_ASSERT_FALSE(is_granted(redis, now + 1, "two"));
	CU_ASSERT_FALSE(is_granted(redis, now + 1000000, "two"));
	CU_ASSERT_TRUE(is_granted(redis, now + 1000001, "two"));
	CU_ASSERT_FALSE(is_granted(redis, now + 1000001, "two"));
	/* A clock that goes back gives nothing, and takes nothing that there was. */
	CU_ASSERT_FALSE(is_granted(redis, now - 5000000, "two"));
	CU_ASSERT_FALSE(is_granted(redis, now + 2000000, "two"));
	CU_ASSERT_TRUE(is_granted(redis, now + 2000001, "two"));
	/* What others wrote there: a bucket starts empty, a mark starts all of them empty. */
	freeReplyObject(redisCommand(redis, "SET b nonsense"));
	CU_ASSERT_FALSE(is_granted(redis, now + 20000000, "two"));
	freeReplyObject(redisCommand(redis, "SET b nonsense"));
	freeReplyObject(redisCommand(redis, "DEL b"));
	freeReplyObject(redisCommand(redis, "HSET b s nonsense l1 x"));
	CU_ASSERT_FALSE(is_granted(redis, now + 20000000, "two"));
	freeReplyObject(redisCommand(redis, "DEL b mark"));
	freeReplyObject(redisCommand(redis, "HSET mark a b"));
	CU_ASSERT_FALSE(is_granted(redis, now + 40000000, "two"));
	redisFree(redis);
	redis_server_free(server);
}

/* A clock that jumps forward fills a bucket and no more; what follows is as if it were right. */
static void
test_forward(void)
{
	const int64_t hour = INT64_C(3600) * 1000000;
	struct redis_server *server = redis_server_new(NULL);
	int64_t now = limen_host_wall_time();
	redisContext *redis;

	if (server == NULL || !redis_server_start(server))
		return;
	redis = dial(server);
	for (int i = 0; i < 10; i++)
		CU_ASSERT_TRUE(is_granted(redis, now, "one"));
	CU_ASSERT_FALSE(is_granted(redis, now, "one"));
	for (int i = 0; i < 10; i++)
		CU_ASSERT_TRUE(is_granted(redis, now + hour, "one"));
	CU_ASSERT_FALSE(is_granted(redis, now + hour, "one"));
	/* Set right again, it gives nothing until that hour is over. */
	CU_ASSERT_FALSE(is_granted(redis, now + 60000000, "one"));
	CU_ASSERT_FALSE(is_granted(redis, now + hour + 999999, "one"));
	CU_ASSERT_TRUE(is_granted(redis, now + hour + 1000000, "one"));
	CU_ASSERT_FALSE(is_granted(redis, now + hour + 1000000, "one"));
	redisFree(redis);
	redis_server_free(server);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "buckets count as those in memory do", test_arithmetic },
		{ "leases let no more through than the allowance, at any time", test_leases },
		{ "a bucket with leases lives until they are over and it is full", test_life },
		{ "buckets of a lost database are empty, those of a new one full", test_marks },
		{ "a clock that jumps forward fills a bucket once", test_forward },
		{ "leases of windows", test_window_leases },
		{ NULL, NULL },
	};

	return suite_run("redis, scripts", tests);
}
