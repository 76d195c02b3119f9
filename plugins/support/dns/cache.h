/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.h - answers that are remembered, and questions that are being asked.
 *
 * An answer serves until its lifetime is over.  A failure, also one to come of a query in
 * flight, serves only those who have hardly more time than the query: a caller in a hurry must
 * not spoil the answer of one who is not.
 *
 * One map, with a lock, a list of least recent use, and bounds.
 */
#ifndef LIMEN_DNS_CACHE_H
#define LIMEN_DNS_CACHE_H

#include "answer.h"

#define CACHE_ENTRIES_MAX 32768
#define CACHE_BYTES_MAX (16 * 1024 * 1024)

/* Seconds that an answer is kept at least and at most, whatever its name server says. */
#define CACHE_LIFETIME_MIN 5
#define CACHE_LIFETIME_MAX 3600

typedef struct cache cache;

typedef struct cache_figures {
	size_t entries;
	size_t bytes;
	int64_t hits;
} cache_figures;

/* A question: its type, then the name in small letters, without a final dot. */
typedef struct key {
	char text[1 + DNS_NAME_MAX];
	size_t length;
	uint64_t hash;
} key;

/* NULL when memory is short. */
cache *cache_new(void);
void cache_free(cache *store); /* NULL is fine */

/* Returns false if the name is empty, too long, not printable ASCII, or has a backslash. */
bool cache_make_key(const cache *store, dns_type type, const char *name, key *out);

/* The name that is asked for. */
const char *key_name(const key *item);

/*
 * limen_host_monotonic(), a few milliseconds late at most, which is little beside the life of an
 * answer: the exact clock, read three times, takes a sixth of a decision that recalls two.
 */
int64_t cache_clock(void);

/* Returns the answer with a reference, or NULL if none serves until 'deadline'. */
answer *cache_recall(cache *store, const key *question, limen_deadline deadline);

typedef enum cache_claim {
	CACHE_RECALLED, /* '*out' holds the answer, with a reference */
	CACHE_CLAIMED,  /* the caller asks, which ends with cache_settle() */
	CACHE_JOINED,   /* a query is in flight */
	CACHE_FULL      /* memory is short; nothing to settle */
} cache_claim;

/*
 * Returns the cached answer, or a failure past the deadline, or joins a query in flight, or claims
 * it.  Unless there is an answer,
 * the waker of 'req' (NULL: no request) is called once the query is settled.
 */
cache_claim cache_take(cache *store, const key *question, limen_deadline deadline,
                       const limen_request *req, answer **out);

/* Waits for a query in flight; NULL if it ended for lack of memory. */
answer *cache_wait(cache *store, const key *question, limen_deadline deadline);

/* Until when the query in flight is waited for: somebody with more time may have joined it. */
limen_deadline cache_deadline(cache *store, const key *question);

/*
 * Caches 'result' (NULL: none; otherwise takes a reference), for which there were 'patience'
 * nanoseconds, and wakes all who wait.
 */
void cache_settle(cache *store, const key *question, answer *result, int64_t patience);

/* Forgets all answers. */
void cache_clear(cache *store);

cache_figures cache_count(cache *store);

#endif
