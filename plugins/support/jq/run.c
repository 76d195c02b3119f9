/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - one run of a script: its input goes to a worker, and the outputs come back as the
 * caller's own.  A script that runs here writes the same reply.
 */
#include <limen/duration.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "script.h"

/* A result that is a little late is still taken; after this the worker is killed. */
#define GRACE_NS ((int64_t)20 * 1000 * 1000)

/* Timeout of a decision without a deadline that waits for a worker. */
#define WAIT_NS ((int64_t)30 * 1000 * 1000 * 1000)

/* The longest idle time of a worker: it takes megabytes, and a new one milliseconds. */
#define IDLE_MAX (60 * LIMEN_SECOND)

typedef struct run {
	jq_script *script;
	jv input;
	jv hints; /* consumed; an invalid value: none */
	bool wants_all;
	limen_deadline deadline; /* of the caller */
	void (*each)(jv output, void *data);
	void *data;
	jq_outcome outcome;
	char *error;
} run;

static void
fail(run *one, const char *why)
{
	one->outcome = JQ_FAILED;
	free(one->error);
	one->error = strdup(why);
}

static void
fail_late(run *one)
{
	char limit[LIMEN_DURATION_TEXT_MAX];
	char why[128];

	limen_duration_print(one->script->timeout / 1000, limit);
	snprintf(why, sizeof(why), "The script was stopped: it took longer than %s", limit);
	if (limen_host_monotonic() >= one->deadline)
		fail(one, "The script was stopped: no time was left for the decision");
	else
		fail(one, why);
}

/* May 'value' stand in a reply with 'outcome' (state.h)? */
static bool
is_proper(const run *one, uint8_t outcome, jv value)
{
	jv_kind kind = jv_get_kind(value);
	int count = kind == JV_KIND_ARRAY ? jv_array_length(jv_copy(value)) : 0;

	switch (outcome) {
	case JQ_FAILED:
		return kind == JV_KIND_STRING || kind == JV_KIND_NULL;
	case JQ_VALUE:
		return count == 1 || (count > 1 && one->wants_all);
	default:
		return outcome == JQ_NOTHING && kind == JV_KIND_NULL;
	}
}

static void
take_reply(run *one, const char *bytes, size_t length)
{
	wire_in in = { .at = bytes, .left = length,
		       .budget = budget_start(one->wants_all ? 2 : 1) };
	uint8_t outcome = JQ_FAILED;
	jv value = wire_take(&in, &outcome, 1) ? wire_value(&in) : jv_invalid();

	if (in.left > 0 || !is_proper(one, outcome, value)) {
		fail(one, in.is_spent ? wire_too_large
		                      : "The script was stopped: its process gave no proper answer");
	} else {
		one->outcome = (jq_outcome)outcome;
		if (jv_get_kind(value) == JV_KIND_STRING)
			one->error = strdup(jv_string_value(value));
		if (jv_get_kind(value) == JV_KIND_ARRAY)
			jv_array_foreach(value, i, output)
				one->each(output, one->data);
	}
	jv_free(value);
}

/* Writes the request; returns false if it is too large.  Consumes input and hints. */
static bool
write_request(run *one, shared *with)
{
	wire_out out = { .bytes = with->bytes, .room = WIRE_BYTES_MAX };
	const state_head head = { .script = one->script->number, .wants_all = one->wants_all,
		                  .timeout = one->script->timeout };
	bool good;

	wire_bytes(&out, &head, sizeof(head));
	if (one->script->has_hints)
		wire_head(&out, 'a', 2);
	good = wire_put(&out, one->input, false) == NULL;
	if (one->script->has_hints)
		good = wire_put(&out, one->hints, false) == NULL && good;
	atomic_store_explicit(&with->length, (unsigned)out.length, memory_order_relaxed);
	return good;
}

/* Copies the reply out before anything looks at it: the worker may still write. */
static void
copy_reply(run *one, worker *from, size_t request_length)
{
	size_t length = atomic_load(&from->shared->length);
	char *copy;

	if (length > WIRE_BYTES_MAX)
		length = 0;
	copy = malloc(length + 1);
	if (copy != NULL)
		memcpy(copy, from->shared->bytes, length);
	shared_trim(from->shared, length > request_length ? length : request_length);
	template_put(one->script->template, from, false);
	if (copy != NULL)
		take_reply(one, copy, length);
	else
		fail(one, limen_result_text(LIMEN_ENOMEM));
	free(copy);
}

static void
use_worker(run *one, worker *with, limen_deadline deadline)
{
	int64_t kill_at = deadline < INT64_MAX - GRACE_NS ? deadline + GRACE_NS : INT64_MAX;
	static atomic_uint running;
	shared_result result;
	unsigned spins;
	size_t length;

	if (!write_request(one, with->shared)) {
		shared_trim(with->shared, WIRE_BYTES_MAX);
		template_put(one->script->template, with, false);
		fail(one, "The input is too large for a script");
		return;
	}
	length = atomic_load(&with->shared->length);
	spins = template_spin(atomic_fetch_add(&running, 1) + 1);
	atomic_store(&with->shared->spin, spins);
	result = shared_ask(with->shared, with->socket, ++with->requests, spins, kill_at);
	atomic_fetch_sub(&running, 1);
	if (result == SHARED_OK) {
		copy_reply(one, with, length);
		return;
	}
	if (result == SHARED_LATE || limen_host_monotonic() >= kill_at)
		fail_late(one);
	else if (atomic_load(&with->shared->was_short) != 0)
		fail(one, "The script was stopped: it took too much memory");
	else
		fail(one, "The script was stopped: its process ended, most likely for lack of "
		          "memory");
	template_put(one->script->template, with, true);
}

