/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread.c - starts threads with all signals blocked except those of crashes (SIGSEGV, SIGABRT and
 * the like), and makes conditions that are waited for with a deadline.
 */
#include "thread.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

/* Signals of a crash in this thread must still reach the program's handlers. */
static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS };

size_t
thread_number(void)
{
	static atomic_size_t last;
	static _Thread_local size_t next THREAD_LOCAL_NEAR; /* 0: not known yet */

	if (next == 0)
		next = atomic_fetch_add(&last, 1) + 1;
	return next - 1;
}

int
thread_start(pthread_t *thread, void *(*run)(void *data), void *data)
{
	sigset_t blocked;
	sigset_t before;
	int error;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&blocked, faults[i]);
	/* A thread begins with the mask of the one that starts it. */
	error = pthread_sigmask(SIG_SETMASK, &blocked, &before);
	if (error != 0)
		return error;
	error = pthread_create(thread, NULL, run, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

void
thread_condition(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
}

bool
thread_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t deadline)
{
	const struct timespec until = {
		.tv_sec = (time_t)(deadline / 1000000000),
		.tv_nsec = (long)(deadline % 1000000000),
	};

	if (deadline == INT64_MAX)
		return pthread_cond_wait(condition, lock) == 0;
	return deadline > 0 && pthread_cond_timedwait(condition, lock, &until) != ETIMEDOUT;
}
