/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_output.c - prints the results as text, as JSON and as TAP version 13.
 */
#include <stdio.h>
#include <string.h>

#include "cli/terminal.h"
#include "common/control.h"
#include "common/cut.h"
#include "common/json_out.h"
#include "common/message_put.h"
#include "tests.h"

/* Longest value shown, in bytes. */
#define SHOWN_MAX 400

/* The words for an outcome. */
static const struct {
	const char *text, *json;
	tints tint;
} outcomes[REPORT_OUTCOMES] = {
	[REPORT_PASSED] = { "ok", "passed", TINT_GOOD },
	[REPORT_FAILED] = { "FAILED", "failed", TINT_BAD },
	[REPORT_SKIPPED] = { "skipped", "skipped", TINT_DIM },
	[REPORT_BROKEN] = { "CANNOT RUN", "cannot run", TINT_NONE },
};

static const report_remark *
remark_at(const report_case *test, guint index)
{
	return &g_array_index(test->remarks, report_remark, index);
}

/* ---- text ---- */

/* Prints a line with a value, cut. */
static void
print_value(const char *label, const char *json)
{
	size_t length = strlen(json);

	message_print_line(stdout, "      %s%.*s%s", label,
	                   (int)cut_length(json, length, SHOWN_MAX), json,
	                   length > SHOWN_MAX ? "..." : "");
}

static void
print_failure(const report_remark *failure)
{
	g_auto(GStrv) lines = g_strsplit(failure->trace == NULL ? "" : failure->trace, "\n", -1);

	message_print_line(stdout, "    %s: %s", failure->place, failure->message);
	print_value("expected ", failure->expected);
	print_value("found    ", failure->found);
	if (failure->because != NULL)
		message_print_line(stdout, "      because  %s", failure->because);
	for (char **line = lines; *line != NULL && **line != '\0'; line++)
		printf("      %s\n", *line);
}

/* Prints a test; 'before' is the reason of the previous test that could not run, or NULL. */
static void
print_case(const report_case *test, const char *before, bool verbose, bool colored)
{
	bool broken = test->outcome == REPORT_BROKEN;
	bool likewise = broken && g_strcmp0(test->why, before) == 0;
	bool skipped = test->outcome == REPORT_SKIPPED;
	g_autofree char *word = terminal_tint(colored, outcomes[test->outcome].tint,
	                                      outcomes[test->outcome].text);

	if (test->outcome != REPORT_PASSED || verbose) {
		printf("  %s: ", word);
		message_print_line(stdout, "%s%s%s", test->name,
		                   skipped ? ": " : likewise ? ": likewise" : "",
		                   skipped ? test->why : "");
	}
	if (broken && !likewise)
		message_print_line(stdout, "    %s: %s", test->place, test->why);
	for (guint i = 0; test->outcome == REPORT_FAILED && i < test->remarks->len; i++)
		print_failure(remark_at(test, i));
}

void
tests_print_text(const GPtrArray *files, const size_t counts[REPORT_OUTCOMES], bool verbose,
                 bool colored)
{
	bool good = counts[REPORT_FAILED] + counts[REPORT_BROKEN] == 0;
	g_autofree char *text = g_strdup_printf("%zu passed, %zu failed", counts[REPORT_PASSED],
	                                        counts[REPORT_FAILED]);
	g_autofree char *word = terminal_tint(colored, good ? TINT_GOOD : TINT_BAD, text);

	for (guint i = 0; i < files->len; i++) {
		const report_suite *file = g_ptr_array_index(files, i);
		size_t own[REPORT_OUTCOMES] = { 0 };
		const char *broken = NULL;

		report_count(file, own);
		if (file->cases->len > 0)
			message_print_line(stdout, "%s: %zu of %u passed", file->file,
			                   own[REPORT_PASSED], file->cases->len);
		for (guint k = 0; k < file->cases->len; k++) {
			const report_case *test = g_ptr_array_index(file->cases, k);

			print_case(test, broken, verbose, colored);
			broken = test->outcome == REPORT_BROKEN ? test->why : broken;
		}
	}
	fputs(word, stdout);
	if (counts[REPORT_SKIPPED] > 0)
		printf(", %zu skipped", counts[REPORT_SKIPPED]);
	if (counts[REPORT_BROKEN] > 0)
		printf(", %zu cannot run", counts[REPORT_BROKEN]);
	fputc('\n', stdout);
}

