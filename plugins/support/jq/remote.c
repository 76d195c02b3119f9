/* SPDX-License-Identifier: Apache-2.0 */
/* remote.c - asks a script's process, and believes nothing that it says. */
#include "remote.h"

#include <limen/host.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jq.h"
#include "process.h"
#include "text.h"

struct remote {
	process process;
};

static jv
explain(const char *what, const char *why)
{
	text words = { .bytes = NULL };
	char *made;
	jv result;

	text_addf(&words, "The process for the script %s: %s", what, why);
	made = text_steal(&words);
	if (made == NULL)
		return jv_invalid();
	result = jv_string(made);
	free(made);
	return result;
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

/* Returns true, or what is wrong. */
static jv
load(remote *made, const remote_script *script, int64_t deadline)
{
	jv message = JV_ARRAY(jv_string(script->program),
	                      jv_number((double)(script->timeout / 1000)),
	                      jv_bool(script->output_raw));
	channel_result result = channel_send(made->process.socket, message, deadline);
	jv answer = jv_invalid();

	if (result == CHANNEL_LARGE)
		return explain("was not asked", "the script is too large");
	if (result == CHANNEL_OK)
		result = channel_receive(made->process.socket, deadline, &answer);
	if (result == CHANNEL_LATE)
		return explain("has not started", "it took too long to compile");
	if (result == CHANNEL_OK &&
	    (jv_get_kind(answer) == JV_KIND_TRUE || jv_get_kind(answer) == JV_KIND_STRING ||
	     is_array_of_strings(answer)))
		return answer;
	jv_free(answer);
	return explain("has not started", "it ended early or gave no proper answer");
}

remote *
remote_new(const remote_script *script, int64_t deadline, jv *problem)
{
	int64_t latest = limen_host_monotonic() + REMOTE_LOAD_NS;
	remote *made = calloc(1, sizeof(*made));
	int error;

	*problem = jv_invalid();
	if (made == NULL)
		return NULL;
	error = process_start(&made->process);
	if (error != 0) {
		*problem = explain_start(error);
		free(made);
		return NULL;
	}
	*problem = load(made, script, deadline < latest ? deadline : latest);
	if (jv_get_kind(*problem) == JV_KIND_TRUE)
		return made;
	remote_free(made);
	return NULL;
}

void
remote_free(remote *freed)
{
	if (freed == NULL)
		return;
	process_end(&freed->process);
	free(freed);
}

bool
remote_is_own(const remote *one)
{
	return process_is_own(&one->process);
}

void
remote_kill(remote *one)
{
	process_kill(&one->process);
}

static bool
is_kind(jv array, int at, jv_kind one, jv_kind other)
{
	jv element = jv_array_get(jv_copy(array), at);
	jv_kind kind = jv_get_kind(element);

	jv_free(element);
	return kind == one || kind == other;
}

/* Could serve.c have said this? */
static bool
is_answer(jv answer, bool wants_all)
{
	double outcome;
	int count;

	if (jv_get_kind(answer) != JV_KIND_ARRAY || jv_array_length(jv_copy(answer)) != 3 ||
	    !is_kind(answer, 0, JV_KIND_NUMBER, JV_KIND_NUMBER) ||
	    !is_kind(answer, 1, JV_KIND_STRING, JV_KIND_NULL) ||
	    !is_kind(answer, 2, JV_KIND_ARRAY, JV_KIND_ARRAY))
		return false;
	outcome = jv_number_value(jv_array_get(jv_copy(answer), 0));
	count = jv_array_length(jv_array_get(jv_copy(answer), 2));
	if (!wants_all && count > 1)
		return false;
	if (outcome == JQ_VALUE)
		return count > 0;
	return outcome == JQ_FAILED || outcome == JQ_NOTHING;
}

channel_result
remote_ask(remote *one, const remote_run *run, jv *answer)
{
	jv deadline = run->deadline == INT64_MAX ? jv_null()
	                                         : jv_number((double)(run->deadline / 1000));
	jv message = JV_ARRAY(deadline, jv_bool(run->wants_all), run->input);
	channel_result result;

	*answer = jv_invalid();
	if (jv_is_valid(run->hints))
		message = jv_array_append(message, run->hints);
	else
		jv_free(run->hints);
	result = channel_send(one->process.socket, message, run->kill_at);
	if (result == CHANNEL_OK)
		result = channel_receive(one->process.socket, run->kill_at, answer);
	else
		return result;
	if (result == CHANNEL_OK && !is_answer(*answer, run->wants_all))
		return CHANNEL_BAD;
	/* Its answer does not fit into our memory: it is not the input that is too large. */
	return result == CHANNEL_LARGE ? CHANNEL_BAD : result;
}
