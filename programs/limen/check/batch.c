/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch.c - "limen check --batch": answers each line, a question to limend, with one line, in
 * order.  Memory use does not grow with the number of lines.
 */
#include <limen/documents.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/answer.h"
#include "check.h"
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
	limen_request *request;
	limen_decide_options options;
} batch_line;

static bool
read_policy(batch_line *line, limen_value document, char **why)
{
	line->policy = limen_value_get(document, "policy");
	switch (limen_value_type(line->policy)) {
	case LIMEN_TYPE_NULL:
		line->policy = limen_value_none();
		return true;
	case LIMEN_TYPE_NONE:
	case LIMEN_TYPE_STRING:
	case LIMEN_TYPE_OBJECT:
		return true;
	default:
		*why = g_strdup("'policy' must be a path or an object");
		return false;
	}
}

static bool
read_time(batch_line *line, const ask_settings *defaults, limen_value document, char **why)
{
	limen_value member = limen_value_get(document, "time");
	bool has_time = limen_value_type(member) > LIMEN_TYPE_NULL;
	limen_time time = defaults->time;

	if (has_time && !ask_read_time(member, &time)) {
		*why = g_strdup("'time' must be a time (\"2026-01-31T12:00:00Z\") or seconds since "
		                "1970");
		return false;
	}
	if (has_time || defaults->has_time)
		limen_request_set_now(line->request, time);
	return true;
}

/* Reads a line; missing members get the values of the options.  Returns false with '*why'. */
static bool
read_line(batch_line *line, const ask_settings *defaults, limen_value document, char **why)
{
	*line = (batch_line){ .options = defaults->decide };
	line->id = limen_value_to_json(limen_value_get(document, "id"), 0, NULL);
	line->request = ask_read_question(defaults, document, &line->options, why);
	return line->request != NULL && read_policy(line, document, why) &&
	       read_time(line, defaults, document, why);
}

/* Returns the policy of 'line', or NULL with '*why'. */
static const cached_engine *
find_engine(const check *how, engine_cache *cache, const batch_line *line, char **why)
{
	char *const *own = how->policies;
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
	const char *why = problems_first(policy->diag, "unknown problem");
	char *message = policy->why != NULL
	                        ? g_strdup(policy->why)
	                        : g_strdup_printf("the policy does not load: %s", why);

	answer_line_error(line->id, number, message, policy->diag, !policy->from_file);
	g_free(message);
}

static bool
decide(const batch_line *line, limen_engine *engine, char **why)
{
	limen_decision *decision = ask_decide(&line->options, engine, line->request, why);
	bool answered = false;

	if (decision != NULL)
		answered = answer_decision(decision, line->id == NULL ? "null" : line->id);
	if (decision != NULL && !answered)
		*why = g_strdup("out of memory");
	limen_decision_free(decision);
	return answered;
}

/* Answers one line; returns true if the answer is a decision. */
static bool
answer_document(const check *how, engine_cache *cache, unsigned long number, limen_value document)
{
	const cached_engine *policy = NULL;
	bool decided = false;
	char *why = NULL;
	batch_line line;

	if (read_line(&line, &how->ask, document, &why))
		policy = find_engine(how, cache, &line, &why);
	if (policy != NULL && policy->engine == NULL)
		refuse_policy(&line, number, policy);
	else if (policy != NULL)
		decided = decide(&line, policy->engine, &why);
	if (why != NULL)
		answer_line_error(line.id, number, why, NULL, false);
	limen_request_free(line.request);
	free(line.id);
	g_free(why);
	return decided;
}

static bool
answer_line(const check *how, engine_cache *cache, unsigned long number, const char *text,
            size_t length)
{
	limen_diag *diag = policy_diag();
	limen_documents *parsed = NULL;
	bool decided = false;

	if (limen_documents_parse("line.json", text, length, 0, &parsed, diag) == LIMEN_OK)
		decided = answer_document(how, cache, number, limen_documents_get(parsed, 0));
	else
		answer_line_error(NULL, number, problems_first(diag, "out of memory"), NULL, false);
	limen_documents_free(parsed);
	limen_diag_free(diag);
	return decided;
}

/* Answers all lines; true if every answer is a decision and was written. */
static bool
answer_all(const check *how, engine_cache *cache, line_input *input)
{
	progress bar;
	uint64_t bytes = 0;
	bool decided = true;
	const char *line;
	size_t length = 0;
	lines_result result = lines_next(input, &line, &length);

	progress_start(&bar, progress_measure((char *const[]){ (char *)how->batch, NULL }), true);
	for (unsigned long number = 1; result != LINES_END && !ferror(stdout); number++) {
		if (result == LINES_TOO_LONG) {
			answer_line_error(NULL, number, "the line is longer than 16 MiB", NULL,
			                  false);
			decided = false;
		} else if (!answer_line(how, cache, number, line, length)) {
			decided = false;
		}
		bytes += length + 1;
		progress_update(&bar, bytes, number, "lines");
		result = lines_next(input, &line, &length);
	}
	progress_end(&bar);
	return decided;
}

int
check_batch(const check *how)
{
	char *why = NULL;
	int fd = input_open(how->batch, &why);
	engine_cache *cache;
	line_input input;
	bool decided;

	if (fd < 0) {
		message_error("Unable to read input: %s", why);
		g_free(why);
		return STATUS_ERROR;
	}
	cache = engine_cache_new(how->common, how->engine_flags, how->ask.namespace);
	lines_start(&input, fd);
	decided = answer_all(how, cache, &input);
	if (input.failure != 0)
		message_error("Unable to read input: %s: %s", input_name(how->batch),
		              g_strerror(input.failure));
	decided = decided && input.failure == 0;
	lines_finish(&input);
	engine_cache_free(cache);
	close(fd);
	return decided ? STATUS_GOOD : STATUS_ERROR;
}