/* ---- JSON ---- */

static void
write_case(GString *out, const char *file, const report_case *test)
{
	json_write(out, "{file:s place:s name:s outcome:s why:s microseconds:i failures:[", file,
	           test->place, test->name, outcomes[test->outcome].json, test->why,
	           test->microseconds);
	for (guint i = 0; i < test->remarks->len; i++) {
		const report_remark *failure = remark_at(test, i);

		json_write(out, "{place:s what:s expected:j found:j because:S}", failure->place,
		           failure->message, failure->expected, failure->found, failure->because);
	}
	json_write(out, "]}");
}

void
tests_print_json(const GPtrArray *files, const size_t counts[REPORT_OUTCOMES], test_cover *cover)
{
	g_autoptr(GString) out = g_string_new(NULL);

	json_write(out, "{passed:z failed:z skipped:z cannotRun:z tests:[", counts[REPORT_PASSED],
	           counts[REPORT_FAILED], counts[REPORT_SKIPPED], counts[REPORT_BROKEN]);
	for (guint i = 0; i < files->len; i++) {
		const report_suite *file = g_ptr_array_index(files, i);

		for (guint k = 0; k < file->cases->len; k++)
			write_case(out, file->file, g_ptr_array_index(file->cases, k));
	}
	json_write(out, "]");
	if (cover != NULL)
		tests_cover_json(cover, out);
	json_write(out, "}");
	puts(out->str);
}

/* ---- TAP ---- */

/* Writes a text into a TAP line: no line breaks, and "#" escaped, which begins a directive. */
static void
put_tap(const char *before, const char *text, const char *after)
{
	fputs(before, stdout);
	while (*text != '\0') {
		size_t control = control_length(text);

		if (*text == '#' || *text == '\\')
			printf("\\%c", *text);
		else
			fputc(control > 0 ? ' ' : *text, stdout);
		text += MAX(control, 1);
	}
	fputs(after, stdout);
}

static void
print_tap_case(const report_case *test, guint number)
{
	bool skipped = test->outcome == REPORT_SKIPPED;

	printf("%s %u", test->outcome == REPORT_PASSED || skipped ? "ok" : "not ok", number);
	put_tap(" - ", test->name, skipped ? "" : "\n");
	if (skipped)
		put_tap(" # SKIP ", test->why, "\n");
	if (test->outcome == REPORT_BROKEN)
		put_tap("#   ", test->why, "\n");
	for (guint i = 0; i < test->remarks->len; i++) {
		const report_remark *failure = remark_at(test, i);

		put_tap("# ", failure->place, "");
		put_tap(": ", failure->message, "\n");
		put_tap("#   expected ", failure->expected, "\n");
		put_tap("#   found ", failure->found, "\n");
		if (failure->because != NULL)
			put_tap("#   because ", failure->because, "\n");
	}
}

void
tests_print_tap(const GPtrArray *files)
{
	guint total = 0;
	guint number = 0;

	for (guint i = 0; i < files->len; i++)
		total += ((const report_suite *)g_ptr_array_index(files, i))->cases->len;
	printf("TAP version 13\n1..%u\n", total);
	for (guint i = 0; i < files->len; i++) {
		const report_suite *file = g_ptr_array_index(files, i);

		for (guint k = 0; k < file->cases->len; k++)
			print_tap_case(g_ptr_array_index(file->cases, k), ++number);
	}
}
