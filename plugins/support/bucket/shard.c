/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shard.c - finds buckets in a chained hash table and evicts them in order of use.  A shard
 * owns its buckets, its chains and its LRU list; the caller holds the lock.
 */
#include "shard.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define HEADS_LEAST 8
/* Cap on heads: setting up more at once costs more than longer chains do. */
#define HEADS_MOST ((size_t)1 << 20)
/* Lists that buckets are sorted into, by 8 bits of a number at a time. */
#define DIGIT_BITS 8
#define DIGITS (1 << DIGIT_BITS)
/* Evictions per new bucket: after a reload the table may have to shrink. */
#define EVICT_MOST 4

static bucket **
make_heads(size_t count)
{
	bucket **heads = pages_alloc(_Alignof(max_align_t), count * sizeof(*heads));

	return heads == NULL ? NULL : memset(heads, 0, count * sizeof(*heads));
}

bool
shard_open(shard *place)
{
	*place = (shard){ .mask = HEADS_LEAST - 1 };
	place->heads = make_heads(HEADS_LEAST);
	return place->heads != NULL;
}

/* Makes a list of all buckets, in any order, and returns its first. */
static bucket *
list_all(const shard *place)
{
	bucket *list = NULL;

	for (size_t i = 0; i <= place->mask; i++) {
		for (bucket *next = place->heads[i]; next != NULL; next = next->chained) {
			next->newer = list;
			list = next;
		}
	}
	return list;
}

void
shard_close(shard *place)
{
	bucket *all = list_all(place);

	while (all != NULL) {
		bucket *next = all->newer;

		bucket_free(&place->pool, all);
		all = next;
	}
	bucket_pool_close(&place->pool);
	free(place->heads);
}

static bucket **
head_of(const shard *place, uint32_t hash)
{
	return &place->heads[hash & place->mask];
}

static void
chain(shard *place, bucket *entry)
{
	bucket **head = head_of(place, entry->hash);

	entry->chained = *head;
	*head = entry;
}

/* Doubles the heads, to keep chains short.  Without memory the old heads stay. */
static void
grow(shard *place)
{
	size_t before = place->mask + 1;
	bucket **heads = 2 * before > HEADS_MOST ? NULL : make_heads(2 * before);
	bucket **old = place->heads;

	if (heads == NULL)
		return;
	place->heads = heads;
	place->mask = 2 * before - 1;
	for (size_t i = 0; i < before; i++) {
		while (old[i] != NULL) {
			bucket *next = old[i];

			old[i] = next->chained;
			chain(place, next);
		}
	}
	free(old);
}

static void
put_first(shard *place, bucket *entry)
{
	entry->newer = NULL;
	entry->older = place->newest;
	if (place->newest == NULL)
		place->oldest = entry;
	else
		place->newest->newer = entry;
	place->newest = entry;
}

static void
take_out(shard *place, const bucket *entry)
{
	if (entry->newer == NULL)
		place->newest = entry->older;
	else
		entry->newer->older = entry->older;
	if (entry->older == NULL)
		place->oldest = entry->newer;
	else
		entry->older->newer = entry->newer;
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
put_in_order(shard *place)
{
	bucket *before = NULL;

	place->in_order = true;
	place->oldest = sort(list_all(place), place->takes);
	for (bucket *next = place->oldest; next != NULL; next = next->newer) {
		next->older = before;
		before = next;
	}
	place->newest = before;
}

/*
 * Returns the first full bucket of the oldest ones, or the one with most tokens; NULL if that must
 * be kept.  Windows that have ended are full, and the oldest.  Buckets that stay are looked at again
 * by the next eviction, when they are in the caches.
 */
static bucket *
find_fullest(shard *place, const shard_rules *rules, limen_time now)
{
	bucket *fullest = NULL;
	bucket *next = place->oldest;
	int64_t quota = limen_meter_quota(rules->meter);
	int64_t most = -1;

	for (int i = 0; i < SHARD_OLDEST && next != NULL && most < quota; i++) {
		int64_t left = limen_meter_left(rules->meter, next->state, now);

		if (left > most) {
			most = left;
			fullest = next;
		}
		next = next->newer;
	}
	if (rules->keeps_used && most < quota - most)
		return NULL;
	place->forgot = place->forgot || most < quota;
	return fullest;
}

/* Returns false if no bucket may be evicted. */
static bool
evict(shard *place, const shard_rules *rules, limen_time now)
{
	bucket **link;
	bucket *entry;

	if (!place->in_order)
		put_in_order(place);
	entry = rules->evicts_fullest ? find_fullest(place, rules, now) : place->oldest;
	if (entry == NULL)
		return false;
	link = head_of(place, entry->hash);
	while (*link != entry)
		link = &(*link)->chained;
	*link = entry->chained;
	take_out(place, entry);
	bucket_free(&place->pool, entry);
	place->count--;
	place->evictions++;
	return true;
}

bucket *
shard_find(const shard *place, const bucket_key *key)
{
	bucket *next = *head_of(place, (uint32_t)key->hash);

	while (next != NULL && !bucket_has_key(next, key))
		next = next->chained;
	return next;
}

static bucket *
add(shard *place, const bucket_key *key, const shard_rules *rules, limen_time now)
{
	bucket *entry = bucket_new(&place->pool, key);

	/* Memory is exhausted: evict the oldest buckets to reuse theirs. */
	for (int i = 0; entry == NULL && i < EVICT_MOST && place->count > 0; i++) {
		if (!evict(place, rules, now))
			break;
		entry = bucket_new(&place->pool, key);
	}
	if (entry == NULL)
		return NULL;
	if (place->count > place->mask)
		grow(place);
	chain(place, entry);
	entry->state = limen_meter_start(rules->meter, now);
	entry->birth = place->births++;
	entry->refusals = 0;
	entry->used = place->takes;
	if (place->in_order)
		put_first(place, entry);
	place->count++;
	return entry;
}

bucket *
shard_use(shard *place, const bucket_key *key, const shard_rules *rules, limen_time now)
{
	bucket *found = shard_find(place, key);

	++place->takes;
	if (found != NULL && !place->in_order) {
		found->used = place->takes;
	} else if (found != NULL && found != place->newest) {
		take_out(place, found);
		put_first(place, found);
	}
	if (found != NULL)
		return found;
	for (int i = 0; i < EVICT_MOST && place->count >= rules->capacity; i++)
		if (!evict(place, rules, now))
			return NULL;
	return add(place, key, rules, now);
}

void
shard_reset(shard *place, bucket *entry, const limen_meter *meter, limen_time now)
{
	limen_meter_reset(meter, &entry->state, now);
	entry->birth = place->births++;
}
