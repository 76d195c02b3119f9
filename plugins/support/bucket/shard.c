/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shard.c - finds buckets in a chained hash table and evicts the least recently used.  A shard
 * owns its buckets, its chains and its LRU list; the caller holds the lock.
 */
#include "shard.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"

#define HEADS_LEAST 8
/* Cap on heads: setting up more at once costs more than longer chains do. */
#define HEADS_MOST ((size_t)1 << 20)
/* Evictions per new bucket: after a reload the table may have to shrink. */
#define EVICT_MOST 4

static bucket **
make_heads(size_t count)
{
	bucket **heads = pages_alloc(_Alignof(max_align_t), count * sizeof(*heads));

	return heads == NULL ? NULL : memset(heads, 0, count * sizeof(*heads));
}

bool
shard_open(shard *one)
{
	*one = (shard){ .mask = HEADS_LEAST - 1 };
	one->heads = make_heads(HEADS_LEAST);
	return one->heads != NULL;
}

void
shard_close(shard *one)
{
	while (one->newest != NULL) {
		bucket *next = one->newest->older;

		bucket_free(&one->pool, one->newest);
		one->newest = next;
	}
	bucket_pool_close(&one->pool);
	free(one->heads);
}

static bucket **
head_of(const shard *one, uint32_t hash)
{
	return &one->heads[hash & one->mask];
}

/* Doubles the heads, to keep chains short.  Without memory the old heads stay. */
static void
grow(shard *one)
{
	size_t count = (one->mask + 1) * 2;
	bucket **heads = count > HEADS_MOST ? NULL : make_heads(count);

	if (heads == NULL)
		return;
	free(one->heads);
	one->heads = heads;
	one->mask = count - 1;
	for (bucket *next = one->newest; next != NULL; next = next->older) {
		bucket **head = head_of(one, next->hash);

		next->chained = *head;
		*head = next;
	}
}

static void
put_first(shard *one, bucket *which)
{
	which->newer = NULL;
	which->older = one->newest;
	if (one->newest == NULL)
		one->oldest = which;
	else
		one->newest->newer = which;
	one->newest = which;
}

static void
take_out(shard *one, const bucket *which)
{
	if (which->newer == NULL)
		one->newest = which->older;
	else
		which->newer->older = which->older;
	if (which->older == NULL)
		one->oldest = which->newer;
	else
		which->older->newer = which->newer;
}

static void
evict(shard *one)
{
	bucket *which = one->oldest;
	bucket **link = head_of(one, which->hash);

	while (*link != which)
		link = &(*link)->chained;
	*link = which->chained;
	take_out(one, which);
	bucket_free(&one->pool, which);
	one->count--;
	one->evictions++;
}

bucket *
shard_find(const shard *one, const bucket_key *key)
{
	bucket *next = *head_of(one, (uint32_t)key->hash);

	while (next != NULL && !bucket_has_key(next, key))
		next = next->chained;
	return next;
}

static bucket *
add(shard *one, const bucket_key *key, const limen_level *fresh)
{
	bucket *made = bucket_new(&one->pool, key);
	bucket **head;

	/* Memory is exhausted: evict the oldest buckets to reuse theirs. */
	for (int i = 0; made == NULL && i < EVICT_MOST && one->count > 0; i++) {
		evict(one);
		made = bucket_new(&one->pool, key);
	}
	if (made == NULL)
		return NULL;
	if (one->count > one->mask)
		grow(one);
	head = head_of(one, made->hash);
	made->chained = *head;
	*head = made;
	made->level = *fresh;
	made->birth = one->births++;
	put_first(one, made);
	one->count++;
	return made;
}

bucket *
shard_use(shard *one, const bucket_key *key, uint64_t capacity, const limen_level *fresh)
{
	bucket *found = shard_find(one, key);

	if (found != NULL && found != one->newest) {
		take_out(one, found);
		put_first(one, found);
	}
	if (found != NULL)
		return found;
	for (int i = 0; i < EVICT_MOST && one->count >= capacity; i++)
		evict(one);
	return add(one, key, fresh);
}
