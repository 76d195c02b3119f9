/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of buckets against a model that keeps a bucket as one number
 * of 128 bits, in units so small that everything is whole.
 */
#include <stdio.h>

#include <limen-sdk/bucket.h>
#include "suite.h"

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 units;

typedef struct model {
	limen_table_spec spec;
	units held; /* in 1/period of a token */
	limen_time time;
} model;

static units
full(const model *one)
{
	return (units)(uint64_t)one->spec.burst * (uint64_t)one->spec.period;
}

static bool
model_take(model *one, int64_t amount, limen_time now)
{
	units price = (units)(uint64_t)amount * (uint64_t)one->spec.period;

	if (now > one->time) {
		uint64_t elapsed = (uint64_t)now - (uint64_t)one->time;

		one->held += (units)elapsed * (uint64_t)one->spec.tokens;
		if (one->held > full(one))
			one->held = full(one);
		one->time = now;
	}
	if (one->held < price)
		return false;
	one->held -= price;
	return true;
}

static bool
level_take(limen_level *one, const limen_rate *how, int64_t amount, limen_time now)
{
	limen_duration wait;

	return limen_level_take(one, how, amount, now, &wait);
}

/* xorshift64: the same numbers in every run. */
static uint64_t random_state = 0x2545F4914F6CDD1D;

