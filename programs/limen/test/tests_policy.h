/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_policy.h - the policies that tests are about.  Any thread may ask.
 */
#ifndef LIMEN_PROGRAM_TESTS_POLICY_H
#define LIMEN_PROGRAM_TESTS_POLICY_H

#include "tests.h"

typedef struct tests_policies tests_policies;

tests_policies *tests_policies_new(const tests_settings *settings);
void tests_policies_free(tests_policies *self);

/* The policy of one test, while it runs. */
typedef struct test_policy {
	limen_engine *engine;
	char *name;
	bool own; /* nobody else has this engine */
} test_policy;

/* False with '*why' to g_free(); close it in any case. */
bool tests_policy_open(tests_policies *self, const test_case *test, test_policy *out, char **why);
void tests_policy_close(test_policy *self);

/* A path in a file of tests, seen from where the command runs; to g_free(). */
char *tests_policy_path(const test_file *file, const char *path);

#endif
