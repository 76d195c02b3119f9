/* SPDX-License-Identifier: Apache-2.0 */
/* state.c - compiles and runs scripts with libjq, and writes the results as bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../jq.h"
#include "state.h"

/* The offset of the number of outputs in a reply. */
#define COUNT_AT 2

static const char unprintable[] = "The error is too large to be printed";

/* Keeps the first line of a message; the others quote the script with its prelude. */
static void
keep_message(void *data, jv message)
{
	char *messages = data;
	size_t before = strlen(messages);

	if (jv_get_kind(message) == JV_KIND_STRING)
		snprintf(messages + before, STATE_MESSAGES_MAX - before, "%.*s\n",
		         (int)strcspn(jv_string_value(message), "\n"), jv_string_value(message));
	jv_free(message);
}

/* Drops the output of "debug": no one would read it. */
static void
drop_message(void *unused, jv message)
{
	(void)unused;
	jv_free(message);
}

/* A script has one input; without a callback, jq 1.7 fails with "break" too. */
static jv
refuse_input(jq_state *jq, void *unused)
{
	(void)jq;
	(void)unused;
	return jv_invalid_with_msg(jv_string("break"));
}

state *
state_new(const char *program, bool output_raw, char messages[STATE_MESSAGES_MAX])
{
	state *compiled = calloc(1, sizeof(*compiled));

	messages[0] = '\0';
	if (compiled == NULL || (compiled->jq = jq_init()) == NULL) {
		free(compiled);
		return NULL;
	}
	compiled->output_raw = output_raw;
	jq_set_error_cb(compiled->jq, keep_message, messages);
	/* jq 1.6 does not initialise these two. */
	jq_set_debug_cb(compiled->jq, drop_message, NULL);
	jq_set_input_cb(compiled->jq, refuse_input, NULL);
	/* Without these, jq 1.6 fails an assertion when a script imports anything. */
	jq_set_attr(compiled->jq, jv_string("JQ_LIBRARY_PATH"),
	            JV_ARRAY(jv_string(imports_directory()), jv_string(IMPORTS_PSCHEDULER)));
	jq_set_attr(compiled->jq, jv_string("JQ_ORIGIN"), jv_string(imports_directory()));
	jq_set_attr(compiled->jq, jv_string("PROGRAM_ORIGIN"), jv_string(imports_directory()));
	if (!jq_compile(compiled->jq, program)) {
		state_free(compiled);
		return NULL;
	}
	/* A script that compiles may have caused warnings. */
	messages[0] = '\0';
	jq_set_error_cb(compiled->jq, drop_message, NULL);
	return compiled;
}

void
state_free(state *freed)
{
	if (freed != NULL)
		jq_teardown(&freed->jq);
	free(freed);
}

/* Writes a reply without outputs: nothing, or the text of an error (NULL: memory is short). */
static void
reply_without(wire_out *out, jq_outcome outcome, const char *why)
{
	char byte = (char)outcome;

	out->length = 0;
	out->failed = false;
	wire_bytes(out, &byte, 1);
	if (wire_put(out, why == NULL ? jv_null() : jv_string(why), true) != NULL)
		reply_without(out, outcome, unprintable);
}

/* Returns true if 'value' fits into a reply.  Shared parts of it count each time. */
static bool
is_printable(wire_out trial, jv value)
{
	wire_put(&trial, jv_copy(value), false);
	return !trial.failed;
}

/* The text of an error value, as Python's str() has it in pScheduler. */
static void
reply_error(wire_out *out, jv error)
{
	char *why;

	out->length = 0;
	why = is_printable(*out, error) ? jq_to_text(jv_copy(error)) : strdup(unprintable);
	jv_free(error);
	reply_without(out, JQ_FAILED, why);
	free(why);
}

/* Converts an output that is not a string to text, as "jq -r" prints it. */
static jv
make_raw(const wire_out *out, jv output)
{
	char *json;
	jv raw;

	if (jv_get_kind(output) == JV_KIND_STRING || !is_printable(*out, output))
		return output;
	json = jq_to_json(output);
	raw = jv_string(json == NULL ? "null" : json);
	free(json);
	return raw;
}

/*
 * Computes all outputs, and writes the first or all.  Returns their number, or 0 with '*problem';
 * '*last' is the invalid value that ends the outputs.
 */
static uint32_t
write_outputs(const state *item, bool wants_all, wire_out *out, const char **problem, jv *last)
{
	uint32_t count = 0;

	*problem = NULL;
	while (jv_is_valid(*last = jq_next(item->jq))) {
		size_t before = out->length;

		if (item->output_raw)
			*last = make_raw(out, *last);
		*problem = wire_put(out, *last, true);
		if (*problem != NULL) {
			*last = jv_invalid();
			return 0;
		}
		if (wants_all || count == 0)
			count++;
		else
			out->length = before;
	}
	return count;
}

void
state_run(state *item, jv input, bool wants_all, wire_out *out)
{
	const char value = JQ_VALUE;
	const char *problem;
	uint32_t count;
	jv last;

	if (item == NULL || !jv_is_valid(input)) {
		jv_free(input);
		reply_without(out, JQ_FAILED, item == NULL ? "The script could not be compiled again"
		                                          : "The input could not be read");
		return;
	}
	jq_start(item->jq, input, 0);
	out->length = 0;
	wire_bytes(out, &value, 1);
	wire_head(out, 'a', 0);
	count = write_outputs(item, wants_all, out, &problem, &last);
	if (problem != NULL)
		reply_without(out, JQ_FAILED, problem);
	else if (!jq_halted(item->jq) && jv_invalid_has_msg(jv_copy(last)))
		reply_error(out, jv_invalid_get_msg(jv_copy(last)));
	else if (jq_halted(item->jq) || count == 0)
		reply_without(out, JQ_NOTHING, NULL);
	else
		memcpy(out->bytes + COUNT_AT, &count, sizeof(count));
	jv_free(last);
	/* Frees the values of the run: jq keeps them on its stack until the next start. */
	jq_start(item->jq, jv_null(), 0);
}
