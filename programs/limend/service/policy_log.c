/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_log.c - writes the problems found while loading a policy as log lines.
 */
#include "policy_log.h"

#include "../common/policy_problems.h"
#include "../common/print.h"
#include "base/log.h"

/* Returns the text of a problem, with its place and its hint, to g_free(). */
static char *
write_problem(const limen_problem *problem)
{
	g_autofree char *place = problems_place(problem, NULL);
	GString *text = g_string_new(NULL);

	if (place != NULL)
		print_append(text, "%s: ", place);
	if (problem->pointer != NULL)
		print_append(text, "At %s: ", problem->pointer[0] == '\0' ? "/" : problem->pointer);
	g_string_append(text, problem->text);
	if (problem->hint != NULL)
		print_append(text, " (%s)", problem->hint);
	return g_string_free(text, FALSE);
}

void
policy_log(const limen_diag *diag, limen_severity least)
{
	static const limen_log_level levels[] = { LIMEN_LOG_INFO, LIMEN_LOG_WARNING,
		                                  LIMEN_LOG_ERROR };
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i)) {
		g_autofree char *text = write_problem(problem);

		if (problem->severity >= least)
			log_line(levels[problem->severity], "policy", text);
	}
}

char *
policy_log_reason(const limen_diag *diag)
{
	const limen_problem *problem = limen_diag_get(diag, 0);
	GString *reason = g_string_new(NULL);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i)) {
		g_autofree char *text = write_problem(problem);

		if (problem->severity >= LIMEN_SEVERITY_PROBLEM)
			print_append(reason, "%s\n", text);
	}
	return g_string_free(reason, FALSE);
}
