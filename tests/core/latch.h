/* SPDX-License-Identifier: Apache-2.0 */
/*
 * latch.h - waiting for something that happens on another thread.  A wait ends
 * as soon as it has happened; the bound is for tests that fail.
 */
#ifndef LIMEN_TESTS_CORE_LATCH_H
#define LIMEN_TESTS_CORE_LATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#define LATCH_SECONDS 60

typedef struct latch {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned long count;
} latch;

#define LATCH_INIT { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 }

/* It happened once more.  Fits as a limen_job. */
static inline void
latch_add(void *data)
{
	latch *shared = data;

	pthread_mutex_lock(&shared->lock);
	shared->count++;
	pthread_cond_broadcast(&shared->changed);
	pthread_mutex_unlock(&shared->lock);
}

static inline unsigned long
latch_count(latch *shared)
{
	unsigned long count;

	pthread_mutex_lock(&shared->lock);
	count = shared->count;
	pthread_mutex_unlock(&shared->lock);
	return count;
}

/* Waits until it has happened 'count' times; false if that takes too long. */
static inline bool
latch_wait(latch *shared, unsigned long count)
{
	struct timespec until;
	bool reached;
	int error = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LATCH_SECONDS;
	pthread_mutex_lock(&shared->lock);
	while (shared->count < count && error == 0)
		error = pthread_cond_timedwait(&shared->changed, &shared->lock, &until);
	reached = shared->count >= count;
	pthread_mutex_unlock(&shared->lock);
	return reached;
}

#endif
