/* SPDX-License-Identifier: Apache-2.0 */
/*
 * StringMatch: a byte that says how, a line that is the pattern, and the text.
 * With regard to case, exact and contains are what memcmp() and memmem() say;
 * a regular expression ends, and inverting trades pass and fail.
 */
#include <string.h>

#include "fuzz.h"
#include "base/utf8.h"

#include <limen/string_match.h>

const fuzz_target fuzz_this = { "match", NULL, 4000 };

static bool
matches_plainly(limen_match_style style, const char *pattern, size_t pattern_length,
                const char *text, size_t length)
{
	if (style == LIMEN_MATCH_EXACT)
		return length == pattern_length && memcmp(text, pattern, length) == 0;
	return memmem(text, length, pattern, pattern_length) != NULL;
}

static limen_verdict
test_with(unsigned flags, limen_match_style style, const char *pattern, size_t pattern_length,
          const char *text, size_t length)
{
	char why[LIMEN_MATCH_WHY_MAX] = "";
	limen_string_match *match = NULL;
	int result = limen_string_match_new(style, pattern, pattern_length, flags, &match, why);
	limen_verdict verdict;

	FUZZ_CHECK(result == LIMEN_OK || result == LIMEN_EINVAL);
	if (result != LIMEN_OK) {
		FUZZ_CHECK(why[0] != '\0' && strchr(why, '\n') == NULL);
		return LIMEN_SKIP;
	}
	verdict = limen_string_match_test(match, text, length);
	FUZZ_CHECK(verdict == LIMEN_PASS || verdict == LIMEN_FAIL || verdict == LIMEN_ERROR);
	limen_string_match_free(match);
	return verdict;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	limen_match_style style;
	const char *pattern, *text, *end;
	size_t pattern_length, length;
	unsigned caseless;
	limen_verdict straight, inverted;

	if (size < 2)
		return 0;
	style = (limen_match_style)(data[0] % 3);
	caseless = (data[0] & 0x10) != 0 ? (unsigned)LIMEN_MATCH_CASELESS : 0;
	pattern = (const char *)data + 1;
	end = memchr(pattern, '\n', size - 1);
	pattern_length = end == NULL ? size - 1 : (size_t)(end - pattern);
	text = end == NULL ? pattern + pattern_length : end + 1;
	length = size - (size_t)(text - (const char *)data);
	straight = test_with(caseless, style, pattern, pattern_length, text, length);
	inverted = test_with(caseless | LIMEN_MATCH_INVERT, style, pattern, pattern_length, text,
	                     length);
	if (straight == LIMEN_PASS || straight == LIMEN_FAIL) {
		FUZZ_CHECK(inverted == (straight == LIMEN_PASS ? LIMEN_FAIL : LIMEN_PASS) ||
		           (inverted == LIMEN_ERROR && style == LIMEN_MATCH_REGEX));
		if (style != LIMEN_MATCH_REGEX && caseless == 0)
			FUZZ_CHECK((straight == LIMEN_PASS) ==
			           matches_plainly(style, pattern, pattern_length, text, length));
	}
	return 0;
}
