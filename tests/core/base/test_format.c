/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_format.c - the formatter against the C library's, which decides what is
 * right.
 */
#include "base/format.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

/* Formats twice into 'room' bytes and compares lengths and texts. */
static void LIMEN_PRINTF(2, 3)
check(size_t room, const char *format, ...)
{
	char ours[256], theirs[256];
	va_list first, second;
	int found, wanted;

	memset(ours, '#', sizeof(ours));
	memset(theirs, '#', sizeof(theirs));
	va_start(first, format);
	va_copy(second, first);
	found = format_text(ours, room, format, first);
	wanted = vsnprintf(theirs, room, format, second);
	va_end(first);
	va_end(second);
	CU_ASSERT_EQUAL(found, wanted);
	if (room > 0)
		CU_ASSERT_STRING_EQUAL(ours, theirs);
	CU_ASSERT_EQUAL(ours[room], '#');
}

static void
test_conversions(void)
{
	check(200, "no conversion");
	check(200, "%s", "");
	check(200, "a %s and %s", "b", "c");
	check(200, "%.*s|%.*s|%.*s", 0, "abc", 2, "abc", 9, "abc");
	check(200, "%.*s", -1, "all of it");
	check(200, "%%%c%%", 'x');
	check(200, "%d %d %d %d", 0, -1, INT_MAX, INT_MIN);
	check(200, "%u %u", 0U, UINT_MAX);
	check(200, "%ld %ld %lu", LONG_MAX, LONG_MIN, ULONG_MAX);
	check(200, "%lld %lld %llu", LLONG_MAX, LLONG_MIN, ULLONG_MAX);
	check(200, "%zu/%zu", (size_t)0, SIZE_MAX);
}

/* Not all of them at once: the arguments before one that is left to the library count too. */
static void
test_others(void)
{
	check(200, "%s %5.2f %s", "before", 3.14159, "after");
	check(200, "%d%x", -7, 255U);
	check(200, "%-5s|%5s", "a", "b");
	check(200, "%.3s", "abcdef");
	check(200, "%03d", 7);
}

static void
test_room(void)
{
	for (size_t room = 0; room < 16; room++) {
		check(room, "%s:%d", "abcdef", 1234);
		check(room, "%s:%03d", "abcdef", 12);
		check(room, "%s", "");
	}
}

/* The compiler would warn of the arguments in check(). */
static int LIMEN_PRINTF(3, 0)
format(char *out, size_t room, const char *text, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, text);
	length = format_text(out, room, text, arguments);
	va_end(arguments);
	return length;
}

static void
test_null(void)
{
	char out[16];

	CU_ASSERT_EQUAL(format(out, sizeof(out), "%s.", (const char *)NULL), 7);
	CU_ASSERT_STRING_EQUAL(out, "(null).");
	CU_ASSERT_EQUAL(format(NULL, 0, "%s", "four"), 4);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the conversions it knows give what the C library gives", test_conversions },
		{ "so do all others", test_others },
		{ "text is cut to the room there is", test_room },
		{ "no text at all", test_null },
		{ NULL, NULL }
	};

	return suite_run("core/format", tests);
}
