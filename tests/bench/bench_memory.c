/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_memory.c - what a batch of takes costs in the store "memory".  The goal
 * is 90 ns for two takes with keys of 66 bytes among 1000.
 *
 *	make tests/bench/bench_memory && tests/bench/bench_memory
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../plugins/store/memory/take.h"

enum {
	KEY_LENGTH = 66,
	CALLS = 100000,
	ROUNDS = 50,
	BATCH = 2,
	STEP = 100 /* microseconds from one batch to the next: most takes are granted */
};

typedef struct setting {
	const char *about;
	size_t keys;
	uint64_t capacity;
	bool approximate;
} setting;

static double
read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static char *
make_keys(size_t count)
{
	char *keys = malloc(count * (KEY_LENGTH + 1));

	for (size_t i = 0; keys != NULL && i < count; i++)
		snprintf(&keys[i * (KEY_LENGTH + 1)], KEY_LENGTH + 1,
		         "controller-manager/node-17.example/Pod/default/%0*u", 19, (unsigned)i);
	return keys;
}

/* Keys in an order that no cache foresees. */
static const char **
make_order(const char *keys, size_t count)
{
	const char **order = malloc(CALLS * BATCH * sizeof(*order));
	uint64_t state = 88172645463325252U;

	for (size_t i = 0; order != NULL && i < CALLS * BATCH; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		order[i] = &keys[state % count * (KEY_LENGTH + 1)];
	}
	return order;
}

static void
run_round(tables *all, handle *held, const char *const *order, limen_time now)
{
	for (size_t call = 0; call < CALLS; call++) {
		limen_store_take takes[BATCH];

		for (size_t i = 0; i < BATCH; i++)
			takes[i] = (limen_store_take){
				.table = held,
				.key = *order++,
				.key_length = KEY_LENGTH,
				.amount = 1,
			};
		take_batch(all, takes, BATCH, 0, now + (limen_time)call * STEP);
	}
}

static void
measure(const setting *what)
{
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 50,
		                        .period = LIMEN_SECOND, .burst = 100,
		                        .capacity = what->capacity };
	tables *all = tables_new();
	char *keys = make_keys(what->keys);
	const char **order = keys == NULL ? NULL : make_order(keys, what->keys);
	double best = 1e300;
	handle *held;

	if (all == NULL || order == NULL)
		abort();
	all->approximate = what->approximate;
	held = table_open(all, "bench/t", &spec, NULL);
	for (int round = 0; round < ROUNDS; round++) {
		double start = read_clock();

		run_round(all, held, order, (limen_time)round * CALLS * STEP);
		start = read_clock() - start;
		best = start < best ? start : best;
	}
	printf("%-40s %6.1f ns a batch of %d\n", what->about, best / CALLS, BATCH);
	table_close(all, held);
	tables_free(all);
	free(order);
	free(keys);
}

int
main(void)
{
	static const setting settings[] = {
		{ "1000 keys", 1000, 4096, false },
		{ "8192 keys, room for 4096", 8192, 4096, false },
		{ "1000000 keys", 1000000, 1000000, false },
		{ "1000000 keys, approximate order", 1000000, 1000000, true },
	};

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		measure(&settings[i]);
	return 0;
}
