/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_source.h"

#include "../common/policy_problems.h"
#include "../common/policy_url.h"
#include "../common/print.h"
#include "log.h"

bool
policy_source_load(limen_engine *engine, const char *name, limen_diag *diag)
{
	char *url = policy_url_is(name) ? g_strdup(name) : policy_url_in_file(name, diag);
	int result = url == NULL ? limen_engine_load(engine, name, diag)
	                         : policy_url_load(engine, url, diag);

	/* A URL may hold a password. */
	if (url != NULL)
		name = "the policy";
	g_free(url);
	if (result != LIMEN_OK && limen_diag_count(diag, LIMEN_PROBLEM) == 0)
		limen_diag_add(diag, LIMEN_PROBLEM, limen_value_none(), "%s: %s", name,
		               limen_result_text(result));
	return result == LIMEN_OK;
}

static void
log_problem(const limen_problem *problem)
{
	static const limen_log_level levels[] = { LIMEN_LOG_INFO, LIMEN_LOG_WARNING,
		                                  LIMEN_LOG_ERROR };
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
	log_line(levels[problem->severity], "policy", text->str);
	g_string_free(text, TRUE);
	g_free(place);
}

void
policy_source_log(const limen_diag *diag, limen_severity least)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i))
		if (problem->severity >= least)
			log_problem(problem);
}
