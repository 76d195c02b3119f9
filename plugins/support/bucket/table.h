/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.h - the tables of a store, what they share, and their locks.
 *
 * A limit opens a handle.  Handles with the same name, meter and keys share one table, so
 * that a reload keeps the buckets; N of windows may differ.  Another meter makes another
 * table, and the policy in force keeps the old one.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_TABLE_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_TABLE_H

#include <limen/module.h>
#include <pthread.h>

#include "key_hash.h"
#include "shard.h"

/* The number of locks: a set of them is a word with one bit each. */
#define LOCK_COUNT 64

/* The shards of a large table whose order is approximate. */
#define TABLE_SHARDS 16

typedef struct table {
	struct table *next;
	char *name;
	char *keys; /* what keys are made of */
	limen_meter meter;
	atomic_llong quota; /* that of the handle opened last */
	size_t users; /* handles */
	atomic_bool warned; /* of an eviction of a bucket that was not full */
	atomic_bool crowded; /* a new key found no room since the log said so */
	_Atomic int64_t told; /* when it did, in limen_host_monotonic(); 0: never */
	unsigned first_lock; /* of shard 0; the others follow */
	size_t shard_count; /* a power of two */
	shard shards[];
} table;

typedef struct handle {
	table *table;
	limen_meter meter;
	shard_rules rules; /* of one shard */
	limen_period periods[TABLE_SHARDS]; /* of windows: the latest of each shard, guarded by its lock */
} handle;

/* The mutable state of a store. */
typedef struct tables {
	key_hash_seed seed;
	limen_host *host;  /* for the log; NULL: none */
	uint64_t capacity; /* where a limit names none */
	bool approximate;  /* the order of large tables need not be exact */
	pthread_mutex_t lock; /* of the list */
	table *list;
	spin_lock locks[LOCK_COUNT]; /* of shards */
} tables;

/* Returns NULL when memory is short. */
tables *tables_new(void);
void tables_free(tables *all); /* every handle has been closed; NULL is fine */

/* Notes in 'diag' if the new table does not take over existing buckets. */
handle *table_open(tables *all, const char *name, const limen_table_spec *spec, limen_diag *diag);
void table_close(tables *all, handle *opened);

/*
 * Iterates over the tables: returns the table after 'before' (NULL: the first) with a
 * reference, and drops that of 'before'; NULL after the last.
 */
table *table_next(tables *all, table *before);

/* As the method 'restore' of a store.  The table may grow above its capacity. */
int table_restore(tables *all, const limen_bucket *saved, limen_time now);

/* Returns the lock of shard 'index'. */
spin_lock *shard_lock(tables *all, const table *owner, size_t index);

/* Uses other bits of the hash than the choice of the chain. */
static inline size_t
table_shard_index(const table *owner, uint64_t hash)
{
	return (hash >> 48) & (owner->shard_count - 1);
}

/* The shard for a key of that hash, and which lock guards it. */
static inline shard *
table_shard(table *owner, uint64_t hash)
{
	return &owner->shards[table_shard_index(owner, hash)];
}

static inline unsigned
table_lock_of(const table *owner, uint64_t hash)
{
	return (owner->first_lock + (unsigned)table_shard_index(owner, hash)) % LOCK_COUNT;
}

/* Returns the period of 'now' for takes of a shard whose lock is held; NULL: of tokens. */
static inline const limen_period *
handle_period(handle *opened, size_t index, limen_time now)
{
	limen_period *period = &opened->periods[index];

	if (opened->meter.kind == LIMEN_METER_TOKEN)
		return NULL;
	if (now < period->begin || now >= period->end)
		limen_meter_period(&opened->meter, now, period);
	return period;
}

/*
 * Logs that a bucket was evicted that was not full, the first time, or that new keys find no room,
 * once a minute; no lock is held.
 */
void table_warn(const tables *all, const handle *opened);

void table_report(tables *all, const handle *opened, limen_builder *build);

/*
 * ---- take.c: batches of takes, each at once: all locks of a batch are held while it is
 * answered, and are taken in one order ----
 */

/* The wait of a take that ended with LIMEN_ERROR because a new key found no room. */
#define TAKE_CROWDED LIMEN_SECOND

/* Answers as the method 'take' of a store does. */
limen_verdict take_batch(tables *all, limen_store_take *takes, size_t count, unsigned flags,
                         limen_time now);

/* Gives back what was granted; a bucket that is gone, or was made anew, is left alone. */
void take_settle(tables *all, const limen_store_take *takes, size_t count);

#endif
