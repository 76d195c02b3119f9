/* SPDX-License-Identifier: Apache-2.0 */
/* compiler.c - starts the process of a template and has it compile scripts. */
#include "compiler.h"

#include <limen/host.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../text.h"
#include "wire.h"

static jv
explain(const char *what, const char *why)
{
	return jv_string_fmt("The process for the script %s: %s", what, why);
}

/* The program is named: its file may be what is wrong. */
static jv
explain_start(int error)
{
	char why[PATH_MAX + 128];
	char reason[128];

	snprintf(why, sizeof(why), "%s: %s", process_program(),
	         strerror_r(error, reason, sizeof(reason)));
	return explain("cannot be started", why);
}

jv
compiler_silence(channel_result result)
{
	return explain("has not started", result == CHANNEL_LATE
	                                          ? "it took too long to compile"
	                                          : "it ended early or gave no proper answer");
}

static bool
is_array_of_strings(jv value)
{
	bool good = jv_get_kind(value) == JV_KIND_ARRAY;

	for (int i = 0; good && i < jv_array_length(jv_copy(value)); i++) {
		jv element = jv_array_get(jv_copy(value), i);

		good = jv_get_kind(element) == JV_KIND_STRING;
		jv_free(element);
	}
	return good;
}

jv
compiler_compile(process *with, const channel_script *head, const char *program)
{
	int64_t deadline = limen_host_monotonic() + COMPILER_NS;
	channel_result result = CHANNEL_GONE;
	text message = { .bytes = NULL };
	jv answer = jv_invalid();

	text_addc(&message, 'C');
	text_add(&message, (const char *)head, sizeof(*head));
	text_adds(&message, program);
	if (!message.failed)
		result = channel_send(with->socket, message.bytes, message.length, NULL,
		                      deadline);
	text_free(&message);
	if (result == CHANNEL_OK)
		result = channel_receive(with->socket, &message, NULL, deadline);
	if (result == CHANNEL_OK) {
		wire_in in = { .at = message.bytes, .left = message.length,
			       .budget = budget_start(1) };

		answer = wire_value(&in);
		if (in.left > 0) {
			jv_free(answer);
			answer = jv_invalid();
		}
		text_free(&message);
	}
	if (jv_get_kind(answer) == JV_KIND_NULL || is_array_of_strings(answer))
		return answer;
	jv_free(answer);
	process_end(with);
	return compiler_silence(result);
}

/* Hears what a new process says first.  Returns null, or what is wrong. */
static jv
hear_greeting(const process *with, bool *has_filter)
{
	text said;
	channel_result result = channel_receive(with->socket, &said, NULL,
	                                        limen_host_monotonic() + COMPILER_NS);
	jv problem = jv_null();

	if (result != CHANNEL_OK || said.length == 0)
		problem = compiler_silence(result);
	else if (said.length > 1)
		problem = jv_string_sized(said.bytes + 1, (int)said.length - 1);
	else
		*has_filter = said.bytes[0] != 0;
	text_free(&said);
	return problem;
}

jv
compiler_start(process *made, bool needs_filter, bool *has_filter)
{
	int error = process_start(made);
	jv problem;

	if (error != 0)
		return explain_start(error);
	problem = hear_greeting(made, has_filter);
	if (jv_get_kind(problem) == JV_KIND_NULL && needs_filter && !*has_filter)
		problem = jv_string("This system, or this build of limen, cannot filter system "
		                    "calls (seccomp), without which no script runs in a process of "
		                    "its own");
	if (jv_get_kind(problem) != JV_KIND_NULL)
		process_end(made);
	return problem;
}
