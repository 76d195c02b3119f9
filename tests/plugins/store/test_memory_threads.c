/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that take from the same buckets take exactly what there is. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "../../../plugins/support/bucket/table.h"
#include "suite.h"

enum {
	THREADS = 8,
	CALLS = 20000,
	BURST = 50000
};

typedef struct worker {
	pthread_t thread;
	tables *all;
	handle *one;
	handle *two;
	atomic_long *clock;
	long taken;
	long given;
} worker;

/* Takes from one bucket of both tables, and gives every fifth back. */
static void *
run(void *data)
{
	worker *self = data;

	for (int i = 0; i < CALLS; i++) {
		limen_time now = atomic_fetch_add(self->clock, 1);
		limen_store_take batch[2] = {
			{ .table = self->one, .key = "k", .key_length = 1, .amount = 1 },
			{ .table = self->two, .key = "k", .key_length = 1, .amount = 1 },
		};

		if (take_batch(self->all, batch, 2, LIMEN_TAKE_ALL, now) != LIMEN_PASS)
			continue;
		self->taken++;
		if (i % 5 != 0)
			continue;
		take_settle(self->all, batch, 2);
		self->given++;
	}
	return NULL;
}

static int64_t
tokens(handle *held)
{
	bucket *const *head = held->table->shards[0].heads;

	while (*head == NULL)
		head++;
	return (*head)->state.level.tokens;
}

/* With hardly any refill while it runs, what is taken and what is left are the burst. */
static void
test_exact(void)
{
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 1,
		                        .period = INT64_MAX, .burst = BURST };
	tables *all = tables_new();
	atomic_long clock = 0;
	worker workers[THREADS];
	handle *one, *two;
	long taken = 0;
	long given = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(all);
	all->capacity = 16;
	one = table_open(all, "a/t", &spec, NULL);
	two = table_open(all, "b/t", &spec, NULL);
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (worker){ .all = all, .one = one, .two = two, .clock = &clock };
		CU_ASSERT_EQUAL_FATAL(pthread_create(&workers[i].thread, NULL, run, &workers[i]),
		                      0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		taken += workers[i].taken;
		given += workers[i].given;
	}
	CU_ASSERT_EQUAL(tokens(one), BURST - taken + given);
	CU_ASSERT_EQUAL(tokens(two), BURST - taken + given);
	CU_ASSERT(taken >= BURST);
	table_close(all, one);
	table_close(all, two);
	tables_free(all);
}

/* Every thread with keys of its own in a table in parts, far more than there is room. */
static void *
run_evicting(void *data)
{
	worker *self = data;

	for (int i = 0; i < CALLS; i++) {
		char key[2 * sizeof(int)];
		limen_store_take batch[2] = {
			{ .table = self->one, .key = key, .key_length = sizeof(int), .amount = 1 },
			{ .table = self->one, .key = key, .key_length = sizeof(key), .amount = 1 },
		};

		memcpy(key, &i, sizeof(i));
		memcpy(key + sizeof(i), &self->given, sizeof(i));
		if (take_batch(self->all, batch, 2, LIMEN_TAKE_ALL, i) == LIMEN_PASS)
			self->taken++;
	}
	return NULL;
}

static void
test_parts(void)
{
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 1,
		                        .period = 1, .burst = THREADS, .capacity = 5000 };
	tables *all = tables_new();
	worker workers[THREADS];
	handle *held;

	CU_ASSERT_PTR_NOT_NULL_FATAL(all);
	all->approximate = true;
	held = table_open(all, "a/t", &spec, NULL);
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (worker){ .all = all, .one = held, .given = i };
		CU_ASSERT_EQUAL_FATAL(pthread_create(&workers[i].thread, NULL, run_evicting,
		                                     &workers[i]),
		                      0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		/* No bucket is asked more often than it holds tokens. */
		CU_ASSERT_EQUAL(workers[i].taken, CALLS);
	}
	for (size_t i = 0; i < held->table->shard_count; i++)
		CU_ASSERT(held->table->shards[i].count <= 5000 / 16 + 1);
	table_close(all, held);
	tables_free(all);
}

typedef struct window_worker {
	pthread_t thread;
	tables *all;
	handle *held;
	atomic_long *clock;
	long taken;
} window_worker;

static void *
run_window(void *data)
{
	window_worker *self = data;

	for (int i = 0; i < CALLS; i++) {
		limen_store_take take = { .table = self->held, .key = "k", .key_length = 1,
			                  .amount = 1 };

		self->taken += take_batch(self->all, &take, 1, 0, atomic_fetch_add(self->clock, 1)) ==
		               LIMEN_PASS;
	}
	return NULL;
}

static void
find_thousand(const void *calendar, limen_time time, limen_period *out)
{
	(void)calendar;
	limen_period_aligned(1000, time, out);
}

/* In each period of 1000 calls 50 are granted at most. */
static void
test_windows(void)
{
	static const limen_table_spec specs[] = {
		{ .size = sizeof(specs[0]), .name = "t", .tokens = 50, .burst = 50, .period = 1000,
		  .kind = LIMEN_METER_FIXED },
		{ .size = sizeof(specs[0]), .name = "t", .tokens = 50, .burst = 50, .period = 1000,
		  .kind = LIMEN_METER_SLIDING },
		{ .size = sizeof(specs[0]), .name = "t", .tokens = 50, .burst = 50,
		  .kind = LIMEN_METER_CALENDAR, .unit = LIMEN_UNIT_DAY, .find_period = find_thousand },
	};

	for (size_t kind = 0; kind < sizeof(specs) / sizeof(specs[0]); kind++) {
		tables *all = tables_new();
		atomic_long clock = 0;
		window_worker workers[THREADS];
		long taken = 0;
		handle *held;

		CU_ASSERT_PTR_NOT_NULL_FATAL(all);
		all->capacity = 16;
		held = table_open(all, "a/t", &specs[kind], NULL);
		for (int i = 0; i < THREADS; i++) {
			workers[i] = (window_worker){ .all = all, .held = held, .clock = &clock };
			CU_ASSERT_EQUAL_FATAL(pthread_create(&workers[i].thread, NULL, run_window,
			                                     &workers[i]),
			                      0);
		}
		for (int i = 0; i < THREADS; i++) {
			pthread_join(workers[i].thread, NULL);
			taken += workers[i].taken;
		}
		CU_ASSERT(taken <= (atomic_load(&clock) / 1000 + 1) * 50);
		CU_ASSERT(taken >= 50);
		table_close(all, held);
		tables_free(all);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "eight threads at one bucket take what there is", test_exact },
		{ "eight threads in a table in parts", test_parts },
		{ "eight threads never admit more than a window does", test_windows },
		{ NULL, NULL },
	};

	return suite_run("plugins/store/memory threads", tests);
}
