/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suite.c - prints CUnit results as TAP, and sets the variables that name the trees.  Owns the only
 * state a test program has outside of its tests: which one is running, and whether it was skipped.
 */
#include "suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const struct suite_data_test *data_tests;
static size_t number; /* of the running test, from 1 */
static const char *skip_reason;

/* Sets the variables of "make check", so that the program can be run by hand, too. */
__attribute__((constructor)) static void
set_environment(void)
{
	static const char *const variables[][2] = {
		{ "LIMEN_SRCDIR", LIMEN_TREE_SOURCE },
		{ "LIMEN_BUILDDIR", LIMEN_TREE_BUILD },
		{ "LIMEN_MODULE_PATH", LIMEN_TREE_MODULES },
		{ "LIMEN_JQ_PATH", LIMEN_TREE_JQ },
		{ "LIMEN_JQ_SANDBOX", LIMEN_TREE_JQ_SANDBOX },
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		setenv(variables[i][0], variables[i][1], 0);
}

/* TAP is line by line, and takes what follows a "#" for a directive. */
static void
print_text(const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '#')
			putchar('\\');
		putchar(*text == '\n' || *text == '\r' ? ' ' : *text);
	}
}

static void
start_test(const CU_pTest test, const CU_pSuite suite)
{
	(void)test;
	(void)suite;
	number++;
	skip_reason = NULL;
}

static void
print_failures(const CU_FailureRecord *failure)
{
	for (; failure != NULL; failure = failure->pNext) {
		printf("# %s:%u: ", failure->strFileName != NULL ? failure->strFileName : "?",
		       failure->uiLineNumber);
		print_text(failure->strCondition != NULL ? failure->strCondition : "?");
		putchar('\n');
	}
}

static void
complete_test(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failure)
{
	(void)suite;
	printf("%s %zu - ", failure == NULL ? "ok" : "not ok", number);
	print_text(test->pName);
	if (failure == NULL && skip_reason != NULL)
		printf(" # SKIP %s", skip_reason);
	putchar('\n');
	print_failures(failure);
}

static void
run_data_test(void)
{
	const struct suite_data_test *test = &data_tests[number - 1];

	test->run(test->arg);
}

static int
bail_out(void)
{
	printf("Bail out! %s\n", CU_get_error_msg());
	CU_cleanup_registry();
	return 1;
}

static CU_pSuite
open_suite(const char *name)
{
	/* Line by line, so that a crash loses no finished test. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (CU_initialize_registry() != CUE_SUCCESS)
		return NULL;
	CU_set_test_start_handler(start_test);
	CU_set_test_complete_handler(complete_test);
	return CU_add_suite(name, NULL, NULL);
}

/* CUnit does not count a suite that could not start among its failures. */
static int
run_suite(size_t count)
{
	bool passed;

	printf("1..%zu\n", count);
	passed = CU_run_all_tests() == CUE_SUCCESS && CU_get_number_of_failures() == 0 &&
	         CU_get_number_of_suites_failed() == 0 && number == count;
	CU_cleanup_registry();
	return passed ? 0 : 1;
}

int
suite_run(const char *suite, const struct suite_test *tests)
{
	CU_pSuite opened = open_suite(suite);
	size_t count = 0;

	if (opened == NULL)
		return bail_out();
	for (; tests[count].name != NULL; count++) {
		if (CU_add_test(opened, tests[count].name, tests[count].run) == NULL)
			return bail_out();
	}
	return run_suite(count);
}

int
suite_run_data(const char *suite, const struct suite_data_test *tests, size_t count)
{
	CU_pSuite opened = open_suite(suite);

	if (opened == NULL)
		return bail_out();
	data_tests = tests;
	for (size_t i = 0; i < count; i++) {
		if (CU_add_test(opened, tests[i].name, run_data_test) == NULL)
			return bail_out();
	}
	return run_suite(count);
}

void
suite_skip(const char *why)
{
	skip_reason = why;
}
