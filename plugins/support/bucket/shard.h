/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shard.h - buckets by key, of which the least recently used is evicted first, or the fullest
 * of some of these.
 *
 * While there is room, a take only numbers its bucket.  At the first eviction the buckets are
 * sorted by these numbers, and from then on each take moves its bucket to the end of a list.
 * A shard with room for all keys so never writes to the neighbours of a bucket, which are in
 * no cache, or in that of another processor.
 *
 * A table has one shard or, if it is large and need not keep that order exactly, several.
 * The caller holds the lock.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_SHARD_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_SHARD_H

#include "bucket.h"
#include "spin.h"

/* A shard's meter, and how many buckets it may have. */
typedef struct shard_rules {
	const limen_meter *meter;
	uint64_t capacity;
	bool evicts_fullest; /* of SHARD_OLDEST buckets, and not the oldest */
	bool keeps_used;     /* evicts none with less than half of its quota left */
} shard_rules;

#define SHARD_OLDEST 8

typedef struct shard {
	bucket **heads; /* of chains, by hash */
	size_t mask;    /* their number less one */
	size_t count;
	bool in_order; /* then the list is there */
	bucket *newest;
	bucket *oldest;
	bucket_pool pool;
	uint32_t births;
	/* For operators. */
	uint64_t takes;
	uint64_t evictions;
	bool forgot; /* evicted a bucket that was not full, though it looked for a full one */
	uint64_t refusals;
} shard;

/* Returns false when memory is short. */
bool shard_open(shard *place);
void shard_close(shard *place);

/* Returns the bucket of 'key', or NULL. */
bucket *shard_find(const shard *place, const bucket_key *key);

/*
 * Counts a take.  Returns the bucket of 'key', now the most recently used.  A missing bucket is
 * made, with nothing used; others are evicted at the capacity or when memory is short.  NULL if
 * none may be evicted, or memory is still short then.
 */
bucket *shard_use(shard *place, const bucket_key *key, const shard_rules *rules, limen_time now);

/* Forgets what a bucket has used: what was taken before is not given back to it. */
void shard_reset(shard *place, bucket *entry, const limen_meter *meter, limen_time now);

#endif
