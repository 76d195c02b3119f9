/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote.h - a process that holds one compiled script, seen from limen.  What
 * they say to each other is made here and in serve.c:
 *
 *	[PROGRAM, MICROSECONDS, RAW]           is answered by true, or by what is
 *	                                       wrong: a string, or jq's messages
 *	[DEADLINE, ALL, INPUT] or with HINTS   by [OUTCOME, ERROR, OUTPUTS]
 */
#ifndef LIMEN_SUPPORT_JQ_REMOTE_H
#define LIMEN_SUPPORT_JQ_REMOTE_H

#include <jv.h>
#include <stdbool.h>
#include <stdint.h>

#include "channel.h"

/* The longest compilation, on a machine that does much else; usually some milliseconds. */
#define REMOTE_LOAD_NS ((int64_t)10 * 1000 * 1000 * 1000)

typedef struct remote remote;

typedef struct remote_script {
	const char *program;
	int64_t timeout; /* nanoseconds */
	bool output_raw;
} remote_script;

/*
 * Starts a process and has it compile the script; gives up at 'deadline'.  Returns
 * NULL with '*problem', which the caller frees: a string, an array of jq's
 * messages, or an invalid value when memory is short.
 */
remote *remote_new(const remote_script *script, int64_t deadline, jv *problem);
void remote_free(remote *freed); /* NULL is fine */

/* False in the child of a fork, where it must not be used. */
bool remote_is_own(const remote *one);

/* Kills the process at once; remote_free() does what takes longer. */
void remote_kill(remote *one);

typedef struct remote_run {
	jv input;         /* consumed */
	jv hints;         /* consumed; invalid: none */
	bool wants_all;   /* all outputs, and not only the first */
	int64_t deadline; /* of the caller */
	int64_t kill_at;  /* when an answer is of no use any more */
} remote_run;

/*
 * Runs the script.  '*answer' is [OUTCOME, ERROR, OUTPUTS] with an outcome of
 * jq_outcome, a string or null, and an array that is not empty if the outcome is
 * JQ_VALUE; the caller frees it in any case.
 */
channel_result remote_ask(remote *one, const remote_run *run, jv *answer);

#endif
