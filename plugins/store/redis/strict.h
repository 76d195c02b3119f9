/* SPDX-License-Identifier: Apache-2.0 */
/* strict.h - one call of Redis for each batch, over one of a few connections. */
#ifndef LIMEN_PLUGINS_STORE_REDIS_STRICT_H
#define LIMEN_PLUGINS_STORE_REDIS_STRICT_H

#include "call.h"
#include "reconnect.h"

#define STRICT_WIRES_MAX 64

typedef struct strict {
	settings *options;
	reconnect *reconnect;
	size_t wanted; /* connections */
	int wake;      /* an eventfd: there are fewer */
	pthread_mutex_t lock;
	pthread_cond_t freed; /* a connection is idle, or all are gone */
	wire *idle[STRICT_WIRES_MAX];
	size_t idle_count;
	size_t up; /* idle ones and those in use */
	int64_t renewed_by; /* takes wait until then, even if none is up */
} strict;

/* Starts the thread.  Returns false if memory or descriptors are short. */
bool strict_open(strict *self, settings *options, reconnect *where);
void strict_close(strict *self);

/*
 * Answers a batch as a store does, with table specs as tables.  Returns false if Redis is
 * unreachable; after 'deadline' (monotonic) the verdict is LIMEN_ERROR in any case.
 */
bool strict_take(strict *self, limen_store_take *takes, size_t count, unsigned flags,
                 limen_deadline deadline, limen_verdict *verdict);

/* Gives back what one take was granted, if Redis can be reached at once. */
void strict_give(strict *self, const limen_store_take *take);

size_t strict_up(strict *self);

#endif
