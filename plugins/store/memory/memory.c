/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - the store that keeps buckets in the memory of the process.
 */
#include <limen/module.h>
#include <limen/version.h>
#include <string.h>

#include "../../support/bucket/table.h"

enum order {
	ORDER_STRICT = 0,
	ORDER_APPROXIMATE = 1
};

struct memory {
	int64_t capacity;
	int order;
	tables *tables;
};

static const char *const orders[] = { "strict", "approximate", NULL };

static const limen_option options[] = {
	LIMEN_OPT_INT(struct memory, capacity, .key = "capacity", .minimum = 1,
	              .maximum = INT64_C(1) << 32, .fallback = "65536",
	              .help = "The maximum number of buckets of a table, unless its limit sets "
	                      "one"),
	LIMEN_OPT_ENUM(struct memory, order, .key = "lru", .choices = orders,
	               .fallback = "strict",
	               .help = "Which bucket is evicted: the least recently used, or, in tables "
	                       "of more than 4096, approximately that"),
	LIMEN_OPT_END
};

static int
open_memory(void *self, limen_opening *opening, limen_diag *diag)
{
	struct memory *memory = self;

	(void)diag;
	memory->tables = tables_new();
	if (memory->tables == NULL)
		return LIMEN_ENOMEM;
	memory->tables->host = limen_opening_host(opening);
	memory->tables->capacity = (uint64_t)memory->capacity;
	memory->tables->approximate = memory->order == ORDER_APPROXIMATE;
	return LIMEN_OK;
}

static void
close_memory(void *self)
{
	tables_free(((struct memory *)self)->tables);
}

static int
open_table(void *self, limen_opening *opening, const char *name, const limen_table_spec *spec,
           void **out, limen_diag *diag)
{
	handle *opened = table_open(((struct memory *)self)->tables, name, spec, diag);

	(void)opening;
	*out = opened;
	return opened == NULL ? LIMEN_ENOMEM : LIMEN_OK;
}

static void
close_table(void *self, void *opened)
{
	table_close(((struct memory *)self)->tables, opened);
}

static void
explain(const limen_store_take *takes, size_t count, limen_reply *reply)
{
	bool crowded = false;

	for (size_t i = 0; i < count; i++)
		crowded = crowded || takes[i].wait == TAKE_CROWDED;
	if (crowded)
		limen_reply_retry_after(reply, TAKE_CROWDED);
	limen_reply_reason(reply, "%s", crowded ? "the table of quotas has no room for another key"
	                                        : limen_result_text(LIMEN_ENOMEM));
}

static limen_verdict
take(void *self, limen_store_take *takes, size_t count, unsigned flags, limen_time now,
     limen_deadline deadline, limen_reply *reply)
{
	limen_verdict verdict =
		take_batch(((struct memory *)self)->tables, takes, count, flags, now);

	(void)deadline;
	if (verdict == LIMEN_ERROR)
		explain(takes, count, reply);
	return verdict;
}

static void
give_back(void *self, const limen_store_take *takes, size_t count, limen_time now)
{
	(void)now;
	take_settle(((struct memory *)self)->tables, takes, count);
}

static void
table_status(void *self, void *opened, limen_builder *build)
{
	table_report(((struct memory *)self)->tables, opened, build);
}

/*
 * ---- all buckets that are not full, in small portions, so that takes do not wait for long ----
 */

/* Chains listed while a lock is held, which takes some microseconds. */
#define PORTION 64

typedef struct listing {
	tables *all;
	limen_time now;
	limen_time wall; /* the same by the system's clock, which windows go by */
	limen_deadline deadline;
	bool (*each)(void *data, const limen_bucket *bucket);
	void *data;
	bool resets; /* what 'each' returns true for, instead of going on */
	bool stopped;
	bool late;
} listing;

static void
show(listing *listed, const table *owner, shard *place, bucket *entry)
{
	limen_meter meter = owner->meter;
	limen_bucket shown = {
		.size = sizeof(shown),
		.table = owner->name,
		.key = bucket_key_text(entry),
		.key_length = entry->length,
		.keys = owner->keys,
		.refused = entry->refusals,
	};

	meter.rate.burst = atomic_load(&owner->quota);
	if (meter.kind != LIMEN_METER_TOKEN)
		meter.rate.tokens = (uint64_t)meter.rate.burst;
	limen_meter_show(&meter, entry->state,
	                 meter.kind == LIMEN_METER_TOKEN ? listed->now : listed->wall, &shown);
	memcpy(shown.state, entry->state.words, sizeof(shown.state));
	if (shown.left >= shown.burst)
		return;
	if (!listed->resets)
		listed->stopped = !listed->each(listed->data, &shown);
	else if (listed->each(listed->data, &shown))
		shard_reset(place, entry, &meter, listed->now);
}

/* Shows what hangs on some heads from '*head' on, if there are any; the lock is held. */
static bool
show_portion(listing *listed, const table *owner, shard *place, size_t *head)
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
show_shard(listing *listed, table *owner, size_t index)
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

static int
show_all(listing *listed, limen_diag *diag)
{
	table *next = table_next(listed->all, NULL);

	listed->wall = limen_host_wall_time();
	while (next != NULL) {
		for (size_t i = 0; i < next->shard_count && !listed->stopped && !listed->late; i++)
			show_shard(listed, next, i);
		next = table_next(listed->all, next);
	}
	if (listed->late)
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, limen_value_none(),
		               "the timeout passed before all buckets were read");
	return LIMEN_OK;
}

static int
each_bucket(void *self, limen_time now, limen_deadline deadline,
            bool (*each)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag)
{
	listing listed = {
		.all = ((struct memory *)self)->tables, .now = now, .deadline = deadline,
		.each = each, .data = data
	};

	return show_all(&listed, diag);
}

/* A bucket that is looked at again because its table grew is full by then. */
static int
reset_buckets(void *self, limen_time now, limen_deadline deadline,
              bool (*chosen)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag)
{
	listing listed = {
		.all = ((struct memory *)self)->tables, .now = now, .deadline = deadline,
		.each = chosen, .data = data, .resets = true
	};

	return show_all(&listed, diag);
}

static int
restore(void *self, const limen_bucket *saved, limen_time now)
{
	return table_restore(((struct memory *)self)->tables, saved, now);
}

LIMEN_STORE("memory",
	.version = LIMEN_VERSION,
	.summary = "Keeps buckets in the memory of the process",
	.flags = LIMEN_MODULE_WINDOWS,
	.options = options,
	.instance_size = sizeof(struct memory),
	.open = open_memory,
	.close = close_memory,
	.open_table = open_table,
	.close_table = close_table,
	.take = take,
	.give_back = give_back,
	.table_status = table_status,
	.each_bucket = each_bucket,
	.reset_buckets = reset_buckets,
	.restore = restore);
