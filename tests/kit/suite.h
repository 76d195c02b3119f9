/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suite.h - runs CUnit tests and reports them as TAP, the protocol Automake's
 * test driver counts cases by.
 *
 * A test program has one suite and calls one of these functions once, as the
 * last thing in main(), whose exit status is what they return.
 */
#ifndef LIMEN_TESTS_KIT_SUITE_H
#define LIMEN_TESTS_KIT_SUITE_H

#include <stddef.h>

#include <CUnit/CUnit.h>

/* One test: what it shows, in words, and the function that shows it. */
struct suite_test {
	const char *name;
	void (*run)(void);
};

/* One case of a test that is driven by data. */
struct suite_data_test {
	const char *name;
	void (*run)(void *arg);
	void *arg;
};

/*
 * Runs 'tests', which an entry without a name ends.  Returns 0 if every
 * assertion held and the suite could start, else 1.
 */
int suite_run(const char *suite, const struct suite_test *tests);

/* As suite_run(), for 'count' cases, each run with its own argument. */
int suite_run_data(const char *suite, const struct suite_data_test *tests, size_t count);

/*
 * Marks the running test as skipped because of 'why', a static text.  The test
 * returns afterwards; a failed assertion still makes it fail.
 */
void suite_skip(const char *why);

#endif
