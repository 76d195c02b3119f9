/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_policy.h - the policies of the tests.  All functions are thread-safe.
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
	bool own; /* the engine is not shared */
} test_policy;

/* Returns false with '*why' to g_free(); call tests_policy_close() in any case. */
bool tests_policy_open(tests_policies *self, const test_case *test, test_policy *out, char **why);
void tests_policy_close(test_policy *self);

/* Returns a path in a test file relative to the working directory, to g_free(). */
char *tests_policy_path(const test_file *file, const char *path);

#endif
