/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.h - one compiled script and its runs.  A run reads a request from a message and writes
 * its reply over it:
 *
 *	request: state_head, then the input
 *	reply:   a byte (jq_outcome), four bytes (number of values), the values: the outputs, or
 *	         the text of the error, or none when memory is short
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
	jq_state *jq; /* NULL: the script did not compile */
	jv messages;  /* of the compiler: an array of strings */
	bool output_raw;
} state;

/* Returns NULL when memory is short. */
state *state_new(const char *program, bool output_raw);
void state_free(state *freed); /* NULL is fine */

/* Runs 'one' (NULL: it is not there any more) on 'input' (consumed). */
void state_run(state *one, jv input, bool wants_all, wire_out *out);

#endif
