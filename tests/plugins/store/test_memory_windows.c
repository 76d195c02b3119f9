/* SPDX-License-Identifier: Apache-2.0 */
/* test_memory_windows.c - windows of the store "memory" at given times. */
#include <stdio.h>
#include <string.h>

#include "../../../plugins/support/bucket/table.h"
#include "plugin.h"
#include "suite.h"

#define MINUTE (60 * LIMEN_SECOND)
#define DAY (86400 * LIMEN_SECOND)

static tables *all;

static limen_table_spec
spec_of(limen_meter_kind kind, int64_t limit, limen_duration period)
{
	return (limen_table_spec){ .size = sizeof(limen_table_spec), .name = "t", .kind = kind,
		                   .tokens = limit, .burst = limit, .period = period };
}

static handle *
open_window(limen_meter_kind kind, int64_t limit, limen_duration period)
{
	limen_table_spec spec = spec_of(kind, limit, period);

	return table_open(all, "e/t", &spec, NULL);
}

static void
start(void)
{
	all = tables_new();
	CU_ASSERT_PTR_NOT_NULL_FATAL(all);
	all->capacity = 100;
}

static limen_store_take
ask(handle *held, int64_t cost, limen_reading *found)
{
	return (limen_store_take){ .table = held, .key = "k", .key_length = 1, .amount = cost,
		                   .wait = -1, .reading = found };
}

/* A take, and what it must find. */
typedef struct step {
	limen_time now;
	int64_t cost;
	bool granted;
	int64_t remaining;
	limen_duration reset;
	limen_duration wait; /* of a refusal */
} step;

static void
follow_steps(const char *title, handle *held, const step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		limen_reading found;
		limen_store_take take = ask(held, steps[i].cost, &found);
		bool granted = take_batch(all, &take, 1, 0, steps[i].now) == LIMEN_PASS;

		plugin_assert(granted == steps[i].granted && found.remaining == steps[i].remaining &&
		                      found.reset == steps[i].reset &&
		                      (granted || take.wait == steps[i].wait),
		              __FILE__, __LINE__, "%s, step %zu: %d, %lld left, reset %lld, wait %lld",
		              title, i, granted, (long long)found.remaining,
		              (long long)found.reset, (long long)take.wait);
	}
}

#define FOLLOW(title, held, ...)                                                  \
	do {                                                                      \
		static const step steps[] = { __VA_ARGS__ };                      \
		follow_steps(title, held, steps, sizeof(steps) / sizeof(steps[0])); \
	} while (0)

static void
close_all(handle *held)
{
	table_close(all, held);
	tables_free(all);
}

/* Takes 'cost' for key number 'key' of 'held'. */
static limen_verdict
take_key(handle *held, int key, int64_t cost, limen_time now, limen_store_take *query)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", key);
	*query = ask(held, cost, NULL);
	query->key = text;
	query->key_length = strlen(text);
	return take_batch(all, query, 1, 0, now);
}

/* A quota of a day keeps what is used by more than half, and has no room for new keys then. */
static void
test_crowded(void)
{
	limen_table_spec spec = spec_of(LIMEN_METER_FIXED, 10, DAY);
	limen_store_take query;
	handle *held;

	start();
	all->capacity = 10;
	spec.eviction = LIMEN_EVICT_FULLEST;
	held = table_open(all, "e/t", &spec, NULL);
	for (int key = 0; key < 10; key++)
		CU_ASSERT_EQUAL(take_key(held, key, key == 5 ? 5 : 6, 0, &query), LIMEN_PASS);
	CU_ASSERT_EQUAL(take_key(held, 10, 6, 0, &query), LIMEN_PASS); /* in place of key 5 */
	CU_ASSERT_EQUAL(take_key(held, 11, 1, 0, &query), LIMEN_ERROR);
	CU_ASSERT_EQUAL(query.wait, TAKE_CROWDED);
	CU_ASSERT_EQUAL(take_key(held, 5, 1, DAY - 1, &query), LIMEN_ERROR);
	CU_ASSERT_EQUAL(take_key(held, 0, 4, 0, &query), LIMEN_PASS);
	CU_ASSERT_EQUAL(take_key(held, 0, 1, 0, &query), LIMEN_FAIL);
	for (int key = 20; key < 30; key++)
		CU_ASSERT_EQUAL(take_key(held, key, 10, DAY, &query), LIMEN_PASS);
	CU_ASSERT_EQUAL(take_key(held, 0, 1, DAY, &query), LIMEN_ERROR);
	close_all(held);
}

static void
test_fixed(void)
{
	handle *held;

	start();
	held = open_window(LIMEN_METER_FIXED, 5, MINUTE);
	FOLLOW("fixed", held,
	       { MINUTE - 1, 3, true, 2, 1, 0 },
	       { MINUTE - 1, 3, false, 2, 1, 1 },
	       /* Exactly kP is in the new period. */
	       { MINUTE, 3, true, 2, MINUTE, 0 },
	       { 2 * MINUTE - 1, 6, false, 2, 1, -1 },
	       /* Before the epoch, periods are aligned in the same way. */
	       { 2 * MINUTE, 5, true, 0, MINUTE, 0 },
	       /* Back by a second and by a month: the period of then stays over. */
	       { 2 * MINUTE - LIMEN_SECOND, 1, false, 0, MINUTE + LIMEN_SECOND,
	         MINUTE + LIMEN_SECOND },
	       { 2 * MINUTE - 30 * DAY, 1, false, 0, MINUTE + 30 * DAY, MINUTE + 30 * DAY },
	       { 3 * MINUTE, 0, true, 5, MINUTE, 0 });
	table_close(all, held);
	held = open_window(LIMEN_METER_FIXED, 2, MINUTE);
	FOLLOW("before the epoch", held, { -1, 2, true, 0, 1, 0 }, { -1, 1, false, 0, 1, 1 },
	       { 0, 1, true, 1, MINUTE, 0 });
	close_all(held);
}

