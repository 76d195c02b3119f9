/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <string.h>

#include "base/utf8.h"

/* RFC 3629 section 4: the table of byte sequences, at its corners. */
static void
test_decode(void)
{
	static const struct {
		const char *text;
		size_t size;
		uint32_t code;
	} cases[] = {
		{ "A", 1, 'A' },
		{ "\x7F", 1, 0x7F },
		{ "\x80", 0, 0 },
		{ "\xBF", 0, 0 },
		{ "\xC0\x80", 0, 0 },
		{ "\xC1\xBF", 0, 0 },
		{ "\xC2\x80", 2, 0x80 },
		{ "\xC2\x7F", 0, 0 },
		{ "\xC2\xC0", 0, 0 },
		{ "\xDF\xBF", 2, 0x7FF },
		{ "\xE0\x9F\xBF", 0, 0 },
		{ "\xE0\xA0\x80", 3, 0x800 },
		{ "\xED\x9F\xBF", 3, 0xD7FF },
		{ "\xED\xA0\x80", 0, 0 },
		{ "\xED\xBF\xBF", 0, 0 },
		{ "\xEE\x80\x80", 3, 0xE000 },
		{ "\xEF\xBF\xBF", 3, 0xFFFF },
		{ "\xF0\x8F\xBF\xBF", 0, 0 },
		{ "\xF0\x90\x80\x80", 4, 0x10000 },
		{ "\xF4\x8F\xBF\xBF", 4, 0x10FFFF },
		{ "\xF4\x90\x80\x80", 0, 0 },
		{ "\xF5\x80\x80\x80", 0, 0 },
		{ "\xF8\x88\x80\x80\x80", 0, 0 },
		{ "\xFF", 0, 0 },
		{ "\xE2\x82", 0, 0 },
		{ "\xF0\x9F\x98", 0, 0 },
		{ "\xC3", 0, 0 },
		{ "", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t code = 0;

		CU_ASSERT_EQUAL(utf8_decode(cases[i].text, strlen(cases[i].text), &code),
		                cases[i].size);
		CU_ASSERT_EQUAL(code, cases[i].code);
	}
}

static void
test_round_trip(void)
{
	size_t wrong = 0;

	for (uint32_t code = 0; code <= 0x10FFFF; code++) {
		char text[4];
		uint32_t again = UINT32_MAX;
		size_t size = utf8_encode(code, text);
		bool surrogate = code >= 0xD800 && code <= 0xDFFF;
		size_t decoded = utf8_decode(text, size, &again);

		if (surrogate ? decoded != 0 : decoded != size || again != code)
			wrong++;
		if (utf8_valid(text, size) != decoded)
			wrong++;
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* Whatever the alignment of a mistake to the words that are checked at once. */
static void
test_valid_prefix(void)
{
	char text[40];

	for (size_t length = 0; length < sizeof(text); length++) {
		for (size_t at = 0; at < length; at++) {
			memset(text, 'x', sizeof(text));
			CU_ASSERT_EQUAL(utf8_valid(text, length), length);
			text[at] = '\xFF';
			CU_ASSERT_EQUAL(utf8_valid(text, length), at);
			text[at] = '\xC3';
			CU_ASSERT_EQUAL(utf8_valid(text, length), at);
			if (at + 1 == length)
				continue;
			text[at + 1] = '\xA9';
			CU_ASSERT_EQUAL(utf8_valid(text, length), length);
		}
	}
}

static void
test_locate(void)
{
	static const char text[] = "a\xC3\xA9z\n\n\xF0\x9F\x98\x80x\r\ny";
	static const struct {
		size_t offset;
		unsigned line, column;
		size_t character;
	} cases[] = {
		{ 0, 1, 1, 0 },  { 1, 1, 2, 1 },  { 3, 1, 3, 2 },  { 4, 1, 4, 3 },
		{ 5, 2, 1, 4 },  { 6, 3, 1, 5 },  { 10, 3, 2, 6 }, { 12, 3, 4, 8 },
		{ 13, 4, 1, 9 }, { 14, 4, 2, 10 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		utf8_position found = utf8_locate(text, cases[i].offset);

		CU_ASSERT_EQUAL(found.line, cases[i].line);
		CU_ASSERT_EQUAL(found.column, cases[i].column);
		CU_ASSERT_EQUAL(found.character, cases[i].character);
	}
}

static void
test_control(void)
{
	static const struct {
		const char *text;
		size_t control;
		const char *line;
	} cases[] = {
		{ "", 0, "" },
		{ "a", 0, "a" },
		{ "\t", 1, " " },
		{ "\x1F" "b", 1, " b" },
		{ " ", 0, " " },
		{ "~", 0, "~" },
		{ "\x7F", 1, " " },
		{ "\xC2", 0, "\xC2" },
		{ "\xC2\x7F", 0, "\xC2 " },
		{ "\xC2\x80", 2, " " },
		{ "\xC2\x9F" "c", 2, " c" },
		{ "\xC2\xA0", 0, "\xC2\xA0" },
		{ "\xC3\x80", 0, "\xC3\x80" },
		{ "\x9B", 0, "\x9B" }, /* no UTF-8 */
		{ "a\r\n\xC2\x9B" "31mb", 0, "a   31mb" },
		/* Behind eight bytes at a time. */
		{ "eight ~ bytes, 1\x1F" "7", 0, "eight ~ bytes, 1 7" },
		{ "eight b\x7F" "tes", 0, "eight b tes" },
		{ "\neight bytes", 1, " eight bytes" },
		{ "eight byt\xC3\xA9s\xC2\x85", 0, "eight byt\xC3\xA9s " },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char line[32];

		CU_ASSERT_EQUAL(utf8_control(cases[i].text), cases[i].control);
		strcpy(line, cases[i].text);
		utf8_one_line(line);
		CU_ASSERT_STRING_EQUAL(line, cases[i].line);
	}
	utf8_one_line(NULL);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "decodes what RFC 3629 allows and nothing else", test_decode },
		{ "every code point survives encoding and decoding", test_round_trip },
		{ "the valid prefix ends at the first mistake", test_valid_prefix },
		{ "places are counted in lines and characters", test_locate },
		{ "control characters are blanks", test_control },
		{ NULL, NULL },
	};

	return suite_run("core/utf8", tests);
}
