/* SPDX-License-Identifier: Apache-2.0 */
#include "python_case.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static void
test_shared(void)
{
	static const struct python_case rows[] = {
		{ "\\A\\b\\B\\d\\D\\s\\S\\w\\W\\a\\f\\n\\r\\t", NULL, NULL },
		{ "[\\b\\d\\D\\s\\S\\w\\W\\a\\f\\n\\r\\t]", NULL, NULL },
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
		{ "\\1", "\\g{1}", NULL },
		{ "\\1a", "\\g{1}a", NULL },
		{ "\\12", "\\g{12}", NULL },
		{ "\\18", "\\g{18}", NULL },
		{ "\\99", "\\g{99}", NULL },
		{ "\\123", "\\x{53}", NULL },
		{ "\\1234", "\\x{53}4", NULL },
		{ "\\128", "\\g{12}8", NULL },
		{ "\\377", "\\x{ff}", NULL },
		{ "\\400", "\\x{100}", "Python refuses \\400" },
		{ "[\\1]", "[\\x{1}]", NULL },
		{ "[\\12]", "[\\x{a}]", NULL },
		{ "[\\1234]", "[\\x{53}4]", NULL },
		{ "[\\8]", NULL, "\\8 at position 1" },
	};

	check_python_cases(rows, COUNT(rows));
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

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "escapes both know alike", test_shared },
		{ "escapes PCRE2 spells differently", test_respelled },
		{ "hexadecimal escapes have two digits", test_hex },
		{ "octal escapes and numbered groups", test_numbers },
		{ "escapes of PCRE2 alone are noted", test_foreign },
		{ NULL, NULL },
	};

	return suite_run("core/python_escape", tests);
}
