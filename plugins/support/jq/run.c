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
#include "worker/channel.h"

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
fail(run *item, const char *why)
{
	item->outcome = JQ_FAILED;
	free(item->error);
	item->error = strdup(why);
}

static void
fail_late(run *item)
{
	char limit[LIMEN_DURATION_TEXT_MAX];
	char why[128];

	limen_duration_print(item->script->timeout / 1000, limit);
	snprintf(why, sizeof(why), "The script was stopped: it took longer than %s", limit);
	if (limen_host_monotonic() >= item->deadline)
		fail(item, "The script was stopped: no time was left for the decision");
	else
		fail(item, why);
}

/* May 'value' stand in a reply with 'outcome' (state.h)? */
static bool
is_proper(const run *item, uint8_t outcome, jv value)
{
	jv_kind kind = jv_get_kind(value);
	int count = kind == JV_KIND_ARRAY ? jv_array_length(jv_copy(value)) : 0;

	switch (outcome) {
	case JQ_FAILED:
		return kind == JV_KIND_STRING || kind == JV_KIND_NULL;
	case JQ_VALUE:
		return count == 1 || (count > 1 && item->wants_all);
	default:
		return outcome == JQ_NOTHING && kind == JV_KIND_NULL;
	}
}

static void
take_reply(run *item, const char *bytes, size_t length)
{
	wire_in in = { .at = bytes, .left = length,
		       .budget = budget_start(item->wants_all ? 2 : 1) };
	uint8_t outcome = JQ_FAILED;
	jv value = wire_take(&in, &outcome, 1) ? wire_value(&in) : jv_invalid();

	if (in.left > 0 || !is_proper(item, outcome, value)) {
		fail(item, in.is_spent ? wire_too_large
		                      : "The script was stopped: its process gave no proper answer");
	} else {
		item->outcome = (jq_outcome)outcome;
		if (jv_get_kind(value) == JV_KIND_STRING)
			item->error = strdup(jv_string_value(value));
		if (jv_get_kind(value) == JV_KIND_ARRAY)
			jv_array_foreach(value, i, output)
				item->each(output, item->data);
	}
	jv_free(value);
}

/* Writes the request; returns false if it is too large.  Consumes input and hints. */
static bool
write_request(run *item, shared *with)
{
	wire_out out = { .bytes = with->bytes, .room = WIRE_BYTES_MAX };
	const state_head head = { .script = item->script->number, .wants_all = item->wants_all,
		                  .timeout = item->script->timeout };
	bool good;

	wire_bytes(&out, &head, sizeof(head));
	if (item->script->has_hints)
		wire_head(&out, 'a', 2);
	good = wire_put(&out, item->input, false) == NULL;
	if (item->script->has_hints)
		good = wire_put(&out, item->hints, false) == NULL && good;
	atomic_store_explicit(&with->length, (unsigned)out.length, memory_order_relaxed);
	return good;
}

/* Copies the reply out before anything looks at it: the worker may still write. */
static void
copy_reply(run *item, worker *from, size_t request_length)
{
	size_t length = atomic_load(&from->shared->length);
	char *copy;

	if (length > WIRE_BYTES_MAX)
		length = 0;
	copy = malloc(length + 1);
	if (copy != NULL)
		memcpy(copy, from->shared->bytes, length);
	worker_trim(from, length > request_length ? length : request_length);
	template_put(item->script->template, from, false);
	if (copy != NULL)
		take_reply(item, copy, length);
	else
		fail(item, limen_result_text(LIMEN_ENOMEM));
	free(copy);
}

static void
use_worker(run *item, worker *with, limen_deadline deadline)
{
	int64_t kill_at = deadline < INT64_MAX - GRACE_NS ? deadline + GRACE_NS : INT64_MAX;
	size_t length;
	ssize_t result;

	if (!write_request(item, with->shared)) {
		worker_trim(with, WIRE_BYTES_MAX);
		template_put(item->script->template, with, false);
		fail(item, "The input is too large for a script");
		return;
	}
	length = atomic_load(&with->shared->length);
	result = worker_ask(with, kill_at);
	if (result > 0) {
		copy_reply(item, with, length);
		return;
	}
	if (result == CHANNEL_LATE || limen_host_monotonic() >= kill_at)
		fail_late(item);
	else if (atomic_load(&with->shared->was_short) != 0)
		fail(item, "The script was stopped: it took too much memory");
	else
		fail(item, "The script was stopped: its process ended, most likely for lack of "
		          "memory");
	template_put(item->script->template, with, true);
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
run_remote(run *item)
{
	int64_t now = limen_host_monotonic();
	int64_t until = add_time(now, WAIT_NS, item->deadline);
	worker *taken = now >= until ? NULL : template_take(item->script->template, until);

	now = limen_host_monotonic();
	if (taken != NULL) {
		/* Scripts of others that take long cost this one only the time that it waits. */
		use_worker(item, taken, add_time(now, item->script->timeout, item->deadline));
		plan(item->script, end_idle);
		return;
	}
	jv_free(item->input);
	jv_free(item->hints);
	if (now >= item->deadline)
		fail_late(item);
	else if (now >= until)
		fail(item, "The script did not run: other scripts took all the time");
	else
		fail(item, "The process for scripts could not be started again");
}

/* Without a bound of time or memory. */
static void
run_local(run *item)
{
	jq_script *script = item->script;
	wire_out out = { .bytes = script->memory, .room = WIRE_BYTES_MAX };
	jv input = item->input;

	if (script->has_hints)
		input = jv_array_append(jv_array_append(jv_array(), input), item->hints);
	pthread_mutex_lock(&script->lock);
	state_run(script->state, input, item->wants_all, &out);
	take_reply(item, out.bytes, out.length);
	/* A long reply gives its pages back. */
	if (out.length > WIRE_BYTES_MAX / 64)
		madvise(script->memory, WIRE_BYTES_MAX, MADV_DONTNEED);
	pthread_mutex_unlock(&script->lock);
}

static void
start(run *item, const limen_request *req)
{
	if (!jv_is_valid(item->input)) {
		jv why = jv_invalid_get_msg(item->input);

		fail(item, jv_get_kind(why) == JV_KIND_STRING ? jv_string_value(why)
		                                             : limen_result_text(LIMEN_ENOMEM));
		jv_free(why);
		return;
	}
	if (item->script->has_hints) {
		item->hints = req == NULL ? jv_null() : jq_hints(req);
		if (!jv_is_valid(item->hints)) {
			jv_free(item->hints);
			item->hints = jv_null();
		}
	}
	if (item->script->template == NULL)
		run_local(item);
	else
		run_remote(item);
}

jq_outcome
jq_run_each(jq_script *script, jv input, limen_deadline deadline,
            void (*each)(jv output, void *data), void *data, char **error)
{
	run item = { .script = script, .input = input, .wants_all = true, .deadline = deadline,
		    .each = each, .data = data };

	start(&item, NULL);
	if (error != NULL)
		*error = item.error;
	else
		free(item.error);
	return item.outcome;
}

static void
keep_output(jv output, void *data)
{
	*(jv *)data = output;
}

static void
run_once(run *item, const limen_request *req, jq_result *out)
{
	*out = (jq_result){ .value = jv_invalid() };
	item->each = keep_output;
	item->data = &out->value;
	start(item, req);
	out->outcome = item->outcome;
	out->error = item->error;
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
