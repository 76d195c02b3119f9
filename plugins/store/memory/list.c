/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list.c - lists all buckets of a store that are not full.  Each lock is held for at most 64
 * chains at a time; the listing stops with a warning when the deadline passes.
 */
#include "list.h"

/* How many chains are looked at under one lock: some microseconds. */
#define PORTION 64

typedef struct listing {
	tables *all;
	limen_time now;
	int64_t deadline;
	bool (*each)(void *data, const limen_bucket *bucket);
	void *data;
	bool stopped;
	bool late;
} listing;

static void
show(listing *how, const table *of, const bucket *one)
{
	limen_bucket shown = {
		.size = sizeof(shown),
		.table = of->name,
		.key = bucket_key_text(one),
		.key_length = one->length,
		.tokens = (int64_t)of->rate.tokens,
		.period = (limen_duration)of->rate.period,
		.burst = of->rate.burst,
	};
	level now = one->level;

	level_fill(&now, &of->rate, how->now);
	shown.left = now.tokens;
	/* Decision time may be anything. */
	if (how->now > one->level.time &&
	    __builtin_sub_overflow(how->now, one->level.time, &shown.age))
		shown.age = INT64_MAX;
	if (shown.left < shown.burst)
		how->stopped = !how->each(how->data, &shown);
}

/* Shows what hangs on some heads from '*head' on, if there are any; the lock is held. */
static bool
show_portion(listing *how, const table *of, const shard *place, size_t *head)
{
	for (size_t i = 0; i < PORTION && *head <= place->mask; i++, (*head)++) {
		const bucket *one = place->heads[*head];

		for (; one != NULL && !how->stopped; one = one->chained)
			show(how, of, one);
	}
	return *head <= place->mask && !how->stopped;
}

/* The heads may become more in between: then some buckets are shown again. */
static void
show_shard(listing *how, const table *of, size_t index)
{
	pthread_mutex_t *lock = shard_lock(how->all, of, index);
	size_t head = 0;
	bool more = true;

	while (more && !how->late) {
		pthread_mutex_lock(lock);
		more = show_portion(how, of, &of->shards[index], &head);
		pthread_mutex_unlock(lock);
		how->late = more && limen_host_monotonic() > how->deadline;
	}
}

static void
show_table(listing *how, const table *of)
{
	for (size_t i = 0; i < of->shard_count && !how->stopped && !how->late; i++)
		show_shard(how, of, i);
}

int
list_buckets(tables *all, limen_time now, int64_t deadline,
             bool (*each)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag)
{
	listing how = { .all = all, .now = now, .deadline = deadline, .each = each, .data = data };
	table *one = table_next(all, NULL);

	while (one != NULL) {
		if (!how.stopped && !how.late)
			show_table(&how, one);
		one = table_next(all, one);
	}
	if (how.late)
		limen_diag_add(diag, LIMEN_WARNING, limen_value_none(),
		               "there was no time to look at all buckets");
	return LIMEN_OK;
}
