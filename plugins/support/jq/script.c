/* SPDX-License-Identifier: Apache-2.0 */
/* script.c - opens and closes scripts. */
#include "script.h"

#include <stdlib.h>

#include "attempt.h"
#include "imports.h"
#include "library.h"
#include "report.h"
#include "stack.h"
#include "version.h"
#include "watchdog.h"

#define TIMEOUT_DEFAULT LIMEN_SECOND

/* At most this many states of one script; a process takes some megabytes for each. */
#define STATES_MAX    32
#define PROCESSES_MAX 8

const char *const jq_sandbox_words[] = { "default", "process", "none", NULL };

typedef struct compilation {
	const char *program;
	worker *made;
} compilation;

static void
compile(void *data)
{
	compilation *wanted = data;

	wanted->made = worker_new(wanted->program);
}

static int
out_of_memory(const limen_transform *transform, limen_diag *diag)
{
	limen_diag_add(diag, LIMEN_PROBLEM, transform->where, "%s",
	               limen_result_text(LIMEN_ENOMEM));
	return LIMEN_ENOMEM;
}

/* What compiled once may still fail, when a file that it imports has changed. */
static worker *
make_again(const void *what, int64_t deadline)
{
	const jq_script *script = what;
	compilation wanted = { .program = script->program.text };

	(void)deadline;
	if (!stack_run(compile, &wanted) || wanted.made == NULL)
		return NULL;
	if (wanted.made->jq != NULL)
		return wanted.made;
	worker_free(wanted.made);
	return NULL;
}

typedef struct start {
	const jq_script *script;
	int64_t deadline;
	remote *made;
	jv problem;
} start;

static void
start_remote(void *data)
{
	start *one = data;
	const remote_script script = { .program = one->script->program.text,
		                       .timeout = one->script->timeout,
		                       .output_raw = one->script->output_raw };

	one->made = remote_new(&script, one->deadline, &one->problem);
}

/* As start_remote(), where the messages of libjq are of no interest. */
static worker *
start_again(const void *what, int64_t deadline)
{
	start one = { .script = what, .deadline = deadline, .problem = jv_invalid() };

	if (!attempt(start_remote, &one))
		return NULL;
	jv_free(one.problem);
	return one.made == NULL ? NULL : worker_wrap(one.made);
}

static int
report_start(const limen_transform *transform, jv problem, limen_diag *diag)
{
	if (jv_get_kind(problem) == JV_KIND_ARRAY) {
		report_errors(transform, problem, diag);
	} else if (jv_get_kind(problem) == JV_KIND_STRING) {
		limen_diag_add(diag, LIMEN_PROBLEM, transform->where, "%s",
		               jv_string_value(problem));
	} else {
		return out_of_memory(transform, diag);
	}
	jv_free(problem);
	return LIMEN_EINVAL;
}

/* The script is compiled where it runs: what is not trusted is not compiled here either. */
static int
open_remote_pool(jq_script *made, const limen_transform *transform, const pool_source *source,
                 limen_diag *diag)
{
	start one = { .script = made, .deadline = INT64_MAX, .problem = jv_invalid() };
	worker *first;

	if (!attempt(start_remote, &one))
		return out_of_memory(transform, diag);
	if (one.made == NULL)
		return report_start(transform, one.problem, diag);
	jv_free(one.problem);
	first = worker_wrap(one.made);
	if (first == NULL)
		return out_of_memory(transform, diag);
	pool_init(&made->pool, first, source);
	return LIMEN_OK;
}

/* Compiles the program of 'made' and gives it its pool. */
static int
open_pool(jq_script *made, const limen_transform *transform, const pool_source *source,
          limen_diag *diag)
{
	compilation wanted = { .program = made->program.text };

	if (!stack_run(compile, &wanted) || wanted.made == NULL)
		return out_of_memory(transform, diag);
	if (wanted.made->jq == NULL) {
		report_errors(transform, wanted.made->messages, diag);
		worker_free(wanted.made);
		return LIMEN_EINVAL;
	}
	pool_init(&made->pool, wanted.made, source);
	return LIMEN_OK;
}

/* The longest run in nanoseconds: the entry's own, the setting, or the default. */
static int64_t
choose_timeout(const jq_setup *setup, limen_opening *opening)
{
	limen_duration timeout = setup->timeout;
	limen_value setting;
	const char *written;
	size_t length;

	if (timeout <= 0 && opening != NULL &&
	    limen_opening_setting(opening, "jq-timeout", &setting) == LIMEN_OK) {
		written = limen_value_string(setting, &length);
		/* A setting that is none is a problem of the policy already. */
		if (written != NULL)
			limen_duration_parse(written, length, 0, &timeout, NULL);
	}
	return (timeout > 0 ? timeout : TIMEOUT_DEFAULT) * 1000;
}

static bool
wants_process(const jq_setup *setup, limen_opening *opening)
{
	limen_value setting = limen_value_none();

	if (setup->sandbox == JQ_SANDBOX_DEFAULT && opening != NULL)
		limen_opening_setting(opening, "jq-sandbox", &setting);
	return setup->sandbox == JQ_SANDBOX_PROCESS || limen_value_is(setting, "process");
}

static int
open_states(jq_script *made, const limen_transform *transform, limen_opening *opening,
            limen_diag *diag)
{
	const pool_source source = {
		.make = made->is_remote ? start_again : make_again,
		.what = made,
		.limit = made->is_remote ? PROCESSES_MAX : STATES_MAX,
		.host = opening == NULL ? NULL : limen_opening_host(opening),
	};

	return made->is_remote ? open_remote_pool(made, transform, &source, diag)
	                       : open_pool(made, transform, &source, diag);
}

int
jq_script_open(const jq_setup *setup, const limen_transform *transform, limen_opening *opening,
               limen_diag *diag, jq_script **out)
{
	jq_script *made;
	int result;

	version_prepare();
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return out_of_memory(transform, diag);
	made->timeout = choose_timeout(setup, opening);
	made->output_raw = transform->output_raw;
	made->is_remote = wants_process(setup, opening);
	made->has_hints = setup->hints;
	if (made->is_remote && !setup->in_background && opening != NULL)
		limen_opening_add_flags(opening, LIMEN_MODULE_BLOCKING);
	result = program_make(setup, transform, diag, &made->program);
	if (made->is_remote && !imports_check(transform, diag) && result == LIMEN_OK)
		result = LIMEN_EINVAL;
	if (result == LIMEN_OK)
		result = open_states(made, transform, opening, diag);
	if (result != LIMEN_OK) {
		program_free(&made->program);
		free(made);
		return result;
	}
	report_remarks(setup, transform, diag);
	if (opening != NULL)
		library_watch(opening, transform->script);
	watchdog_use();
	*out = made;
	return LIMEN_OK;
}

void
jq_script_close(jq_script *script)
{
	if (script == NULL)
		return;
	pool_close(&script->pool);
	program_free(&script->program);
	free(script);
	watchdog_leave();
}
