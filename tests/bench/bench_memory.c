/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_memory.c - what a batch of takes costs in the store "memory", keys of 66 bytes,
 * and the memory of its buckets.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../plugins/store/memory/take.h"
#include "allocations.h"
#include "harness.h"

enum {
	KEY_LENGTH = 66,
	ORDER = 1 << 18,
	BATCH_MAX = 4,
	STEP = 100 /* microseconds from one batch to the next: most takes are granted */
};

typedef struct setting {
	const char *about;
	size_t keys;
	size_t batch;
	uint64_t capacity;
	bool approximate;
	double goal;
} setting;

typedef struct work {
	tables *all;
	handle *held;
	const char **order; /* keys, as no cache foresees them */
	size_t batch;
	size_t next;
	limen_time now;
} work;

static char *
make_keys(size_t count)
{
	char *keys = malloc(count * (KEY_LENGTH + 1));

	if (keys == NULL)
		bench_die("out of memory");
	for (size_t i = 0; i < count; i++)
		snprintf(&keys[i * (KEY_LENGTH + 1)], KEY_LENGTH + 1,
		         "controller-manager/node-17.example/Pod/default/%019u", (unsigned)i);
	return keys;
}

static const char **
make_order(const char *keys, size_t count)
{
	const char **order = malloc(ORDER * sizeof(*order));
	uint64_t state = 88172645463325252U;

	if (order == NULL)
		bench_die("out of memory");
	for (size_t i = 0; i < ORDER; i++)
		order[i] = &keys[bench_random(&state) % count * (KEY_LENGTH + 1)];
	return order;
}

static void
take(void *data, size_t calls)
{
	work *run = data;

	for (size_t call = 0; call < calls; call++) {
		limen_store_take takes[BATCH_MAX];

		for (size_t i = 0; i < run->batch; i++) {
			takes[i] = (limen_store_take){
				.table = run->held,
				.key = run->order[run->next],
				.key_length = KEY_LENGTH,
				.amount = 1,
			};
			run->next = (run->next + 1) % ORDER;
		}
		take_batch(run->all, takes, run->batch, 0, run->now);
		run->now += STEP;
	}
}

/* Every key has a bucket before anything is measured. */
static void
fill(work *run, const char *keys, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		limen_store_take one = { .table = run->held,
			                 .key = &keys[i * (KEY_LENGTH + 1)],
			                 .key_length = KEY_LENGTH,
			                 .amount = 1 };

		take_batch(run->all, &one, 1, 0, run->now);
	}
}

static void
measure_memory(const setting *what, work *run, const char *keys, size_t count)
{
	struct mallinfo2 before = mallinfo2();
	struct mallinfo2 after;
	char name[96];

	fill(run, keys, count);
	after = mallinfo2();
	snprintf(name, sizeof(name), "%s, memory of a bucket", what->about);
	if (allocations_known() && count >= 100000)
		bench_figure(name,
		             (double)(after.uordblks + after.hblkhd - before.uordblks -
		                      before.hblkhd) / (double)count,
		             "bytes", BENCH_NO_GOAL);
}

static void
measure(const setting *what)
{
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 50,
		                        .period = LIMEN_SECOND, .burst = 100,
		                        .capacity = what->capacity };
	size_t count = bench_size(what->keys);
	work run = { .all = tables_new(), .batch = what->batch };
	char *keys;

	if (!bench_wants(what->about))
		return;
	keys = make_keys(count);
	run.order = make_order(keys, count);
	if (run.all == NULL)
		bench_die("out of memory");
	run.all->approximate = what->approximate;
	run.held = table_open(run.all, "bench/t", &spec, NULL);
	if (run.held == NULL)
		bench_die("out of memory");
	measure_memory(what, &run, keys, count);
	bench_rows(&(bench_row){ what->about, take, &run, what->goal, NULL, false }, 1);
	table_close(run.all, run.held);
	tables_free(run.all);
	free(run.order);
	free(keys);
}

int
main(int argc, char **argv)
{
	static const setting settings[] = {
		{ "store: one take, 1000 keys", 1000, 1, 4096, false, 0 },
		{ "store: 2 takes at once, 1000 keys", 1000, 2, 4096, false, 90 },
		{ "store: 4 takes at once, 1000 keys", 1000, 4, 4096, false, 150 },
		{ "store: 2 takes, 8192 keys, room for 4096", 8192, 2, 4096, false, 0 },
		{ "store: one take, 1000000 keys", 1000000, 1, 1000000, false, 450 },
		{ "store: one take, 1000000 keys, any order", 1000000, 1, 1000000, true, 450 },
	};

	bench_start("bench_memory", argc, argv);
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		measure(&settings[i]);
	return bench_finish();
}
