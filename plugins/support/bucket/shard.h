/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shard.h - buckets by key, in LRU order: the least recently used is evicted first.
 *
 * A table has one shard or, if it is large and need not keep that order exactly, several.
 * The caller holds the lock.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_SHARD_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_SHARD_H

#include "bucket.h"

typedef struct shard {
	bucket **heads; /* of chains, by hash */
	size_t mask;    /* their number less one */
	bucket *newest;
	bucket *oldest;
	size_t count;
	bucket_pool pool;
	uint32_t births;
	/* For operators. */
	uint64_t evictions;
	uint64_t takes;
	uint64_t refusals;
} shard;

/* Returns false when memory is short. */
bool shard_open(shard *one);
void shard_close(shard *one);

/* Returns the bucket of 'key', or NULL. */
bucket *shard_find(const shard *one, const bucket_key *key);

/*
 * Returns the bucket of 'key' and makes it the most recently used.  A missing bucket is
 * made with the level 'fresh'; the oldest are evicted at 'capacity' or when memory is
 * short.  NULL if memory is still short then.
 */
bucket *shard_use(shard *one, const bucket_key *key, uint64_t capacity, const limen_level *fresh);

#endif
