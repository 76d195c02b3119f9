/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test.c - "limen test": reads the options, selects tests and runs them.
 */
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/options.h"
#include "policy/problems.h"
#include "tests.h"
#include "tests_find.h"

#define FORMATS_TEST (FORMATS_PLAIN | FORMAT_BIT(FORMAT_TAP) | FORMAT_BIT(FORMAT_JUNIT))

typedef struct raw_options {
	char *policy;
	char *format;
	char *pattern;
	char **files;
	gboolean coverage;
	gboolean update;
	gboolean verbose;
	gboolean live_stores;
} raw_options;

/* ---- reading ---- */

/* Reads all files; returns false, after messages, if one of them is not a valid test file. */
static bool
read_files(char **arguments, GPtrArray *files)
{
	GPtrArray *paths = tests_find_files(arguments);
	bool good = true;

	for (guint i = 0; i < paths->len; i++) {
		test_file *file = tests_read(g_ptr_array_index(paths, i));

		g_ptr_array_add(files, file);
		if (file->why != NULL)
			message_error("%s", file->why);
		problems_print_request(file->diag, file->path);
		problems_print_notes(file->diag, file->path);
		good = good && file->why == NULL &&
		       limen_diag_count(file->diag, LIMEN_PROBLEM) == 0;
	}
	if (paths->len == 0)
		message_error("there are no tests: no file is called *.test.yaml, *.test.json, "
		              "*_test.yaml or *_test.json (or .yml)");
	good = good && paths->len > 0;
	g_ptr_array_unref(paths);
	return good;
}

/*
 * Deselects a test.  An update still runs it, to learn whether it shares an expectation that
 * the update would change.
 */
static void
leave_out(const test_file *file, guint index, bool update)
{
	test_case *one = g_ptr_array_steal_index(file->tests, index);

	g_ptr_array_add(file->others, one);
	if (!update)
		g_ptr_array_set_size(file->others, 0);
}

/* Keeps the tests with a "FILE: NAME" that matches the pattern; returns false if none does. */
static bool
select_tests(GPtrArray *files, const char *pattern, bool update)
{
	GRegex *regex = pattern == NULL ? NULL : g_regex_new(pattern, 0, 0, NULL);
	size_t left = 0;

	for (guint i = 0; i < files->len; i++) {
		const test_file *file = g_ptr_array_index(files, i);

		for (guint k = file->tests->len; regex != NULL && k > 0; k--) {
			const test_case *one = g_ptr_array_index(file->tests, k - 1);
			char *name = g_strdup_printf("%s: %s", file->path, one->name);

			if (!g_regex_match(regex, name, 0, NULL))
				leave_out(file, k - 1, update);
			g_free(name);
		}
		left += file->tests->len;
	}
	if (regex != NULL)
		g_regex_unref(regex);
	if (left == 0)
		message_error("no test is called like '%s'", pattern);
	return left > 0;
}

/* ---- running ---- */

static tests_counts
count(const GPtrArray *files)
{
	tests_counts counts = { 0 };

	for (guint i = 0; i < files->len; i++) {
		const test_file *file = g_ptr_array_index(files, i);

		for (guint k = 0; k < file->tests->len; k++) {
			const test_case *one = g_ptr_array_index(file->tests, k);

			counts.passed += one->outcome == TEST_PASSED;
			counts.failed += one->outcome == TEST_FAILED;
			counts.skipped += one->outcome == TEST_SKIPPED;
			counts.broken += one->outcome == TEST_BROKEN;
		}
	}
	return counts;
}

static int
update(const GPtrArray *files, const tests_counts *counts)
{
	size_t replaced = 0;
	size_t refused = tests_update(files, &replaced);

	printf("%zu expectations replaced, %zu left as they are\n", replaced, refused);
	if (counts->broken > 0)
		return STATUS_ERROR;
	return refused > 0 ? STATUS_BAD : STATUS_GOOD;
}

