/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker.c - what limen asks of libjq: compile, run, and keep quiet.
 */
#include "worker.h"

#include <stdlib.h>

#include "attempt.h"
#include "library.h"

static void
keep_message(void *data, jv message)
{
	worker *one = data;

	one->messages = jv_array_append(one->messages, message);
}

/* What "debug" prints is for whoever runs jq by hand. */
static void
hear_debug(void *data, jv message)
{
	worker *one = data;

	native_hear(&one->native, message, &one->run);
}

static jv
give_input(jq_state *jq, void *data)
{
	worker *one = data;

	(void)jq;
	return native_answer(&one->native);
}

static void
set_up(worker *one)
{
	jq_state *jq = one->jq;

	jq_set_nomem_handler(jq, attempt_leave, NULL);
	jq_set_error_cb(jq, keep_message, one);
	jq_set_debug_cb(jq, hear_debug, one);
	jq_set_input_cb(jq, give_input, one);
	/* Without these, jq 1.6 fails an assertion when a script imports anything. */
	jq_set_attr(jq, jv_string("JQ_LIBRARY_PATH"), library_path());
	jq_set_attr(jq, jv_string("JQ_ORIGIN"), jv_string(library_directory()));
	jq_set_attr(jq, jv_string("PROGRAM_ORIGIN"), jv_string(library_directory()));
}

typedef struct making {
	worker *made;
	const char *program;
} making;

static void
compile(void *data)
{
	making *wanted = data;
	worker *made = wanted->made;

	made->jq = jq_init();
	if (made->jq == NULL)
		return;
	made->messages = jv_array();
	set_up(made);
	made->run.jq = made->jq;
	if (!jq_compile(made->jq, wanted->program))
		jq_teardown(&made->jq);
}

worker *
worker_new(const char *program)
{
	making wanted = { .made = calloc(1, sizeof(worker)), .program = program };

	if (wanted.made == NULL)
		return NULL;
	wanted.made->messages = jv_invalid();
	native_init(&wanted.made->native);
	if (attempt(compile, &wanted) && jv_is_valid(wanted.made->messages))
		return wanted.made;
	free(wanted.made);
	return NULL;
}

worker *
worker_wrap(remote *process)
{
	worker *made = calloc(1, sizeof(*made));

	if (made == NULL) {
		remote_free(process);
		return NULL;
	}
	made->remote = process;
	made->messages = jv_invalid();
	native_init(&made->native);
	return made;
}

bool
worker_is_own(const worker *one)
{
	return one->remote == NULL || remote_is_own(one->remote);
}

void
worker_free(worker *freed)
{
	if (freed == NULL)
		return;
	remote_free(freed->remote);
	if (freed->jq != NULL && !freed->is_lost)
		jq_teardown(&freed->jq);
	jv_free(freed->messages);
	if (!freed->is_lost)
		native_free(&freed->native);
	free(freed);
}

static worker_outcome
finish(jq_state *jq, jv last, jv *error)
{
	if (jq_halted(jq)) {
		jv_free(last);
		return WORKER_ENDED;
	}
	if (!jv_invalid_has_msg(jv_copy(last))) {
		jv_free(last);
		return WORKER_DONE;
	}
	*error = jv_invalid_get_msg(last);
	return WORKER_ERROR;
}

typedef struct running {
	worker *state;
	jv input;
	bool (*each)(jv output, void *data);
	void *data;
	jv *error;
	worker_outcome outcome;
} running;

static worker_outcome
take_outputs(running *now)
{
	jq_state *jq = now->state->jq;
	jv output = jq_next(jq);

	while (jv_is_valid(output)) {
		if (!now->each(output, now->data))
			return WORKER_DONE;
		output = jq_next(jq);
	}
	return finish(jq, output, now->error);
}

static void
run(void *data)
{
	running *now = data;
	worker *state = now->state;

	/* Starting clears the flag that the watchdog sets: never the other way round. */
	jq_start(state->jq, now->input, 0);
	if (watchdog_arm(&state->run))
		now->outcome = take_outputs(now);
	watchdog_disarm(&state->run);
	/* What an ended run has left lies on its stack until the next start. */
	jq_start(state->jq, jv_null(), 0);
}

worker_outcome
worker_run(worker *one, jv input, bool (*each)(jv output, void *data), void *data, jv *error)
{
	running now = { .state = one, .input = input, .each = each, .data = data, .error = error,
		        .outcome = WORKER_SHORT };

	if (attempt(run, &now))
		return now.outcome;
	watchdog_disarm(&one->run);
	one->is_lost = true;
	return WORKER_SHORT;
}
