/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buckets_remote.h - asks a running limend for its buckets (/v1/buckets), or to reset those of a
 * key (/v1/buckets/reset).
 */
#ifndef LIMEN_PROGRAM_BUCKETS_REMOTE_H
#define LIMEN_PROGRAM_BUCKETS_REMOTE_H

#include <limen/store.h>
#include <stddef.h>

#include "remote/remote.h"

typedef struct buckets_query {
	remote at;
	const char *store;     /* NULL: all */
	int number;
	const char *reset;     /* the key to reset, not NULL for buckets_remote_reset() */
} buckets_query;

/*
 * Calls 'each' for every bucket of the answer; its texts are valid during the call only.
 * Returns an exit status, after a message if it is not STATUS_GOOD; then 'each' was not called.
 */
int buckets_remote_list(const buckets_query *query,
                        void (*each)(void *data, const limen_bucket *bucket), void *data);

/* Stores how many buckets were reset in 'count'.  Returns an exit status as the list does. */
int buckets_remote_reset(const buckets_query *query, int64_t *count);

#endif
