/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list.c - lists all buckets of a store that are not full.  Each lock is held for at most 64
 * chains at a time; the listing stops with a warning when the deadline passes.
 */
#include "list.h"

/* Chains listed while a lock is held, which takes some microseconds. */
#define PORTION 64

typedef struct listing {
	tables *all;
	limen_time now;
	limen_deadline deadline;
	bool (*each)(void *data, const limen_bucket *bucket);
	void *data;
	bool stopped;
	bool late;
} listing;

static void
show(listing *listed, const table *owner, const shard *place, bucket *entry)
{
	limen_bucket shown = {
		.size = sizeof(shown),
		.table = owner->name,
		.key = bucket_key_text(entry),
		.key_length = entry->length,
	};

	limen_meter_show(&owner->meter, *shard_state(place, entry), listed->now, &shown);
	if (shown.left < shown.burst)
		listed->stopped = !listed->each(listed->data, &shown);
}

/* Shows what hangs on some heads from '*head' on, if there are any; the lock is held. */
static bool
show_portion(listing *listed, const table *owner, const shard *place, size_t *head)
{
	for (size_t i = 0; i < PORTION && *head <= place->mask; i++, (*head)++) {
		bucket *entry = place->heads[*head];

		for (; entry != NULL && !listed->stopped; entry = entry->chained)
			show(listed, owner, place, entry);
	}
	return *head <= place->mask && !listed->stopped;
}

/* The heads may become more in between: then some buckets are shown again. */
static void
show_shard(listing *listed, const table *owner, size_t index)
{
	spin_lock *lock = shard_lock(listed->all, owner, index);
	size_t head = 0;
	bool more = true;

	while (more && !listed->late) {
		spin_hold(lock);
		more = show_portion(listed, owner, &owner->shards[index], &head);
		spin_release(lock);
		listed->late = more && limen_host_monotonic() > listed->deadline;
	}
}

static void
show_table(listing *listed, const table *owner)
{
	for (size_t i = 0; i < owner->shard_count && !listed->stopped && !listed->late; i++)
		show_shard(listed, owner, i);
}

int
list_buckets(tables *all, limen_time now, limen_deadline deadline,
             bool (*each)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag)
{
	listing listed = {
		.all = all, .now = now, .deadline = deadline, .each = each, .data = data
	};
	table *next = table_next(all, NULL);

	while (next != NULL) {
		if (!listed.stopped && !listed.late)
			show_table(&listed, next);
		next = table_next(all, next);
	}
	if (listed.late)
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, limen_value_none(),
		               "the timeout passed before all buckets were read");
	return LIMEN_OK;
}
