/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - one run of a script: a state from the pool, a large stack, the
 * watchdog, and then outputs that are the caller's own.  A state may be in
 * another process: then input, time and hints go there, and outputs come back.
 */
#include <limen/duration.h>
#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "copy.h"
#include "extent.h"
#include "run.h"
#include "script.h"
#include "stack.h"
#include "text.h"

/*
 * The process of a script ends a run itself, with a proper answer, unless it is
 * in the middle of one of jq's functions.  After this it is killed.
 */
#define GRACE_NS ((int64_t)20 * 1000 * 1000)

/* What one run needs on its stack. */
typedef struct errand {
	jq_script *script;
	jv input;
	jv known; /* the input again, what outputs may share with the caller */
	const limen_request *req; /* may be NULL */
	jv hints; /* where there is no request; not consumed */
	bool wants_all;
	int64_t deadline;
	void (*each)(jv output, void *data);
	void *data;
	bool has_started;
	bool has_output;
	jq_outcome outcome;
	char *error;
} errand;

/* The text of an error value, as Python's str() has it in pScheduler. */
static void
fail_value(errand *one, jv error)
{
	one->outcome = JQ_FAILED;
	if (!extent_fits(error)) {
		jv_free(error);
		error = jv_string("The error is too large to be printed");
	}
	one->error = jq_to_text(error);
}

static void
fail(errand *one, const char *why)
{
	one->outcome = JQ_FAILED;
	free(one->error);
	one->error = strdup(why);
}

static void
fail_late(errand *one)
{
	char limit[LIMEN_DURATION_TEXT_MAX];
	text why = { .bytes = NULL };

	limen_duration_print(one->script->timeout / 1000, limit);
	if (limen_host_monotonic() >= one->deadline)
		text_adds(&why, "The script was stopped: no time was left for the decision");
	else
		text_addf(&why, "The script was stopped: it took longer than %s", limit);
	one->outcome = JQ_FAILED;
	one->error = text_steal(&why);
}

/* With output-raw, what is no string becomes text, as "jq -r" prints it. */
static jv
make_raw(jv output)
{
	char *json;
	jv raw;

	if (jv_get_kind(output) == JV_KIND_STRING)
		return output;
	if (!extent_fits(output)) {
		jv_free(output);
		return jv_invalid_with_msg(jv_string("The result is too large"));
	}
	json = jq_to_json(output);
	raw = jv_string(json == NULL ? "null" : json);
	free(json);
	return raw;
}

static bool
take_output(jv output, void *data)
{
	errand *one = data;
	jv checked;

	if (one->script->output_raw)
		output = make_raw(output);
	checked = jv_is_valid(output) ? copy_output(output, one->known) : output;
	if (!jv_is_valid(checked)) {
		fail_value(one, jv_invalid_get_msg(checked));
		one->each = NULL;
		return false;
	}
	one->has_output = true;
	one->each(checked, one->data);
	return true;
}

static void
end_early(errand *one, watchdog_end why)
{
	if (why == WATCHDOG_HALT)
		one->outcome = JQ_NOTHING;
	else if (why == WATCHDOG_MEMORY)
		fail(one, "The script was stopped: it took too much memory");
	else
		fail_late(one);
}

static void
use_worker(errand *one, worker *state)
{
	jv error = jv_null();
	worker_outcome outcome;

	native_reset(&state->native, one->req, one->hints);
	outcome = worker_run(state, one->input, take_output, one, &error);
	if (!state->is_lost)
		native_reset(&state->native, NULL, jv_invalid());
	switch (outcome) {
	case WORKER_DONE:
		if (one->each != NULL)
			one->outcome = one->has_output ? JQ_VALUE : JQ_NOTHING;
		break;
	case WORKER_ERROR:
		fail_value(one, error);
		break;
	case WORKER_ENDED:
		end_early(one, state->run.end);
		break;
	case WORKER_SHORT:
		fail(one, limen_result_text(LIMEN_ENOMEM));
		break;
	}
}

/* 'answer' is as remote.h says; consumed. */
static void
take_answer(errand *one, jv answer)
{
	jv error = jv_array_get(jv_copy(answer), 1);
	jv outputs = jv_array_get(jv_copy(answer), 2);

	one->outcome = (jq_outcome)jv_number_value(jv_array_get(answer, 0));
	for (int i = 0; i < jv_array_length(jv_copy(outputs)); i++)
		one->each(jv_array_get(jv_copy(outputs), i), one->data);
	if (one->outcome == JQ_FAILED)
		fail(one, jv_get_kind(error) == JV_KIND_STRING ? jv_string_value(error)
		                                               : limen_result_text(LIMEN_ENOMEM));
	jv_free(outputs);
	jv_free(error);
}

typedef struct asking {
	errand *one;
	worker *state;
} asking;

