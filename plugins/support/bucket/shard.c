/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shard.c - finds buckets in a chained hash table and evicts them in order of use.  A shard
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
/* Lists that buckets are sorted into, by 8 bits of a number at a time. */
#define DIGIT_BITS 8
#define DIGITS (1 << DIGIT_BITS)
/* Evictions per new bucket: after a reload the table may have to shrink. */
#define EVICT_MOST 4

static uint64_t *
used_of(const shard *one, bucket *which)
{
	return which == one->common ? &one->beside->used : &which->used;
}

static bucket **
make_heads(size_t count)
{
	bucket **heads = pages_alloc(_Alignof(max_align_t), count * sizeof(*heads));

	return heads == NULL ? NULL : memset(heads, 0, count * sizeof(*heads));
}

bool
shard_open(shard *one)
{
	*one = (shard){ .mask = HEADS_LEAST - 1, .takes = &one->own_takes };
	one->heads = make_heads(HEADS_LEAST);
	return one->heads != NULL;
}

/* Makes a list of all buckets, in any order, and returns its first. */
static bucket *
list_all(const shard *one)
{
	bucket *list = NULL;

	for (size_t i = 0; i <= one->mask; i++) {
		for (bucket *next = one->heads[i]; next != NULL; next = next->chained) {
			next->newer = list;
			list = next;
		}
	}
	return list;
}

void
shard_close(shard *one)
{
	bucket *all = list_all(one);

	while (all != NULL) {
		bucket *next = all->newer;

		bucket_free(&one->pool, all);
		all = next;
	}
	bucket_pool_close(&one->pool);
	free(one->heads);
}

static bucket **
head_of(const shard *one, uint32_t hash)
{
	return &one->heads[hash & one->mask];
}

static void
chain(shard *one, bucket *which)
{
	bucket **head = head_of(one, which->hash);

	which->chained = *head;
	*head = which;
}

/* Doubles the heads, to keep chains short.  Without memory the old heads stay. */
static void
grow(shard *one)
{
	size_t before = one->mask + 1;
	bucket **heads = 2 * before > HEADS_MOST ? NULL : make_heads(2 * before);
	bucket **old = one->heads;

	if (heads == NULL)
		return;
	one->heads = heads;
	one->mask = 2 * before - 1;
	for (size_t i = 0; i < before; i++) {
		while (old[i] != NULL) {
			bucket *next = old[i];

			old[i] = next->chained;
			chain(one, next);
		}
	}
	free(old);
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

/* Sorts a list by the numbers of the takes, of which 'last' is the largest. */
static bucket *
sort(bucket *list, uint64_t last)
{
	for (unsigned shift = 0; shift < 64 && last >> shift != 0; shift += DIGIT_BITS) {
		bucket *firsts[DIGITS];
		bucket **ends[DIGITS];

		for (size_t i = 0; i < DIGITS; i++)
			ends[i] = &firsts[i];
		for (; list != NULL; list = list->newer) {
			size_t digit = list->used >> shift & (DIGITS - 1);

			*ends[digit] = list;
			ends[digit] = &list->newer;
		}
		for (size_t i = DIGITS; i-- > 0;) {
			*ends[i] = list;
			list = firsts[i];
		}
	}
	return list;
}

static void
put_in_order(shard *one)
{
	bucket *before = NULL;

	one->in_order = true;
	if (one->common != NULL)
		one->common->used = one->beside->used;
	one->oldest = sort(list_all(one), *one->takes);
	for (bucket *next = one->oldest; next != NULL; next = next->newer) {
		next->older = before;
		before = next;
	}
	one->newest = before;
}

/*
 * Returns the first full bucket of the oldest ones, or the one with most tokens.  Buckets that
 * stay are looked at again by the next eviction, when they are in the caches.
 */
static bucket *
find_fullest(shard *one, const limen_meter *meter, limen_time now)
{
	bucket *fullest = NULL;
	bucket *next = one->oldest;
	int64_t quota = limen_meter_quota(meter);
	int64_t most = -1;

	for (int i = 0; i < SHARD_OLDEST && next != NULL && most < quota; i++) {
		int64_t left = limen_meter_left(meter, *shard_state(one, next), now);

		if (left > most) {
			most = left;
			fullest = next;
		}
		next = next->newer;
	}
	one->forgot = one->forgot || most < quota;
	return fullest;
}

static void
evict(shard *one, const shard_rules *rules, limen_time now)
{
	bucket **link;
	bucket *which;

	if (!one->in_order)
		put_in_order(one);
	which = rules->evicts_fullest ? find_fullest(one, rules->meter, now) : one->oldest;
	link = head_of(one, which->hash);
	while (*link != which)
		link = &(*link)->chained;
	*link = which->chained;
	take_out(one, which);
	if (which == one->common)
		one->common = one->beside->owner = NULL;
	bucket_free(&one->pool, which);
	one->count--;
	one->evictions++;
}

/* Keeps the state of the bucket that all ask for beside the lock, if there is room. */
static void
join(shard *one, bucket *made)
{
	if (made->length == 0 && one->beside->owner == NULL)
		one->common = one->beside->owner = made;
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
add(shard *one, const bucket_key *key, const shard_rules *rules, limen_time now)
{
	bucket *made = bucket_new(&one->pool, key);

	/* Memory is exhausted: evict the oldest buckets to reuse theirs. */
	for (int i = 0; made == NULL && i < EVICT_MOST && one->count > 0; i++) {
		evict(one, rules, now);
		made = bucket_new(&one->pool, key);
	}
	if (made == NULL)
		return NULL;
	if (one->count > one->mask)
		grow(one);
	chain(one, made);
	join(one, made);
	*shard_state(one, made) = limen_meter_start(rules->meter, now);
	made->birth = one->births++;
	*used_of(one, made) = *one->takes;
	if (one->in_order)
		put_first(one, made);
	one->count++;
	return made;
}

bucket *
shard_use(shard *one, const bucket_key *key, const shard_rules *rules, limen_time now)
{
	bucket *found = shard_find(one, key);

	++*one->takes;
	if (found != NULL && !one->in_order) {
		*used_of(one, found) = *one->takes;
	} else if (found != NULL && found != one->newest) {
		take_out(one, found);
		put_first(one, found);
	}
	if (found != NULL)
		return found;
	for (int i = 0; i < EVICT_MOST && one->count >= rules->capacity; i++)
		evict(one, rules, now);
	return add(one, key, rules, now);
}
