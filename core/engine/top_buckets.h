/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top_buckets.h - selects the buckets with the highest used share of their burst.
 */
#ifndef LIMEN_CORE_ENGINE_TOP_BUCKETS_H
#define LIMEN_CORE_ENGINE_TOP_BUCKETS_H

#include <limen/engine.h>

typedef struct fullest {
	limen_bucket **items; /* the most used first; each with its texts in one piece */
	size_t count;
	size_t most;
	bool failed; /* memory was short */
} fullest;

/* Room for 'most', LIMEN_BUCKETS_MAX at most; false when memory is short. */
bool fullest_open(fullest *list, size_t most);
void fullest_close(fullest *list);

/* Copies 'bucket', of 'store', if it is among those used most so far. */
void fullest_offer(fullest *list, const char *store, const limen_bucket *bucket);

/* Calls 'each' for all, the most used first; for none twice that was offered twice. */
void fullest_each(const fullest *list, void (*each)(void *data, const limen_bucket *bucket),
                  void *data);

#endif
