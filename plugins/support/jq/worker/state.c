/* SPDX-License-Identifier: Apache-2.0 */
/* state.c - what limen asks of libjq: compile, run, and hand out the results as bytes. */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../jq.h"
#include "../imports.h"

/* Where the number of values stands in a reply. */
#define COUNT_AT 1

/* The first line of each is enough: the others show the script as jq was given it. */
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

/* What "debug" prints is for whoever runs jq by hand. */
static void
drop_message(void *unused, jv message)
{
	(void)unused;
	jv_free(message);
}

/* There is one input: jq 1.7 without a callback says "break". */
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
	state *made = calloc(1, sizeof(*made));

	messages[0] = '\0';
	if (made == NULL)
		return NULL;
	made->output_raw = output_raw;
	made->jq = jq_init();
	if (made->jq == NULL) {
		free(made);
		return NULL;
	}
	jq_set_error_cb(made->jq, keep_message, messages);
	/* jq 1.6 does not initialise these two. */
	jq_set_debug_cb(made->jq, drop_message, NULL);
	jq_set_input_cb(made->jq, refuse_input, NULL);
	/* Without these, jq 1.6 fails an assertion when a script imports anything. */
	jq_set_attr(made->jq, jv_string("JQ_LIBRARY_PATH"), imports_path());
	jq_set_attr(made->jq, jv_string("JQ_ORIGIN"), jv_string(imports_directory()));
	jq_set_attr(made->jq, jv_string("PROGRAM_ORIGIN"), jv_string(imports_directory()));
	if (!jq_compile(made->jq, program)) {
		state_free(made);
		return NULL;
	}
	jq_set_error_cb(made->jq, drop_message, NULL);
	return made;
}

void
state_free(state *freed)
{
	if (freed != NULL)
		jq_teardown(&freed->jq);
	free(freed);
}

typedef struct reply {
	wire_out *out;
	size_t start; /* where it begins */
	uint32_t count;
	jq_outcome outcome;
} reply;

/* Starts again, with nothing but the outcome. */
static void
begin(reply *to, jq_outcome outcome)
{
	char byte = (char)outcome;
	uint32_t none = 0;

	to->out->length = to->start;
	to->out->failed = false;
	to->count = 0;
	to->outcome = outcome;
	wire_bytes(to->out, &byte, 1);
	wire_bytes(to->out, &none, sizeof(none));
}

static void
end(reply *to)
{
	wire_out head = { .bytes = to->out->bytes + to->start, .room = COUNT_AT + 4 };
	char byte = (char)to->outcome;

	wire_bytes(&head, &byte, 1);
	wire_bytes(&head, &to->count, sizeof(to->count));
}

static void
fail(reply *to, const char *why)
{
	begin(to, JQ_FAILED);
	if (why != NULL && wire_output(to->out, jv_string(why)) == NULL)
		to->count = 1;
	else
		begin(to, JQ_FAILED);
}

/* May 'value' be printed?  What is shared in it counts each time.  The bytes are not kept. */
static bool
is_printable(reply *to, jv value)
{
	size_t before = to->out->length;
	const char *problem = wire_output(to->out, jv_copy(value));

	to->out->length = before;
	to->out->failed = false;
	/* What is nested too deeply is printed as far as it goes. */
	return problem != wire_too_large;
}

/* The text of an error value, as Python's str() has it in pScheduler. */
static void
fail_value(reply *to, jv error)
{
	char *why;

	begin(to, JQ_FAILED);
	if (!is_printable(to, error)) {
		jv_free(error);
		error = jv_string("The error is too large to be printed");
	}
	why = jq_to_text(error);
	fail(to, why);
	free(why);
}

/* With output-raw, what is no string becomes text, as "jq -r" prints it. */
static jv
make_raw(reply *to, jv output)
{
	char *json;
	jv raw;

	if (jv_get_kind(output) == JV_KIND_STRING || !is_printable(to, output))
		return output;
	json = jq_to_json(output);
	raw = jv_string(json == NULL ? "null" : json);
	free(json);
	return raw;
}

/* Writes an output (consumed), or only checks it; returns false if it ends the run. */
static bool
take_output(reply *to, const state *one, jv output, bool wants_all)
{
	size_t before = to->out->length;
	const char *problem;

	if (one->output_raw)
		output = make_raw(to, output);
	problem = wire_output(to->out, output);
	if (problem != NULL) {
		fail(to, problem);
		return false;
	}
	to->outcome = JQ_VALUE;
	if (wants_all || to->count == 0)
		to->count++;
	else
		to->out->length = before;
	return true;
}

static void
finish(reply *to, jq_state *jq, jv last)
{
	if (jq_halted(jq)) {
		jv_free(last);
		begin(to, JQ_NOTHING);
	} else if (jv_invalid_has_msg(jv_copy(last))) {
		fail_value(to, jv_invalid_get_msg(last));
	} else {
		jv_free(last);
	}
}

void
state_run(state *one, jv input, bool wants_all, wire_out *out)
{
	reply to = { .out = out, .start = out->length };
	bool goes_on = true;
	jv output;

	if (one == NULL) {
		jv_free(input);
		fail(&to, "The script could not be compiled again");
		end(&to);
		return;
	}
	if (!jv_is_valid(input)) {
		jv_free(input);
		fail(&to, "The input could not be read");
		end(&to);
		return;
	}
	begin(&to, JQ_NOTHING);
	jq_start(one->jq, input, 0);
	while (goes_on) {
		output = jq_next(one->jq);
		if (jv_is_valid(output)) {
			goes_on = take_output(&to, one, output, wants_all);
		} else {
			finish(&to, one->jq, output);
			goes_on = false;
		}
	}
	/* What a run has left lies on jq's stack until the next start. */
	jq_start(one->jq, jv_null(), 0);
	end(&to);
}