static void
plan(jq_script *script, limen_job sweep)
{
	if (script->host != NULL && !atomic_load(&script->has_sweep) &&
	    !atomic_exchange(&script->has_sweep, true) &&
	    limen_host_after(script->host, IDLE_MAX, sweep, script) != LIMEN_OK)
		atomic_store(&script->has_sweep, false);
}

/* A job: ends the workers that are idle for long, as long as there are any. */
static void
end_idle(void *data)
{
	jq_script *script = data;

	/* Before it looks: a run that finds it true has given its worker back before. */
	atomic_store(&script->has_sweep, false);
	if (template_end_idle(script->template, limen_host_monotonic() - IDLE_MAX * 1000))
		plan(script, end_idle);
}

/* Returns the time 'more' from 'now', or 'limit' if that is sooner. */
static int64_t
add_time(int64_t now, int64_t more, int64_t limit)
{
	return more > INT64_MAX - now || now + more > limit ? limit : now + more;
}

static void
run_remote(run *one)
{
	int64_t now = limen_host_monotonic();
	int64_t until = add_time(now, WAIT_NS, one->deadline);
	worker *taken = now >= until ? NULL : template_take(one->script->template, until);

	now = limen_host_monotonic();
	if (taken != NULL) {
		/* Scripts of others that take long cost this one only the time that it waits. */
		use_worker(one, taken, add_time(now, one->script->timeout, one->deadline));
		plan(one->script, end_idle);
		return;
	}
	jv_free(one->input);
	jv_free(one->hints);
	if (now >= one->deadline)
		fail_late(one);
	else if (now >= until)
		fail(one, "The script did not run: other scripts took all the time");
	else
		fail(one, "The process for scripts could not be started again");
}

/* Without a bound of time or memory. */
static void
run_local(run *one)
{
	jq_script *script = one->script;
	wire_out out = { .bytes = script->memory, .room = WIRE_BYTES_MAX };
	jv input = one->input;

	if (script->has_hints)
		input = jv_array_append(jv_array_append(jv_array(), input), one->hints);
	pthread_mutex_lock(&script->lock);
	state_run(script->state, input, one->wants_all, &out);
	take_reply(one, out.bytes, out.length);
	/* A long reply gives its pages back. */
	if (out.length > WIRE_BYTES_MAX / 64)
		madvise(script->memory, WIRE_BYTES_MAX, MADV_DONTNEED);
	pthread_mutex_unlock(&script->lock);
}

static void
start(run *one, const limen_request *req)
{
	if (!jv_is_valid(one->input)) {
		jv why = jv_invalid_get_msg(one->input);

		fail(one, jv_get_kind(why) == JV_KIND_STRING ? jv_string_value(why)
		                                             : limen_result_text(LIMEN_ENOMEM));
		jv_free(why);
		return;
	}
	if (one->script->has_hints) {
		one->hints = req == NULL ? jv_null() : jq_hints(req);
		if (!jv_is_valid(one->hints)) {
			jv_free(one->hints);
			one->hints = jv_null();
		}
	}
	if (one->script->template == NULL)
		run_local(one);
	else
		run_remote(one);
}

jq_outcome
jq_run_each(jq_script *script, jv input, limen_deadline deadline,
            void (*each)(jv output, void *data), void *data, char **error)
{
	run one = { .script = script, .input = input, .wants_all = true, .deadline = deadline,
		    .each = each, .data = data };

	start(&one, NULL);
	if (error != NULL)
		*error = one.error;
	else
		free(one.error);
	return one.outcome;
}

static void
keep_output(jv output, void *data)
{
	*(jv *)data = output;
}

static void
run_once(run *one, const limen_request *req, jq_result *out)
{
	*out = (jq_result){ .value = jv_invalid() };
	one->each = keep_output;
	one->data = &out->value;
	start(one, req);
	out->outcome = one->outcome;
	out->error = one->error;
}

void
jq_run(jq_script *script, jv input, limen_deadline deadline, jq_result *out)
{
	run_once(&(run){ .script = script, .input = input, .deadline = deadline }, NULL, out);
}

void
jq_run_for(jq_script *script, const limen_request *req, jv input, jq_result *out)
{
	run_once(
		&(run){ .script = script, .input = input, .deadline = limen_request_deadline(req) },
		req, out);
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
	if (result->outcome == JQ_NOTHING)
		return "list index out of range";
	return result->error == NULL ? limen_result_text(LIMEN_ENOMEM) : result->error;
}
