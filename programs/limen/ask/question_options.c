/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question_options.c - checks the request options for conflicts, UTF-8 and syntax, and stores them
 * in an ask_settings.
 */
#include "question_options.h"

#include <limen/nearest.h>
#include <string.h>

#include "cli/message.h"

bool
question_options_has_run(const ask_settings *given)
{
	return given->run || given->start != NULL || given->duration != NULL;
}

bool
question_options_is_given(const ask_settings *given)
{
	return given->hints != NULL || given->time_text != NULL || given->task || given->object ||
	       question_options_has_run(given);
}

/* Warns of a hint that resembles one of pScheduler's; a policy may look at any other. */
static void
warn_of_hint(const char *given)
{
	static const char *const known[] = { "requester", "server", "requester-proxied-by" };
	g_autofree char *name = g_strndup(given, strcspn(given, "="));
	limen_nearest best = limen_nearest_to(name);

	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		limen_nearest_offer(&best, known[i]);
	if (best.word != NULL && (best.edits == 1 || best.edits == 2))
		message_error("warning: hint '%s': did you mean '%s'?", name, best.word);
}

/* Returns an earlier hint with the name of 'hint', or NULL. */
static const char *
find_same(char *const *hints, const char *hint)
{
	size_t length = strcspn(hint, "=") + 1;

	while (*hints != hint && strncmp(*hints, hint, length) != 0)
		hints++;
	return *hints == hint ? NULL : *hints;
}

/* Returns the error in the hints, to g_free(), or NULL. */
static char *
find_hint_error(char *const *hints)
{
	for (char *const *hint = hints; hint != NULL && *hint != NULL; hint++) {
		const char *same = find_same(hints, *hint);

		if (!ask_is_hint(*hint))
			return g_strdup_printf("--hint takes NAME=VALUE in UTF-8, not '%s'", *hint);
		if (same != NULL)
			return g_strdup_printf("--hint takes one value for a name, not '%s' and "
			                       "'%s'", same, *hint);
		warn_of_hint(*hint);
	}
	return NULL;
}

/* Reads --duration; "30s" becomes what pScheduler writes.  Returns false if it is none. */
static bool
take_duration(ask_settings *given)
{
	limen_duration duration = 0;

	if (limen_duration_parse(given->duration, strlen(given->duration),
	                         LIMEN_DURATION_RUN | LIMEN_DURATION_SHORT, &duration,
	                         NULL) != LIMEN_OK || duration < 0)
		return false;
	if (strchr(given->duration, 'P') == NULL) {
		limen_duration_print(duration, given->duration_text);
		given->duration = given->duration_text;
	}
	return true;
}

/* Reads the time; returns the error in the texts other than hints, to g_free(), or NULL. */
static char *
find_error(ask_settings *given)
{
	const char *texts[] = { given->start, given->duration, given->namespace };
	limen_timestamp start;

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		if (texts[i] != NULL && !g_utf8_validate(texts[i], -1, NULL))
			return g_strdup_printf("'%s' is not UTF-8", texts[i]);
	/* A mistyped time must not make a run that no limit checks. */
	if (texts[0] != NULL && limen_timestamp_parse(texts[0], strlen(texts[0]),
	                                              LIMEN_TIMESTAMP_RUN, &start,
	                                              NULL) != LIMEN_OK)
		return g_strdup_printf("--start takes a time (2026-01-31T12:00:00Z), not '%s'",
		                       texts[0]);
	if (texts[1] != NULL && !take_duration(given))
		return g_strdup_printf("--duration takes a duration (30s, PT30S, PT1H), not '%s'",
		                       texts[1]);
	if (given->time_text != NULL && !ask_parse_time(given->time_text, &given->time))
		return g_strdup_printf("--time takes a time (2026-01-31T12:00:00Z) or seconds, not "
		                       "'%s'", given->time_text);
	return NULL;
}

bool
question_options_understand(const command *self, ask_settings *given)
{
	bool run = question_options_has_run(given);
	g_autofree char *error = NULL;

	if (given->object && given->task)
		error = g_strdup("--task and --object exclude each other");
	else if (given->object && run)
		error = g_strdup("--start, --duration and --run are for tasks");
	else
		error = find_hint_error(given->hints);
	if (error == NULL)
		error = find_error(given);
	if (error != NULL)
		message_usage(self, "%s", error);
	given->subject = given->http != NULL ? ASK_HTTP
	                 : given->task       ? ASK_TASK
	                 : given->object     ? ASK_OBJECT
	                                     : ASK_INFER;
	given->run = run;
	given->has_time = given->time_text != NULL;
	return error == NULL;
}
