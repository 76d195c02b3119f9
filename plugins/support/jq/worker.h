/* SPDX-License-Identifier: Apache-2.0 */
/* worker.h - one compiled state of a script, run by one thread at a time. */
#ifndef LIMEN_SUPPORT_JQ_WORKER_H
#define LIMEN_SUPPORT_JQ_WORKER_H

#include <jq.h>

#include "native.h"
#include "watchdog.h"

typedef struct worker {
	struct worker *next; /* in the pool */
	jq_state *jq;
	watchdog_run run;
	native native;
	jv messages; /* of the compiler: an array of strings */
	bool is_lost; /* memory ran short inside of libjq: not to be touched again */
} worker;

/*
 * Compiles 'program'.  Returns NULL when memory is short; a program with errors
 * gives a worker without jq and with messages.
 */
worker *worker_new(const char *program);
void worker_free(worker *freed); /* NULL is fine */

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
