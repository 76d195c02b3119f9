/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_case.h - the table the tests of core/python_*.c have in common: a
 * Python regular expression, its respelling for PCRE2, and a part of its note.
 */
#ifndef LIMEN_TESTS_CORE_PYTHON_CASE_H
#define LIMEN_TESTS_CORE_PYTHON_CASE_H

#include "suite.h"

#include "pattern/python_pattern.h"

#include <stdio.h>
#include <string.h>

struct python_case {
	const char *source;
	const char *respelled; /* NULL: as it is */
	const char *note;      /* NULL: none */
};

static inline void
check_python_case(const struct python_case *row)
{
	const char *expected = row->respelled != NULL ? row->respelled : row->source;
	python_pattern pattern = { .text = NULL };
	int result = python_pattern_translate(row->source, strlen(row->source), &pattern);
	bool right;

	CU_ASSERT_EQUAL_FATAL(result, LIMEN_OK);
	right = strcmp(pattern.text, expected) == 0 && strlen(expected) == pattern.length;
	right = right && (row->note != NULL ? strstr(pattern.note, row->note) != NULL
	                                    : pattern.note[0] == '\0');
	CU_ASSERT_TRUE(right);
	if (!right)
		fprintf(stderr, "# %s -> %s (%s)\n", row->source, pattern.text, pattern.note);
	python_pattern_free(&pattern);
}

static inline void
check_python_cases(const struct python_case *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_python_case(&rows[i]);
}

#endif
