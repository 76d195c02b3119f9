/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test.c - "limen test": reads the options, selects tests and runs them.
 */
#include <stdio.h>

#include "cli/message.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "policy/policy.h"
#include "policy/problems.h"
#include "tests.h"

#define FORMATS_TEST (FORMATS_PLAIN | FORMAT_BIT(FORMAT_TAP) | FORMAT_BIT(FORMAT_JUNIT))

typedef struct test_options {
	tests_settings settings;
	char *format_name;
	output_format format;
	char *pattern;
	GRegex *regex; /* of the pattern; NULL: all tests */
	char **arguments;
	gboolean coverage;
	gboolean update;
	gboolean verbose;
	gboolean live_stores;
	GPtrArray *files; /* test_file */
} test_options;

/* ---- reading ---- */

/* Reads all files; returns false, after messages, if one of them is not a valid test file. */
static bool
read_files(test_options *how)
{
	GPtrArray *paths = tests_find_files(how->arguments);
	bool good = true;

	for (guint i = 0; i < paths->len; i++) {
		test_file *file = tests_read(g_ptr_array_index(paths, i));

		g_ptr_array_add(how->files, file);
		if (file->why != NULL)
			message_error("%s", file->why);
		problems_print_request(file->diag, file->path);
		problems_print_notes(file->diag, file->path);
		good = good && file->why == NULL &&
		       limen_diag_count(file->diag, LIMEN_SEVERITY_PROBLEM) == 0;
	}
	if (paths->len == 0)
		message_error("no tests found: no file is called *.test.yaml, *.test.json, "
		              "*_test.yaml or *_test.json (or .yml)");
	good = good && paths->len > 0;
	g_ptr_array_unref(paths);
	return good;
}

/*
 * Keeps the tests with a "FILE: NAME" that matches the pattern; returns false if none does.  An
 * update still runs the others, to learn whether they share an expectation that it would change.
 */
static bool
select_tests(test_options *how)
{
	size_t left = 0;

	for (guint i = 0; i < how->files->len; i++) {
		const test_file *file = g_ptr_array_index(how->files, i);

		for (guint k = file->tests->len; how->regex != NULL && k > 0; k--) {
			const test_case *one = g_ptr_array_index(file->tests, k - 1);
			char *name = g_strdup_printf("%s: %s", file->path, one->name);

			if (!g_regex_match(how->regex, name, 0, NULL))
				g_ptr_array_add(file->others,
				                g_ptr_array_steal_index(file->tests, k - 1));
			g_free(name);
		}
		if (!how->update)
			g_ptr_array_set_size(file->others, 0);
		left += file->tests->len;
	}
	if (left == 0)
		message_error("no test is called like '%s'", how->pattern);
	return left > 0;
}

/* ---- running ---- */

static int
update(const GPtrArray *files, const tests_counts counts)
{
	size_t replaced = 0;
	size_t refused = tests_update(files, &replaced);

	printf("%zu expectations replaced, %zu left as they are\n", replaced, refused);
	if (counts[TEST_BROKEN] > 0)
		return STATUS_ERROR;
	return refused > 0 ? STATUS_BAD : STATUS_GOOD;
}

static int
show(const test_options *how)
{
	const GPtrArray *files = how->files;
	test_cover *cover = how->settings.cover;
	tests_counts counts = { 0 };

	for (guint i = 0; i < files->len; i++)
		tests_count(g_ptr_array_index(files, i), counts);
	if (how->format == FORMAT_TAP)
		tests_print_tap(files, counts);
	else if (how->format == FORMAT_JUNIT)
		tests_print_junit(files);
	else if (how->format == FORMAT_JSON)
		tests_print_json(files, counts, cover);
	else
		tests_print_text(files, counts, how->verbose,
		                 terminal_colored(how->settings.common));
	if (cover != NULL && how->format == FORMAT_TEXT)
		tests_cover_print(cover);
	if (how->update)
		return update(files, counts);
	if (counts[TEST_BROKEN] > 0)
		return STATUS_ERROR;
	return counts[TEST_FAILED] > 0 ? STATUS_BAD : STATUS_GOOD;
}

static int
test(test_options *how)
{
	int status = STATUS_ERROR;

	how->files = g_ptr_array_new_with_free_func(tests_free);
	how->settings.engine_flags = how->live_stores ? 0 : LIMEN_ENGINE_MEMORY_STORES;
	how->settings.cover = how->coverage ? tests_cover_new() : NULL;
	if (read_files(how) && select_tests(how)) {
		tests_run(&how->settings, how->files);
		status = show(how);
	}
	tests_cover_free(how->settings.cover);
	g_ptr_array_unref(how->files);
	return status;
}

static bool
understand(const command *self, test_options *how)
{
	GError *error = NULL;

	if (!options_format(self, how->format_name, FORMATS_TEST, &how->format))
		return false;
	if (how->pattern != NULL)
		how->regex = g_regex_new(how->pattern, 0, 0, &error);
	if (error != NULL)
		message_usage(self, "--run: %s", error->message);
	g_clear_error(&error);
	return how->pattern == NULL || how->regex != NULL;
}

static int
run_test(const command *self, common_options *common, int argc, char **argv)
{
	test_options how = { .settings.common = common };
	const GOptionEntry rows[] = {
		OPTION_POLICY(&how.settings.policies, "FILE|DIR|URL",
		              "The policy of tests without one; may be repeated"),
		OPTION_TEXT("run", 0, &how.pattern, "PATTERN",
		            "Run only tests whose \"FILE: NAME\" matches"),
		OPTION_TEXT("format", 0, &how.format_name, "FORMAT", "text, tap, junit or json"),
		OPTION_FLAG("verbose", 'v', &how.verbose, "List tests that pass, too"),
		OPTION_FLAG("coverage", 0, &how.coverage,
		            "Show parts of the policies without a test"),
		OPTION_FLAG("update", 0, &how.update,
		            "Write actual results into the files as expected"),
		OPTION_FLAG("live-stores", 0, &how.live_stores,
		            "Count in the stores of the policy, not in memory"),
		OPTION_REST(&how.arguments),
		OPTION_END,
	};
	int status;

	if (!options_read(self, common, rows, argc, argv, &status))
		return status;
	if (how.settings.policies != NULL)
		how.settings.policy = policy_names(how.settings.policies);
	status = understand(self, &how) ? test(&how) : STATUS_ERROR;
	g_free(how.settings.policy);
	g_clear_pointer(&how.regex, g_regex_unref);
	return status;
}

const command test_command = {
	.name = "test",
	.arguments = "[FILE|DIR...]",
	.summary = "Run the tests of a policy",
	.details =
		"Tests are files of YAML or JSON called *.test.yaml, *.test.json, *_test.yaml\n"
		"or *_test.json (or .yml): requests and expected decisions.  A directory (by\n"
		"default the current one) is searched with all directories below.  The policy is\n"
		"that of the file, else --policy, else the parent of a directory called\n"
		"\"tests\", else $LIMEN_POLICY or the installed one.  Rates are counted in\n"
		"memory, and time is that of the test.  The exit status is 0 if all pass, 1 if\n"
		"not, 2 if some cannot run.\n"
		"\n"
		"Examples:\n"
		"  limen test /etc/limen/conf.d\n"
		"  limen test --policy new.d --coverage tests/\n"
		"  limen test --run 'guests' --update tests/guests.test.yaml\n",
	.run = run_test,
};
