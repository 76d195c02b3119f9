/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.c - the map of a resolver: a hash table with a list in the order of use.  Names
 * are chosen by requesters, so the hash is keyed.
 */
#include "cache.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../bucket/key_hash.h"

#define HEADS CACHE_ENTRIES_MAX

#define SECOND INT64_C(1000000000)

typedef struct waiter {
	struct waiter *next;
	limen_waker *waker;
} waiter;

typedef struct entry {
	struct entry *next; /* with the same head */
	struct entry *newer;
	struct entry *older;
	uint64_t hash;
	answer *answer;   /* NULL: none yet */
	int64_t expires;  /* limen_host_monotonic() */
	int64_t patience; /* how long the question could take */
	bool asked;       /* a query is in flight: not in the order of use, and never evicted */
	int64_t begun;    /* the query */
	limen_deadline deadline; /* of the query */
	waiter *waiters;
	size_t length;
	char key[];
} entry;

struct cache {
	key_hash_seed seed;
	pthread_mutex_t lock;
	pthread_cond_t settled;
	entry *newest;
	entry *oldest;
	cache_figures figures;
	entry *heads[HEADS];
};

cache *
cache_new(void)
{
	cache *store = calloc(1, sizeof(*store));
	pthread_condattr_t clock;

	if (store == NULL)
		return NULL;
	key_hash_draw(&store->seed);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_mutex_init(&store->lock, NULL);
	pthread_cond_init(&store->settled, &clock);
	pthread_condattr_destroy(&clock);
	return store;
}

/* The bytes of names, from '!' on, in small letters; 0 for a backslash, and for bytes beyond. */
static const char folded[UCHAR_MAX + 1] =
	"!\"#$%&'()*+,-./0123456789:;<=>?@abcdefghijklmnopqrstuvwxyz[\0]^_`abcdefghijklmnopqrstuvwxyz{|}~";

bool
cache_make_key(const cache *store, dns_type type, const char *name, key *out)
{
	size_t length = strnlen(name, DNS_NAME_MAX);
	bool odd = length == DNS_NAME_MAX;

	out->text[0] = (char)type;
	for (size_t i = 0; i < length; i++) {
		out->text[1 + i] = folded[(unsigned char)(name[i] - '!')];
		odd |= out->text[1 + i] == '\0';
	}
	if (length > 0 && name[length - 1] == '.')
		length--;
	if (odd || length == 0)
		return false;
	out->text[1 + length] = '\0';
	out->length = 1 + length;
	out->hash = key_hash(&store->seed, out->text, out->length);
	return true;
}

const char *
key_name(const key *one)
{
	return one->text + 1;
}

static entry *
find_entry(const cache *store, const key *asked)
{
	entry *one = store->heads[asked->hash % HEADS];

	while (one != NULL && (one->hash != asked->hash || one->length != asked->length ||
	                       memcmp(one->key, asked->text, asked->length) != 0))
		one = one->next;
	return one;
}

/* ---- the order of use ---- */

static void
unlink_use(cache *store, entry *one)
{
	*(one->newer != NULL ? &one->newer->older : &store->newest) = one->older;
	*(one->older != NULL ? &one->older->newer : &store->oldest) = one->newer;
}

static void
link_newest(cache *store, entry *one)
{
	one->newer = NULL;
	one->older = store->newest;
	*(one->older != NULL ? &one->older->newer : &store->oldest) = one;
	store->newest = one;
}

static void
touch(cache *store, entry *one)
{
	unlink_use(store, one);
	link_newest(store, one);
}

/* ---- keeping and dropping ---- */

static size_t
entry_bytes(const entry *one)
{
	return sizeof(*one) + one->length + (one->answer == NULL ? 0 : one->answer->size);
}

static void
drop(cache *store, entry *one)
{
	entry **link = &store->heads[one->hash % HEADS];

	while (*link != one)
		link = &(*link)->next;
	*link = one->next;
	store->figures.bytes -= entry_bytes(one);
	store->figures.entries--;
	answer_unref(one->answer);
	free(one);
}

/* Drops the least recently used until the bounds hold, or only queries in flight are left. */
static void
shrink(cache *store, size_t entries, size_t bytes)
{
	while (store->oldest != NULL &&
	       (store->figures.entries > entries || store->figures.bytes > bytes)) {
		entry *one = store->oldest;

		unlink_use(store, one);
		drop(store, one);
	}
}

static entry *
add_entry(cache *store, const key *asked)
{
	entry *one = malloc(sizeof(*one) + asked->length);
	entry **head = &store->heads[asked->hash % HEADS];

	if (one == NULL)
		return NULL;
	*one = (entry){ .next = *head, .hash = asked->hash, .length = asked->length };
	memcpy(one->key, asked->text, asked->length);
	*head = one;
	store->figures.entries++;
	store->figures.bytes += entry_bytes(one);
	return one;
}

void
cache_clear(cache *store)
{
	pthread_mutex_lock(&store->lock);
	shrink(store, 0, 0);
	pthread_mutex_unlock(&store->lock);
}

void
cache_free(cache *store)
{
	if (store == NULL)
		return;
	cache_clear(store);
	pthread_cond_destroy(&store->settled);
	pthread_mutex_destroy(&store->lock);
	free(store);
}

/* ---- asking the cache ---- */

int64_t
cache_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

