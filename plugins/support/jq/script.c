/* SPDX-License-Identifier: Apache-2.0 */
/* script.c - opens and closes scripts. */
#include "script.h"

#include <stdlib.h>

#include "library.h"
#include "report.h"
#include "stack.h"
#include "version.h"
#include "watchdog.h"

#define TIMEOUT_DEFAULT LIMEN_SECOND

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

/* Compiles the program of 'made' and gives it its pool. */
static int
open_pool(jq_script *made, const limen_transform *transform, limen_opening *opening,
          limen_diag *diag)
{
	compilation wanted = { .program = made->program.text };

	if (!stack_run(compile, &wanted) || wanted.made == NULL)
		return out_of_memory(transform, diag);
	if (wanted.made->jq == NULL) {
		report_errors(&made->program, transform, wanted.made->messages, diag);
		worker_free(wanted.made);
		return LIMEN_EINVAL;
	}
	pool_init(&made->pool, wanted.made, made->program.text,
	          opening == NULL ? NULL : limen_opening_host(opening));
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

int
jq_script_open(const jq_setup *setup, const limen_transform *transform, limen_opening *opening,
               limen_diag *diag, jq_script **out)
{
	jq_script *made;
	int result;

	if (wants_process(setup, opening)) {
		limen_diag_add(diag, LIMEN_PROBLEM, transform->where,
		               "This version runs no script in a process of its own");
		return LIMEN_EINVAL;
	}
	version_prepare();
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return out_of_memory(transform, diag);
	made->timeout = choose_timeout(setup, opening);
	made->output_raw = transform->output_raw;
	result = program_make(setup, transform, diag, &made->program);
	if (result == LIMEN_OK)
		result = open_pool(made, transform, opening, diag);
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