static int
show(const raw_options *raw, output_format format, const GPtrArray *files, test_cover *cover)
{
	tests_counts counts = count(files);

	if (format == FORMAT_TAP)
		tests_print_tap(files, &counts);
	else if (format == FORMAT_JUNIT)
		tests_print_junit(files, &counts);
	else if (format == FORMAT_JSON)
		tests_print_json(files, &counts, cover);
	else
		tests_print_text(files, &counts, raw->verbose);
	if (cover != NULL && format == FORMAT_TEXT)
		tests_cover_print(cover);
	if (raw->update)
		return update(files, &counts);
	if (counts.broken > 0)
		return STATUS_ERROR;
	return counts.failed > 0 ? STATUS_BAD : STATUS_GOOD;
}

static int
test(const raw_options *raw, common_options *common, output_format format)
{
	GPtrArray *files = g_ptr_array_new_with_free_func(tests_free);
	tests_settings settings = { .common = common,
		                    .policy = raw->policy,
		                    .engine_flags = raw->live_stores ? 0
		                                                     : LIMEN_ENGINE_MEMORY_STORES,
		                    .cover = raw->coverage ? tests_cover_new() : NULL };
	int status = STATUS_ERROR;

	if (read_files(raw->files, files) && select_tests(files, raw->pattern, raw->update)) {
		tests_run(&settings, files);
		status = show(raw, format, files, settings.cover);
	}
	tests_cover_free(settings.cover);
	g_ptr_array_unref(files);
	return status;
}

static bool
check_pattern(const command *self, const char *pattern)
{
	GError *error = NULL;
	GRegex *regex = pattern == NULL ? NULL : g_regex_new(pattern, 0, 0, &error);

	if (error != NULL)
		message_usage(self, "--run: %s", error->message);
	if (regex != NULL)
		g_regex_unref(regex);
	g_clear_error(&error);
	return pattern == NULL || regex != NULL;
}

static bool
read_options(const command *self, common_options *common, raw_options *raw, int argc, char **argv,
             int *status)
{
	const GOptionEntry rows[] = {
		OPTION_TEXT("policy", 0, &raw->policy, "FILE|DIR|URL",
		            "The policy of tests that name none"),
		OPTION_TEXT("run", 0, &raw->pattern, "PATTERN",
		            "Only tests whose \"FILE: NAME\" fits it"),
		OPTION_TEXT("format", 0, &raw->format, "FORMAT", "text, tap, junit or json"),
		OPTION_FLAG("verbose", 'v', &raw->verbose, "List tests that pass, too"),
		OPTION_FLAG("coverage", 0, &raw->coverage,
		            "Show what of the policies no test exercised"),
		OPTION_FLAG("update", 0, &raw->update,
		            "Write what was found into the files, as expected"),
		OPTION_FLAG("live-stores", 0, &raw->live_stores,
		            "Count in the stores of the policy, not in memory"),
		OPTION_REST(&raw->files),
		OPTION_END,
	};

	return options_read(self, common, rows, argc, argv, status);
}

static int
run_test(const command *self, common_options *common, int argc, char **argv)
{
	raw_options raw = { .policy = NULL };
	output_format format = FORMAT_TEXT;
	int status;

	if (!read_options(self, common, &raw, argc, argv, &status))
		return status;
	if (!options_format(self, raw.format, FORMATS_TEST, &format) ||
	    !check_pattern(self, raw.pattern))
		return STATUS_ERROR;
	return test(&raw, common, format);
}

const command test_command = {
	.name = "test",
	.arguments = "[FILE|DIR...]",
	.summary = "Run the tests of a policy",
	.details =
		"Tests are files of YAML or JSON called *.test.yaml, *.test.json, *_test.yaml\n"
		"or *_test.json (or .yml): requests, and what is expected of the decisions.  Of\n"
		"a directory (this one, where none is named) everything below is looked at.  The\n"
		"policy is that of the file, else --policy, else the directory above one called\n"
		"\"tests\", else $LIMEN_POLICY or the installed one.  Rates are counted in\n"
		"memory, and time is that of the test.  The exit status is 0 if all pass, 1 if\n"
		"not, 2 if some cannot be run.\n"
		"\n"
		"Examples:\n"
		"  limen test /etc/limen/conf.d\n"
		"  limen test --policy new.d --coverage tests/\n"
		"  limen test --run 'guests' --update tests/guests.test.yaml\n",
	.run = run_test,
};