static bool
serves(const entry *one, int64_t now, limen_deadline deadline)
{
	if (one->answer == NULL || one->expires <= now)
		return false;
	return one->answer->shown.outcome != DNS_FAILED ||
	       one->patience >= (deadline - now) / 2;
}

/* The lock is held. */
static answer *
recall(cache *store, entry *one, int64_t now, limen_deadline deadline)
{
	if (one == NULL || one->asked || !serves(one, now, deadline))
		return NULL;
	touch(store, one);
	store->figures.hits++;
	return answer_ref(one->answer);
}

answer *
cache_recall(cache *store, const key *asked, limen_deadline deadline)
{
	int64_t now = cache_clock();
	answer *found;

	pthread_mutex_lock(&store->lock);
	found = recall(store, find_entry(store, asked), now, deadline);
	pthread_mutex_unlock(&store->lock);
	return found;
}

/* Takes the waker of 'req'; false when memory is short.  The lock is held. */
static bool
add_waiter(entry *one, const limen_request *req)
{
	waiter *made;

	if (req == NULL)
		return true;
	made = malloc(sizeof(*made));
	if (made == NULL)
		return false;
	made->waker = limen_request_waker(req);
	if (made->waker == NULL) {
		free(made);
		return false;
	}
	made->next = one->waiters;
	one->waiters = made;
	return true;
}

/* Makes a query of the entry, which may be NULL.  The lock is held. */
static cache_claim
claim(cache *store, const key *asked, entry *one, limen_deadline deadline,
      const limen_request *req)
{
	bool is_new = one == NULL;

	if (is_new)
		one = add_entry(store, asked);
	if (one == NULL)
		return CACHE_FULL;
	if (!add_waiter(one, req)) {
		if (is_new)
			drop(store, one);
		return CACHE_FULL;
	}
	if (!is_new)
		unlink_use(store, one);
	one->asked = true;
	one->begun = limen_host_monotonic();
	one->deadline = deadline;
	return CACHE_CLAIMED;
}

/* The lock is held. */
static cache_claim
join(entry *one, int64_t now, limen_deadline deadline, const limen_request *req)
{
	if (!add_waiter(one, req))
		return CACHE_FULL;
	/* As in serves(): otherwise those who come one after the other would prolong it for ever. */
	if (one->deadline - one->begun < (deadline - now) / 2)
		one->deadline = deadline;
	return CACHE_JOINED;
}

cache_claim
cache_take(cache *store, const key *asked, limen_deadline deadline, const limen_request *req,
           answer **out)
{
	cache_claim result = CACHE_RECALLED;
	int64_t now = limen_host_monotonic();
	entry *one;

	pthread_mutex_lock(&store->lock);
	one = find_entry(store, asked);
	*out = recall(store, one, now, deadline);
	if (*out == NULL && deadline <= now)
		*out = answer_failed(answer_late);
	if (*out == NULL)
		result = one != NULL && one->asked ? join(one, now, deadline, req)
		                                   : claim(store, asked, one, deadline, req);
	pthread_mutex_unlock(&store->lock);
	return result;
}

answer *
cache_wait(cache *store, const key *asked, limen_deadline deadline)
{
	struct timespec end = { .tv_sec = (time_t)(deadline / SECOND),
		                .tv_nsec = (long)(deadline % SECOND) };
	answer *found = NULL;
	entry *one;

	pthread_mutex_lock(&store->lock);
	/* Waiting gives up the lock, so the entry is looked for afresh each time. */
	while ((one = find_entry(store, asked)) != NULL && one->asked &&
	       limen_host_monotonic() < deadline)
		pthread_cond_timedwait(&store->settled, &store->lock, &end);
	if (one != NULL && one->asked)
		found = answer_failed(answer_late);
	else if (one != NULL)
		found = answer_ref(one->answer);
	pthread_mutex_unlock(&store->lock);
	return found;
}

limen_deadline
cache_deadline(cache *store, const key *asked)
{
	limen_deadline deadline;

	pthread_mutex_lock(&store->lock);
	deadline = find_entry(store, asked)->deadline;
	pthread_mutex_unlock(&store->lock);
	return deadline;
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

static void
wake_all(waiter *list)
{
	while (list != NULL) {
		waiter *next = list->next;

		limen_waker_wake(list->waker);
		free(list);
		list = next;
	}
}

/* The lock is held. */
static void
keep(cache *store, entry *one, answer *result, int64_t patience)
{
	store->figures.bytes -= entry_bytes(one);
	answer_unref(one->answer);
	one->answer = answer_ref(result);
	store->figures.bytes += entry_bytes(one);
	one->expires = expiry(result);
	one->patience = patience;
	link_newest(store, one);
}

void
cache_settle(cache *store, const key *asked, answer *result, int64_t patience)
{
	waiter *waiters;
	entry *one;

	pthread_mutex_lock(&store->lock);
	/* The entry exists: entries with a query in flight are not evicted. */
	one = find_entry(store, asked);
	one->asked = false;
	waiters = one->waiters;
	one->waiters = NULL;
	if (result != NULL)
		keep(store, one, result, patience);
	else
		drop(store, one);
	shrink(store, CACHE_ENTRIES_MAX, CACHE_BYTES_MAX);
	pthread_cond_broadcast(&store->settled);
	pthread_mutex_unlock(&store->lock);
	wake_all(waiters);
}

cache_figures
cache_count(cache *store)
{
	cache_figures figures;

	pthread_mutex_lock(&store->lock);
	figures = store->figures;
	pthread_mutex_unlock(&store->lock);
	return figures;
}
