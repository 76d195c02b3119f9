/* SPDX-License-Identifier: Apache-2.0 */
/* Which patterns need no budget, and that they are answered as with one. */
#include <limen/string_match.h>

#include <stdlib.h>
#include <string.h>

#include "pattern/match_budget.h"
#include "suite.h"

static void
test_plain(void)
{
	static const char *const plain[] = {
		"", "a", "^a$", "\\.example\\.org$", "a.c", "[a-z]\\d\\D\\s\\S\\w\\W\\b\\B\\A\\z\\Z",
		"\\\\", "\\*\\+\\?\\{\\(\\|\\)", "ä", "a)", "a}", "\\-\\/",
		"[\\p{Zs}\\x{9}-\\x{d}]", "\\P{L}", "\\x{e9}a",
	};
	static const char *const others[] = {
		"a*",  "a+",  "a?",   "a{2}", "(a)", "(?i)a", "a|b", "[*]", "[(]", "\\1",   "\\g1",
		"\\k", "\\X", "\\R",  "\\Q",  "\\E", "\\C",   "\\K", "\\G", "\\h", "\\x41", "\\p",
		"\\N", "\\",  "\\\\+", "a\\", "\\e", "\\9",   "\\0", "\\ä",
		"\\x{9}+", "\\p{L", "\\pL", "\\g{1}", "\\p{L}{2}", "\\x{",
	};

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		CU_ASSERT_TRUE(match_cost_is_plain(plain[i], strlen(plain[i]), PCRE2_UTF));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		CU_ASSERT_FALSE(match_cost_is_plain(others[i], strlen(others[i]), PCRE2_UTF));
		CU_ASSERT_TRUE(match_cost_is_plain(others[i], strlen(others[i]), PCRE2_LITERAL));
	}
	CU_ASSERT_FALSE(match_cost_is_plain("a\0", 2, PCRE2_UTF));
	CU_ASSERT_FALSE(match_cost_is_plain("\\\0", 2, PCRE2_UTF));
}

static void
test_small(void)
{
	static const struct {
		match_cost cost;
		size_t length;
		bool small;
	} cases[] = {
		{ { .length = 0, .weight = 1 }, 0, true },
		{ { .length = 9, .weight = 1 }, 24999, true },
		{ { .length = 9, .weight = 1 }, 25000, false },
		{ { .length = 9, .weight = 2 }, 12499, true },
		{ { .length = 9, .weight = 2 }, 12500, false },
		{ { .length = UINT16_MAX, .weight = 1 }, 2, true },
		{ { .length = UINT16_MAX, .weight = 1 }, 3, false },
		{ { .length = 9, .weight = 1 }, SIZE_MAX - 1, false },
		{ { .length = 9, .weight = 1, .erratic = true }, 0, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CU_ASSERT_EQUAL(match_cost_is_small(&cases[i].cost, cases[i].length),
		                cases[i].small);
}

/* On either side of the length at which a plain pattern is searched for with a budget. */
static void
test_border(void)
{
	static const char pattern[] = "ab.d[e]\\.f"; /* of 10 bytes */
	enum { BORDER = 1000000 / (11 * 4), AROUND = 3 };
	limen_string_match *match;
	char *text = malloc(BORDER + AROUND);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_EQUAL_FATAL(limen_string_match_new(LIMEN_MATCH_REGEX, pattern, strlen(pattern),
	                                             0, &match, NULL), LIMEN_OK);
	for (size_t length = BORDER - AROUND; length <= BORDER + AROUND; length++) {
		memset(text, 'a', length);
		CU_ASSERT_EQUAL(limen_string_match_test(match, text, length), LIMEN_FAIL);
		memcpy(text + length - 7, "abcde.f", 7);
		CU_ASSERT_EQUAL(limen_string_match_test(match, text, length), LIMEN_PASS);
		text[0] = '\xff';
		CU_ASSERT_EQUAL(limen_string_match_test(match, text, length), LIMEN_ERROR);
	}
	limen_string_match_free(match);
	free(text);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "patterns without repeats, groups and choices", test_plain },
		{ "what is cheap", test_small },
		{ "long texts are answered as short ones", test_border },
		{ NULL, NULL },
	};

	return suite_run("core/match_budget", tests);
}
