/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_log.c - writes the problems found while loading a policy as log lines.
 */
#include "policy_log.h"

#include "../common/policy_problems.h"
#include "../common/print.h"
#include "base/log.h"

static GString *
write_problem(const limen_problem *problem)
{
	char *place = problems_place(problem, NULL);
	GString *text = g_string_new(NULL);

	if (place != NULL)
		print_append(text, "%s: ", place);
	if (problem->pointer != NULL)
		print_append(text, "At %s: ",
		             problem->pointer[0] == '\0' ? "/" : problem->pointer);
	g_string_append(text, problem->text);
	if (problem->hint != NULL)
		print_append(text, " (%s)", problem->hint);
	g_free(place);
	return text;
}

void
policy_log(const limen_diag *diag, limen_severity least)
{
	static const limen_log_level levels[] = { LIMEN_LOG_INFO, LIMEN_LOG_WARNING,
		                                  LIMEN_LOG_ERROR };
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i)) {
		GString *text;

		if (problem->severity < least)
			continue;
		text = write_problem(problem);
		log_line(levels[problem->severity], "policy", text->str);
		g_string_free(text, TRUE);
	}
}

char *
policy_log_reason(const limen_diag *diag)
{
	const limen_problem *problem = limen_diag_get(diag, 0);
	GString *reason = g_string_new(NULL);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i)) {
		GString *text;

		if (problem->severity < LIMEN_SEVERITY_PROBLEM)
			continue;
		text = write_problem(problem);
		g_string_append(reason, text->str);
		g_string_append_c(reason, '\n');
		g_string_free(text, TRUE);
	}
	return g_string_free(reason, FALSE);
}
