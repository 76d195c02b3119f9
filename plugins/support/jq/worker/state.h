/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.h - one compiled script and its runs.  A run reads a request from a message and writes
 * its reply over it:
 *
 *	request: state_head, then the input
 *	reply:   a byte (jq_outcome), then an array of the outputs, or null; the text of an error,
 *	         or null when memory is short
 */
#ifndef LIMEN_SUPPORT_JQ_STATE_H
#define LIMEN_SUPPORT_JQ_STATE_H

#include <jq.h>

#include "wire.h"

typedef struct state_head {
	uint32_t script;    /* its number in the template */
	uint32_t wants_all; /* all outputs, and not only the first */
	int64_t timeout;    /* nanoseconds */
} state_head;

typedef struct state {
	jq_state *jq;
	bool output_raw;
} state;

/* Bytes kept of the compiler's messages. */
#define STATE_MESSAGES_MAX 8192

/*
 * Returns NULL with the compiler's messages, one a line, or without any when memory is short.
 */
state *state_new(const char *program, bool output_raw, char messages[STATE_MESSAGES_MAX]);
void state_free(state *freed); /* NULL is fine */

/* Runs 'item' (NULL: it could not be compiled again) on 'input' (consumed). */
void state_run(state *item, jv input, bool wants_all, wire_out *out);

/* imports.c: the directory of limen's own modules, or that of $LIMEN_JQ_PATH.  Static. */
const char *imports_directory(void);

/* The modules of pScheduler; limen's own are found first. */
#define IMPORTS_PSCHEDULER "/usr/lib/jq"

#endif
