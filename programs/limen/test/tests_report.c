/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_report.c - prints the results for other programs: TAP version 13 and JUnit XML.
 */
#include <stdio.h>

#include "cli/markup.h"
#include "common/control.h"
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
print_junit_failures(const test_case *one)
{
	for (guint i = 0; i < one->failures->len; i++) {
		const test_failure *failure = g_ptr_array_index(one->failures, i);

		markup_print("      <failure message=\"%s\">%s\nexpected %s\nfound %s", failure->what,
		             failure->place, failure->expected, failure->found);
		if (failure->because != NULL)
			markup_print("\nbecause %s", failure->because);
		puts("</failure>");
	}
}

static void
print_junit_case(const test_case *one)
{
	markup_print("    <testcase classname=\"%s\" name=\"%s\"", one->file->path, one->name);
	printf(" time=\"%.6f\"", (double)one->microseconds / 1e6);
	if (one->outcome == TEST_PASSED) {
		fputs("/>\n", stdout);
		return;
	}
	fputs(">\n", stdout);
	if (one->outcome == TEST_FAILED)
		print_junit_failures(one);
	else
		markup_print("      <%s message=\"%s\"/>\n",
		             one->outcome == TEST_SKIPPED ? "skipped" : "error", one->why);
	fputs("    </testcase>\n", stdout);
}

static void
print_junit_file(const test_file *file)
{
	tests_counts counts = { 0 };

	tests_count(file, counts);
	markup_print("  <testsuite name=\"%s\" tests=\"%u\" failures=\"%zu\" errors=\"%zu\" "
	             "skipped=\"%zu\">\n",
	             file->path, file->tests->len, counts[TEST_FAILED], counts[TEST_BROKEN],
	             counts[TEST_SKIPPED]);
	for (guint i = 0; i < file->tests->len; i++)
		print_junit_case(g_ptr_array_index(file->tests, i));
	fputs("  </testsuite>\n", stdout);
}

void
tests_print_junit(const GPtrArray *files, const tests_counts counts)
{
	printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	       "<testsuites tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
	       counts[TEST_PASSED] + counts[TEST_FAILED] + counts[TEST_SKIPPED] + counts[TEST_BROKEN], counts[TEST_FAILED],
	       counts[TEST_BROKEN], counts[TEST_SKIPPED]);
	for (guint i = 0; i < files->len; i++)
		print_junit_file(g_ptr_array_index(files, i));
	puts("</testsuites>");
}
