/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_text.c - prints a decision as text: the verdict and reason on the first line, then
 * violations, diagnostics, the priority of a task, the retry time and warnings.
 */
#include "decision_text.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/terminal.h"

void
decision_print_word(const limen_decision *decision, bool colored)
{
	bool admitted = limen_decision_admitted(decision);
	bool told = limen_decision_code(decision) != 500;
	const char *word = admitted ? "admitted" : told ? "refused" : "error";
	char *tinted = terminal_tint(colored, admitted ? TINT_GOOD : told ? TINT_BAD : TINT_ODD,
	                             word);

	fputs(tinted, stdout);
	g_free(tinted);
}

void
decision_print_verdict(const limen_decision *decision, bool colored)
{
	char *reason = g_strdup(limen_decision_reason(decision));

	/* Programs read the verdict from the first line, so the reason must stay on it. */
	g_strdelimit(reason, "\n", ' ');
	decision_print_word(decision, colored);
	message_print(stdout, ": %s\n", reason);
	g_free(reason);
}

/* Prints one violation; 'prefix' is put before the field, for templates inside an object. */
static void
print_violation(const limen_violation *violation, const char *prefix)
{
	const char *field = violation->field;
	const char *message = violation->message;

	if (field == NULL) {
		message_print_line(stdout, "Violation: %s", message);
		return;
	}
	/* The API server's own messages begin with the field. */
	if (g_str_has_prefix(message, field) && g_str_has_prefix(message + strlen(field), ": "))
		message += strlen(field) + strlen(": ");
	message_print_line(stdout, "Violation: %s%s: %s", prefix, field, message);
}

/* Writes the fewest digits that read back as the same number. */
static void
print_number(double priority)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	for (int digits = 15; digits <= 17; digits++) {
		char format[8];
		double read_back;

		g_snprintf(format, sizeof(format), "%%.%dg", digits);
		g_ascii_formatd(text, sizeof(text), format, priority);
		read_back = g_ascii_strtod(text, NULL);
		if (read_back >= priority && read_back <= priority)
			break;
	}
	fputs(text, stdout);
}

static void
print_priority(const limen_decision *decision, const char *unprioritized)
{
	double priority = 0;

	if (!limen_decision_admitted(decision) || !limen_decision_priority(decision, &priority))
		return;
	printf("Priority: %s", unprioritized == NULL ? "" : "default of ");
	print_number(priority);
	/* pScheduler shows 0 for every task, which users mistook for the priority of its runs. */
	if (unprioritized != NULL)
		printf(", not computed (%s)", unprioritized);
	putchar('\n');
}

/* Says why no admission entry looked at the object: else it seems to keep all bounds. */
static void
print_skipped(const limen_decision *decision)
{
	const limen_trace *entry = limen_decision_trace(decision, 0);
	const char *reason = NULL;

	for (size_t i = 0; entry != NULL; entry = limen_decision_trace(decision, ++i)) {
		if (entry->kind != LIMEN_KIND_ADMISSION)
			continue;
		if (entry->verdict != LIMEN_SKIP)
			return;
		if (reason == NULL)
			reason = entry->reason;
	}
	if (reason != NULL)
		message_print_line(stdout, "Note: %s", reason);
}

void
decision_print_rewritten(const limen_decision *decision, limen_subject subject)
{
	limen_value document = limen_decision_rewritten(decision);
	char *text;

	if (limen_value_count(limen_decision_patch(decision)) == 0)
		return;
	text = limen_value_to_json(document, LIMEN_JSON_PRETTY, NULL);
	/* The heading is that of pScheduler's limit-diags. */
	printf("Rewritten %s:\n", subject == LIMEN_SUBJECT_TASK ? "task" : "object");
	message_print(stdout, "%s\n", text == NULL ? "(out of memory)" : text);
	free(text);
}

void
decision_print(const limen_decision *decision, limen_subject subject, const char *unprioritized,
               bool colored, const char *prefix)
{
	const char *diagnostics = limen_decision_diagnostics(decision);
	const limen_violation *violation = limen_decision_violation(decision, 0);
	char text[LIMEN_DURATION_TEXT_MAX];
	limen_duration wait = 0;
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);

	decision_print_verdict(decision, colored);
	for (size_t i = 0; violation != NULL; violation = limen_decision_violation(decision, ++i))
		print_violation(violation, prefix);
	if (diagnostics != NULL)
		message_print(stdout, "%s\n", diagnostics);
	if (subject == LIMEN_SUBJECT_TASK)
		print_priority(decision, unprioritized);
	if (limen_decision_retry_after(decision, &wait)) {
		limen_duration_print(wait, text);
		printf("Retry after: %s\n", text);
	}
	for (size_t i = 0; i < count; i++)
		message_print_line(stdout, "Warning: %s", warnings[i]);
	print_skipped(decision);
}