static uint64_t
draw(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* 1..most, as often a small number as a large one. */
static int64_t
draw_up_to(int64_t most)
{
	return (int64_t)(draw() >> (draw() % 63 + 1)) % most + 1;
}

/* The wait is to the microsecond: one less is too early. */
static bool
wait_is_exact(const limen_level *now_held, const limen_rate *how, int64_t amount, limen_time now)
{
	limen_duration wait = limen_level_wait(now_held, how, amount, now);
	limen_level early = *now_held;
	limen_level due = *now_held;
	limen_time then;

	if (amount > how->burst)
		return wait == -1;
	if (wait == INT64_MAX || __builtin_add_overflow(now, wait, &then))
		return true;
	return wait > 0 && !level_take(&early, how, amount, then - 1) &&
	       level_take(&due, how, amount, then);
}

/* 'calls' takes at random times under one rate; true if all are as in the model. */
static bool
agrees(const limen_table_spec *spec, limen_time start, int64_t step, int64_t calls)
{
	limen_rate how = limen_rate_of(spec);
	limen_level one = limen_level_full(&how, start);
	model other = { .spec = *spec, .time = start };
	limen_time now = start;

	other.held = full(&other);
	for (int64_t i = 0; i < calls; i++) {
		int64_t amount = draw() % 8 == 0 ? draw_up_to(spec->burst) : 1;
		int64_t by = draw() % 16 == 0 ? -draw_up_to(step) : draw_up_to(step) - 1;
		bool granted;

		if (__builtin_add_overflow(now, by, &now))
			now = by < 0 ? INT64_MIN : INT64_MAX;
		granted = level_take(&one, &how, amount, now);
		if (granted != model_take(&other, amount, now) || one.tokens < 0 ||
		    one.tokens > how.burst || one.part >= how.period ||
		    (!granted && !wait_is_exact(&one, &how, amount, now))) {
			printf("# %lld per %lld, burst %lld, call %lld\n", (long long)spec->tokens,
			       (long long)spec->period, (long long)spec->burst, (long long)i);
			return false;
		}
	}
	return true;
}

static void
test_random_schedules(void)
{
	static const int64_t scales[] = { 3, 1000, INT64_C(1) << 40, INT64_MAX };

	for (int i = 0; i < 4000; i++) {
		int64_t scale = scales[i % 4];
		limen_table_spec spec = { .size = sizeof(spec), .name = "t",
			                  .tokens = draw_up_to(scale),
			                  .period = draw_up_to(scale),
			                  .burst = draw_up_to(scale) };

		CU_ASSERT_TRUE_FATAL(agrees(&spec, (limen_time)draw(), draw_up_to(scale), 250));
	}
}

/*
 * All that come are admitted up to burst + rate x time, and not one more.  Nobody
 * asks so seldom that a bucket is full meanwhile, and what would come is lost.
 */
static void
test_million_calls(void)
{
	static const limen_table_spec specs[] = {
		{ .tokens = 1, .period = 86400 * LIMEN_SECOND, .burst = 2 },
		{ .tokens = 7, .period = LIMEN_SECOND, .burst = 3 },
		{ .tokens = 1000000007, .period = LIMEN_SECOND, .burst = 1000000 },
		{ .tokens = 10, .period = 3600 * LIMEN_SECOND, .burst = 10 },
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		limen_rate how = limen_rate_of(&specs[i]);
		limen_level one = limen_level_full(&how, 0);
		int64_t step = (specs[i].period + specs[i].tokens - 1) / specs[i].tokens;
		int64_t amount = specs[i].tokens > specs[i].period ? 1000 : 1;
		limen_time now = 0;
		int64_t admitted = 0;
		units least;

		for (int call = 0; call < 1000000; call++) {
			now += draw_up_to(step) / 2;
			while (level_take(&one, &how, amount, now))
				admitted += amount;
		}
		least = (units)(uint64_t)now * (uint64_t)specs[i].tokens;
		least = least / (uint64_t)specs[i].period + (uint64_t)specs[i].burst;
		CU_ASSERT_TRUE((units)(uint64_t)admitted <= least);
		CU_ASSERT_TRUE((units)(uint64_t)(admitted + amount) > least);
	}
}

#else

static void
test_random_schedules(void)
{
	suite_skip("the compiler has no numbers of 128 bits");
}

#define test_million_calls test_random_schedules

#endif

static limen_level
after(const limen_table_spec *spec, limen_duration elapsed)
{
	limen_rate how = limen_rate_of(spec);
	limen_level one = limen_level_full(&how, 0);

	one.tokens = 0;
	limen_level_fill(&one, &how, elapsed);
	return one;
}

static void
test_bounds(void)
{
	static const int64_t most = INT64_MAX;
	limen_table_spec day = { .tokens = 1, .period = 86400 * LIMEN_SECOND, .burst = 1 };
	limen_table_spec fast = { .tokens = 1000000000, .period = LIMEN_SECOND, .burst = most };
	limen_table_spec slow = { .tokens = 1, .period = most, .burst = most };
	limen_table_spec huge = { .tokens = most, .period = 1, .burst = most };
	limen_rate how = limen_rate_of(&slow);
	limen_level one = limen_level_full(&how, INT64_MIN);

	CU_ASSERT_EQUAL(after(&day, day.period - 1).tokens, 0);
	CU_ASSERT_EQUAL(after(&day, day.period).tokens, 1);
	CU_ASSERT_EQUAL(after(&day, most).tokens, 1);
	CU_ASSERT_EQUAL(after(&fast, 1).tokens, 1000);
	CU_ASSERT_EQUAL(after(&fast, most / 1000).tokens, most / 1000 * 1000);
	CU_ASSERT_EQUAL(after(&fast, most).tokens, most);
	CU_ASSERT_EQUAL(after(&slow, most - 1).tokens, 0);
	CU_ASSERT_EQUAL(after(&slow, most).tokens, 1);
	CU_ASSERT_EQUAL(after(&huge, 1).tokens, most);
	/* All of time there is. */
	one.tokens = 0;
	CU_ASSERT_EQUAL(limen_level_wait(&one, &how, 2, INT64_MIN), most);
	CU_ASSERT_EQUAL(limen_level_wait(&one, &how, most, 0), most);
	limen_level_fill(&one, &how, INT64_MAX);
	CU_ASSERT_EQUAL(one.tokens, 2);
	CU_ASSERT_EQUAL(one.part, 1);
}

/* What comes early is not lost, and what comes back late does not come twice. */
static void
test_time_goes_back(void)
{
	limen_table_spec spec = { .tokens = 1, .period = 10, .burst = 5 };
	limen_rate how = limen_rate_of(&spec);
	limen_level one = limen_level_full(&how, 100);

	one.tokens = 0;
	limen_level_fill(&one, &how, 50);
	CU_ASSERT_EQUAL(one.time, 100);
	CU_ASSERT_EQUAL(one.tokens, 0);
	CU_ASSERT_EQUAL(limen_level_wait(&one, &how, 1, 50), 60);
	limen_level_fill(&one, &how, 109);
	CU_ASSERT_EQUAL(one.tokens, 0);
	CU_ASSERT_EQUAL(one.part, 9);
	limen_level_fill(&one, &how, 110);
	CU_ASSERT_EQUAL(one.tokens, 1);
}

static void
test_give(void)
{
	limen_table_spec spec = { .tokens = 2, .period = 10, .burst = 5 };
	limen_rate how = limen_rate_of(&spec);
	limen_level one = limen_level_full(&how, 0);

	CU_ASSERT_EQUAL(how.tokens, 1);
	CU_ASSERT_EQUAL(how.period, 5);
	CU_ASSERT_EQUAL(how.fill, 25);
	one.tokens = 2;
	one.part = 3;
	limen_level_give(&one, &how, 2);
	CU_ASSERT_EQUAL(one.tokens, 4);
	CU_ASSERT_EQUAL(one.part, 3);
	limen_level_give(&one, &how, 1);
	CU_ASSERT_EQUAL(one.tokens, 5);
	CU_ASSERT_EQUAL(one.part, 0);
	limen_level_give(&one, &how, INT64_MAX);
	CU_ASSERT_EQUAL(one.tokens, 5);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "random rates and schedules are as in the model", test_random_schedules },
		{ "a million calls admit burst and rate x time", test_million_calls },
		{ "the largest and the smallest rates", test_bounds },
		{ "time that goes back changes nothing", test_time_goes_back },
		{ "what is given back never overflows", test_give },
		{ NULL, NULL },
	};

	return suite_run("plugins/store/memory level", tests);
}
