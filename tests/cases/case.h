/* SPDX-License-Identifier: Apache-2.0 */
/*
 * case.h - one case while it runs, and how its files compare what is expected
 * with what is there.  The format of cases is in docs/testing.md.
 */
#ifndef LIMEN_TESTS_CASES_CASE_H
#define LIMEN_TESTS_CASES_CASE_H

#include <jansson.h>
#include <limen/limen.h>

typedef struct test_case {
	char *name;      /* "group/name" */
	char *directory; /* of the group, where paths in the case begin */
	char *path;      /* of the case itself */
	char *title;     /* the name and what the case shows */
	limen_engine *engine;
	unsigned failures; /* of this case so far */
} test_case;

/* Reports a failure as a TAP comment: where in the case, and what. */
void case_fail(test_case *test, const char *where, const char *format, ...) LIMEN_PRINTF(3, 4);

/* A key that is not among 'known', which NULL ends, is a failure; "#..." is a comment. */
void case_check_keys(test_case *test, const char *where, const json_t *object,
                     const char *const *known);

/* Are 'actual' and 'expected' the same JSON value?  'actual' NULL stands for null. */
void case_compare(test_case *test, const char *where, const json_t *expected,
                  const json_t *actual);

/* As case_compare(), but objects may hold more members than are expected. */
void case_cover(test_case *test, const char *where, const json_t *expected,
                const json_t *actual);

/* 'expected' is an array of the lines of 'text', all of them, or null for no text. */
void case_compare_lines(test_case *test, const char *where, const json_t *expected,
                        const char *text);

/* 'expected' is an array of lines each of which is one of the lines of 'text'. */
void case_contain_lines(test_case *test, const char *where, const json_t *expected,
                        const char *text);

/* Text given as a string, an array of lines, or {"repeat": TEXT, "times": N}; free() it. */
char *case_text(test_case *test, const char *where, const json_t *value);

/* Loads the policy of 'object' and compares the problems (case_policy.c). */
void case_load(test_case *test, const char *where, const json_t *object);

extern const char *const case_policy_keys[];

/* Decides about the request of 'step' (case_step.c). */
void case_step(test_case *test, const char *where, const json_t *step);

#endif
