/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suite.h - runs CUnit tests and reports them as TAP, the protocol Automake's
 * test driver counts cases by.
 *
 * A file has one suite, and a program has those of a folder (suite_main.c):
 *
 *	SUITE()
 *	{
 *		static const struct suite_test tests[] = {
 *			{ "one and one is two", test_sum },
 *			{ NULL, NULL },
 *		};
 *
 *		return suite_run("core/sum", tests);
 *	}
 *
 * What it runs in has run no other suite: a process of its own.
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
 * Begins the function of a file's suite, which calls suite_run() or suite_run_data() once and
 * returns what they return, the exit status.  Its name is the file's: "test_sum".
 */
#define SUITE()                                                                        \
	static int suite_of_this_file(void);                                           \
	__attribute__((constructor)) static void suite_add_this_file(void)             \
	{                                                                              \
		static struct suite one = { __BASE_FILE__, suite_of_this_file, NULL }; \
                                                                                       \
		suite_add(&one);                                                       \
	}                                                                              \
	static int suite_of_this_file(void)

struct suite {
	const char *file;
	int (*run)(void);
	struct suite *next;
};

/* For SUITE() alone. */
void suite_add(struct suite *added);

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
