/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread.c - starts threads with all signals blocked except those of crashes (SIGSEGV, SIGABRT and
 * the like).
 */
#include "thread.h"

#include <signal.h>

/* Signals of a crash in this thread must still reach the program's handlers. */
static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS };

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
