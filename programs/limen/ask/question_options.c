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
question_options_has_run(const question_options *given)
{
	return given->run || given->start != NULL || given->duration != NULL;
}

bool
question_options_is_given(const question_options *given)
{
	return given->hints != NULL || given->time != NULL || given->task || given->object ||
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

static bool
check_hints(const command *self, char *const *hints)
{
	for (char *const *hint = hints; hint != NULL && *hint != NULL; hint++) {
		const char *same = find_same(hints, *hint);

		if (!ask_is_hint(*hint))
			message_usage(self, "--hint takes NAME=VALUE in UTF-8, not '%s'", *hint);
		else if (same != NULL)
			message_usage(self, "--hint takes one value for a name, not '%s' and '%s'",
			              same, *hint);
		if (!ask_is_hint(*hint) || same != NULL)
			return false;
		warn_of_hint(*hint);
	}
	return true;
}

static bool
check_texts(const command *self, const question_options *given)
{
	const char *texts[] = { given->start, given->duration, given->namespace };

	if (!check_hints(self, given->hints))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		if (texts[i] == NULL || g_utf8_validate(texts[i], -1, NULL))
			continue;
		message_usage(self, "'%s' is not UTF-8", texts[i]);
		return false;
	}
	return true;
}

/* Validates the times: a mistyped one must not make a run that no limit checks. */
static bool
check_run(const command *self, const question_options *given)
{
	limen_timestamp start;
	limen_duration duration;

	if (given->start != NULL && limen_timestamp_parse(given->start, strlen(given->start),
	                                                 LIMEN_TIMESTAMP_RUN, &start,
	                                                 NULL) != LIMEN_OK) {
		message_usage(self, "--start takes a time (2026-01-31T12:00:00Z), not '%s'",
		              given->start);
		return false;
	}
	if (given->duration != NULL &&
	    (limen_duration_parse(given->duration, strlen(given->duration), LIMEN_DURATION_RUN,
	                          &duration, NULL) != LIMEN_OK ||
	     duration < 0)) {
		message_usage(self, "--duration takes a period (PT30S, PT1H), not '%s'",
		              given->duration);
		return false;
	}
	return true;
}

bool
question_options_understand(const command *self, const question_options *given,
                            ask_settings *out)
{
	bool run = question_options_has_run(given);

	out->subject = given->task ? ASK_TASK : given->object ? ASK_OBJECT : ASK_INFER;
	out->run = run;
	out->start = given->start;
	out->duration = given->duration;
	out->namespace = given->namespace;
	out->hints = given->hints;
	out->has_time = given->time != NULL;
	if (given->object && given->task)
		message_usage(self, "--task and --object exclude each other");
	else if (given->object && run)
		message_usage(self, "--start, --duration and --run are for tasks");
	else if (!check_texts(self, given) || !check_run(self, given))
		return false;
	else if (given->time != NULL && !ask_parse_time(given->time, &out->time))
		message_usage(self,
		              "--time takes a time (2026-01-31T12:00:00Z) or seconds, not '%s'",
		              given->time);
	else
		return true;
	return false;
}
