/* SPDX-License-Identifier: Apache-2.0 */
/* worker.h - a process that runs scripts, seen from limen, which is not its parent. */
#ifndef LIMEN_SUPPORT_JQ_WORKER_H
#define LIMEN_SUPPORT_JQ_WORKER_H

#include <sys/types.h>

#include "shared.h"

typedef struct worker {
	struct worker *next; /* in the list of idle ones */
	int64_t idle_since;
	shared *shared;
	int socket;
	pid_t pid;         /* 0: it has no process yet */
	pid_t group;       /* its template's */
	unsigned requests; /* so far */
} worker;

/*
 * Makes a worker without a process, and 'fds', which its process gets and the caller closes.  It
 * spins so many nanoseconds before it sleeps.  Returns NULL when something is short.
 */
worker *worker_new(unsigned spins, int fds[2]);

/* Takes 'pid' for its process; returns false if that is not one of 'group'. */
bool worker_adopt(worker *made, pid_t pid, pid_t group);

/* Kills the process and frees the worker. */
void worker_end(worker *ended);

/* Frees the worker without a signal to its process, which may be the parent's. */
void worker_forget(worker *freed);

#endif
