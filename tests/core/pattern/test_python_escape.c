/* SPDX-License-Identifier: Apache-2.0 */
#include "python_case.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

#define BLANKS "\\p{Zs}\\x{9}-\\x{d}\\x{1c}-\\x{1f}\\x{85}\\x{2028}\\p{Zp}"
#define OTHERS                                                                            \
	"\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}"                                                   \
	"\\x{0}-\\x{8}\\x{e}-\\x{1b}\\x{7f}-\\x{84}\\x{86}-\\x{9f}\\p{Cf}\\p{Co}\\p{Cn}"

static void
test_shared(void)
{
	static const struct python_case rows[] = {
		{ "\\A\\b\\B\\d\\D\\w\\W\\a\\f\\n\\r\\t", NULL, NULL },
		{ "[\\b\\d\\D\\w\\W\\a\\f\\n\\r\\t]", NULL, NULL },
		{ "\\.\\\\\\[\\]\\{,4}\\_\\ \\-", NULL, NULL },
		{ "\\\xc3\xa9", NULL, NULL },
		{ "\\", NULL, NULL },
		{ "[\\", NULL, NULL },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_respelled(void)
{
	static const struct python_case rows[] = {
		{ "a\\Z", "a\\z", NULL },
		{ "[\\Z]", NULL, "\\Z at position 1" },
		{ "\\v", "\\x0b", NULL },
		{ "[\\v]", "[\\x0b]", NULL },
		{ "\\u00e9", "\\x{00e9}", NULL },
		{ "[\\u00E9]", "[\\x{00E9}]", NULL },
		{ "\\U0001F600", "\\x{0001F600}", NULL },
		{ "\\u00e", NULL, NULL },
		{ "\\U0001F60", NULL, NULL },
		{ "\\u00g9", NULL, NULL },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_blanks(void)
{
	static const struct python_case rows[] = {
		{ "\\s+", "[" BLANKS "]+", NULL },
		{ "\\S?", "[^" BLANKS "]?", NULL },
		{ "[a\\s-]", "[a" BLANKS "-]", NULL },
		{ "[^\\S]", "[^" OTHERS "]", NULL },
		{ "(?x)\\s#\\s", "(?x)[" BLANKS "]#\\s", NULL },
		{ "(?a)\\s[\\S]", "(?)\\s[\\S]", NULL },
		{ "\\s(?a:\\s)", "[" BLANKS "](?a:\\s)", NULL },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_hex(void)
{
	static const struct python_case rows[] = {
		{ "\\x41", NULL, NULL },
		{ "\\x414", NULL, NULL },
		{ "\\x4", NULL, "Python refuses \\x at position 0" },
		{ "\\x", NULL, "\\x at position 0" },
		{ "a\\x{41}", NULL, "\\x at position 1" },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_numbers(void)
{
	static const struct python_case rows[] = {
		{ "\\0", "\\x{0}", NULL },
		{ "\\01", "\\x{1}", NULL },
		{ "\\012", "\\x{a}", NULL },
		{ "\\0123", "\\x{a}3", NULL },
		{ "\\08", "\\x{0}8", NULL },
		{ "(a)\\1", "(a)\\g{1}", NULL },
		{ "(a)\\1a", "(a)\\g{1}a", NULL },
		{ "\\12", "\\g{12}", "\\12 at position 0" },
		{ "\\18", "\\g{18}", "\\18 at position 0" },
		{ "\\99", "\\g{99}", "\\99 at position 0" },
		{ "\\123", "\\x{53}", NULL },
		{ "\\1234", "\\x{53}4", NULL },
		{ "\\128", "\\g{12}8", "\\12 at position 0" },
		{ "\\377", "\\x{ff}", NULL },
		{ "\\400", "\\x{100}", "Python refuses \\400" },
		{ "[\\1]", "[\\x{1}]", NULL },
		{ "[\\12]", "[\\x{a}]", NULL },
		{ "[\\1234]", "[\\x{53}4]", NULL },
		{ "[\\8]", NULL, "\\8 at position 1" },
	};

	check_python_cases(rows, COUNT(rows));
}

/* Python refers to groups that are closed. */
static void
test_groups(void)
{
	static const struct python_case rows[] = {
		{ "\\1(a)", "\\g{1}(a)", "Python refuses \\1 at position 0" },
		{ "(a\\1)", "(a\\g{1})", "\\1 at position 2" },
		{ "((a)\\2)\\1", "((a)\\g{2})\\g{1}", NULL },
		{ "((a)\\1)", "((a)\\g{1})", "\\1 at position 4" },
		{ "(?:a)(?=b)(?i:c)(?#(d))\\1", "(?:a)(?=b)(?i:c)(?#(d))\\g{1}", "\\1" },
		{ "(?P<n>a)(?P=n)\\1", "(?P<n>a)(?P=n)\\g{1}", NULL },
		{ "[(a)]\\1", "[(a)]\\g{1}", "\\1 at position 5" },
		{ "a)\\1", "a)\\g{1}", "\\1 at position 2" },
	};

	check_python_cases(rows, COUNT(rows));
}

static void
test_many_groups(void)
{
	char source[512] = "";
	char respelled[512] = "";
	struct python_case row = { source, respelled, NULL };

	/* The hundredth and later ones have numbers that nothing can refer to. */
	for (size_t i = 0; i < 120; i++)
		strcat(source, "()");
	strcpy(respelled, source);
	strcat(source, "\\99");
	strcat(respelled, "\\g{99}");
	check_python_case(&row);
}

static void
test_foreign(void)
{
	static const struct python_case rows[] = {
		{ "\\h", NULL, "Python refuses \\h at position 0, which PCRE2 understands" },
		{ "ab\\R", NULL, "\\R at position 2" },
		{ "\\K\\h", NULL, "\\K at position 0" },
		{ "\\z", NULL, "\\z" },
		{ "\\N", NULL, "\\N" },
		{ "\\p{Lu}", NULL, "\\p" },
		{ "\\g{1}", NULL, "\\g" },
		{ "\\k<n>", NULL, "\\k" },
		{ "[\\h]", NULL, "\\h" },
		{ "\\Qa{,4}\\Z\\Ea{,4}", "\\Qa{,4}\\Z\\Ea{0,4}", "\\Q" },
		{ "\\Q[", NULL, "\\Q" },
	};

	check_python_cases(rows, COUNT(rows));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "escapes both know alike", test_shared },
		{ "blanks are those of Python", test_blanks },
		{ "escapes PCRE2 spells differently", test_respelled },
		{ "hexadecimal escapes have two digits", test_hex },
		{ "octal escapes and numbered groups", test_numbers },
		{ "groups that are not closed are noted", test_groups },
		{ "any number of groups is counted", test_many_groups },
		{ "escapes of PCRE2 alone are noted", test_foreign },
		{ NULL, NULL },
	};

	return suite_run("core/python_escape", tests);
}
