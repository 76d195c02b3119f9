/* SPDX-License-Identifier: Apache-2.0 */
/* worker.h - one compiled state of a script, here or in a process, run by one thread at a time. */
#ifndef LIMEN_SUPPORT_JQ_WORKER_H
#define LIMEN_SUPPORT_JQ_WORKER_H

#include <jq.h>

#include "native.h"
#include "remote.h"
#include "watchdog.h"

typedef struct worker {
	struct worker *next; /* in the pool */
	remote *remote; /* the process that holds it, or NULL */
	jq_state *jq;
	watchdog_run run;
	native native;
	jv messages; /* of the compiler: an array of strings */
	bool is_lost; /* memory ran short inside of libjq, or the process is gone: of no more use */
} worker;

/*
 * Compiles 'program'.  Returns NULL when memory is short; a program with errors
 * gives a worker without jq and with messages.
 */
worker *worker_new(const char *program);
void worker_free(worker *freed); /* NULL is fine */

/* Wraps a process, which it takes over; NULL when memory is short. */
worker *worker_wrap(remote *process);

/* False in the child of a fork if the process is the parent's. */
bool worker_is_own(const worker *one);

typedef enum worker_outcome {
	WORKER_DONE,
	WORKER_ERROR, /* 'error' is the error value, perhaps null */
	WORKER_ENDED, /* by the watchdog, or by the script: see run.end */
	WORKER_SHORT  /* of memory */
} worker_outcome;

/*
 * Runs on 'input' (consumed) until there are no more outputs.  Each goes to
 * 'each', which consumes it; it returns false to end the run, which counts as
 * done.  run.deadline says when it is over.  For the large stack only.
 */
worker_outcome worker_run(worker *one, jv input, bool (*each)(jv output, void *data), void *data,
                          jv *error);

#endif
