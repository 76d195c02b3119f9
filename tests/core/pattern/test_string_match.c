/* SPDX-License-Identifier: Apache-2.0 */
#include "match_case.h"

#include "base/utf8.h"

static limen_verdict
test_text(limen_match_style style, const char *pattern, unsigned flags, const char *text)
{
	return test_bytes(style, pattern, strlen(pattern), flags, text, strlen(text));
}

struct match_case {
	limen_match_style style;
	const char *pattern;
	const char *text;
	bool cased;    /* matches with regard to case */
	bool caseless; /* matches without */
};

static const struct match_case cases[] = {
	{ EXACT, "abc", "abc", true, true },
	{ EXACT, "abc", "ABC", false, true },
	{ EXACT, "ABC", "abc", false, true },
	{ EXACT, "abc", "ab", false, false },
	{ EXACT, "abc", "abcd", false, false },
	{ EXACT, "abc", "xabc", false, false },
	{ EXACT, "abc", "abc\n", false, false },
	{ EXACT, "abc", "", false, false },
	{ EXACT, "", "", true, true },
	{ EXACT, "", "a", false, false },
	{ EXACT, "a.c", "abc", false, false },
	{ EXACT, "\\E(?#", "\\E(?#", true, true },
	{ EXACT, "\xc3\xa9", "\xc3\x89", false, true }, /* e acute */
	{ EXACT,
	  "stra\xc3\x9f"
	  "e",
	  "STRA\xe1\xba\x9e"
	  "E",
	  false, true }, /* sharp s */
	{ EXACT,
	  "stra\xc3\x9f"
	  "e",
	  "STRASSE", false, false },                 /* simple folding only */
	{ EXACT, "k", "\xe2\x84\xaa", false, true }, /* Kelvin sign */
	/* Where Unicode's simple folding and Python's lower() differ. */
	{ EXACT, "test", "te\xc5\xbft", false, true },       /* long s */
	{ EXACT, "\xcf\x83", "\xcf\x82", false, true },      /* sigma and final sigma */
	{ EXACT, "\xc2\xb5", "\xce\xbc", false, true },      /* micro sign and mu */
	{ CONTAINS, "i\xcc\x87", "\xc4\xb0", false, false }, /* I with a dot above */
	{ CONTAINS, "\xc4\xb0", "\xc4\xb0", true, true },
	{ CONTAINS, "bc", "abcd", true, true },
	{ CONTAINS, "bc", "aBCd", false, true },
	{ CONTAINS, "bc", "bc", true, true },
	{ CONTAINS, "bc", "b", false, false },
	{ CONTAINS, "bc", "bdc", false, false },
	{ CONTAINS, "bc", "", false, false },
	{ CONTAINS, "", "", true, true },
	{ CONTAINS, "", "abc", true, true },
	{ CONTAINS, "c\nd", "bC\nDe", false, true },
	{ CONTAINS, "^a", "b^a", true, true },
	{ CONTAINS, "\xc3\xa9", "caf\xc3\x89", false, true },
	{ REGEX, "bc", "abcd", true, true },
	{ REGEX, "bc", "aBCd", false, true },
	{ REGEX, "^bc", "abc", false, false },
	{ REGEX, "^f", "foo", true, true },
	{ REGEX, "f", "foo", true, true },
	{ REGEX, "f", "Foo", false, true },
	{ REGEX, "", "", true, true },
	{ REGEX, "", "abc", true, true },
	{ REGEX, "(^$|[aeiou])", "", true, true },
	{ REGEX, "(^$|[aeiou])", "xyz", false, false },
	{ REGEX, "(^$|[aeiou])", "XAY", false, true },
	{ REGEX, "\\.example\\.org$", "www.example.org", true, true },
	{ REGEX, "\\.example\\.org$", "www.example.orgs", false, false },
	{ REGEX, "(?i)FOO", "foo", true, true },
};

static void
test_styles(void)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct match_case *row = &cases[i];

		for (unsigned flags = 0; flags <= (CASELESS | INVERT); flags++) {
			bool match = (flags & CASELESS) != 0 ? row->caseless : row->cased;
			bool pass = match != ((flags & INVERT) != 0);
			limen_verdict verdict =
				test_text(row->style, row->pattern, flags, row->text);

			CU_ASSERT_EQUAL(verdict, pass ? LIMEN_PASS : LIMEN_FAIL);
			if (verdict != (pass ? LIMEN_PASS : LIMEN_FAIL))
				fprintf(stderr, "# %s on %s, flags %u\n", row->pattern, row->text,
				        flags);
		}
	}
}

