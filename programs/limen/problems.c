/* SPDX-License-Identifier: Apache-2.0 */
#include "problems.h"

#include "../common/json_out.h"
#include "message.h"

static const char *const severity_names[] = { "note", "warning", "error" };

/* The file, line and column of 'problem' as far as they are known, or NULL; to g_free(). */
static char *
format_place(const limen_problem *problem, const char *name)
{
	const char *file = problem->file != NULL ? problem->file : name;

	if (file == NULL)
		return problem->line == 0 ? NULL : g_strdup_printf("line %u, column %u",
		                                                   problem->line,
		                                                   problem->column);
	if (problem->line == 0)
		return g_strdup(file);
	return g_strdup_printf("%s:%u:%u", file, problem->line, problem->column);
}

static void
print_policy_problem(const limen_problem *problem)
{
	static const char *const words[] = { "note: ", "warning: ", "Invalid limit file: " };
	char *place = format_place(problem, NULL);

	fputs(words[problem->severity], stderr);
	/* The root of a document is "/" to pScheduler and "" to RFC 6901. */
	if (problem->pointer != NULL)
		message_print(stderr, "At %s: ",
		              problem->pointer[0] == '\0' ? "/" : problem->pointer);
	message_print(stderr, "%s\n", problem->text);
	if (place != NULL)
		message_print(stderr, "  %s\n", place);
	if (problem->hint != NULL)
		message_print(stderr, "  hint: %s\n", problem->hint);
	g_free(place);
}

void
problems_print_policy(const limen_diag *diag, limen_severity least)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	fflush(stdout);
	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i))
		if (problem->severity >= least)
			print_policy_problem(problem);
}

void
problems_print_request(const limen_diag *diag, const char *name)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i)) {
		char *place = format_place(problem, name);

		if (problem->severity == LIMEN_PROBLEM)
			message_error("%s: %s", place, problem->text);
		g_free(place);
	}
}

void
problems_print_notes(const limen_diag *diag, const char *name)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i)) {
		char *place = format_place(problem, name);

		if (problem->severity != LIMEN_PROBLEM)
			message_error("%s: warning: %s", place, problem->text);
		g_free(place);
	}
}

void
problems_print_plain(const limen_diag *diag)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i)) {
		char *place = format_place(problem, NULL);

		message_error("%s%s%s%s", problem->severity == LIMEN_PROBLEM ? "" : "warning: ",
		              place == NULL ? "" : place, place == NULL ? "" : ": ",
		              problem->text);
		g_free(place);
	}
}

static void
append_number(GString *out, const char *key, unsigned number)
{
	json_key(out, key);
	if (number == 0)
		json_raw(out, NULL);
	else
		json_int(out, number);
}

static void
append_problem(GString *out, const limen_problem *problem, bool placeless)
{
	json_open(out, '{');
	json_put_string(out, "severity", severity_names[problem->severity]);
	json_put_string(out, "file", placeless ? NULL : problem->file);
	append_number(out, "line", placeless ? 0 : problem->line);
	append_number(out, "column", placeless ? 0 : problem->column);
	json_put_string(out, "pointer", problem->pointer);
	json_put_string(out, "text", problem->text);
	json_put_string(out, "hint", problem->hint);
	g_string_append_c(out, '}');
}

void
problems_append_json(GString *out, const limen_diag *diag, bool placeless)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	json_open(out, '[');
	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i))
		append_problem(out, problem, placeless);
	g_string_append_c(out, ']');
}

const char *
problems_first(const limen_diag *diag, const char *otherwise)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i))
		if (problem->severity == LIMEN_PROBLEM)
			return problem->text;
	return otherwise;
}
