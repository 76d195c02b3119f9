/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bucket.h - one bucket, and the memory buckets are made of: slabs that are
 * kept until the table is closed, so that a full table allocates nothing any
 * more, except for keys too long to stand in their bucket.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_BUCKET_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_BUCKET_H

#include <limen-sdk/meter.h>
#include <stddef.h>

/* The bytes of a key that the bucket itself holds. */
#define BUCKET_KEY_ROOM 66

/* Two cache lines; the first holds all that is looked at in passing. */
typedef struct bucket {
	struct bucket *chained; /* among those with the same head; spare ones: the next */
	struct bucket *newer;   /* asked for after it, in a shard that is in order */
	union {
		struct bucket *older;
		uint64_t used; /* in another one: the number of the take that asked last */
	};
	limen_meter_state state;
	uint32_t hash;
	uint32_t birth; /* tells it from an earlier bucket of the same key */
	uint32_t refusals; /* since then; no more are counted than it holds */
	uint16_t length;
	char key[BUCKET_KEY_ROOM]; /* or a pointer to a longer one */
} bucket;

/* The key of a bucket that is looked for. */
typedef struct bucket_key {
	const char *text;
	size_t length; /* at most LIMEN_KEY_MAX */
	uint64_t hash;
} bucket_key;

typedef struct bucket_pool {
	struct slab *slabs;
	bucket *spare;
	bucket *fresh; /* of the newest slab, never used so far */
	size_t fresh_count;
	size_t made; /* buckets in all slabs */
} bucket_pool;

/* Returns a bucket with 'key' and all else undefined, or NULL when memory is short. */
bucket *bucket_new(bucket_pool *pool, const bucket_key *key);
void bucket_free(bucket_pool *pool, bucket *entry);

/* The bytes of its key, 'length' of them. */
const char *bucket_key_text(const bucket *entry);

bool bucket_has_key(const bucket *entry, const bucket_key *key);

/* Frees all memory; every bucket has been given to bucket_free(). */
void bucket_pool_close(bucket_pool *pool);

/*
 * ---- pages.c: large pages where there is much memory.  Buckets are asked for in any order, and
 * with pages of 4 KB the address of nearly each has to be looked up in memory, too ----
 */

/* A large page, as most processors have them. */
#define PAGES_LARGE ((size_t)2 << 20)

/*
 * As aligned_alloc(), for any size; to be freed with free().  A size of PAGES_LARGE or more
 * is rounded up to a multiple of it.
 */
void *pages_alloc(size_t alignment, size_t size);

#endif
