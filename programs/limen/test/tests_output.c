/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_output.c - prints the results as text, as JSON, as TAP version 13 and as JUnit XML.
 */
#include <stdio.h>
#include <string.h>

#include "cli/terminal.h"
#include "common/control.h"
#include "common/cut.h"
#include "common/json_out.h"
#include "common/message_put.h"
#include "report/report.h"
#include "tests.h"

/* Longest value shown, in bytes. */
#define SHOWN_MAX 400

/* The words for an outcome. */
static const struct {
	const char *text, *json;
	tints tint;
	report_outcome report;
} outcomes[TEST_OUTCOMES] = {
	[TEST_PASSED] = { "ok", "passed", TINT_GOOD, REPORT_PASSED },
	[TEST_FAILED] = { "FAILED", "failed", TINT_BAD, REPORT_FAILED },
	[TEST_SKIPPED] = { "skipped", "skipped", TINT_DIM, REPORT_SKIPPED },
	[TEST_BROKEN] = { "CANNOT RUN", "cannot run", TINT_NONE, REPORT_BROKEN },
};

void
tests_count(const GPtrArray *tests, tests_counts counts)
{
	for (guint i = 0; i < tests->len; i++)
		counts[((const test_case *)g_ptr_array_index(tests, i))->outcome]++;
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
print_failure(const test_failure *failure)
{
	g_auto(GStrv) lines = g_strsplit(failure->trace == NULL ? "" : failure->trace, "\n", -1);

	message_print_line(stdout, "    %s: %s", failure->place, failure->label);
	print_value("expected ", failure->expected);
	print_value("found    ", failure->found);
	if (failure->because != NULL)
		message_print_line(stdout, "      because  %s", failure->because);
	for (char **line = lines; *line != NULL && **line != '\0'; line++)
		printf("      %s\n", *line);
}

/* Prints a test; 'before' is the reason of the previous test that could not run, or NULL. */
static void
print_case(const test_case *test, const char *before, bool verbose, bool colored)
{
	bool broken = test->outcome == TEST_BROKEN;
	bool likewise = broken && g_strcmp0(test->why, before) == 0;
	bool skipped = test->outcome == TEST_SKIPPED;
	g_autofree char *word = terminal_tint(colored, outcomes[test->outcome].tint,
	                                      outcomes[test->outcome].text);

	if (test->outcome != TEST_PASSED || verbose) {
		printf("  %s: ", word);
		message_print_line(stdout, "%s%s%s", test->name,
		                   skipped ? ": " : likewise ? ": likewise" : "",
		                   skipped ? test->why : "");
	}
	if (broken && !likewise)
		message_print_line(stdout, "    %s: %s", test->place, test->why);
	for (guint i = 0; test->outcome == TEST_FAILED && i < test->failures->len; i++)
		print_failure(g_ptr_array_index(test->failures, i));
}

void
tests_print_text(const GPtrArray *tests, const tests_counts counts, bool verbose, bool colored)
{
	bool good = counts[TEST_FAILED] + counts[TEST_BROKEN] == 0;
	g_autofree char *text = g_strdup_printf("%zu passed, %zu failed", counts[TEST_PASSED],
	                                        counts[TEST_FAILED]);
	g_autofree char *word = terminal_tint(colored, good ? TINT_GOOD : TINT_BAD, text);
	const test_file *file = NULL;
	const char *broken = NULL;

	for (guint i = 0; i < tests->len; i++) {
		const test_case *test = g_ptr_array_index(tests, i);

		if (test->file != file) {
			tests_counts own = { 0 };

			file = test->file;
			broken = NULL;
			tests_count(file->tests, own);
			message_print_line(stdout, "%s: %zu of %u passed", file->path,
			                   own[TEST_PASSED], file->tests->len);
		}
		print_case(test, broken, verbose, colored);
		broken = test->outcome == TEST_BROKEN ? test->why : broken;
	}
	fputs(word, stdout);
	if (counts[TEST_SKIPPED] > 0)
		printf(", %zu skipped", counts[TEST_SKIPPED]);
	if (counts[TEST_BROKEN] > 0)
		printf(", %zu cannot run", counts[TEST_BROKEN]);
	fputc('\n', stdout);
}

/* ---- JSON ---- */

void
tests_print_json(const GPtrArray *tests, const tests_counts counts, test_cover *cover)
{
	g_autoptr(GString) out = g_string_new(NULL);

	json_write(out, "{passed:z failed:z skipped:z cannotRun:z tests:[", counts[TEST_PASSED],
	           counts[TEST_FAILED], counts[TEST_SKIPPED], counts[TEST_BROKEN]);
	for (guint i = 0; i < tests->len; i++) {
		const test_case *test = g_ptr_array_index(tests, i);

		json_write(out, "{file:s place:s name:s outcome:s why:s microseconds:i failures:[",
		           test->file->path, test->place, test->name,
		           outcomes[test->outcome].json, test->why, test->microseconds);
		for (guint k = 0; k < test->failures->len; k++) {
			const test_failure *failure = g_ptr_array_index(test->failures, k);

			json_write(out, "{place:s what:s expected:j found:j because:S}",
			           failure->place, failure->label, failure->expected,
			           failure->found, failure->because);
		}
		json_write(out, "]}");
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
print_tap_case(const test_case *test, size_t number)
{
	bool skipped = test->outcome == TEST_SKIPPED;

	printf("%s %zu", test->outcome == TEST_PASSED || skipped ? "ok" : "not ok", number);
	put_tap(" - ", test->name, skipped ? "" : "\n");
	if (skipped)
		put_tap(" # SKIP ", test->why, "\n");
	if (test->outcome == TEST_BROKEN)
		put_tap("#   ", test->why, "\n");
	for (guint i = 0; i < test->failures->len; i++) {
		const test_failure *failure = g_ptr_array_index(test->failures, i);

		put_tap("# ", failure->place, "");
		put_tap(": ", failure->label, "\n");
		put_tap("#   expected ", failure->expected, "\n");
		put_tap("#   found ", failure->found, "\n");
		if (failure->because != NULL)
			put_tap("#   because ", failure->because, "\n");
	}
}

void
tests_print_tap(const GPtrArray *tests)
{
	printf("TAP version 13\n1..%u\n", tests->len);
	for (guint i = 0; i < tests->len; i++)
		print_tap_case(g_ptr_array_index(tests, i), i + 1);
}

/* ---- JUnit ---- */

static void
add_result(report_suite *suite, const test_case *test)
{
	report_case *entry = report_add_case(suite, test->name);

	entry->outcome = outcomes[test->outcome].report;
	entry->why = g_strdup(test->why);
	entry->microseconds = test->microseconds;
	for (guint i = 0; i < test->failures->len; i++) {
		const test_failure *failure = g_ptr_array_index(test->failures, i);

		report_add_remark(entry, g_strdup(failure->label),
		                  g_strconcat(failure->place, "\nexpected ", failure->expected,
		                              "\nfound ", failure->found,
		                              failure->because == NULL ? NULL : "\nbecause ",
		                              failure->because, NULL));
	}
}

void
tests_print_junit(const GPtrArray *files)
{
	g_autoptr(GPtrArray) all = report_new();

	for (guint i = 0; i < files->len; i++) {
		const test_file *file = g_ptr_array_index(files, i);
		report_suite *suite = report_add_suite(all, file->path);

		for (guint k = 0; k < file->tests->len; k++)
			add_result(suite, g_ptr_array_index(file->tests, k));
	}
	report_print_junit(all);
}
