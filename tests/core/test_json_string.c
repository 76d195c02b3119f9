/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <string.h>

#include "json_string.h"

/* The whole text is read, of which a string is the beginning. */
static void
test_strings(void)
{
	static const struct {
		const char *text;
		const char *value;
		size_t length, end;
	} cases[] = {
		{ "\"\"", "", 0, 2 },
		{ "\"abc\":1", "abc", 3, 5 },
		{ "\"\\n\"", "\n", 1, 4 },
		{ "\"a\\tb\" ", "a\tb", 3, 6 },
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8, 18 },
		{ "\"\\u0000x\"", "\0x", 2, 9 },
		{ "\"\\u007f\\u0080\\u07FF\\u0800\\uffff\"",
		  "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF", 11, 32 },
		{ "\"\\ud800\\udc00\\uDBFF\\uDFFF\"", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 8, 26 },
		{ "\"\\ud7ff\\ue000\"", "\xED\x9F\xBF\xEE\x80\x80", 6, 14 },
		{ "\"\x7F\xC3\xA9\"", "\x7F\xC3\xA9", 3, 5 },
	};
	strbuf scratch = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_cursor in = { .text = cases[i].text, .length = strlen(cases[i].text) };
		const char *value = NULL;
		size_t length = 0;

		CU_ASSERT_TRUE_FATAL(json_string_read(&in, &scratch, &value, &length));
		CU_ASSERT_EQUAL_FATAL(length, cases[i].length);
		CU_ASSERT_EQUAL(memcmp(value, cases[i].value, length), 0);
		CU_ASSERT_EQUAL(in.at, cases[i].end);
		CU_ASSERT_PTR_NULL(in.error);
	}
	strbuf_free(&scratch);
}

static void
test_mistakes(void)
{
	static const struct {
		const char *text;
		const char *error;
		size_t at;
	} cases[] = {
		{ "\"", "Unterminated string starting at", 0 },
		{ "\"\\n", "Unterminated string starting at", 0 },
		{ "\"ab\\", "Unterminated string starting at", 0 },
		{ "\"a\x1F\"", "Invalid control character at", 2 },
		{ "\"\\x\"", "Invalid \\escape", 1 },
		{ "\"a\\ \"", "Invalid \\escape", 2 },
		{ "\"\\u12\"", "Invalid \\uXXXX escape", 2 },
		{ "\"\\u12g4\"", "Invalid \\uXXXX escape", 2 },
		{ "\"\\ud800\\u12g4\"", "Invalid \\uXXXX escape", 8 },
		{ "\"\\ud800\"", "Lone surrogate in \\uXXXX escape", 2 },
		{ "\"\\udc00\\ud800\"", "Lone surrogate in \\uXXXX escape", 2 },
		{ "\"\\ud800\\ud800\"", "Lone surrogate in \\uXXXX escape", 2 },
		{ "\"\\ud800\\n\"", "Lone surrogate in \\uXXXX escape", 2 },
	};
	strbuf scratch = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_cursor in = { .text = cases[i].text, .length = strlen(cases[i].text) };
		const char *value = NULL;
		size_t length = 0;

		CU_ASSERT_FALSE(json_string_read(&in, &scratch, &value, &length));
		CU_ASSERT_STRING_EQUAL(in.error, cases[i].error);
		CU_ASSERT_EQUAL(in.error_at, cases[i].at);
	}
	strbuf_free(&scratch);
}

/* Every byte at every place of the words that are looked at eight bytes at a time. */
static void
test_every_byte(void)
{
	strbuf scratch = STRBUF_INIT;
	char text[24];

	for (size_t at = 1; at < 20; at++) {
		for (int c = 0; c < 256; c++) {
			json_cursor in = { .text = text, .length = sizeof(text) };
			const char *value = NULL;
			size_t length = 0;
			bool right = c >= 0x20 && c != '\\';

			memset(text, 'x', sizeof(text));
			text[0] = text[sizeof(text) - 1] = '"';
			text[at] = (char)c;
			CU_ASSERT_EQUAL(json_string_read(&in, &scratch, &value, &length), right);
			if (right)
				CU_ASSERT_EQUAL(length, c == '"' ? at - 1 : sizeof(text) - 2)
			else
				CU_ASSERT_EQUAL(in.error_at, at);
		}
	}
	strbuf_free(&scratch);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "escapes become what they stand for", test_strings },
		{ "mistakes are named where they are", test_mistakes },
		{ "every byte is told apart at every place", test_every_byte },
		{ NULL, NULL },
	};

	return suite_run("core/json_string", tests);
}
