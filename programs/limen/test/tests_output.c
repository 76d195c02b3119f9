/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_output.c - prints the results as text and as JSON.
 */
#include <stdio.h>
#include <string.h>

#include "cli/terminal.h"
#include "common/cut.h"
#include "common/json_out.h"
#include "common/message_put.h"
#include "tests.h"

/* Longest value shown, in bytes. */
#define SHOWN_MAX 400

void
tests_count(const test_file *file, tests_counts counts)
{
	for (guint i = 0; i < file->tests->len; i++)
		counts[((const test_case *)g_ptr_array_index(file->tests, i))->outcome]++;
}

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
print_failure(const test_failure *one)
{
	char **lines = one->trace == NULL ? NULL : g_strsplit(one->trace, "\n", -1);

	message_print_line(stdout, "    %s: %s", one->place, one->what);
	print_value("expected ", one->expected);
	print_value("found    ", one->found);
	if (one->because != NULL)
		message_print_line(stdout, "      because  %s", one->because);
	for (size_t i = 0; lines != NULL && lines[i] != NULL && lines[i][0] != '\0'; i++)
		printf("      %s\n", lines[i]);
	g_strfreev(lines);
}

/* Prints a test that could not run; 'before' is the reason of the previous such test, or NULL. */
static void
print_broken(const test_case *one, const char *before)
{
	bool likewise = g_strcmp0(one->why, before) == 0;

	message_print_line(stdout, "  CANNOT RUN: %s%s", one->name, likewise ? ": likewise" : "");
	if (!likewise)
		message_print_line(stdout, "    %s: %s", one->place, one->why);
}

static void
print_case(const test_case *one, bool verbose, bool colored)
{
	static const char *const words[] = { "ok", "FAILED", "skipped" };
	static const tints shades[] = { TINT_GOOD, TINT_BAD, TINT_DIM };
	char *word = terminal_tint(colored, shades[one->outcome], words[one->outcome]);

	if (one->outcome != TEST_PASSED || verbose) {
		printf("  %s: ", word);
		message_print_line(stdout, "%s%s%s", one->name,
		                   one->outcome == TEST_SKIPPED ? ": " : "",
		                   one->outcome == TEST_SKIPPED ? one->why : "");
	}
	g_free(word);
	for (guint i = 0; one->outcome == TEST_FAILED && i < one->failures->len; i++)
		print_failure(g_ptr_array_index(one->failures, i));
}

static void
print_file(const test_file *file, bool verbose, bool colored)
{
	const char *broken = NULL;
	tests_counts counts = { 0 };

	if (file->tests->len == 0)
		return;
	tests_count(file, counts);
	message_print_line(stdout, "%s: %zu of %u passed", file->path, counts[TEST_PASSED],
	                   file->tests->len);
	for (guint i = 0; i < file->tests->len; i++) {
		const test_case *one = g_ptr_array_index(file->tests, i);

		if (one->outcome != TEST_BROKEN) {
			print_case(one, verbose, colored);
			continue;
		}
		print_broken(one, broken);
		broken = one->why;
	}
}

void
tests_print_text(const GPtrArray *files, const tests_counts counts, bool verbose, bool colored)
{
	bool good = counts[TEST_FAILED] + counts[TEST_BROKEN] == 0;
	char *text = g_strdup_printf("%zu passed, %zu failed", counts[TEST_PASSED],
	                             counts[TEST_FAILED]);
	char *word = terminal_tint(colored, good ? TINT_GOOD : TINT_BAD, text);

	for (guint i = 0; i < files->len; i++)
		print_file(g_ptr_array_index(files, i), verbose, colored);
	fputs(word, stdout);
	if (counts[TEST_SKIPPED] > 0)
		printf(", %zu skipped", counts[TEST_SKIPPED]);
	if (counts[TEST_BROKEN] > 0)
		printf(", %zu cannot run", counts[TEST_BROKEN]);
	fputc('\n', stdout);
	g_free(word);
	g_free(text);
}

/* ---- JSON ---- */

static void
append_case(GString *out, const test_case *one)
{
	static const char *const words[] = { "passed", "failed", "skipped", "cannot run" };

	json_write(out, "{file:s place:s name:s outcome:s why:s microseconds:i failures:[",
	           one->file->path, one->place, one->name, words[one->outcome], one->why,
	           one->microseconds);
	for (guint i = 0; i < one->failures->len; i++) {
		const test_failure *failure = g_ptr_array_index(one->failures, i);

		json_write(out, "{place:s what:s expected:j found:j because:S}", failure->place,
		           failure->what, failure->expected, failure->found, failure->because);
	}
	g_string_append(out, "]}");
}

void
tests_print_json(const GPtrArray *files, const tests_counts counts, test_cover *cover)
{
	GString *out = g_string_new(NULL);

	json_write(out, "{passed:z failed:z skipped:z cannotRun:z tests:[", counts[TEST_PASSED],
	           counts[TEST_FAILED], counts[TEST_SKIPPED], counts[TEST_BROKEN]);
	for (guint i = 0; i < files->len; i++) {
		const test_file *file = g_ptr_array_index(files, i);

		for (guint k = 0; k < file->tests->len; k++)
			append_case(out, g_ptr_array_index(file->tests, k));
	}
	g_string_append_c(out, ']');
	if (cover != NULL) {
		json_key(out, "coverage");
		tests_cover_json(cover, out);
	}
	g_string_append_c(out, '}');
	puts(out->str);
	g_string_free(out, TRUE);
}
