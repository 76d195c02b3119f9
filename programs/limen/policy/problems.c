/* SPDX-License-Identifier: Apache-2.0 */
/* problems.c - prints the entries of a limen_diag to standard error and appends them as JSON. */
#include "problems.h"

#include "cli/message.h"
#include "common/auto.h"
#include "common/json_out.h"

static const char *const severity_names[] = { "note", "warning", "error" };

void
problems_print_request(const limen_diag *diag, const char *name, bool problems)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i)) {
		g_autofree char *place = problems_place(problem, name);

		if ((problem->severity == LIMEN_SEVERITY_PROBLEM) == problems)
			message_error("%s: %s%s", place, problems ? "" : "warning: ", problem->text);
	}
}

void
problems_print_plain(const limen_diag *diag)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i)) {
		g_autofree char *place = problems_place(problem, NULL);

		message_error("%s%s%s%s",
		              problem->severity == LIMEN_SEVERITY_PROBLEM ? "" : "warning: ",
		              place == NULL ? "" : place, place == NULL ? "" : ": ", problem->text);
	}
}

static void
append_problem(GString *out, const limen_problem *problem, bool placeless)
{
	json_write(out, "{severity:s file:s", severity_names[problem->severity],
	           placeless ? NULL : problem->file);
	if (placeless || problem->line == 0)
		json_write(out, "line:j column:j", NULL, NULL);
	else if (problem->column == 0)
		json_write(out, "line:d column:j", (int)problem->line, NULL);
	else
		json_write(out, "line:d column:d", (int)problem->line, (int)problem->column);
	json_write(out, "pointer:s text:s hint:s}", problem->pointer, problem->text, problem->hint);
}

void
problems_append_json(GString *out, const limen_diag *diag, bool placeless)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i))
		append_problem(out, problem, placeless);
}

/* Returns where 'value' stands, as an entry of 'diag', or NULL. */
static const limen_problem *
locate(limen_diag *diag, limen_value value)
{
	limen_diag_add(diag, LIMEN_SEVERITY_NOTE, value, "here");
	return limen_diag_get(diag, 0);
}

void
problems_locate(limen_value value, unsigned *line, unsigned *column)
{
	g_autoptr(limen_diag) diag = limen_diag_new();
	const limen_problem *entry = locate(diag, value);

	*line = entry == NULL ? 0 : entry->line;
	*column = entry == NULL ? 0 : entry->column;
}

char *
problems_place_of(limen_value value, const char *name)
{
	g_autoptr(limen_diag) diag = limen_diag_new();
	const limen_problem *entry = locate(diag, value);

	return entry == NULL || entry->line == 0 ? NULL : problems_place(entry, name);
}

const char *
problems_first(const limen_diag *diag, const char *otherwise)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i))
		if (problem->severity == LIMEN_SEVERITY_PROBLEM)
			return problem->text;
	return otherwise;
}
