/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match_case.h - what the tests of core/pattern/string_match.c have in common: short
 * names, and a match that is built, asked once and freed.
 */
#ifndef LIMEN_TESTS_CORE_MATCH_CASE_H
#define LIMEN_TESTS_CORE_MATCH_CASE_H

#include "suite.h"

#include <limen/string_match.h>

#include <stdio.h>
#include <string.h>

#define EXACT LIMEN_MATCH_EXACT
#define CONTAINS LIMEN_MATCH_CONTAINS
#define REGEX LIMEN_MATCH_REGEX
#define CASELESS LIMEN_MATCH_CASELESS
#define INVERT LIMEN_MATCH_INVERT

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static inline limen_string_match *
new_match(limen_match_style style, const char *pattern, size_t length, unsigned flags)
{
	limen_string_match *match = NULL;
	char why[LIMEN_MATCH_WHY_MAX] = "";
	int result = limen_string_match_new(style, pattern, length, flags, &match, why);

	if (result != LIMEN_OK)
		fprintf(stderr, "# %.40s: %s\n", length > 0 ? pattern : "", why);
	CU_ASSERT_EQUAL_FATAL(result, LIMEN_OK);
	CU_ASSERT_PTR_NOT_NULL_FATAL(match);
	return match;
}

static inline limen_verdict
test_bytes(limen_match_style style, const char *pattern, size_t length, unsigned flags,
           const char *text, size_t text_length)
{
	limen_string_match *match = new_match(style, pattern, length, flags);
	limen_verdict verdict = limen_string_match_test(match, text, text_length);

	limen_string_match_free(match);
	return verdict;
}

#endif
