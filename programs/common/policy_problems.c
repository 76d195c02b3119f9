/* SPDX-License-Identifier: Apache-2.0 */
/* policy_problems.c - prints the problems of a policy to standard error in pScheduler's words. */
#include "policy_problems.h"

#include "message_put.h"
#include "print.h"

static bool in_colors;

void
problems_color(bool colored)
{
	in_colors = colored;
}

char *
problems_place(const limen_problem *problem, const char *name)
{
	const char *file = problem->file != NULL ? problem->file : name;

	if (file == NULL)
		return problem->line == 0 ? NULL : print_text("line %u, column %u", problem->line,
		                                             problem->column);
	if (problem->line == 0)
		return g_strdup(file);
	if (problem->column == 0)
		return print_text("%s:%u", file, problem->line);
	return print_text("%s:%u:%u", file, problem->line, problem->column);
}

/* The file may be right: a module of it is missing or broken, as the core says in these words. */
static bool
blames_module(const limen_problem *problem)
{
	return g_str_has_prefix(problem->text, "the module ") ||
	       (problem->hint != NULL && g_str_has_prefix(problem->hint, "no file "));
}

/* Prints what sort of entry it is. */
static void
print_severity(const limen_problem *problem)
{
	static const char *const words[] = { "note", "warning", "Invalid limit file" };
	static const char *const tints[] = { "90", "1;33", "1;31" };
	bool module = problem->severity == LIMEN_SEVERITY_PROBLEM && blames_module(problem);
	const char *word = module ? "Unable to load a module" : words[problem->severity];

	if (g_str_has_prefix(problem->text, "Unable to "))
		return;
	if (in_colors)
		fprintf(stderr, "\033[%sm%s\033[0m: ", tints[problem->severity], word);
	else
		fprintf(stderr, "%s: ", word);
}

static void
print_policy_problem(const limen_problem *problem)
{
	static const char unreadable[] = "Unable to read input: ";
	g_autofree char *place = problems_place(problem, NULL);

	/* The file cannot be read, so nothing in it is invalid. */
	if (place != NULL && g_str_has_prefix(problem->text, unreadable)) {
		message_print_line(stderr, "%s%s: %s", unreadable, place,
		                   problem->text + sizeof(unreadable) - 1);
		return;
	}
	print_severity(problem);
	/* The root of a document is "/" in pScheduler and "" in RFC 6901. */
	if (problem->pointer != NULL)
		message_print_part(stderr, "At %s: ",
		                   problem->pointer[0] == '\0' ? "/" : problem->pointer);
	message_print_line(stderr, "%s", problem->text);
	if (place != NULL)
		message_print_line(stderr, "  %s", place);
	if (problem->hint != NULL)
		message_print_line(stderr, "  hint: %s", problem->hint);
}

void
problems_print_policy(const limen_diag *diag, limen_severity least)
{
	/* Notes tell how limen reads a valid policy, so they do not stand beside problems. */
	if (limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0 && least == LIMEN_SEVERITY_NOTE)
		least = LIMEN_SEVERITY_WARNING;
	fflush(stdout);
	for (int severity = LIMEN_SEVERITY_PROBLEM; severity >= (int)least; severity--) {
		const limen_problem *problem = limen_diag_get(diag, 0);

		for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i))
			if ((int)problem->severity == severity)
				print_policy_problem(problem);
	}
}
