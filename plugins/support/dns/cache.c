/* SPDX-License-Identifier: Apache-2.0 */
#include "cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum {
	SHARDS = 16,
	SHARD_ENTRIES_MAX = CACHE_ENTRIES_MAX / SHARDS,
	SHARD_BYTES_MAX = CACHE_BYTES_MAX / SHARDS,
	BUCKETS = 2048 /* of a shard */
};

#define SECOND INT64_C(1000000000)

typedef struct entry {
	struct entry *next; /* in its bucket */
	struct entry *newer;
	struct entry *older;
	uint64_t hash;
	answer *answer;   /* NULL: none yet */
	int64_t expires;  /* limen_host_monotonic() */
	int64_t patience; /* how long the question could take */
	bool asked;       /* somebody is asking: never dropped */
	dns_type type;
	size_t length;
	char name[];
} entry;

typedef struct shard {
	_Alignas(64) pthread_mutex_t lock;
	pthread_cond_t settled;
	entry *newest;
	entry *oldest;
	size_t count;
	size_t bytes;
	int64_t hits;
	entry *buckets[BUCKETS];
} shard;

struct cache {
	uint64_t seed;
	shard shards[SHARDS];
};

cache *
cache_new(void)
{
	cache *store = aligned_alloc(64, sizeof(*store));
	pthread_condattr_t clock;

	if (store == NULL)
		return NULL;
	memset(store, 0, sizeof(*store));
	/* Requesters choose what is asked; they must not choose where it is kept. */
	if (getrandom(&store->seed, sizeof(store->seed), GRND_NONBLOCK) < 0)
		store->seed = (uint64_t)limen_host_monotonic() ^ (uint64_t)(uintptr_t)store;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	for (size_t i = 0; i < SHARDS; i++) {
		pthread_mutex_init(&store->shards[i].lock, NULL);
		pthread_cond_init(&store->shards[i].settled, &clock);
	}
	pthread_condattr_destroy(&clock);
	return store;
}

bool
cache_make_key(const cache *store, dns_type type, const char *name, char room[DNS_NAME_MAX],
               key *out)
{
	return key_make(store->seed, type, name, room, out);
}

static shard *
find_shard(const cache *store, const key *asked)
{
	return (shard *)(uintptr_t)&store->shards[asked->hash >> 60];
}

static entry **
find_bucket(shard *part, uint64_t hash)
{
	return &part->buckets[hash % BUCKETS];
}

static entry *
find_entry(shard *part, const key *asked)
{
	entry *one = *find_bucket(part, asked->hash);

	while (one != NULL && (one->hash != asked->hash || one->type != asked->type ||
	                       one->length != asked->length ||
	                       memcmp(one->name, asked->name, asked->length) != 0))
		one = one->next;
	return one;
}

/* ---- the order of use ---- */

static void
unlink_use(shard *part, entry *one)
{
	if (one->newer != NULL)
		one->newer->older = one->older;
	else
		part->newest = one->older;
	if (one->older != NULL)
		one->older->newer = one->newer;
	else
		part->oldest = one->newer;
}

static void
link_newest(shard *part, entry *one)
{
	one->newer = NULL;
	one->older = part->newest;
	if (part->newest != NULL)
		part->newest->newer = one;
	else
		part->oldest = one;
	part->newest = one;
}

static void
touch(shard *part, entry *one)
{
	if (part->newest == one)
		return;
	unlink_use(part, one);
	link_newest(part, one);
}

/* ---- keeping and dropping ---- */

static size_t
entry_bytes(const entry *one)
{
	return sizeof(*one) + one->length + 1 + (one->answer == NULL ? 0 : one->answer->size);
}

static void
set_answer(shard *part, entry *one, answer *result)
{
	part->bytes -= entry_bytes(one);
	answer_unref(one->answer);
	one->answer = result == NULL ? NULL : answer_ref(result);
	part->bytes += entry_bytes(one);
}

static void
drop(shard *part, entry *one)
{
	entry **link = find_bucket(part, one->hash);

	while (*link != one)
		link = &(*link)->next;
	*link = one->next;
	unlink_use(part, one);
	part->bytes -= entry_bytes(one);
	part->count--;
	answer_unref(one->answer);
	free(one);
}

/* Questions being asked are as few as threads that wait, so the bounds still hold. */
static void
make_room(shard *part)
{
	entry *one = part->oldest;

	while (one != NULL &&
	       (part->count > SHARD_ENTRIES_MAX || part->bytes > SHARD_BYTES_MAX)) {
		entry *newer = one->newer;

		if (!one->asked)
			drop(part, one);
		one = newer;
	}
}

