/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.c - compiling takes milliseconds and running microseconds, so no
 * decision ever compiles: it waits for the next state to come back.
 */
#include "pool.h"

#include <time.h>
#include <unistd.h>

#include "stack.h"

/* More threads than this do not run one script at the same moment often. */
#define STATES_MAX 32

static unsigned
choose_limit(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (processors < 1)
		return 2;
	return processors * 2 > STATES_MAX ? STATES_MAX : (unsigned)processors * 2;
}

void
pool_init(pool *made, worker *first, const char *program, limen_host *host)
{
	pthread_condattr_t attributes;

	*made = (pool){ .idle = first, .count = 1, .program = program, .host = host };
	made->limit = choose_limit();
	pthread_mutex_init(&made->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&made->returned, &attributes);
	pthread_condattr_destroy(&attributes);
}

static void
free_workers(void *data)
{
	pool *closed = data;

	while (closed->idle != NULL) {
		worker *next = closed->idle->next;

		worker_free(closed->idle);
		closed->idle = next;
	}
}

void
pool_close(pool *closed)
{
	stack_run(free_workers, closed);
	pthread_cond_destroy(&closed->returned);
	pthread_mutex_destroy(&closed->lock);
}

typedef struct growth {
	const char *program;
	worker *made;
} growth;

static void
compile(void *data)
{
	growth *wanted = data;

	wanted->made = worker_new(wanted->program);
}

static bool wants_growth(pool *of);

/* A job of the host: compiles one more state. */
static void
grow(void *data)
{
	pool *of = data;
	growth wanted = { .program = of->program };
	bool again;

	stack_run(compile, &wanted);
	/* What compiled once may still fail, when a file that it imports has changed. */
	if (wanted.made != NULL && wanted.made->jq == NULL) {
		worker_free(wanted.made);
		wanted.made = NULL;
	}
	if (wanted.made != NULL)
		pool_put(of, wanted.made);
	pthread_mutex_lock(&of->lock);
	of->is_growing = false;
	if (wanted.made == NULL)
		of->count--;
	again = wanted.made != NULL && of->is_starved && wants_growth(of);
	pthread_mutex_unlock(&of->lock);
	if (again)
		limen_host_work_after(of->host, 0, grow, of);
}

/* Under the lock: reserves a place for one more state if there may be one. */
static bool
wants_growth(pool *of)
{
	if (of->host == NULL || of->is_growing || of->count >= of->limit)
		return false;
	of->is_growing = true;
	of->is_starved = false;
	of->count++;
	return true;
}

static void
start_growth(pool *of)
{
	if (limen_host_work_after(of->host, 0, grow, of) == LIMEN_OK)
		return;
	pthread_mutex_lock(&of->lock);
	of->is_growing = false;
	of->count--;
	pthread_mutex_unlock(&of->lock);
}

/* Waits for a state; the lock is held.  Returns false after the deadline. */
static bool
wait_for_one(pool *from, int64_t deadline)
{
	struct timespec at = { .tv_sec = (time_t)(deadline / 1000000000),
		               .tv_nsec = (long)(deadline % 1000000000) };
	int result = 0;

	while (from->idle == NULL && result == 0) {
		if (deadline == INT64_MAX)
			result = pthread_cond_wait(&from->returned, &from->lock);
		else
			result = pthread_cond_timedwait(&from->returned, &from->lock, &at);
	}
	return from->idle != NULL;
}

worker *
pool_take(pool *from, int64_t deadline)
{
	worker *taken = NULL;
	bool grows = false;

	pthread_mutex_lock(&from->lock);
	if (from->idle == NULL) {
		from->is_starved = true;
		grows = wants_growth(from);
	}
	if (grows) {
		pthread_mutex_unlock(&from->lock);
		start_growth(from);
		pthread_mutex_lock(&from->lock);
	}
	if (wait_for_one(from, deadline)) {
		taken = from->idle;
		from->idle = taken->next;
	}
	pthread_mutex_unlock(&from->lock);
	return taken;
}

/*
 * A state that was lost to a shortage of memory is forgotten, and the next run
 * that finds none has another made.
 */
void
pool_put(pool *to, worker *back)
{
	pthread_mutex_lock(&to->lock);
	if (back->is_lost) {
		to->count--;
	} else {
		back->next = to->idle;
		to->idle = back;
		pthread_cond_signal(&to->returned);
	}
	pthread_mutex_unlock(&to->lock);
	if (back->is_lost)
		worker_free(back);
}
