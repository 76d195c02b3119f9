/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch.c - "limen check --batch": answers each line, a question to limend, with one line, in
 * order.  Memory use does not grow with the number of lines.
 */
#include <limen/documents.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/answer.h"
#include "check.h"
#include "common/auto.h"
#include "cli/input.h"
#include "cli/lines.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "policy/engine_cache.h"
#include "policy/policy.h"
#include "policy/problems.h"

/* One line: a question that may also name a policy and a decision time. */
typedef struct batch_line {
	char *id;           /* JSON, or NULL if the line has none */
	limen_value policy; /* a string, an object, or none */
	ask_case item;
} batch_line;

static bool
read_time(batch_line *line, const ask_settings *defaults, limen_value member, char **why)
{
	limen_time time = defaults->time;
	bool given = limen_value_type(member) > LIMEN_TYPE_NULL;

	if (given && !ask_read_time(member, &time)) {
		*why = g_strdup("'time' must be a time (\"2026-01-31T12:00:00Z\") or seconds since "
		                "1970");
		return false;
	}
	if (given || defaults->has_time)
		limen_request_set_now(line->item.request, time);
	return true;
}

/* Reads a line; missing members get the values of the options.  Returns false with '*why'. */
static bool
read_line(batch_line *line, const ask_settings *defaults, limen_value document, char **why)
{
	limen_type type;

	if (!case_read_question(defaults, document, &line->item, why))
		return false;
	line->policy = limen_value_get(document, "policy");
	type = limen_value_type(line->policy);
	if (type > LIMEN_TYPE_NULL && type != LIMEN_TYPE_STRING && type != LIMEN_TYPE_OBJECT)
		*why = g_strdup("'policy' must be a path or an object");
	return *why == NULL && read_time(line, defaults, limen_value_get(document, "time"), why);
}

/* Returns the policy of 'line', or NULL with '*why'. */
static const cached_engine *
find_engine(const check *settings, engine_cache *cache, const batch_line *line, char **why)
{
	char *const *own = settings->policies;
	bool foreign = true;
	size_t length = 0;
	const char *path = limen_value_string(line->policy, &length);

	if (limen_value_type(line->policy) == LIMEN_TYPE_OBJECT)
		return engine_cache_value(cache, line->policy);
	if (path == NULL)
		return engine_cache_paths(cache, own, false);
	if (strlen(path) != length || input_is_stdin(path)) {
		*why = g_strdup("'policy' is not a path");
		return NULL;
	}
	/* A line may name the policy of the command line. */
	if (own == NULL || own[1] == NULL)
		foreign = !g_str_equal(path, own == NULL ? policy_default() : own[0]);
	return engine_cache_paths(cache, (char *const[]){ (char *)path, NULL }, foreign);
}

static void
refuse_policy(const batch_line *line, unsigned long number, const cached_engine *policy)
{
	g_autofree char *message =
		policy->why != NULL
			? g_strdup(policy->why)
			: g_strconcat("the policy does not load: ",
	                              problems_first(policy->diag, "unknown problem"), NULL);

	answer_line_error(line->id, number, message, policy->diag, !policy->from_file);
}

/* Decides the line and prints the answer; returns the exit status. */
static int
decide(const check *settings, const batch_line *line, limen_engine *engine, char **why)
{
	case_result result = judge(engine, &line->item, settings->strict);
	int status = settings->strict ? result.status : STATUS_GOOD;
	g_autoptr(GString) answer = result.decision == NULL
	                                    ? NULL
	                                    : answer_make(&result, "id",
	                                                  line->id == NULL ? "null" : line->id);

	if (answer != NULL)
		puts(answer->str);
	else
		*why = g_strdup(result.why == NULL ? "out of memory" : result.why);
	case_result_clear(&result);
	return *why == NULL ? status : STATUS_ERROR;
}

/* Answers one line; returns the exit status. */
static int
answer_line(const check *settings, engine_cache *cache, unsigned long number, const char *text,
            size_t length)
{
	g_autoptr(limen_diag) diag = policy_diag();
	g_autoptr(limen_documents) parsed = NULL;
	g_autofree char *why = NULL;
	batch_line line = { .id = NULL };
	const cached_engine *policy = NULL;
	int status = STATUS_ERROR;
	limen_value document;

	if (limen_documents_parse("line.json", text, length, 0, &parsed, diag) != LIMEN_OK)
		why = g_strdup(problems_first(diag, "out of memory"));
	document = limen_documents_get(parsed, 0);
	line.id = limen_value_to_json(limen_value_get(document, "id"), 0, NULL);
	if (why == NULL && read_line(&line, &settings->ask, document, &why))
		policy = find_engine(settings, cache, &line, &why);
	if (policy != NULL && policy->engine == NULL)
		refuse_policy(&line, number, policy);
	else if (policy != NULL)
		status = decide(settings, &line, policy->engine, &why);
	if (why != NULL)
		answer_line_error(line.id, number, why, NULL, false);
	limen_request_free(line.item.request);
	free(line.id);
	return status;
}

/* Answers all lines; returns the worst exit status. */
static int
answer_all(const check *settings, engine_cache *cache, line_input *input)
{
	progress bar;
	uint64_t bytes = 0;
	int status = STATUS_GOOD;
	const char *line;
	size_t length = 0;
	lines_result result = lines_next(input, &line, &length);

	progress_start(&bar, progress_measure((char *const[]){ settings->batch, NULL }), true);
	for (unsigned long number = 1; result != LINES_END && !ferror(stdout); number++) {
		int own = STATUS_ERROR;

		if (result == LINES_TOO_LONG)
			answer_line_error(NULL, number, "the line is longer than 16 MiB", NULL,
			                  false);
		else
			own = answer_line(settings, cache, number, line, length);
		status = status_worse(status, own);
		bytes += length + 1;
		progress_update(&bar, bytes, number, "lines");
		result = lines_next(input, &line, &length);
	}
	progress_end(&bar);
	return status;
}

int
check_batch(const check *settings)
{
	g_autofree char *why = NULL;
	engine_cache *cache;
	line_input input;
	int status;

	if (!lines_open(&input, settings->batch, &why)) {
		message_error("Unable to read input: %s", why);
		return STATUS_ERROR;
	}
	cache = engine_cache_new(settings->common, settings->engine_flags, settings->ask.namespace);
	status = answer_all(settings, cache, &input);
	if (input.failure != 0) {
		message_error("Unable to read input: %s: %s", input_name(settings->batch),
		              g_strerror(input.failure));
		status = STATUS_ERROR;
	}
	lines_close(&input);
	engine_cache_free(cache);
	return status;
}
