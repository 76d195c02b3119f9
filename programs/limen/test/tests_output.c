/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_output.c - prints the results as text and as JSON.
 */
#include <stdio.h>
#include <string.h>

#include "common/json_out.h"
#include "common/message_put.h"
#include "tests.h"

/* Longest value shown, in bytes. */
#define SHOWN_MAX 400

static void
print_json_text(const char *text)
{
	char *cut;

	if (strlen(text) <= SHOWN_MAX) {
		message_put_part(stdout, text);
		return;
	}
	cut = g_utf8_substring(text, 0, g_utf8_strlen(text, SHOWN_MAX));
	message_print_part(stdout, "%s...", cut);
	g_free(cut);
}

static void
print_failure(const test_failure *one)
{
	message_print_line(stdout, "    %s: %s", one->place, one->what);
	fputs("      expected ", stdout);
	print_json_text(one->expected);
	fputs("\n      found    ", stdout);
	print_json_text(one->found);
	fputc('\n', stdout);
	if (one->because != NULL)
		message_print_line(stdout, "      because  %s", one->because);
}

/* Prints a test that could not run; 'before' is the reason of the previous such test, or NULL. */
static void
print_broken(const test_case *one, const char *before)
{
	if (g_strcmp0(one->why, before) == 0) {
		message_print_line(stdout, "  CANNOT RUN: %s: likewise", one->name);
		return;
	}
	message_print_line(stdout, "  CANNOT RUN: %s", one->name);
	message_print_line(stdout, "    %s: %s", one->place, one->why);
}

static void
print_case(const test_case *one, bool verbose)
{
	static const char *const words[] = { "ok", "FAILED", "skipped" };

	if (one->outcome == TEST_PASSED && !verbose)
		return;
	message_print_line(stdout, "  %s: %s%s%s", words[one->outcome], one->name,
	                   one->outcome == TEST_SKIPPED ? ": " : "",
	                   one->outcome == TEST_SKIPPED ? one->why : "");
	for (guint i = 0; one->outcome == TEST_FAILED && i < one->failures->len; i++)
		print_failure(g_ptr_array_index(one->failures, i));
}

static void
print_file(const test_file *file, bool verbose)
{
	const char *broken = NULL;
	size_t passed = 0;

	if (file->tests->len == 0)
		return;
	for (guint i = 0; i < file->tests->len; i++)
		passed += ((const test_case *)g_ptr_array_index(file->tests, i))->outcome ==
		          TEST_PASSED;
	message_print_line(stdout, "%s: %zu of %u passed", file->path, passed, file->tests->len);
	for (guint i = 0; i < file->tests->len; i++) {
		const test_case *one = g_ptr_array_index(file->tests, i);

		if (one->outcome != TEST_BROKEN) {
			print_case(one, verbose);
			continue;
		}
		print_broken(one, broken);
		broken = one->why;
	}
}

void
tests_print_text(const GPtrArray *files, const tests_counts *counts, bool verbose)
{
	for (guint i = 0; i < files->len; i++)
		print_file(g_ptr_array_index(files, i), verbose);
	printf("%zu passed, %zu failed", counts->passed, counts->failed);
	if (counts->skipped > 0)
		printf(", %zu skipped", counts->skipped);
	if (counts->broken > 0)
		printf(", %zu cannot run", counts->broken);
	fputc('\n', stdout);
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
tests_print_json(const GPtrArray *files, const tests_counts *counts, test_cover *cover)
{
	GString *out = g_string_new(NULL);

	json_write(out, "{passed:z failed:z skipped:z cannotRun:z tests:[", counts->passed,
	           counts->failed, counts->skipped, counts->broken);
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
