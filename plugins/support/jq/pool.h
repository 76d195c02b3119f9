/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.h - the compiled states of one script, or its processes.  A run takes one
 * and puts it back; when all are busy it waits, and more are made in the
 * background.
 */
#ifndef LIMEN_SUPPORT_JQ_POOL_H
#define LIMEN_SUPPORT_JQ_POOL_H

#include <limen/host.h>
#include <pthread.h>

#include "worker.h"

/* Where more states come from. */
typedef struct pool_source {
	/* Makes one until 'deadline'; NULL: that failed. */
	worker *(*make)(const void *what, int64_t deadline);
	const void *what;
	unsigned limit;   /* so many at most, and no more than the machine has use for */
	limen_host *host; /* NULL: none are made in the background */
} pool_source;

typedef struct pool {
	pthread_mutex_t lock;
	pthread_cond_t returned;
	worker *idle;
	worker *lost;     /* to be freed, in the background since that may take some time */
	unsigned count;   /* idle, busy, and the one that is_growing tells of */
	bool is_growing;  /* the background job is on its way */
	bool is_starved;  /* somebody found none since the last growth */
	pool_source source;
} pool;

/* Makes a pool with 'first', which it takes over. */
void pool_init(pool *made, worker *first, const pool_source *source);
void pool_close(pool *closed);

/*
 * Takes a state, waiting until 'deadline'; where all are lost it makes another.
 * Returns NULL after the deadline, or earlier if none can be made.
 */
worker *pool_take(pool *from, int64_t deadline);
void pool_put(pool *to, worker *back);

#endif
