/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_memory.c - what a batch of takes costs in the store "memory", keys of 66 bytes,
 * and the memory of its buckets.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../plugins/support/bucket/table.h"
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
	limen_meter_kind kind;
} setting;

typedef struct work {
	tables *all;
	handle *held;
	uint32_t *order; /* numbers of keys, as no cache foresees them */
	size_t batch;
	size_t next;
	limen_time now;
} work;

static uint32_t *
make_order(size_t count)
{
	uint32_t *order = malloc(ORDER * sizeof(*order));
	uint64_t state = 88172645463325252U;

	if (order == NULL)
		bench_die("out of memory");
	for (size_t i = 0; i < ORDER; i++)
		order[i] = (uint32_t)(bench_random(&state) % count);
	return order;
}

/* Writes a key as limits do, for one take: it is in the caches, unlike its bucket. */
static void
write_key(char key[KEY_LENGTH], uint32_t number)
{
	static const char start[KEY_LENGTH + 1] = "controller-manager/node-17.example/Pod/default/"
					      "0000000000000000000";

	memcpy(key, start, KEY_LENGTH);
	for (char *digit = key + KEY_LENGTH; number > 0; number /= 10)
		*--digit = (char)('0' + number % 10);
}

static void
take(void *data, size_t calls)
{
	work *run = data;

	for (size_t call = 0; call < calls; call++) {
		limen_store_take takes[BATCH_MAX];
		char keys[BATCH_MAX][KEY_LENGTH];

		for (size_t i = 0; i < run->batch; i++) {
			write_key(keys[i], run->order[run->next]);
			takes[i] = (limen_store_take){
				.table = run->held,
				.key = keys[i],
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
fill(work *run, size_t count)
{
	char key[KEY_LENGTH];
	limen_store_take one = { .table = run->held,
		                 .key = key,
		                 .key_length = KEY_LENGTH,
		                 .amount = 1 };

	for (size_t i = 0; i < count; i++) {
		write_key(key, (uint32_t)i);
		take_batch(run->all, &one, 1, 0, run->now);
	}
}

/* What the system has given, not what was asked for: of large pages there may be more to ask for. */
static double
read_resident(void)
{
	FILE *in = fopen("/proc/self/statm", "re");
	long pages = 0;

	if (in != NULL && fscanf(in, "%*d %ld", &pages) != 1)
		pages = 0;
	if (in != NULL)
		fclose(in);
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void
measure_memory(const setting *what, work *run, size_t count)
{
	double before = read_resident();
	char name[96];

	fill(run, count);
	snprintf(name, sizeof(name), "%s, memory of a bucket", what->about);
	if (before > 0 && allocations_known() && count >= 100000)
		bench_figure(name, (read_resident() - before) / (double)count, "bytes",
		             BENCH_NO_GOAL);
}

/* Days of UTC. */
static void
find_day(const void *calendar, limen_time time, limen_period *out)
{
	(void)calendar;
	limen_period_aligned(86400 * LIMEN_SECOND, time, out);
}

static void
measure(const setting *what)
{
	bool dated = what->kind == LIMEN_METER_CALENDAR;
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t",
		                        .tokens = what->kind == LIMEN_METER_TOKEN ? 50 : 1 << 30,
		                        .period = dated ? 0 : LIMEN_SECOND, .burst = 100,
		                        .capacity = what->capacity, .kind = what->kind,
		                        .unit = dated ? LIMEN_UNIT_DAY : LIMEN_UNIT_NONE,
		                        .find_period = dated ? find_day : NULL };
	size_t count = bench_size(what->keys);
	work run = { .all = tables_new(), .batch = what->batch };

	/* Where buckets are not in a cache, instructions say little. */
	if (!bench_wants(what->about) || (bench_is_counting() && count > 10000))
		return;
	run.order = make_order(count);
	if (run.all == NULL)
		bench_die("out of memory");
	run.all->approximate = what->approximate;
	run.held = table_open(run.all, "bench/t", &spec, NULL);
	if (run.held == NULL)
		bench_die("out of memory");
	measure_memory(what, &run, count);
	bench_rows(&(bench_row){ .name = what->about, .run = take, .data = &run,
	                         .goal = what->goal }, 1);
	table_close(run.all, run.held);
	tables_free(run.all);
	free(run.order);
}

int
main(int argc, char **argv)
{
	static const setting settings[] = {
		{ "store: one take, 1000 keys", 1000, 1, 4096, false, 0, LIMEN_METER_TOKEN },
		{ "store: one take, 1000 keys, fixed", 1000, 1, 4096, false, 0, LIMEN_METER_FIXED },
		{ "store: one take, 1000 keys, calendar", 1000, 1, 4096, false, 0,
		  LIMEN_METER_CALENDAR },
		{ "store: 2 takes at once, 1000 keys", 1000, 2, 4096, false, 90, LIMEN_METER_TOKEN },
		{ "store: 4 takes at once, 1000 keys", 1000, 4, 4096, false, 150, LIMEN_METER_TOKEN },
		{ "store: 2 takes, 8192 keys, room for 4096", 8192, 2, 4096, false, 0,
		  LIMEN_METER_TOKEN },
		{ "store: one take, 1000000 keys", 1000000, 1, 1000000, false, 450,
		  LIMEN_METER_TOKEN },
		{ "store: one take, 1000000 keys, any order", 1000000, 1, 1000000, true, 450,
		  LIMEN_METER_TOKEN },
	};

	bench_start("bench_memory", argc, argv);
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		measure(&settings[i]);
	return bench_finish();
}
