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
read_files(test_options *self)
{
	g_autoptr(GPtrArray) paths = tests_find_files(self->arguments);
	bool good = paths->len > 0;

	for (guint i = 0; i < paths->len; i++) {
		test_file *file = tests_read(g_ptr_array_index(paths, i));

		g_ptr_array_add(self->files, file);
		if (file->why != NULL)
			message_error("%s", file->why);
		problems_print_request(file->diag, file->suite.file, true);
		problems_print_request(file->diag, file->suite.file, false);
		good = good && file->why == NULL &&
		       limen_diag_count(file->diag, LIMEN_SEVERITY_PROBLEM) == 0;
	}
	if (paths->len == 0)
		message_error("no tests found: no file is called *.test.yaml, *.test.json, "
		              "*_test.yaml or *_test.json (or .yml)");
	return good;
}

/*
 * Keeps the tests with a "FILE: NAME" that matches the pattern; returns false if none does.  An
 * update still runs the others, to learn whether they share an expectation that it would change.
 */
static bool
select_tests(test_options *self)
{
	guint count = 0;

	for (guint i = 0; i < self->files->len; i++) {
		const test_file *file = g_ptr_array_index(self->files, i);
		GPtrArray *tests = file->suite.cases;

		for (guint k = tests->len; self->regex != NULL && k > 0; k--) {
			const report_case *test = g_ptr_array_index(tests, k - 1);
			g_autofree char *name = g_strdup_printf("%s: %s", file->suite.file,
			                                        test->name);

			if (!g_regex_match(self->regex, name, 0, NULL))
				g_ptr_array_add(file->others,
				                g_ptr_array_steal_index(tests, k - 1));
		}
		if (!self->update)
			g_ptr_array_set_size(file->others, 0);
		count += tests->len;
	}
	if (count == 0)
		message_error("no test is called like '%s'", self->pattern);
	return count > 0;
}

/* ---- running ---- */

/* Prints the results, updates the files if that is asked for, and returns the exit status. */
static int
show(const test_options *self)
{
	const common_options *common = self->settings.common;
	test_cover *cover = self->settings.cover;
	size_t counts[REPORT_OUTCOMES] = { 0 };
	bool bad;

	for (guint i = 0; i < self->files->len; i++)
		report_count(g_ptr_array_index(self->files, i), counts);
	bad = counts[REPORT_FAILED] > 0;
	if (common->format == FORMAT_TAP)
		tests_print_tap(self->files);
	else if (common->format == FORMAT_JUNIT)
		report_print_junit(self->files);
	else if (common->format == FORMAT_JSON)
		tests_print_json(self->files, counts, cover);
	else
		tests_print_text(self->files, counts, self->verbose, terminal_colored(common));
	if (cover != NULL && common->format == FORMAT_TEXT)
		tests_cover_print(cover);
	if (self->update) {
		size_t replaced = 0;
		size_t refused = tests_update(self->files, &replaced);

		printf("%zu expectations replaced, %zu left as they are\n", replaced, refused);
		bad = refused > 0;
	}
	return counts[REPORT_BROKEN] > 0 ? STATUS_ERROR : bad ? STATUS_BAD : STATUS_GOOD;
}

static int
test(test_options *self)
{
	int status = STATUS_ERROR;

	self->files = g_ptr_array_new_with_free_func(tests_free);
	self->settings.engine_flags = self->live_stores ? 0 : LIMEN_ENGINE_MEMORY_STORES;
	self->settings.cover = self->coverage ? tests_cover_new() : NULL;
	if (read_files(self) && select_tests(self)) {
		tests_run(&self->settings, self->files);
		status = show(self);
	}
	tests_cover_free(self->settings.cover);
	g_ptr_array_unref(self->files);
	return status;
}

static int
run_test(common_options *common)
{
	test_options options = { .settings.common = common };
	g_autoptr(GError) error = NULL;
	const GOptionEntry rows[] = {
		OPTION_POLICY(&options.settings.policies, "FILE|DIR|URL",
		              "The policy of tests without one; may be repeated"),
		OPTION_TEXT("run", 0, &options.pattern, "PATTERN",
		            "Run only tests whose \"FILE: NAME\" matches"),
		OPTION_FORMAT(common, "text, tap, junit or json"),
		OPTION_FLAG("verbose", 'v', &options.verbose, "List tests that pass, too"),
		OPTION_FLAG("coverage", 0, &options.coverage,
		            "Show parts of the policies without a test"),
		OPTION_FLAG("update", 0, &options.update,
		            "Write actual results into the files as expected"),
		OPTION_FLAG("live-stores", 0, &options.live_stores,
		            "Count in the stores of the policy, not in memory"),
		OPTION_REST(&options.arguments),
		OPTION_END,
	};
	int status = STATUS_ERROR;

	if (!options_read(common, rows))
		return common->status;
	if (options.settings.policies != NULL)
		options.settings.policy = policy_names(options.settings.policies);
	if (options.pattern != NULL)
		options.regex = g_regex_new(options.pattern, 0, 0, &error);
	if (error != NULL)
		message_usage(common->self, "--run: %s", error->message);
	else
		status = test(&options);
	g_free(options.settings.policy);
	g_clear_pointer(&options.regex, g_regex_unref);
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
	.formats = FORMATS_TEST,
	.run = run_test,
};
