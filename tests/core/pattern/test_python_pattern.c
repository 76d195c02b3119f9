/* SPDX-License-Identifier: Apache-2.0 */
#include "python_case.h"

#include <stdlib.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static void
test_plain(void)
{
	static const struct python_case rows[] = {
		{ "", NULL, NULL },
		{ "abc", NULL, NULL },
		{ "^(a|b)*?[a-z]+$", NULL, NULL },
		{ "h\xc3\xa9[\xc3\xa9]", NULL, NULL },
		{ "]}", NULL, NULL },
		{ "a)b(", NULL, NULL },
		{ "*", NULL, NULL },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_braces(void)
{
	static const struct python_case rows[] = {
		{ "a{3}", NULL, NULL },          { "a{3,}", NULL, NULL },
		{ "a{3,4}?", NULL, NULL },       { "a{,4}", "a{0,4}", NULL },
		{ "a{,4}?b", "a{0,4}?b", NULL }, { "a{,}", "a{0,}", NULL },
		{ "a{}", NULL, NULL },           { "a{", NULL, NULL },
		{ "a{,", NULL, NULL },           { "a{,4", NULL, NULL },
		{ "a{,x}", NULL, NULL },         { "a{ ,4}", NULL, NULL },
		{ "a{1,2,3}", NULL, NULL },      { "a{{,4}", "a{{0,4}", NULL },
		{ "[{,4}]", NULL, NULL },        { "\\{,4}", NULL, NULL },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_possessive(void)
{
	static const struct python_case rows[] = {
		{ "a+b", NULL, NULL },
		{ "a++", NULL, "possessive + at position 2 from version 3.11" },
		{ "a*+", NULL, "position 2" },
		{ "a?+", NULL, "position 2" },
		{ "a{,4}+", "a{0,4}+", "position 5" },
		{ "a*?+", NULL, NULL },
		{ "\xc3\xa9++", NULL, "position 2" },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_classes(void)
{
	static const struct python_case rows[] = {
		{ "[]a]", NULL, NULL },
		{ "[^]a]", NULL, NULL },
		{ "[][]", "[]\\[]", NULL },
		{ "[[]", "[\\[]", NULL },
		{ "[[a]b[c]", "[\\[a]b[c]", NULL },
		{ "[[:alpha:]]", "[\\[:alpha:]]", "[: at position 1" },
		{ "[[=a=]]", "[\\[=a=]]", NULL },
		{ "[:alpha:]", "[\\:alpha:]", "[: at position 0 is not a character class" },
		{ "[.a.]", "[\\.a.]", "[. at position 0" },
		{ "a[=a=]", "a[\\=a=]", "[= at position 1" },
		{ "[:]", NULL, NULL },
		{ "[:alpha]", NULL, NULL },
		{ "[:a.]", NULL, NULL },
		{ "[^:alpha:]", NULL, NULL },
		{ "[:alpha:", NULL, NULL },
		{ "[\\]a](", NULL, NULL },
		{ "[(?P>]", NULL, NULL },
		{ "[", NULL, NULL },
		{ "[^", NULL, NULL },
	};

	check_python_cases(rows, COUNT(rows));
}

/* What stands in a comment must not open a class. */
static void
test_comments(void)
{
	static const struct python_case rows[] = {
		{ "a#[", NULL, NULL },
		{ "a#[\n{,4}", NULL, NULL },
		{ "(?x)a#[\n{,4}", "(?x)a#[\n{0,4}", NULL },
		{ "(?x)a#[", NULL, NULL },
		{ "(?x)[#]{,4}", "(?x)[#]{0,4}", NULL },
		{ "(?x:#[\n)#[a]{,4}", "(?x:#[\n)#[a]{0,4}", NULL },
		{ "(?x)(?-x:#[a])#[\n{,4}", "(?x)(?-x:#[a])#[\n{0,4}", NULL },
		{ "(?#[{,4})a{,4}", "(?#[{,4})a{0,4}", NULL },
		{ "(?#", NULL, NULL },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_origin(void)
{
	static const struct {
		const char *source;
		size_t offset;
		size_t origin;
	} rows[] = {
		{ "", 0, 0 },          { "abc", 0, 0 },     { "abc", 2, 2 },
		{ "abc", 3, 3 },       { "a{,4}b)", 7, 6 }, /* a{0,4}b) */
		{ "\\u00e9b)", 9, 7 },                      /* \x{00e9}b) */
		{ "[[[[]]x)", 9, 6 },                       /* [\[\[\[]]x) */
		{ "\\12", 4, 0 },                           /* \g{12} */
		{ "\\12", 6, 3 },      { "[:a:]x", 6, 5 },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		CU_ASSERT_EQUAL(python_pattern_origin(rows[i].source, strlen(rows[i].source),
		                                      rows[i].offset),
		                rows[i].origin);
}

static void
test_hostile_bytes(void)
{
	static const char alphabet[] = "\\[](){}?*+|^$#:=!<>P-,09xuUQEZaiLR\n\xc3\xa9";

	srandom(5);
	for (size_t round = 0; round < 20000; round++) {
		char source[24];
		size_t length = (size_t)random() % sizeof(source);
		python_pattern pattern = { .text = NULL };

		for (size_t i = 0; i < length; i++)
			source[i] = alphabet[(size_t)random() % sizeof(alphabet)];
		CU_ASSERT_EQUAL_FATAL(python_pattern_translate(source, length, &pattern), LIMEN_OK);
		CU_ASSERT_TRUE_FATAL(pattern.length <= 8 * length);
		CU_ASSERT_TRUE_FATAL(python_pattern_origin(source, length, pattern.length) ==
		                     length);
		python_pattern_free(&pattern);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what both read alike is left alone", test_plain },
		{ "repetitions without a lower bound", test_braces },
		{ "possessive repetitions are noted", test_possessive },
		{ "a class holds no classes", test_classes },
		{ "comments are skipped", test_comments },
		{ "a place of the respelling is found in the source", test_origin },
		{ "any bytes are read to their end", test_hostile_bytes },
		{ NULL, NULL },
	};

	return suite_run("core/python_pattern", tests);
}
