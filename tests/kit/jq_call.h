/* SPDX-License-Identifier: Apache-2.0 */
/* jq_call.h - one jq expression, called with one value after another. */
#ifndef LIMEN_TESTS_KIT_JQ_CALL_H
#define LIMEN_TESTS_KIT_JQ_CALL_H

#include "../../plugins/support/jq/jq.h"

/* A value as JSON, and the result as JSON, or the text of the error. */
struct jq_call_case {
	const char *input; /* NULL ends a table */
	const char *result;
};

/* Compiles 'text'.  Fails the running test and returns NULL if it does not compile. */
jq_script *jq_call_open(const char *text);

/* Calls 'script' with the JSON 'input'; its result, or error, for free(). */
char *jq_call(jq_script *script, const char *input);

/* Calls 'script' with the 'length' bytes of 'input' as a string; the result has to be cleared. */
void jq_call_string(jq_script *script, const char *input, size_t length, jq_result *result);

/* Calls the expression 'text' with all of 'cases'. */
void jq_call_check(const char *text, const struct jq_call_case *cases);

#endif
