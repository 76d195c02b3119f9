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
key_name(const key *item)
{
	return item->text + 1;
}

static entry *
find_entry(const cache *store, const key *question)
{
	entry *item = store->heads[question->hash % HEADS];

	while (item != NULL && (item->hash != question->hash || item->length != question->length ||
	                       memcmp(item->key, question->text, question->length) != 0))
		item = item->next;
	return item;
}

/* ---- the order of use ---- */

static void
unlink_use(cache *store, entry *item)
{
	*(item->newer != NULL ? &item->newer->older : &store->newest) = item->older;
	*(item->older != NULL ? &item->older->newer : &store->oldest) = item->newer;
}

static void
link_newest(cache *store, entry *item)
{
	item->newer = NULL;
	item->older = store->newest;
	*(item->older != NULL ? &item->older->newer : &store->oldest) = item;
	store->newest = item;
}

/* ---- keeping and dropping ---- */

static size_t
entry_bytes(const entry *item)
{
	return sizeof(*item) + item->length + (item->answer == NULL ? 0 : item->answer->size);
}

static void
drop(cache *store, entry *item)
{
	entry **link = &store->heads[item->hash % HEADS];

	while (*link != item)
		link = &(*link)->next;
	*link = item->next;
	store->figures.bytes -= entry_bytes(item);
	store->figures.entries--;
	answer_unref(item->answer);
	free(item);
}

/* Drops the least recently used until the bounds hold, or only queries in flight are left. */
static void
shrink(cache *store, size_t entries, size_t bytes)
{
	while (store->oldest != NULL &&
	       (store->figures.entries > entries || store->figures.bytes > bytes)) {
		entry *item = store->oldest;

		unlink_use(store, item);
		drop(store, item);
	}
}

static entry *
add_entry(cache *store, const key *question)
{
	entry *item = malloc(sizeof(*item) + question->length);
	entry **head = &store->heads[question->hash % HEADS];

	if (item == NULL)
		return NULL;
	*item = (entry){ .next = *head, .hash = question->hash, .length = question->length };
	memcpy(item->key, question->text, question->length);
	*head = item;
	store->figures.entries++;
	store->figures.bytes += entry_bytes(item);
	return item;
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
serves(const entry *item, int64_t now, limen_deadline deadline)
{
	if (item->answer == NULL || item->expires <= now)
		return false;
	return item->answer->shown.outcome != DNS_FAILED || item->patience >= (deadline - now) / 2;
}

/* The lock is held. */
static answer *
recall(cache *store, entry *item, int64_t now, limen_deadline deadline)
{
	if (item == NULL || item->asked || !serves(item, now, deadline))
		return NULL;
	unlink_use(store, item);
	link_newest(store, item);
	store->figures.hits++;
	return answer_ref(item->answer);
}

answer *
cache_recall(cache *store, const key *question, limen_deadline deadline)
{
	int64_t now = cache_clock();
	answer *found;

	pthread_mutex_lock(&store->lock);
	found = recall(store, find_entry(store, question), now, deadline);
	pthread_mutex_unlock(&store->lock);
	return found;
}

/* Takes the waker of 'req'; false when memory is short.  The lock is held. */
static bool
add_waiter(entry *item, const limen_request *req)
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
	made->next = item->waiters;
	item->waiters = made;
	return true;
}

/* Makes a query of the entry, which may be NULL.  The lock is held. */
static cache_claim
claim(cache *store, const key *question, entry *item, limen_deadline deadline,
      const limen_request *req)
{
	bool is_new = item == NULL;

	if (is_new)
		item = add_entry(store, question);
	if (item == NULL)
		return CACHE_FULL;
	if (!add_waiter(item, req)) {
		if (is_new)
			drop(store, item);
		return CACHE_FULL;
	}
	if (!is_new)
		unlink_use(store, item);
	item->asked = true;
	item->begun = limen_host_monotonic();
	item->deadline = deadline;
	return CACHE_CLAIMED;
}

/* The lock is held. */
static cache_claim
join(entry *item, int64_t now, limen_deadline deadline, const limen_request *req)
{
	if (!add_waiter(item, req))
		return CACHE_FULL;
	/* As in serves(): otherwise those who come one after the other would prolong it for ever. */
	if (item->deadline - item->begun < (deadline - now) / 2)
		item->deadline = deadline;
	return CACHE_JOINED;
}

cache_claim
cache_take(cache *store, const key *question, limen_deadline deadline, const limen_request *req,
           answer **out)
{
	cache_claim result = CACHE_RECALLED;
	int64_t now = limen_host_monotonic();
	entry *item;

	pthread_mutex_lock(&store->lock);
	item = find_entry(store, question);
	*out = recall(store, item, now, deadline);
	if (*out == NULL && deadline <= now)
		*out = answer_failed(answer_late);
	if (*out == NULL)
		result = item != NULL && item->asked ? join(item, now, deadline, req)
		                                   : claim(store, question, item, deadline, req);
	pthread_mutex_unlock(&store->lock);
	return result;
}

answer *
cache_wait(cache *store, const key *question, limen_deadline deadline)
{
	struct timespec end = { .tv_sec = (time_t)(deadline / SECOND),
		                .tv_nsec = (long)(deadline % SECOND) };
	answer *found = NULL;
	entry *item;

	pthread_mutex_lock(&store->lock);
	/* Waiting gives up the lock, so the entry is looked for afresh each time. */
	while ((item = find_entry(store, question)) != NULL && item->asked &&
	       limen_host_monotonic() < deadline)
		pthread_cond_timedwait(&store->settled, &store->lock, &end);
	if (item != NULL && item->asked)
		found = answer_failed(answer_late);
	else if (item != NULL)
		found = answer_ref(item->answer);
	pthread_mutex_unlock(&store->lock);
	return found;
}

limen_deadline
cache_deadline(cache *store, const key *question)
{
	limen_deadline deadline;

	pthread_mutex_lock(&store->lock);
	deadline = find_entry(store, question)->deadline;
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
keep(cache *store, entry *item, answer *result, int64_t patience)
{
	store->figures.bytes -= entry_bytes(item);
	answer_unref(item->answer);
	item->answer = answer_ref(result);
	store->figures.bytes += entry_bytes(item);
	item->expires = expiry(result);
	item->patience = patience;
	link_newest(store, item);
}

void
cache_settle(cache *store, const key *question, answer *result, int64_t patience)
{
	waiter *waiters;
	entry *item;

	pthread_mutex_lock(&store->lock);
	/* The entry exists: entries with a query in flight are not evicted. */
	item = find_entry(store, question);
	item->asked = false;
	waiters = item->waiters;
	item->waiters = NULL;
	if (result != NULL)
		keep(store, item, result, patience);
	else
		drop(store, item);
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
