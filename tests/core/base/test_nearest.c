/* SPDX-License-Identifier: Apache-2.0 */

#include <stdlib.h>
#include <string.h>
#include <limen/nearest.h>

#include "suite.h"

static const char *
closest(const char *wanted, const char *const *words)
{
	limen_nearest best = limen_nearest_to(wanted);

	for (; *words != NULL; words++)
		limen_nearest_offer(&best, *words);
	return best.word;
}

static void
test_closest(void)
{
	static const char *const words[] = { "identifiers", "classifiers", "limits", "rewrite",
		                             "applications", "priority", NULL };

	CU_ASSERT_STRING_EQUAL(closest("limit", words), "limits");
	CU_ASSERT_STRING_EQUAL(closest("limts", words), "limits");
	CU_ASSERT_STRING_EQUAL(closest("milits", words), "limits");
	CU_ASSERT_STRING_EQUAL(closest("aplications", words), "applications");
	CU_ASSERT_STRING_EQUAL(closest("identfiers", words), "identifiers");
	CU_ASSERT_PTR_NULL(closest("xyzzy", words));
	CU_ASSERT_PTR_NULL(closest("", words));
}

/* A third of the letters, rounded down, and one may differ, but less than half of the longer word. */
static void
test_bound(void)
{
	static const char *const abc[] = { "abc", NULL };
	static const char *const six[] = { "abcdef", NULL };
	static const char *const seven[] = { "abcdefg", NULL };
	static const char *const requirements[] = { "none", "one", "any", "all", NULL };

	CU_ASSERT_PTR_NOT_NULL(closest("abx", abc));
	CU_ASSERT_PTR_NULL(closest("axx", abc));
	CU_ASSERT_PTR_NOT_NULL(closest("abcdxx", six));
	CU_ASSERT_PTR_NULL(closest("abcxxx", six));
	CU_ASSERT_PTR_NOT_NULL(closest("abcdxxx", seven));
	CU_ASSERT_PTR_NULL(closest("abcxxxx", seven));
	CU_ASSERT_PTR_NULL(closest("some", requirements));
	CU_ASSERT_PTR_NOT_NULL(closest("abcxx", abc));
}

static void
test_first_of_equals(void)
{
	static const char *const words[] = { "pass", "mass", NULL };
	static const char *const better[] = { "passes", "pass", NULL };

	CU_ASSERT_STRING_EQUAL(closest("bass", words), "pass");
	CU_ASSERT_STRING_EQUAL(closest("pass", better), "pass");
}

static void
test_long_words(void)
{
	char word[51];
	const char *const words[] = { word, NULL };

	memset(word, 'a', 50);
	word[48] = '\0';
	CU_ASSERT_PTR_EQUAL(closest(word, words), word);
	word[48] = 'a';
	word[49] = '\0';
	CU_ASSERT_PTR_NULL(closest(word, words));
}

/* The definition of the distance, without any cleverness: neighbours swap at the cost of one. */
static size_t
distance(const char *a, const char *b)
{
	size_t change, drop, add, least;

	if (*a == '\0' || *b == '\0')
		return strlen(a) + strlen(b);
	change = distance(a + 1, b + 1) + (*a != *b);
	drop = distance(a + 1, b) + 1;
	add = distance(a, b + 1) + 1;
	least = drop < add ? drop : add;
	if (a[0] == b[1] && a[1] == b[0] && a[1] != '\0') {
		size_t swap = distance(a + 2, b + 2) + 1;

		least = swap < least ? swap : least;
	}
	return change < least ? change : least;
}

static void
make_word(unsigned number, char word[7])
{
	size_t length = number % 6 + 1;

	number /= 6;
	for (size_t i = 0; i < length; i++) {
		word[i] = (char)('a' + number % 3);
		number /= 3;
	}
	word[length] = '\0';
}

static void
test_distance(void)
{
	unsigned seed = 1;

	for (int i = 0; i < 2000; i++) {
		char a[7], b[7];
		limen_nearest best;
		size_t expected, longer;

		seed = seed * 1103515245U + 12345U;
		make_word(seed >> 8, a);
		seed = seed * 1103515245U + 12345U;
		make_word(seed >> 8, b);
		expected = distance(a, b);
		longer = strlen(a) > strlen(b) ? strlen(a) : strlen(b);
		best = limen_nearest_to(a);
		limen_nearest_offer(&best, b);
		if (expected <= strlen(a) / 3 + 1 && 2 * expected < longer) {
			CU_ASSERT(best.word == b && best.edits == expected);
		} else {
			CU_ASSERT_PTR_NULL(best.word);
		}
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the closest known word is found, and none if none is close", test_closest },
		{ "how far a word may be off grows with its length", test_bound },
		{ "the first of equally close words wins, a closer one always", test_first_of_equals },
		{ "words above 48 bytes are not compared", test_long_words },
		{ "the distance is Levenshtein's", test_distance },
		{ NULL, NULL },
	};

	return suite_run("core/nearest", tests);
}
