/* SPDX-License-Identifier: Apache-2.0 */
#include "python_case.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static void
test_shared(void)
{
	static const struct python_case rows[] = {
		{ "(a)(?:b)(?=c)(?!d)(?<=e)(?<!f)", NULL, NULL },
		{ "(?P<name>a)(?P=name)", NULL, NULL },
		{ "(a)(?(1)b|c)", NULL, NULL },
		{ "(?P<n>a)(?(n)b|c)", NULL, NULL },
		{ "(?P<R>a)(?(Red)b|c)", NULL, NULL },
		{ "(?:{,4}", "(?:{0,4}", NULL },
		{ "(?#c)", NULL, NULL },
		{ "(", NULL, NULL },
		{ "(?:", NULL, NULL },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_foreign(void)
{
	static const struct python_case rows[] = {
		{ "(?|a|b)", NULL, "Python refuses (?| at position 0" },
		{ "(?'n'a)", NULL, "(?'" },
		{ "x(?<n>a)", NULL, "(?< at position 1" },
		{ "(?P>n)", NULL, "(?P>" },
		{ "(?R)", NULL, "(?R" },
		{ "(?1)", NULL, "(?1" },
		{ "(?-1)", NULL, "(?-" },
		{ "(?&n)", NULL, "(?&" },
		{ "(?C)", NULL, "(?C" },
		{ "(*ACCEPT)", NULL, "(*" },
		{ "(*UTF)a", NULL, "(*" },
		{ "(?(R)a)", NULL, "(?(R" },
		{ "(?(R1)a)", NULL, "(?(R" },
		{ "(?(DEFINE)a)", NULL, "(?(D" },
		{ "(?(?=a)b)", NULL, "(?(?" },
		{ "(?(<n>)b)", NULL, "(?(<" },
		{ "(?>a)", NULL, "Python understands (?> at position 0 from version 3.11 on" },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_flags(void)
{
	static const struct python_case rows[] = {
		{ "(?i)a", NULL, NULL },
		{ "(?i)(?m)a", NULL, NULL },
		{ "(?#c)(?i)a", NULL, NULL },
		{ "(?imsx)a", NULL, NULL },
		{ "(?i:a)(?-i:b)(?i-s:c)", NULL, NULL },
		{ "(?u)a", "(?)a", NULL },
		{ "(?iu)a", "(?i)a", NULL },
		{ "(?u:a)", "(?:a)", NULL },
		{ "(?L)a", NULL, "(?L" },
		{ "a(?i)b", NULL, "(?i) at position 1 counts from there on" },
		{ "(a(?i))b", NULL, "(?i) at position 2" },
		{ "(?-i)a", NULL, "Python refuses (?-i)" },
		{ "(?^)a", NULL, "(?^)" },
		{ "(?J)a", NULL, "(?J)" },
		{ "(?xx)a", NULL, "(?xx)" },
		{ "(?U:a)", NULL, "(?U:" },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_ascii(void)
{
	static const struct {
		const char *source;
		bool ascii;
	} rows[] = {
		{ "(?a)\\w", true },  { "(?ai)\\w", true },  { "(?i)(?a)\\w", true },
		{ "(?i)\\w", false }, { "(?a:\\w)", false }, { "\\w(?a)", false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		python_pattern pattern;
		size_t length = strlen(rows[i].source);

		CU_ASSERT_EQUAL_FATAL(python_pattern_translate(rows[i].source, length, &pattern),
		                      LIMEN_OK);
		CU_ASSERT_EQUAL(pattern.ascii, rows[i].ascii);
		python_pattern_free(&pattern);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "groups both know alike", test_shared },
		{ "groups of PCRE2 alone are noted", test_foreign },
		{ "flags", test_flags },
		{ "the ASCII flag of a whole pattern", test_ascii },
		{ NULL, NULL },
	};

	return suite_run("core/python_group", tests);
}