static void
ask(void *data)
{
	asking *now = data;
	errand *one = now->one;
	int64_t deadline = now->state->run.deadline;
	remote_run run = { .input = one->input, .hints = jv_invalid(), .wants_all = one->wants_all,
		           .deadline = one->deadline, .kill_at = INT64_MAX };
	channel_result result;
	jv answer;

	if (one->script->has_hints && one->req != NULL)
		run.hints = jq_hints(one->req);
	if (deadline < INT64_MAX - GRACE_NS)
		run.kill_at = deadline + GRACE_NS;
	result = remote_ask(now->state->remote, &run, &answer);
	now->state->is_lost = result != CHANNEL_OK && result != CHANNEL_LARGE;
	if (result == CHANNEL_OK) {
		take_answer(one, answer);
		return;
	}
	jv_free(answer);
	if (result == CHANNEL_LATE)
		fail_late(one);
	else if (result == CHANNEL_LARGE)
		fail(one, "The input is too large for a script");
	else if (result == CHANNEL_BAD)
		fail(one, "The script was stopped: its process gave no proper answer");
	else
		fail(one, "The script was stopped: its process ended, most likely for lack of "
		          "memory");
}

/* A process whose answer is of no use is killed now, and freed when there is time. */
static void
use_remote(errand *one, worker *state)
{
	asking now = { .one = one, .state = state };

	if (!attempt(ask, &now)) {
		state->is_lost = true;
		fail(one, limen_result_text(LIMEN_ENOMEM));
	}
	if (state->is_lost)
		remote_kill(state->remote);
}

static void
use_state(errand *one, worker *state)
{
	if (state->remote == NULL) {
		use_worker(one, state);
	} else if (limen_host_monotonic() >= state->run.deadline) {
		jv_free(one->input);
		fail_late(one);
	} else {
		use_remote(one, state);
	}
}

static void
fail_start(errand *one, int64_t deadline)
{
	if (limen_host_monotonic() >= deadline)
		fail_late(one);
	else
		fail(one, "The script could not be compiled again");
}

static void
run_errand(void *data)
{
	errand *one = data;
	int64_t now = limen_host_monotonic();
	int64_t deadline = one->script->timeout > INT64_MAX - now ? INT64_MAX
	                                                         : now + one->script->timeout;
	worker *state;

	one->has_started = true;
	if (deadline > one->deadline)
		deadline = one->deadline;
	state = pool_take(&one->script->pool, deadline);
	if (state == NULL) {
		jv_free(one->input);
		fail_start(one, deadline);
	} else {
		state->run.started = now;
		state->run.deadline = deadline;
		use_state(one, state);
		pool_put(&one->script->pool, state);
	}
	jv_free(one->known);
}

/* Values that libjq was working on when memory ran short are lost. */
static void
give_up(errand *one)
{
	if (!one->has_started) {
		jv_free(one->known);
		jv_free(one->input);
	}
	fail(one, limen_result_text(LIMEN_ENOMEM));
}

/* Runs 'one', which has everything but the copy of its input. */
static void
run_on_stack(errand *one)
{
	if (!jv_is_valid(one->input)) {
		fail_value(one, jv_invalid_get_msg(one->input));
		return;
	}
	one->known = jv_copy(one->input);
	if (!stack_run(run_errand, one))
		give_up(one);
}

jq_outcome
run_each(jq_script *script, jv input, jv hints, int64_t deadline,
         void (*each)(jv output, void *data), void *data, char **error)
{
	errand one = { .script = script, .input = input, .hints = hints, .wants_all = true,
		       .deadline = deadline, .each = each, .data = data };

	run_on_stack(&one);
	if (error != NULL)
		*error = one.error;
	else
		free(one.error);
	return one.outcome;
}

jq_outcome
jq_run_each(jq_script *script, jv input, int64_t deadline, void (*each)(jv output, void *data),
            void *data, char **error)
{
	return run_each(script, input, jv_invalid(), deadline, each, data, error);
}

static void
keep_first(jv output, void *data)
{
	jv *first = data;

	if (jv_is_valid(*first))
		jv_free(output);
	else
		*first = output;
}

static void
run_once(errand *one, jq_result *out)
{
	*out = (jq_result){ .value = jv_invalid() };
	one->hints = jv_invalid();
	one->each = keep_first;
	one->data = &out->value;
	run_on_stack(one);
	out->outcome = one->outcome;
	out->error = one->error;
	if (out->outcome == JQ_VALUE)
		return;
	jv_free(out->value);
	out->value = jv_invalid();
}

void
jq_run(jq_script *script, jv input, int64_t deadline, jq_result *out)
{
	errand one = { .script = script, .input = input, .deadline = deadline };

	run_once(&one, out);
}

void
jq_run_for(jq_script *script, const limen_request *req, jv input, jq_result *out)
{
	errand one = { .script = script, .input = input, .req = req,
		       .deadline = jq_deadline(req) };

	run_once(&one, out);
}

void
jq_result_clear(jq_result *result)
{
	jv_free(result->value);
	free(result->error);
	*result = (jq_result){ .value = jv_invalid() };
}

const char *
jq_result_error(const jq_result *result)
{
	return result->error == NULL ? limen_result_text(LIMEN_ENOMEM) : result->error;
}
