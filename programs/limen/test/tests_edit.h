/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_edit.h - edits one expectation in the text of a test file.
 */
#ifndef LIMEN_PROGRAM_TESTS_EDIT_H
#define LIMEN_PROGRAM_TESTS_EDIT_H

#include "tests.h"

/* A range of the file and its new text. */
typedef struct tests_edit {
	size_t start;
	size_t end;
	const char *text; /* JSON, or a bare word; borrowed */
	const test_failure *failure;
} tests_edit;

/* Returns the offset of 'value' in the text of its file; G_MAXSIZE if it is not known. */
size_t tests_edit_start(const GString *file_text, limen_value value);

/* Stores the edit and returns true, or prints why the expectation cannot be replaced. */
bool tests_edit_find(const GString *file_text, const test_failure *failure, tests_edit *out);

/* Prints that the expectation is left unchanged, and why. */
void tests_edit_refuse(const test_failure *failure, const char *why);

/*
 * Returns true if 'after' equals 'before', the root of the file with this text, except for the
 * replaced expectations in 'made': test_failure by the offset of the expectation.
 */
bool tests_edit_holds(const GString *file_text, GHashTable *made, limen_value before,
                      limen_value after);

#endif