static void
test_sliding(void)
{
	handle *held;

	start();
	held = open_window(LIMEN_METER_SLIDING, 10, MINUTE);
	FOLLOW("sliding", held,
	       { MINUTE - 1, 10, true, 0, MINUTE / 10 + 1, 0 },
	       { MINUTE, 1, false, 0, MINUTE / 10, MINUTE / 10 },
	       /* 10 * 54/60 counts: one less passes. */
	       { MINUTE + MINUTE / 10 - 1, 1, false, 0, 1, 1 },
	       { MINUTE + MINUTE / 10, 1, true, 0, MINUTE / 10, 0 },
	       { MINUTE + MINUTE / 2, 5, false, 4, 0, MINUTE / 10 },
	       { MINUTE + MINUTE / 2, 4, true, 0, MINUTE / 10, 0 },
	       /* The cost must wait for the next period: of 5 in this one 4/5 may count. */
	       { MINUTE + MINUTE / 2, 6, false, 0, MINUTE / 10, MINUTE / 2 + MINUTE / 5 },
	       { MINUTE + MINUTE / 2, 10, false, 0, MINUTE / 10, MINUTE / 2 + MINUTE },
	       { MINUTE + MINUTE / 2, 11, false, 0, MINUTE / 10, -1 },
	       { MINUTE, 1, false, 0, MINUTE / 2 + MINUTE / 10, MINUTE / 2 + MINUTE / 10 },
	       { MINUTE - LIMEN_SECOND, 0, true, 0, MINUTE / 2 + MINUTE / 10 + LIMEN_SECOND, 0 },
	       { 3 * MINUTE, 10, true, 0, MINUTE + MINUTE / 10, 0 });
	close_all(held);
}

static bool
take(handle *held, int64_t cost, limen_time now)
{
	limen_store_take take = ask(held, cost, NULL);

	return take_batch(all, &take, 1, 0, now) == LIMEN_PASS;
}

static int64_t
left(handle *held, limen_time now)
{
	limen_reading found;
	limen_store_take take = ask(held, 0, &found);

	CU_ASSERT_EQUAL(take_batch(all, &take, 1, LIMEN_TAKE_PEEK, now), LIMEN_PASS);
	return found.remaining;
}

static const limen_meter_kind kinds[] = { LIMEN_METER_FIXED, LIMEN_METER_SLIDING };

/* A cost returns to its period: the next one counts a share of it, later ones none. */
static void
test_given_back(void)
{
	for (size_t kind = 0; kind < 2; kind++) {
		for (int later = 0; later < 3; later++) {
			limen_store_take first;
			handle *held;

			start();
			held = open_window(kinds[kind], 10, MINUTE);
			first = ask(held, 3, NULL);
			CU_ASSERT_EQUAL(take_batch(all, &first, 1, 0, MINUTE), LIMEN_PASS);
			CU_ASSERT_TRUE(take(held, 3, (1 + later) * MINUTE));
			take_settle(all, &first, 1);
			CU_ASSERT_EQUAL(left(held, (1 + later) * MINUTE), 7);
			close_all(held);
		}
	}
}

/* N is no part of what identifies a table: a reload keeps what was used. */
static void
test_other_limit(void)
{
	for (size_t kind = 0; kind < 2; kind++) {
		handle *first, *second, *other;

		start();
		first = open_window(kinds[kind], 40, MINUTE);
		CU_ASSERT_TRUE(take(first, 40, 0) && !take(first, 1, 0));
		second = open_window(kinds[kind], 41, MINUTE);
		other = open_window(kinds[kind], 41, MINUTE + 1);
		CU_ASSERT_PTR_EQUAL(second->table, first->table);
		CU_ASSERT_PTR_NOT_EQUAL(other->table, first->table);
		CU_ASSERT_TRUE(take(second, 1, 0) && !take(second, 1, 0) && !take(first, 1, 0));
		CU_ASSERT_EQUAL(left(other, 0), 41);
		table_close(all, first);
		/* With a lower N nothing is left, and a cost of 0 passes. */
		first = open_window(kinds[kind], 5, MINUTE);
		CU_ASSERT_EQUAL(left(first, 0), 0);
		CU_ASSERT_TRUE(take(first, 0, 0) && !take(first, 1, 0));
		table_close(all, first);
		table_close(all, other);
		close_all(second);
	}
}

static void
test_extremes(void)
{
	static const limen_time times[] = { INT64_MIN, -1, 0, INT64_MAX - 1, INT64_MAX };

	for (size_t kind = 0; kind < 2; kind++) {
		for (size_t i = 0; i < 5; i++) {
			static const limen_duration periods[] = { 1, INT64_MAX };

			for (size_t p = 0; p < 2; p++) {
				handle *held;

				start();
				held = open_window(kinds[kind], INT64_MAX, periods[p]);
				CU_ASSERT_TRUE(take(held, INT64_MAX, times[i]));
				CU_ASSERT_FALSE(take(held, 1, times[i]));
				close_all(held);
			}
		}
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "fixed windows", test_fixed },
		{ "sliding windows", test_sliding },
		{ "what is given back returns to its period", test_given_back },
		{ "another N keeps what was used", test_other_limit },
		{ "extreme times and numbers", test_extremes },
		{ "quotas that are used by more than half are kept", test_crowded },
		{ NULL, NULL },
	};

	return suite_run("plugins/store/memory windows", tests);
}
