/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_report.c - prints the results for other programs: TAP version 13 and JUnit XML.
 */
#include <stdio.h>

#include "common/control.h"
#include "report/report.h"
#include "tests.h"

/* ---- TAP ---- */

/* Writes a text into a TAP line: no line breaks, and "#" escaped, which begins a directive. */
static void
put_tap(const char *text)
{
	while (*text != '\0') {
		size_t control = control_length(text);

		if (*text == '#' || *text == '\\')
			printf("\\%c", *text);
		else
			fputc(control > 0 ? ' ' : *text, stdout);
		text += MAX(control, 1);
	}
}

static void
put_comment(const char *what, const char *text)
{
	printf("#   %s", what);
	put_tap(text);
	fputc('\n', stdout);
}

static void
print_tap_case(const test_case *one, size_t number)
{
	bool good = one->outcome == TEST_PASSED || one->outcome == TEST_SKIPPED;

	printf("%s %zu - ", good ? "ok" : "not ok", number);
	put_tap(one->name);
	if (one->outcome == TEST_SKIPPED) {
		fputs(" # SKIP ", stdout);
		put_tap(one->why);
	}
	fputc('\n', stdout);
	if (one->outcome == TEST_BROKEN)
		put_comment("", one->why);
	for (guint i = 0; i < one->failures->len; i++) {
		const test_failure *failure = g_ptr_array_index(one->failures, i);

		fputs("# ", stdout);
		put_tap(failure->place);
		fputs(": ", stdout);
		put_tap(failure->what);
		fputc('\n', stdout);
		put_comment("expected ", failure->expected);
		put_comment("found ", failure->found);
		if (failure->because != NULL)
			put_comment("because ", failure->because);
	}
}

void
tests_print_tap(const GPtrArray *files, const tests_counts counts)
{
	size_t number = 0;

	printf("TAP version 13\n1..%zu\n",
	       counts[TEST_PASSED] + counts[TEST_FAILED] + counts[TEST_SKIPPED] + counts[TEST_BROKEN]);
	for (guint i = 0; i < files->len; i++) {
		const test_file *file = g_ptr_array_index(files, i);

		for (guint k = 0; k < file->tests->len; k++)
			print_tap_case(g_ptr_array_index(file->tests, k), ++number);
	}
}

/* ---- JUnit ---- */

static void
add_case(report_suite *suite, const test_case *test)
{
	static const report_outcome outcomes[TEST_OUTCOMES] = {
		[TEST_PASSED] = REPORT_PASSED, [TEST_FAILED] = REPORT_FAILED,
		[TEST_SKIPPED] = REPORT_SKIPPED, [TEST_BROKEN] = REPORT_BROKEN,
	};
	report_case *entry = report_add_case(suite, test->name);

	entry->outcome = outcomes[test->outcome];
	entry->why = g_strdup(test->why);
	entry->microseconds = test->microseconds;
	for (guint i = 0; i < test->failures->len; i++) {
		const test_failure *failure = g_ptr_array_index(test->failures, i);
		bool explained = failure->because != NULL;

		report_add_remark(entry, g_strdup(failure->what),
		                  g_strdup_printf("%s\nexpected %s\nfound %s%s%s", failure->place,
		                                  failure->expected, failure->found,
		                                  explained ? "\nbecause " : "",
		                                  explained ? failure->because : ""));
	}
}

void
tests_print_junit(const GPtrArray *files)
{
	report *all = report_new();

	for (guint i = 0; i < files->len; i++) {
		const test_file *file = g_ptr_array_index(files, i);
		report_suite *suite = report_add_suite(all, file->path);

		for (guint k = 0; k < file->tests->len; k++)
			add_case(suite, g_ptr_array_index(file->tests, k));
	}
	report_print_junit(all);
	g_ptr_array_unref(all);
}
