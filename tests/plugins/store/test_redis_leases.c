/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_redis_leases.c - leases that are emptied, as when Redis goes away, while
 * decisions still give back what they took.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../../../plugins/store/redis/modes.h"
#include "suite.h"

enum {
	THREADS = 3,
	DROPS = 3000,
	KEYS = 64
};

typedef struct giver {
	pthread_t thread;
	leases *all;
	table_spec *table;
	atomic_bool *stop;
} giver;

static table_spec *
make_table(void)
{
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 1,
		                        .period = LIMEN_SECOND, .burst = 100 };
	table_spec *table = table_spec_new("limen:", "limits/a/t", &spec, NULL);

	CU_ASSERT_FATAL(table != NULL);
	return table;
}

/* Gives back what a lease that is gone had granted, as decisions do that began before. */
static void *
give(void *data)
{
	giver *self = data;

	for (unsigned i = 0; !atomic_load(self->stop); i++) {
		char key = (char)(i % KEYS);
		limen_store_take take = { .table = self->table, .key = &key, .key_length = 1,
			                  .amount = 1 };

		leases_give(self->all, &take);
	}
	return NULL;
}

/* Leases of one Redis, which are reported by nobody. */
static bool
open_leases(leases *all, nodes *masters, node *only)
{
	static settings options = { .capacity = 65536, .lease_least = 1, .lease_most = 100 };

	*only = (node){ .wake = eventfd(0, EFD_NONBLOCK) };
	*masters = (nodes){ .options = &options, .list = { only } };
	return only->wake >= 0 && leases_open(all, masters);
}

/* As whoever asks Redis does with all that is queued: each is granted some. */
static void
drain(leases *all)
{
	lease *one;

	while ((one = leases_next(all, all->nodes->list[0])) != NULL) {
		pthread_mutex_lock(&all->lock);
		CU_ASSERT_TRUE(one->queued);
		one->queued = false;
		one->held = 1;
		pthread_mutex_unlock(&all->lock);
	}
}

static bool
check_empty(void *data, lease *one)
{
	(void)data;
	CU_ASSERT_EQUAL(one->held, 0);
	CU_ASSERT_EQUAL(one->used, 0);
	CU_ASSERT_EQUAL(one->told, 0);
	CU_ASSERT_FALSE(one->in_flight);
	return true;
}

/* A lease that is queued while all are emptied is still there when its turn comes, and is empty. */
static void
test_empty_while_given(void)
{
	atomic_bool stop = false;
	giver givers[THREADS];
	leases all;
	nodes masters;
	node all_at;
	table_spec *table = make_table();

	CU_ASSERT_FATAL(open_leases(&all, &masters, &all_at));
	for (size_t i = 0; i < THREADS; i++) {
		givers[i] = (giver){ .all = &all, .table = table, .stop = &stop };
		CU_ASSERT_FATAL(pthread_create(&givers[i].thread, NULL, give, &givers[i]) == 0);
	}
	for (int i = 0; i < DROPS; i++) {
		leases_empty(&all, &all_at);
		leases_each(&all, check_empty, NULL);
		drain(&all);
	}
	atomic_store(&stop, true);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(givers[i].thread, NULL);
	drain(&all);
	leases_empty(&all, &all_at);
	leases_each(&all, check_empty, NULL);
	CU_ASSERT_EQUAL(atomic_load(&all.count), KEYS);
	leases_close(&all);
	close(all_at.wake);
	table_spec_unref(table);
}

static void
check_reading(leases *all, table_spec *table, unsigned flags, int64_t remaining)
{
	limen_reading found = { .quota = -1, .remaining = -1, .reset = -1 };
	limen_store_take take = { .table = table, .key = "k", .key_length = 1, .amount = 1,
		                  .reading = &found };
	limen_verdict verdict;

	CU_ASSERT_TRUE(leases_take(all, &take, 1, flags, &verdict));
	CU_ASSERT_EQUAL(found.quota, remaining < 0 ? -1 : 100);
	CU_ASSERT_EQUAL(found.remaining, remaining);
	CU_ASSERT(remaining < 0 ? found.reset == -1
	                        : found.reset > 0 && found.reset <= LIMEN_SECOND * 86400 + 1);
}

static bool
tell_level(void *data, lease *entry)
{
	const int64_t *level = data;

	entry->left = level[0];
	entry->left_since = limen_host_monotonic() / 1000 - level[1] * 86400 * LIMEN_SECOND;
	entry->held = level[2];
	entry->used = 0;
	entry->good_until = INT64_MAX;
	return true;
}

/* A bucket that gains a token a day; what is held and not used is left, too. */
static void
test_reading(void)
{
	int64_t level[] = { 90, 0, 5 };
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 1,
		                        .period = 86400 * LIMEN_SECOND, .burst = 100 };
	table_spec *table = table_spec_new("limen:", "limits/a/t", &spec, NULL);
	leases all;
	nodes masters;
	node all_at;

	CU_ASSERT_FATAL(table != NULL && open_leases(&all, &masters, &all_at));
	atomic_store(&all_at.leases, true);
	check_reading(&all, table, 0, -1);
	leases_each(&all, tell_level, level);
	check_reading(&all, table, LIMEN_TAKE_PEEK, 95);
	check_reading(&all, table, 0, 94);
	check_reading(&all, table, 0, 93);
	/* Redis refills what it lacks meanwhile, and not what is leased. */
	level[1] = 3;
	leases_each(&all, tell_level, level);
	check_reading(&all, table, 0, 97);
	level[1] = 50;
	leases_each(&all, tell_level, level);
	check_reading(&all, table, 0, 99);
	leases_empty(&all, &all_at);
	check_reading(&all, table, 0, -1);
	leases_close(&all);
	close(all_at.wake);
	table_spec_unref(table);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "leases are emptied while tokens are given back", test_empty_while_given },
		{ "leases tell what is left", test_reading },
		{ NULL, NULL },
	};

	return suite_run("redis, leases", tests);
}
