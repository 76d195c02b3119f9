/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bucket.c - allocates buckets from slabs and keeps freed ones for reuse.  The pool owns the
 * slabs, which grow with the table.  Keys longer than 66 bytes are allocated with malloc().
 */
#include "bucket.h"

#include <stdlib.h>
#include <string.h>

/*
 * Slabs grow with their table: a table of one bucket needs little, a large one few slabs,
 * of which one at most is not full.
 */
#define SLAB_LEAST ((size_t)4)
#define SLAB_DOUBLES ((size_t)512)
#define SLAB_SHARE 8
#define SLAB_MOST ((size_t)1 << 17)
/* Two cache lines: those that lie so come together, and slabs fill large pages. */
#define BUCKET_ALIGNMENT 128

typedef struct slab {
	struct slab *next;
	_Alignas(BUCKET_ALIGNMENT) bucket buckets[];
} slab;

_Static_assert(UINTPTR_MAX != UINT64_MAX || sizeof(bucket) == 128, "a bucket is two cache lines");
_Static_assert(LIMEN_KEY_MAX <= UINT16_MAX, "the length of a key fits");

/* Returns the buckets of the next slab: it doubles a small pool, and adds a share to a large. */
static size_t
choose_count(size_t count)
{
	size_t share = count / SLAB_SHARE;
	size_t pages;

	if (count < SLAB_LEAST)
		return SLAB_LEAST;
	if (share < SLAB_DOUBLES)
		return count < SLAB_DOUBLES ? count : SLAB_DOUBLES;
	if (share < PAGES_LARGE / sizeof(bucket))
		return share;
	/* As many buckets as fill as many large pages, one at least. */
	pages = (share < SLAB_MOST ? share : SLAB_MOST) * sizeof(bucket) / PAGES_LARGE;
	return (pages * PAGES_LARGE - sizeof(slab)) / sizeof(bucket);
}

static bool
add_slab(bucket_pool *pool)
{
	size_t count = choose_count(pool->made);
	slab *more = pages_alloc(BUCKET_ALIGNMENT, sizeof(*more) + count * sizeof(bucket));

	if (more == NULL)
		return false;
	more->next = pool->slabs;
	pool->slabs = more;
	pool->fresh = more->buckets;
	pool->fresh_count = count;
	pool->made += count;
	return true;
}

static bucket *
find_room(bucket_pool *pool)
{
	bucket *entry = pool->spare;

	if (entry != NULL) {
		pool->spare = entry->chained;
		return entry;
	}
	if (pool->fresh_count == 0 && !add_slab(pool))
		return NULL;
	pool->fresh_count--;
	return pool->fresh++;
}

static bool
set_key(bucket *entry, const bucket_key *key)
{
	char *copy = entry->key;

	entry->hash = (uint32_t)key->hash;
	entry->length = (uint16_t)key->length;
	if (key->length > BUCKET_KEY_ROOM) {
		copy = malloc(key->length);
		if (copy == NULL)
			return false;
		memcpy(entry->key, &copy, sizeof(copy));
	}
	memcpy(copy, key->text, key->length);
	return true;
}

bucket *
bucket_new(bucket_pool *pool, const bucket_key *key)
{
	bucket *entry = find_room(pool);

	if (entry == NULL || set_key(entry, key))
		return entry;
	entry->chained = pool->spare;
	pool->spare = entry;
	return NULL;
}

/* A key that does not stand in the bucket. */
static char *
long_key(const bucket *entry)
{
	char *text;

	memcpy(&text, entry->key, sizeof(text));
	return text;
}

void
bucket_free(bucket_pool *pool, bucket *entry)
{
	if (entry->length > BUCKET_KEY_ROOM)
		free(long_key(entry));
	entry->chained = pool->spare;
	pool->spare = entry;
}

const char *
bucket_key_text(const bucket *entry)
{
	return entry->length > BUCKET_KEY_ROOM ? long_key(entry) : entry->key;
}

bool
bucket_has_key(const bucket *entry, const bucket_key *key)
{
	return entry->hash == (uint32_t)key->hash && entry->length == key->length &&
	       memcmp(bucket_key_text(entry), key->text, key->length) == 0;
}

void
bucket_pool_close(bucket_pool *pool)
{
	while (pool->slabs != NULL) {
		slab *next = pool->slabs->next;

		free(pool->slabs);
		pool->slabs = next;
	}
}
