/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_text.c - prints a decision as text: the verdict and reason on the first line, then
 * violations, diagnostics, the priority of a task, the retry time and warnings.
 */
#include "decision_text.h"

#include <glib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/terminal.h"
#include "common/auto.h"
#include "policy/problems.h"

void
decision_print_word(judgement_kind kind, bool colored)
{
	static const tints tints_of[JUDGEMENTS] = {
		[JUDGED_NOT_CONCERNED] = TINT_DIM, [JUDGED_ADMITTED] = TINT_GOOD,
		[JUDGED_NOT] = TINT_ODD, [JUDGED_REFUSED] = TINT_BAD, [JUDGED_ERROR] = TINT_ODD,
	};
	g_autofree char *tinted = terminal_tint(colored, tints_of[kind], judgement_words[kind]);

	fputs(tinted, stdout);
}

void
decision_print_verdict(const case_result *result, bool colored)
{
	const char *own = result->judged.reason;
	g_autofree char *reason = g_strdup(own != NULL ? own
	                                               : limen_decision_reason(result->decision));

	/* Programs read the verdict from the first line, so the reason must stay on it. */
	g_strdelimit(reason, "\n", ' ');
	decision_print_word(result->judged.kind, colored);
	message_print(stdout, ": %s\n", reason);
}

/* Returns the member or element that 'step', of 'length' bytes, names in 'holder', or none. */
static limen_value
find_step(limen_value holder, const char *step, size_t length)
{
	guint64 index = 0;
	g_autofree char *text = g_strndup(step, length);

	if (limen_value_type(holder) != LIMEN_TYPE_ARRAY)
		return limen_value_member(holder, step, length);
	if (!g_ascii_string_to_unsigned(text, 10, 0, SIZE_MAX, &index, NULL))
		return limen_value_none();
	return limen_value_at(holder, (size_t)index);
}

limen_value
decision_find_field(const ask_case *item, const char *field)
{
	limen_value holder = item->source;

	while (*field != '\0') {
		bool bracket = *field == '[';
		const char *step = field + (bracket || *field == '.');
		size_t length = strcspn(step, bracket ? "]" : ".[");
		limen_value next = find_step(holder, step, length);

		if (!limen_value_exists(next))
			break;
		holder = next;
		field = step + length + (bracket && step[length] == ']');
	}
	return holder;
}

/* Prints one violation, with the place of the value in the file if it is known. */
static void
print_violation(const ask_case *item, const char *file, const limen_violation *violation)
{
	const char *field = violation->field;
	const char *message = violation->message;
	g_autofree char *place = field == NULL
	                                 ? NULL
	                                 : problems_place_of(decision_find_field(item, field), file);

	fputs("Violation: ", stdout);
	if (place != NULL)
		message_print_part(stdout, "%s: ", place);
	if (field != NULL)
		message_print_part(stdout, "%s%s: ", item->field, field);
	/* The API server's own messages begin with the field. */
	if (field != NULL && g_str_has_prefix(message, field) &&
	    g_str_has_prefix(message + strlen(field), ": "))
		message += strlen(field) + strlen(": ");
	message_print_line(stdout, "%s", message);
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

void
decision_print_rewritten(const limen_decision *decision, bool object)
{
	g_auto(heap_text) text = NULL;

	if (limen_value_count(limen_decision_patch(decision)) == 0)
		return;
	text = limen_value_to_json(limen_decision_rewritten(decision), LIMEN_JSON_PRETTY, NULL);
	/* The heading is that of pScheduler's limit-diags. */
	printf("Rewritten %s:\n", object ? "object" : "task");
	message_print(stdout, "%s\n", text == NULL ? "(out of memory)" : text);
}

void
decision_print(const case_result *result, const char *file, const char *unprioritized,
               bool explained, bool colored)
{
	const limen_decision *decision = result->decision;
	const char *diagnostics = explained ? NULL : limen_decision_diagnostics(decision);
	const limen_violation *violation = limen_decision_violation(decision, 0);
	char duration[LIMEN_DURATION_TEXT_MAX];
	limen_duration wait = 0;
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);

	decision_print_verdict(result, colored);
	if (result->judged.hint != NULL)
		message_print_line(stdout, "Hint: %s", result->judged.hint);
	for (size_t i = 0; violation != NULL; violation = limen_decision_violation(decision, ++i))
		print_violation(result->item, file, violation);
	if (diagnostics != NULL)
		message_print(stdout, "%s\n", diagnostics);
	if (!result->item->object)
		print_priority(decision, unprioritized);
	if (limen_decision_retry_after(decision, &wait)) {
		limen_duration_print(wait, duration);
		printf("Retry after: %s\n", duration);
	}
	for (size_t i = 0; i < count; i++)
		message_print_line(stdout, "Warning: %s", warnings[i]);
}