static entry *
add_entry(shard *part, const key *asked)
{
	entry *one = malloc(sizeof(*one) + asked->length + 1);
	entry **bucket = find_bucket(part, asked->hash);

	if (one == NULL)
		return NULL;
	*one = (entry){ .next = *bucket, .hash = asked->hash, .type = asked->type,
	                .length = asked->length };
	memcpy(one->name, asked->name, asked->length + 1);
	*bucket = one;
	link_newest(part, one);
	part->count++;
	part->bytes += entry_bytes(one);
	return one;
}

void
cache_clear(cache *store)
{
	for (size_t i = 0; i < SHARDS; i++) {
		shard *part = &store->shards[i];
		entry *one;

		pthread_mutex_lock(&part->lock);
		one = part->oldest;
		while (one != NULL) {
			entry *newer = one->newer;

			if (!one->asked)
				drop(part, one);
			one = newer;
		}
		pthread_mutex_unlock(&part->lock);
	}
}

void
cache_free(cache *store)
{
	if (store == NULL)
		return;
	cache_clear(store);
	for (size_t i = 0; i < SHARDS; i++) {
		pthread_cond_destroy(&store->shards[i].settled);
		pthread_mutex_destroy(&store->shards[i].lock);
	}
	free(store);
}

/* ---- asking the cache ---- */

static bool
serves(const entry *one, int64_t now, int64_t deadline)
{
	if (one->answer == NULL || one->expires <= now)
		return false;
	return one->answer->shown.outcome != DNS_FAILED ||
	       one->patience >= (deadline - now) / 2;
}

/* The lock is held. */
static answer *
recall(shard *part, entry *one, int64_t now, int64_t deadline)
{
	if (one == NULL || !serves(one, now, deadline))
		return NULL;
	touch(part, one);
	part->hits++;
	return answer_ref(one->answer);
}

answer *
cache_recall(cache *store, const key *asked, int64_t deadline)
{
	shard *part = find_shard(store, asked);
	int64_t now = limen_host_monotonic();
	answer *found;

	pthread_mutex_lock(&part->lock);
	found = recall(part, find_entry(part, asked), now, deadline);
	pthread_mutex_unlock(&part->lock);
	return found;
}

static struct timespec
as_timespec(int64_t nanoseconds)
{
	return (struct timespec){ .tv_sec = (time_t)(nanoseconds / SECOND),
	                          .tv_nsec = (long)(nanoseconds % SECOND) };
}

/* The lock is held; waiting gives it up, so entries are looked for afresh each time. */
static cache_claim
take(shard *part, const key *asked, int64_t deadline, answer **out)
{
	struct timespec end = as_timespec(deadline);
	entry *one = find_entry(part, asked);

	for (;;) {
		int64_t now = limen_host_monotonic();

		*out = recall(part, one, now, deadline);
		if (*out != NULL)
			return CACHE_RECALLED;
		if (one == NULL)
			one = add_entry(part, asked);
		if (one == NULL)
			return CACHE_FULL;
		if (!one->asked) {
			one->asked = true;
			return CACHE_CLAIMED;
		}
		if (now >= deadline)
			return CACHE_LATE;
		pthread_cond_timedwait(&part->settled, &part->lock, &end);
		one = find_entry(part, asked);
	}
}

cache_claim
cache_take(cache *store, const key *asked, int64_t deadline, answer **out)
{
	shard *part = find_shard(store, asked);
	cache_claim claim;

	pthread_mutex_lock(&part->lock);
	claim = take(part, asked, deadline, out);
	pthread_mutex_unlock(&part->lock);
	return claim;
}

static int64_t
expiry(const answer *result)
{
	int64_t seconds = result->lifetime;

	if (seconds < CACHE_LIFETIME_MIN)
		seconds = CACHE_LIFETIME_MIN;
	if (seconds > CACHE_LIFETIME_MAX)
		seconds = CACHE_LIFETIME_MAX;
	return limen_host_monotonic() + seconds * SECOND;
}

void
cache_settle(cache *store, const key *asked, answer *result, int64_t patience)
{
	shard *part = find_shard(store, asked);
	entry *one;

	pthread_mutex_lock(&part->lock);
	/* It is there: nobody drops what is being asked. */
	one = find_entry(part, asked);
	one->asked = false;
	set_answer(part, one, result);
	if (result != NULL) {
		one->expires = expiry(result);
		one->patience = patience;
		touch(part, one);
	} else {
		drop(part, one);
	}
	make_room(part);
	pthread_cond_broadcast(&part->settled);
	pthread_mutex_unlock(&part->lock);
}

cache_figures
cache_count(const cache *store)
{
	cache_figures total = { .entries = 0 };

	for (size_t i = 0; i < SHARDS; i++) {
		shard *part = (shard *)(uintptr_t)&store->shards[i];

		pthread_mutex_lock(&part->lock);
		total.entries += part->count;
		total.bytes += part->bytes;
		total.hits += part->hits;
		pthread_mutex_unlock(&part->lock);
	}
	return total;
}
