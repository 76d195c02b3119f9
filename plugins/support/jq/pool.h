/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.h - the compiled states of one script.  A run takes one and puts it
 * back; when all are busy it waits, and more are compiled in the background.
 */
#ifndef LIMEN_SUPPORT_JQ_POOL_H
#define LIMEN_SUPPORT_JQ_POOL_H

#include <limen/host.h>
#include <pthread.h>

#include "worker.h"

typedef struct pool {
	pthread_mutex_t lock;
	pthread_cond_t returned;
	worker *idle;
	unsigned count;   /* idle and busy */
	unsigned limit;
	bool is_growing;  /* the background job is on its way */
	bool is_starved;  /* somebody found none since the last growth */
	const char *program;
	limen_host *host; /* NULL: it does not grow */
} pool;

/* Makes a pool with 'first', which it takes over, for 'program', which it does not. */
void pool_init(pool *made, worker *first, const char *program, limen_host *host);
void pool_close(pool *closed);

/* Takes a state, waiting until 'deadline'; returns NULL after it. */
worker *pool_take(pool *from, int64_t deadline);
void pool_put(pool *to, worker *back);

#endif
