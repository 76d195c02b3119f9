/* SPDX-License-Identifier: Apache-2.0 */
#include <glib.h>
#include <inttypes.h>

#include "decision_text.h"
#include "message.h"
#include "terminal.h"

static const char *
name_verdict(limen_verdict verdict)
{
	switch (verdict) {
	case LIMEN_PASS:
		return "pass";
	case LIMEN_FAIL:
		return "fail";
	case LIMEN_SKIP:
		return "skip";
	case LIMEN_ERROR:
		break;
	}
	return "error";
}

static tints
tint_of(limen_verdict verdict)
{
	static const tints known[] = { TINT_ODD, TINT_GOOD, TINT_BAD, TINT_NONE };

	return (unsigned)verdict < G_N_ELEMENTS(known) ? known[verdict] : TINT_ODD;
}

/* Errors and "no opinion" are never inverted (the rule "fail closed"). */
static limen_verdict
invert(limen_verdict verdict)
{
	if (verdict == LIMEN_PASS)
		return LIMEN_FAIL;
	return verdict == LIMEN_FAIL ? LIMEN_PASS : verdict;
}

static void
print_lines(const char *label, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);

	for (size_t i = 0; lines[i] != NULL; i++)
		message_print(stdout, "      %s%s\n", i == 0 ? label : "  ", lines[i]);
	g_strfreev(lines);
}

static void
print_entry(const limen_trace *entry, bool colored)
{
	limen_verdict counted = entry->inverted ? invert(entry->verdict) : entry->verdict;
	char *word = terminal_tint(colored, tint_of(counted), name_verdict(counted));

	message_print(stdout, "    %s (%s%s%s): ", entry->name, entry->type,
	              entry->phase == NULL ? "" : ", ", entry->phase == NULL ? "" : entry->phase);
	fputs(word, stdout);
	if (counted != entry->verdict)
		printf(", inverted from %s", name_verdict(entry->verdict));
	printf(", %" PRId64 " us", (entry->nanoseconds + 500) / 1000);
	if (entry->file != NULL)
		message_print(stdout, ", %s:%u", entry->file, entry->line);
	fputc('\n', stdout);
	if (entry->reason != NULL)
		print_lines("reason: ", entry->reason);
	for (size_t i = 0; i < entry->note_count; i++)
		print_lines("note: ", entry->notes[i]);
	g_free(word);
}

static const char *
name_stage(limen_kind kind)
{
	static const char *const names[] = { NULL, "identifiers", "rewriter", "limits",
		"admission", "prioritizer", "stores" };

	return kind >= LIMEN_KIND_IDENTIFIER && kind <= LIMEN_KIND_STORE ? names[kind] : "others";
}

static void
print_annotations(const limen_decision *decision)
{
	const limen_annotation *note = limen_decision_annotation(decision, 0);

	for (size_t i = 0; note != NULL; note = limen_decision_annotation(decision, ++i))
		message_print(stdout, "%s    %s: %s\n", i == 0 ? "  audit annotations\n" : "",
		              note->key, note->value);
}

void
trace_print(const limen_decision *decision, bool colored)
{
	const limen_trace *entry = limen_decision_trace(decision, 0);
	int stage = 0;

	puts("Explanation:");
	if (entry == NULL)
		puts("  no module was run");
	for (size_t i = 0; entry != NULL; entry = limen_decision_trace(decision, ++i)) {
		if ((int)entry->kind != stage)
			printf("  %s\n", name_stage(entry->kind));
		stage = (int)entry->kind;
		print_entry(entry, colored);
	}
	print_annotations(decision);
}
