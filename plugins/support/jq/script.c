/* SPDX-License-Identifier: Apache-2.0 */
/* script.c - opens and closes scripts, and decides where they run. */
#include "script.h"

#include <stdlib.h>
#include <unistd.h>

#include "imports.h"
#include "program.h"
#include "report.h"

#define TIMEOUT_DEFAULT LIMEN_SECOND

/* How long a worker may be idle: it costs some megabytes, and another some milliseconds. */
#define IDLE_MAX (60 * LIMEN_SECOND)

const char *const jq_sandbox_words[] = { "default", "process", "none", NULL };

/* What decides where a script runs. */
typedef struct trust {
	bool is_foreign; /* the policy comes from others */
	bool is_local;   /* it runs here */
	bool is_alone;   /* it shares no process with other scripts */
} trust;

static int
out_of_memory(const limen_transform *transform, limen_diag *diag)
{
	limen_diag_add(diag, LIMEN_PROBLEM, transform->where, "%s",
	               limen_result_text(LIMEN_ENOMEM));
	return LIMEN_ENOMEM;
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
check_trust(const trust *chosen, const limen_transform *transform, const words *script,
            limen_diag *diag)
{
	if (chosen->is_foreign && chosen->is_local) {
		limen_diag_add(diag, LIMEN_PROBLEM, transform->where,
		               "A policy from elsewhere cannot have its scripts run in the process "
		               "of limen");
		limen_diag_hint(diag, "leave out \"none\"");
		return false;
	}
	return !chosen->is_alone || imports_check(transform, script, diag);
}

/* The script is compiled where it runs. */
static int
open_remote(jq_script *made, const trust *chosen, const char *program,
            const limen_transform *transform, const words *script, limen_diag *diag)
{
	const template_script job = { .program = program,
		                      .output_raw = transform->output_raw,
		                      .is_alone = chosen->is_alone,
		                      .needs_filter = chosen->is_alone };
	bool has_filter = true;
	template_problem problem;

	made->template = template_join(&job, &made->number, &has_filter, &problem);
	if (made->template != NULL) {
		if (!has_filter)
			limen_diag_add(diag, LIMEN_WARNING, transform->where,
			               "Scripts run without a filter of system calls (seccomp), "
			               "which this system, or this build of limen, does not have");
		return LIMEN_OK;
	}
	if (problem.text == NULL)
		return out_of_memory(transform, diag);
	if (problem.is_from_jq)
		report_errors(transform, script, problem.text, diag);
	else
		limen_diag_add(diag, LIMEN_PROBLEM, transform->where, "%s", problem.text);
	free(problem.text);
	return LIMEN_EINVAL;
}

static int
open_local(jq_script *made, const char *program, const limen_transform *transform,
           const words *script, limen_diag *diag)
{
	char messages[STATE_MESSAGES_MAX] = "";
	int fd;

	made->memory = shared_new(&fd);
	close(fd);
	if (made->memory != NULL)
		made->state = state_new(program, transform->output_raw, messages);
	if (made->state != NULL)
		return LIMEN_OK;
	if (messages[0] == '\0')
		return out_of_memory(transform, diag);
	report_errors(transform, script, messages, diag);
	return LIMEN_EINVAL;
}

/* Checks the script and compiles it where it runs. */
static int
compile(jq_script *made, const jq_setup *setup, const trust *chosen,
        const limen_transform *transform, const words *script, limen_diag *diag)
{
	bool good = program_check(setup, transform, script, diag);
	char *program;
	int result;

	if (!check_trust(chosen, transform, script, diag) || !good)
		return LIMEN_EINVAL;
	program = program_make(setup, transform, script, chosen->is_local);
	if (program == NULL)
		return out_of_memory(transform, diag);
	result = chosen->is_local ? open_local(made, program, transform, script, diag)
	                          : open_remote(made, chosen, program, transform, script, diag);
	free(program);
	return result;
}

/* The first object makes the seed of libjq's hashes, without a lock (jq 1.6). */
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
	jq_script *made = calloc(1, sizeof(*made));
	words script;
	int result;

	pthread_once(&once, prepare_jq);
	if (made == NULL || !words_read(&script, transform->script)) {
		free(made);
		return out_of_memory(transform, diag);
	}
	pthread_mutex_init(&made->lock, NULL);
	made->timeout = choose_timeout(setup, opening);
	made->has_hints = program_has_hints(setup, transform->script);
	made->host = opening == NULL ? NULL : limen_opening_host(opening);
	/* A script that is not trusted may take all of its time, so it is kept off I/O threads. */
	if (chosen.is_alone && !setup->in_background && opening != NULL)
		limen_opening_add_flags(opening, LIMEN_MODULE_BLOCKING);
	result = compile(made, setup, &chosen, transform, &script, diag);
	if (result == LIMEN_OK) {
		report_remarks(setup, transform, &script, diag);
		if (opening != NULL)
			imports_watch(opening, &script);
		*out = made;
	} else {
		jq_script_close(made);
	}
	words_free(&script);
	return result;
}

/* A job. */
static void
end_idle(void *data)
{
	jq_script *script = data;

	atomic_store(&script->has_sweep, false);
	if (template_end_idle(script->template, limen_host_monotonic() - IDLE_MAX * 1000))
		script_plan_sweep(script);
}

void
script_plan_sweep(jq_script *script)
{
	if (script->host != NULL && !atomic_load(&script->has_sweep) &&
	    !atomic_exchange(&script->has_sweep, true))
		limen_host_after(script->host, IDLE_MAX, end_idle, script);
}

void
jq_script_close(jq_script *script)
{
	if (script == NULL)
		return;
	if (script->template != NULL)
		template_leave(script->template, script->number);
	state_free(script->state);
	shared_free(script->memory);
	pthread_mutex_destroy(&script->lock);
	free(script);
}
