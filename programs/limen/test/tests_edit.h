/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_edit.h - one expectation in the text of a file of tests, which is replaced by
 * what was found.
 */
#ifndef LIMEN_PROGRAM_TESTS_EDIT_H
#define LIMEN_PROGRAM_TESTS_EDIT_H

#include "tests.h"

/* A piece of the file, and what shall stand there. */
typedef struct tests_edit {
	size_t start;
	size_t end;
	const char *text; /* JSON, or a bare word; borrowed */
	const test_failure *failure;
} tests_edit;

/* Where 'value' begins in the text of its file; G_MAXSIZE if that is not known. */
size_t tests_edit_start(const GString *file_text, limen_value value);

/* Stores what is to be replaced and returns true, or says why it is not. */
bool tests_edit_find(const GString *file_text, const test_failure *failure, tests_edit *out);

/* Says that the expectation stays. */
void tests_edit_refuse(const test_failure *failure, const char *why);

/*
 * Is 'after' what 'before', the root of the file with this text, was, but for what was
 * found?  That is in 'made': test_failure by where the expectation began.
 */
bool tests_edit_holds(const GString *file_text, GHashTable *made, limen_value before,
                      limen_value after);

#endif
