/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list.h - looks at all buckets in Redis, over a connection of its own.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_LIST_H
#define LIMEN_PLUGINS_STORE_REDIS_LIST_H

#include "rules.h"

/* Which Redis, and how long its answers and a connection may take. */
typedef struct list_place {
	const place *where;
	const rules *rules;
	limen_duration connect_timeout;
} list_place;

/* As the method 'list' of a store. */
int list_buckets_in(const list_place *from, int64_t deadline,
                    bool (*each)(void *data, const limen_bucket *bucket), void *data,
                    limen_diag *diag);

#endif
