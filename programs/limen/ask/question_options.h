/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question_options.h - the command line options about a request: its hints, the decision time,
 * and whether it is a run.
 */
#ifndef LIMEN_PROGRAM_QUESTION_OPTIONS_H
#define LIMEN_PROGRAM_QUESTION_OPTIONS_H

#include "ask.h"
#include "cli/options.h"

/* Rows of the options, for options_read(); 'given' is an ask_settings. */
#define QUESTION_ROWS(given) \
	OPTION_TEXTS("hint", 0, &(given)->hints, "NAME=VALUE", "A hint; may be repeated"), \
	OPTION_TEXT("start", 0, &(given)->start, "TIME", \
	            "Make the task a run that starts at this time"), \
	OPTION_TEXT("duration", 0, &(given)->duration, "PERIOD", \
	            "Make the task a run of this length (ISO 8601)"), \
	OPTION_FLAG("run", 0, &(given)->run, \
	            "Make the task a run (default: now, for PT10S)"), \
	OPTION_FLAG("task", 0, &(given)->task, "Requests are tasks"), \
	OPTION_FLAG("object", 0, &(given)->object, "Requests are Kubernetes objects"), \
	OPTION_TEXT("namespace", 'n', &(given)->namespace, "NAME", \
	            "Namespace if a manifest has none ('default')"), \
	OPTION_TEXT("time", 0, &(given)->time_text, "TIME", \
	            "Simulate this time (ISO 8601 or seconds)")

/* Returns true if the options make the task a run. */
bool question_options_has_run(const ask_settings *given);

/* Returns true if an option was given, except the namespace, which LimitRanges have, too. */
bool question_options_is_given(const ask_settings *given);

/*
 * Completes the settings by what the options mean.  Returns false after a message if they conflict
 * or are invalid.
 */
bool question_options_understand(const command *self, ask_settings *given);

#endif