/* Expectations are what re.search() of Python 3.11 answers. */
static void
test_python(void)
{
	static const struct {
		const char *pattern;
		const char *text;
		bool matches;
	} rows[] = {
		{ "a$", "a\n", true },
		{ "a$", "a\n\n", false },
		{ "a$", "a\r\n", false },
		{ "a\\Z", "a", true },
		{ "a\\Z", "a\n", false },
		{ "\\Aa", "ba", false },
		{ "(?m)^a", "b\na", true },
		{ "(?m)a$", "a\nb", true },
		{ "a\n(?m:^)$", "a\n", true },
		{ "a.b", "a\nb", false },
		{ "a.b", "a\rb", true },
		{ "a.b",
		  "a\xe2\x80\xa8"
		  "b",
		  true },
		{ "(?s)a.b", "a\nb", true },
		{ "^.$", "\xc3\xa9", true },
		{ "^\\w$", "\xc3\xa9", true },
		{ "(?a)^\\w$", "\xc3\xa9", false },
		{ "^\\d$", "\xd9\xa0", true },
		{ "^\\s$", "\xc2\xa0", true },
		{ "^a{,2}$", "aa", true },
		{ "^a{,2}$", "aaa", false },
		{ "^a{,2}$", "a{,2}", false },
		{ "^a{,}$", "aaaa", true },
		{ "^a{}$", "a{}", true },
		{ "[[:alpha:]]", "a", false },
		{ "[[:alpha:]]", "a]", true },
		{ "[[:alpha:]]", ":]", true },
		{ "^[:alpha:]$", ":", true },
		{ "^[:alpha:]$", "b", false },
		{ "(?a)^\\s$", "\xc2\xa0", false },
		{ "(?a)^\\s$", "\x1c", false },
		{ "^\\v$", "\x0b", true },
		{ "^\\v$", "\n", false },
		{ "^\\u00e9$", "\xc3\xa9", true },
		{ "^\\U0001F600$", "\xf0\x9f\x98\x80", true },
		{ "^[\\12]$", "\n", true },
		{ "^\\101$", "A", true },
		{ "(a)\\1", "aa", true },
		{ "(?P<n>ab)-(?P=n)", "ab-ab", true },
		{ "(?P<n>ab)-(?P=n)", "ab-ac", false },
		{ "^(a)?(?(1)b|c)$", "ab", true },
		{ "^(a)?(?(1)b|c)$", "c", true },
		{ "^(a)?(?(1)b|c)$", "ac", false },
		{ "(?<=a)b", "ab", true },
		{ "(?<!a)b", "ab", false },
		{ "(?x) a b # comment [", "ab", true },
		{ "(?u)\\bx\\b", "\xc3\xa9x", false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		limen_verdict verdict = test_text(REGEX, rows[i].pattern, 0, rows[i].text);

		CU_ASSERT_EQUAL(verdict, rows[i].matches ? LIMEN_PASS : LIMEN_FAIL);
		if (verdict != (rows[i].matches ? LIMEN_PASS : LIMEN_FAIL))
			fprintf(stderr, "# %s on %s\n", rows[i].pattern, rows[i].text);
	}
}

/* docs.python.org, str.isspace(): category Zs, or bidirectional type WS, B or S. */
static bool
is_blank(uint32_t code)
{
	return (code >= 0x9 && code <= 0xd) || (code >= 0x1c && code <= 0x20) || code == 0x85 ||
	       code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
	       code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f ||
	       code == 0x3000;
}

static void
check_blanks(const char *pattern, bool negated, unsigned flags)
{
	limen_string_match *match = NULL;

	CU_ASSERT_EQUAL_FATAL(limen_string_match_new(REGEX, pattern, strlen(pattern), flags,
	                                             &match, NULL),
	                      LIMEN_OK);
	CU_ASSERT_PTR_NULL(limen_string_match_note(match));
	for (uint32_t code = 0; code < 0x3100; code++) {
		char text[4];
		size_t length = utf8_encode(code, text);
		bool matches = limen_string_match_test(match, text, length) == LIMEN_PASS;

		CU_ASSERT_EQUAL(matches, is_blank(code) != negated);
		if (matches != (is_blank(code) != negated))
			fprintf(stderr, "# %s on U+%04x\n", pattern, (unsigned)code);
	}
	limen_string_match_free(match);
}

static void
test_blanks(void)
{
	static const struct {
		const char *pattern;
		bool negated;
	} rows[] = {
		{ "^\\s\\Z", false },    { "^\\S\\Z", true },      { "^[\\s]\\Z", false },
		{ "^[^\\s]\\Z", true },  { "^[\\S]\\Z", true },    { "^[^\\S]\\Z", false },
		{ "^(\\s|\\s)\\Z", false }, { "^[\\S\\S]\\Z", true },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		check_blanks(rows[i].pattern, rows[i].negated, 0);
		check_blanks(rows[i].pattern, rows[i].negated, CASELESS);
	}
}

static void
test_nul(void)
{
	CU_ASSERT_EQUAL(test_bytes(EXACT, "a\0b", 3, 0, "a\0b", 3), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(EXACT, "a\0b", 3, 0, "a\0c", 3), LIMEN_FAIL);
	CU_ASSERT_EQUAL(test_bytes(EXACT, "a\0b", 3, CASELESS, "A\0B", 3), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(EXACT, "a", 1, 0, "a\0", 2), LIMEN_FAIL);
	CU_ASSERT_EQUAL(test_bytes(EXACT, "a", 1, CASELESS, "a\0", 2), LIMEN_FAIL);
	CU_ASSERT_EQUAL(test_bytes(CONTAINS, "\0b", 2, 0, "a\0b", 3), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(CONTAINS, "\0b", 2, CASELESS, "a\0B", 3), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(CONTAINS, "b", 1, 0, "a\0b", 3), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(REGEX, "a\0b", 3, 0, "a\0b", 3), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(REGEX, "^a.b$", 5, 0, "a\0b", 3), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(REGEX, "a$", 2, 0, "a\0", 2), LIMEN_FAIL);
	CU_ASSERT_EQUAL(test_bytes(REGEX, "\\0", 2, 0, "a\0", 2), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(EXACT, NULL, 0, 0, NULL, 0), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(CONTAINS, NULL, 0, CASELESS, NULL, 0), LIMEN_PASS);
	CU_ASSERT_EQUAL(test_bytes(REGEX, NULL, 0, INVERT, NULL, 0), LIMEN_FAIL);
}

/* "Cannot tell" is never turned into a yes. */
static void
test_text_not_utf8(void)
{
	static const char *const texts[] = { "\xff", "abc\xc3", "\xed\xa0\x80", "abc\xc0\x80" };

	for (int style = EXACT; style <= REGEX; style++) {
		for (unsigned flags = 0; flags <= (CASELESS | INVERT); flags++) {
			for (size_t i = 0; i < COUNT(texts); i++)
				CU_ASSERT_EQUAL(
					test_text((limen_match_style)style, "abc", flags, texts[i]),
					LIMEN_ERROR);
		}
	}
}

static void
test_invalid(void)
{
	static const struct {
		limen_match_style style;
		const char *pattern;
		const char *why;
	} rows[] = {
		{ REGEX, "a)",
		  "Invalid regular expression: unmatched closing parenthesis"
		  " at position 1" },
		{ REGEX, "\xc3\xa9(",
		  "Invalid regular expression: missing closing parenthesis"
		  " at position 2" },
		{ REGEX, "a{,2}\\u00e9)",
		  "Invalid regular expression: unmatched closing parenthesis"
		  " at position 11" },
		{ REGEX, "*a", "at position 0" },
		{ REGEX, "[a", "at position 2" },
		{ REGEX, "a\\", "at position 2" },
		{ REGEX, "(a)\\2", "reference to non-existent" },
		{ REGEX, "\\12", "reference to non-existent" },
		{ REGEX, "(?<=a*)b", "lookbehind" },
		{ REGEX, "\\C", "Invalid regular expression: " },
		{ REGEX, "ab\xff", "Invalid regular expression: not UTF-8 at position 2" },
		{ EXACT, "\xc3\xa9\xff", "Invalid match string: not UTF-8 at position 1" },
		{ CONTAINS, "\xc3", "Invalid match string: not UTF-8 at position 0" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		limen_string_match *match = NULL;
		char why[LIMEN_MATCH_WHY_MAX] = "";
		size_t length = strlen(rows[i].pattern);

		CU_ASSERT_EQUAL(limen_string_match_new(rows[i].style, rows[i].pattern, length, 0,
		                                       &match, why),
		                LIMEN_EINVAL);
		CU_ASSERT_PTR_NULL(match);
		CU_ASSERT_PTR_NOT_NULL(strstr(why, rows[i].why));
		if (strstr(why, rows[i].why) == NULL)
			fprintf(stderr, "# %s: %s\n", rows[i].pattern, why);
		CU_ASSERT_EQUAL(limen_string_match_new(rows[i].style, rows[i].pattern, length, 0,
		                                       &match, NULL),
		                LIMEN_EINVAL);
	}
}

static void
test_unknown_arguments(void)
{
	limen_string_match *match = NULL;
	char why[LIMEN_MATCH_WHY_MAX];

	CU_ASSERT_EQUAL(limen_string_match_new((limen_match_style)3, "a", 1, 0, &match, why),
	                LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_string_match_new(EXACT, "a", 1, 8, &match, why), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_string_match_new(EXACT, "a", 1, LIMEN_MATCH_WHOLE, &match, why),
	                LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_string_match_new(CONTAINS, "a", 1, LIMEN_MATCH_WHOLE, &match, why),
	                LIMEN_EINVAL);
	CU_ASSERT_STRING_EQUAL(why, "Unknown style or flag of a match");
	CU_ASSERT_PTR_NULL(match);
	limen_string_match_free(NULL);
}

static void
test_whole(void)
{
	static const struct {
		const char *pattern;
		const char *text;
		limen_verdict verdict;
	} whole[] = {
		{ "a+", "aaa", LIMEN_PASS },
		{ "a+", "baa", LIMEN_FAIL },
		{ "a+", "aab", LIMEN_FAIL },
		{ "a+", "aa\n", LIMEN_FAIL },
		{ "a|ab", "ab", LIMEN_PASS },
		{ "a|b", "ab", LIMEN_FAIL },
		{ "^a$", "a", LIMEN_PASS },
		{ "a*?", "aaa", LIMEN_PASS },
		{ "", "", LIMEN_PASS },
		{ "", "a", LIMEN_FAIL },
		{ "(?x)a # b", "a", LIMEN_PASS },
		{ "(?i)ab", "AB", LIMEN_PASS },
	};

	for (size_t i = 0; i < COUNT(whole); i++) {
		const char *pattern = whole[i].pattern;
		const char *text = whole[i].text;
		limen_verdict found = test_bytes(REGEX, pattern, strlen(pattern), LIMEN_MATCH_WHOLE,
		                                 text, strlen(text));

		if (found != whole[i].verdict)
			printf("# %s %s\n", pattern, text);
		CU_ASSERT_EQUAL(found, whole[i].verdict);
		found = test_bytes(REGEX, pattern, strlen(pattern), LIMEN_MATCH_WHOLE | INVERT, text,
		                   strlen(text));
		CU_ASSERT_NOT_EQUAL(found, whole[i].verdict);
	}
}

static void
test_notes(void)
{
	limen_string_match *plain = new_match(REGEX, "a\\Z", 3, 0);
	limen_string_match *odd = new_match(REGEX, "a\\h", 3, 0);
	limen_string_match *literal = new_match(CONTAINS, "a\\h", 3, CASELESS);

	CU_ASSERT_PTR_NULL(limen_string_match_note(plain));
	CU_ASSERT_PTR_NULL(limen_string_match_note(literal));
	CU_ASSERT_PTR_NOT_NULL_FATAL(limen_string_match_note(odd));
	CU_ASSERT_STRING_EQUAL(limen_string_match_note(odd),
	                       "Python refuses \\h at position 1, which PCRE2 understands");
	limen_string_match_free(plain);
	limen_string_match_free(odd);
	limen_string_match_free(literal);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every style, with and without case, straight and inverted", test_styles },
		{ "regular expressions mean what they mean to Python", test_python },
		{ "blanks are those of Python, alone and in classes", test_blanks },
		{ "NUL is a character like any other", test_nul },
		{ "a text that is not UTF-8 is an error, inverted or not", test_text_not_utf8 },
		{ "invalid patterns are explained", test_invalid },
		{ "unknown styles and flags are refused", test_unknown_arguments },
		{ "the whole text has to match, if that is asked for", test_whole },
		{ "a construct Python does not know is noted", test_notes },
		{ NULL, NULL },
	};

	return suite_run("core/string_match", tests);
}
