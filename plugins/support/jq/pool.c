/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.c - compiling takes milliseconds and running microseconds, so a decision
 * waits for the next state to come back.  Only where none can come, since all
 * are lost and the background has not made another yet, it makes one itself.
 */
#include "pool.h"

#include <time.h>
#include <unistd.h>

#include "stack.h"

/* More processors than these do not run one script at the same moment often. */
static unsigned
choose_limit(unsigned most)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (processors < 1)
		return 2;
	return processors * 2 > (long)most ? most : (unsigned)processors * 2;
}

void
pool_init(pool *made, worker *first, const pool_source *source)
{
	pthread_condattr_t attributes;

	*made = (pool){ .idle = first, .count = 1, .source = *source };
	made->source.limit = choose_limit(source->limit);
	pthread_mutex_init(&made->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&made->returned, &attributes);
	pthread_condattr_destroy(&attributes);
}

static void
free_list(void *data)
{
	worker *freed = data;

	while (freed != NULL) {
		worker *next = freed->next;

		worker_free(freed);
		freed = next;
	}
}

void
pool_close(pool *closed)
{
	stack_run(free_list, closed->idle);
	stack_run(free_list, closed->lost);
	pthread_cond_destroy(&closed->returned);
	pthread_mutex_destroy(&closed->lock);
}

static void
free_lost(pool *of)
{
	worker *lost;

	pthread_mutex_lock(&of->lock);
	lost = of->lost;
	of->lost = NULL;
	pthread_mutex_unlock(&of->lock);
	stack_run(free_list, lost);
}

static bool wants_growth(pool *of);

/* A job of the host: makes one more state. */
static void
grow(void *data)
{
	pool *of = data;
	worker *made;
	bool again;

	free_lost(of);
	made = of->source.make(of->source.what, INT64_MAX);
	if (made != NULL)
		pool_put(of, made);
	pthread_mutex_lock(&of->lock);
	of->is_growing = false;
	if (made == NULL)
		of->count--;
	again = made != NULL && of->is_starved && wants_growth(of);
	pthread_mutex_unlock(&of->lock);
	if (again)
		limen_host_after_blocking(of->source.host, 0, grow, of);
}

/* Under the lock: reserves a place for one more state if there may be one. */
static bool
wants_growth(pool *of)
{
	if (of->source.host == NULL || of->is_growing || of->count >= of->source.limit)
		return false;
	of->is_growing = true;
	of->is_starved = false;
	of->count++;
	return true;
}

static void
start_growth(pool *of)
{
	if (limen_host_after_blocking(of->source.host, 0, grow, of) == LIMEN_OK)
		return;
	pthread_mutex_lock(&of->lock);
	of->is_growing = false;
	of->count--;
	pthread_mutex_unlock(&of->lock);
}

/* Waits for a change; the lock is held.  Returns false after the deadline. */
static bool
wait_for_one(pool *from, int64_t deadline)
{
	struct timespec at = { .tv_sec = (time_t)(deadline / 1000000000),
		               .tv_nsec = (long)(deadline % 1000000000) };

	if (deadline == INT64_MAX)
		return pthread_cond_wait(&from->returned, &from->lock) == 0;
	return pthread_cond_timedwait(&from->returned, &from->lock, &at) == 0;
}

/* Under the lock.  What a fork has copied is the parent's, and is forgotten. */
static worker *
take_idle(pool *from)
{
	worker *taken = from->idle;

	while (taken != NULL && !worker_is_own(taken)) {
		from->idle = taken->next;
		from->count--;
		worker_free(taken);
		taken = from->idle;
	}
	if (taken != NULL)
		from->idle = taken->next;
	return taken;
}

/* Under the lock: can no state come back?  One that is about to be made may never be. */
static bool
has_none(const pool *of)
{
	return of->count - (of->is_growing ? 1 : 0) == 0;
}

/* The lock is held, but not while it makes one. */
static worker *
make_here(pool *of, int64_t deadline)
{
	worker *made;

	of->count++;
	pthread_mutex_unlock(&of->lock);
	made = of->source.make(of->source.what, deadline);
	pthread_mutex_lock(&of->lock);
	if (made != NULL)
		return made;
	of->count--;
	/* Let the next one try. */
	pthread_cond_signal(&of->returned);
	return NULL;
}

worker *
pool_take(pool *from, int64_t deadline)
{
	worker *taken;
	bool is_late = false;

	pthread_mutex_lock(&from->lock);
	taken = take_idle(from);
	while (taken == NULL && !is_late) {
		from->is_starved = true;
		if (has_none(from) && from->source.make != NULL) {
			taken = make_here(from, deadline);
			break;
		}
		if (wants_growth(from)) {
			pthread_mutex_unlock(&from->lock);
			start_growth(from);
			pthread_mutex_lock(&from->lock);
		} else {
			is_late = !wait_for_one(from, deadline);
		}
		taken = take_idle(from);
	}
	pthread_mutex_unlock(&from->lock);
	return taken;
}

/*
 * A lost state is replaced at once, so that the next run need not wait.  Freeing
 * it can wait for that, but not for the next that is lost.
 */
static void
lose(pool *of, worker *back)
{
	bool grows;

	free_lost(of);
	pthread_mutex_lock(&of->lock);
	of->count--;
	back->next = NULL;
	grows = wants_growth(of);
	if (grows)
		of->lost = back;
	pthread_cond_signal(&of->returned);
	pthread_mutex_unlock(&of->lock);
	if (grows)
		start_growth(of);
	else
		worker_free(back);
}

void
pool_put(pool *to, worker *back)
{
	if (back->is_lost) {
		lose(to, back);
		return;
	}
	pthread_mutex_lock(&to->lock);
	back->next = to->idle;
	to->idle = back;
	pthread_cond_signal(&to->returned);
	pthread_mutex_unlock(&to->lock);
}
