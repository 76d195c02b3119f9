/* SPDX-License-Identifier: Apache-2.0 */
/* script.c - opens and closes scripts, and decides where they run. */
#include "script.h"

#include <stdlib.h>
#include <string.h>

#define TIMEOUT_DEFAULT LIMEN_SECOND

const char *const jq_sandbox_words[] = { "default", "process", "none", NULL };

/* The facts that decide where a script runs. */
typedef struct trust {
	bool is_foreign; /* the policy comes from others */
	bool is_local;   /* it runs here */
	bool is_alone;   /* it shares no process with other scripts */
} trust;

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
		/* An invalid setting is already reported as a problem of the policy. */
		if (written != NULL)
			limen_duration_parse(written, length, LIMEN_DURATION_SHORT, &timeout, NULL);
	}
	return (timeout > 0 ? timeout : TIMEOUT_DEFAULT) * 1000;
}

static trust
choose_trust(const jq_setup *setup, limen_opening *opening)
{
	trust made = { .is_foreign = opening != NULL && limen_opening_is_foreign(opening) };
	limen_value setting = limen_value_none();

	if (setup->sandbox == JQ_SANDBOX_DEFAULT && opening != NULL)
		limen_opening_setting(opening, "jq-sandbox", &setting);
	made.is_local = setup->sandbox == JQ_SANDBOX_NONE || limen_value_is(setting, "none");
	made.is_alone = setup->sandbox == JQ_SANDBOX_PROCESS || made.is_foreign;
	return made;
}

static bool
check(const jq_setup *setup, const trust *chosen, const limen_transform *transform,
      const words *script, limen_diag *diag)
{
	bool good = program_check(setup, transform, script, diag);

	if (chosen->is_foreign && chosen->is_local) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, transform->where,
		               "A policy from elsewhere cannot run its scripts in the process of "
		               "limen");
		limen_diag_hint(diag, "leave out \"none\"");
		return false;
	}
	return (!chosen->is_alone || imports_check(transform, script, diag)) && good;
}

static void
open_local(jq_script *script, const char *program, bool output_raw, template_problem *problem)
{
	char messages[STATE_MESSAGES_MAX] = "";

	script->memory = aligned_alloc(1 << 16, WIRE_BYTES_MAX); /* whole pages */
	if (script->memory != NULL)
		script->state = state_new(program, output_raw, messages);
	*problem = (template_problem){ .is_from_jq = true };
	if (messages[0] != '\0')
		problem->text = strdup(messages);
}

/* Compiles the script where it runs. */
static int
compile(jq_script *opened, const jq_setup *setup, const trust *chosen,
        const limen_transform *transform, const words *script, limen_diag *diag)
{
	char *program = program_make(setup, transform, script, chosen->is_local);
	const template_script job = { program, transform->output_raw, chosen->is_alone };
	template_problem problem = { .text = NULL };
	bool has_filter = true;

	if (program != NULL && chosen->is_local)
		open_local(opened, program, transform->output_raw, &problem);
	else if (program != NULL)
		opened->template = template_join(&job, &opened->number, &has_filter, &problem);
	free(program);
	if (!has_filter && opened->template != NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, transform->where,
		               "Scripts run without a filter of system calls (seccomp), which this "
		               "system, or this build of limen, does not have");
	if (opened->template != NULL || opened->state != NULL)
		return LIMEN_OK;
	if (problem.text == NULL)
		return LIMEN_ENOMEM;
	if (problem.is_from_jq)
		report_errors(transform, problem.text, diag);
	else
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, transform->where, "%s", problem.text);
	free(problem.text);
	return LIMEN_EINVAL;
}

/* Makes the first object, which sets the seed of libjq's hashes without a lock (jq 1.6). */
static void
prepare_jq(void)
{
	jv_free(jv_object_set(jv_object(), jv_string("a"), jv_true()));
}

int
jq_script_open(const jq_setup *setup, const limen_transform *transform, limen_opening *opening,
               limen_diag *diag, jq_script **out)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const trust chosen = choose_trust(setup, opening);
	jq_script *opened = calloc(1, sizeof(*opened));
	int result = LIMEN_EINVAL;
	words script;

	pthread_once(&once, prepare_jq);
	if (opened == NULL || !words_read(&script, transform->script)) {
		free(opened);
		return LIMEN_ENOMEM;
	}
	pthread_mutex_init(&opened->lock, NULL);
	opened->timeout = choose_timeout(setup, opening);
	opened->has_hints = program_has_hints(setup, transform->script);
	opened->host = opening == NULL ? NULL : limen_opening_host(opening);
	/*
	 * A script that is not trusted may take all of its time, and any may take long: the process
	 * that runs it is not waited for on I/O threads.
	 */
	if (!chosen.is_local && !setup->in_background && opening != NULL)
		limen_opening_add_flags(opening, chosen.is_alone ? LIMEN_MODULE_BLOCKING
		                                                 : LIMEN_MODULE_WAITING);
	if (check(setup, &chosen, transform, &script, diag))
		result = compile(opened, setup, &chosen, transform, &script, diag);
	if (result == LIMEN_OK) {
		report_remarks(setup, transform, &script, diag);
		if (opening != NULL)
			imports_watch(opening, &script);
		*out = opened;
	} else {
		jq_script_close(opened);
	}
	free(script.list);
	return result;
}

void
jq_script_close(jq_script *script)
{
	if (script == NULL)
		return;
	/* The sweep ends with the script, and others may have none: end idle workers now. */
	if (atomic_load(&script->has_sweep))
		template_end_idle(script->template, INT64_MAX);
	if (script->template != NULL)
		template_leave(script->template, script->number);
	state_free(script->state);
	free(script->memory);
	pthread_mutex_destroy(&script->lock);
	free(script);
}

const limen_option jq_instance_options[] = {
	LIMEN_OPT_SCRIPT(jq_instance, transform, .key = "script", .required = true,
	                 .help = "The jq script, a string or an array of lines"),
	LIMEN_OPT_OBJECT(jq_instance, transform.args, .key = "args",
	                 .help = "Values the script finds in variables of these names"),
	LIMEN_OPT_BOOL(jq_instance, transform.output_raw, .key = "output-raw",
	               .help = "Take the output of the script as text"),
	LIMEN_OPT_DURATION(jq_instance, timeout, .key = "timeout", .minimum = 1000,
	                   .maximum = 3600 * LIMEN_SECOND, .help = "Timeout of the script"),
	LIMEN_OPT_ENUM(jq_instance, sandbox, .key = "sandbox", .choices = jq_sandbox_words,
	               .help = "Whether the script runs in a separate process"),
	LIMEN_OPT_END
};

int
jq_instance_open(jq_instance *self, const jq_setup *setup, limen_opening *opening, limen_diag *diag)
{
	jq_setup own = *setup;

	own.timeout = self->timeout;
	own.sandbox = self->sandbox;
	return jq_script_open(&own, &self->transform, opening, diag, &self->script);
}

void
jq_instance_close(void *self)
{
	jq_script_close(((jq_instance *)self)->script);
}
