/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serve.c - the same library, run in a process that holds nothing but one
 * script: its results, its errors and its time are those of any other run.
 */
#include "serve.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "channel.h"
#include "jail.h"
#include "remote.h"
#include "run.h"
#include "script.h"
#include "stack.h"

/* Longer than anybody would have waited before killing this process. */
#define ALARM_NS ((int64_t)2 * 1000 * 1000 * 1000)

typedef struct server {
	int fd;
	jq_script script;
	jv message; /* the newest */
	bool is_loaded;
	bool is_ended;
} server;

/* The whole numbers of microseconds that messages hold are exact for 285 years. */
static int64_t
to_nanoseconds(jv microseconds)
{
	double number = jv_number_value(microseconds);

	return number >= (double)(INT64_MAX / 1000) ? INT64_MAX : (int64_t)number * 1000;
}

static void
answer(server *self, jv value)
{
	if (channel_send(self->fd, value, INT64_MAX) != CHANNEL_OK)
		self->is_ended = true;
}

/* Compiles; returns true, or what is to be said instead. */
static jv
compile(server *self)
{
	jv text = jv_array_get(jv_copy(self->message), 0);
	const pool_source none = { .limit = 1 };
	worker *made;
	const char *problem;

	self->script.program.text = strdup(jv_string_value(text));
	jv_free(text);
	self->script.timeout = to_nanoseconds(jv_array_get(jv_copy(self->message), 1));
	self->script.output_raw = jv_get_kind(jv_array_get(jv_copy(self->message), 2)) ==
	                          JV_KIND_TRUE;
	made = self->script.program.text == NULL ? NULL : worker_new(self->script.program.text);
	if (made == NULL)
		return jv_string(limen_result_text(LIMEN_ENOMEM));
	if (made->jq == NULL)
		return jv_copy(made->messages);
	pool_init(&self->script.pool, made, &none);
	watchdog_use();
	problem = watchdog_start() ? jail_close() : "The watchdog cannot be started";
	return problem == NULL ? jv_true() : jv_string(problem);
}

static void
load(void *data)
{
	server *self = data;
	jv result;

	if (channel_receive(self->fd, INT64_MAX, &self->message) != CHANNEL_OK)
		return;
	result = compile(self);
	jv_free(self->message);
	self->is_loaded = jv_get_kind(result) == JV_KIND_TRUE;
	answer(self, result);
}

typedef struct outputs {
	jv list;
	bool wants_all;
} outputs;

static void
keep_output(jv output, void *data)
{
	outputs *kept = data;

	if (kept->wants_all || jv_array_length(jv_copy(kept->list)) == 0)
		kept->list = jv_array_append(kept->list, output);
	else
		jv_free(output);
}

static void
say(server *self, jq_outcome outcome, char *error, jv list)
{
	jv reason = error == NULL ? jv_null() : jv_string(error);
	jv message = JV_ARRAY(jv_number(outcome), reason, list);
	channel_result result = channel_send(self->fd, message, INT64_MAX);

	if (result == CHANNEL_LARGE)
		answer(self, JV_ARRAY(jv_number(JQ_FAILED),
		                      jv_string("The result is too large"), jv_array()));
	else if (result != CHANNEL_OK)
		self->is_ended = true;
}

/* A process in which memory ran short has lost its script: another is started. */
static void
run(void *data)
{
	server *self = data;
	jv deadline, all, input, hints;
	outputs kept = { .list = jv_array() };
	jq_outcome outcome;
	char *error = NULL;

	deadline = jv_array_get(jv_copy(self->message), 0);
	all = jv_array_get(jv_copy(self->message), 1);
	input = jv_array_get(jv_copy(self->message), 2);
	hints = jv_array_get(self->message, 3);
	kept.wants_all = jv_get_kind(all) == JV_KIND_TRUE;
	if (self->script.timeout < INT64_MAX - ALARM_NS)
		jail_alarm(self->script.timeout + ALARM_NS);
	outcome = run_each(&self->script, input, hints,
	                   jv_get_kind(deadline) == JV_KIND_NUMBER ? to_nanoseconds(deadline)
	                                                           : INT64_MAX,
	                   keep_output, &kept, &error);
	jv_free(hints);
	self->is_ended = self->script.pool.idle == NULL;
	if (!self->is_ended)
		say(self, outcome, error, kept.list);
	free(error);
	jail_alarm(0);
}

static void
run_next(server *self)
{
	if (channel_receive(self->fd, INT64_MAX, &self->message) != CHANNEL_OK ||
	    !stack_run(run, self))
		self->is_ended = true;
}

int
serve(int fd)
{
	server self = { .fd = fd };
	const char *problem = jail_limit();

	if (problem != NULL) {
		answer(&self, jv_string(problem));
		return EXIT_FAILURE;
	}
	/* libjq cannot be stopped while it compiles, and who would kill it may be gone. */
	jail_alarm(REMOTE_LOAD_NS + ALARM_NS);
	if (!stack_run(load, &self) || !self.is_loaded)
		return EXIT_FAILURE;
	jail_alarm(0);
	while (!self.is_ended)
		run_next(&self);
	return EXIT_SUCCESS;
}
