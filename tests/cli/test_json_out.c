/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_json_out.c - texts as JSON, compared with what comes of one byte at a time.
 */
#include "common/json_out.h"

#include <string.h>

#include "suite.h"

#define LONGEST 40

static void
escape(GString *out, const char *text)
{
	g_string_append_c(out, '"');
	for (; *text != '\0'; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte == '"' || byte == '\\')
			g_string_append_printf(out, "\\%c", byte);
		else if (byte == '\n' || byte == '\t')
			g_string_append(out, byte == '\n' ? "\\n" : "\\t");
		else if (byte < 0x20 || byte == 0x7f)
			g_string_append_printf(out, "\\u%04x", byte);
		else if (byte == 0xc2 && (unsigned char)text[1] < 0xa0)
			g_string_append_printf(out, "\\u%04x", (unsigned char)*++text);
		else
			g_string_append_c(out, *text);
	}
	g_string_append_c(out, '"');
}

static void
check(const char *text)
{
	GString *found = g_string_new("[");
	GString *wanted = g_string_new("[");
	char *valid = g_utf8_make_valid(text, -1);

	json_string(found, text);
	escape(wanted, valid);
	CU_ASSERT_STRING_EQUAL(found->str, wanted->str);
	CU_ASSERT_EQUAL(found->len, wanted->len);
	g_free(valid);
	g_string_free(found, TRUE);
	g_string_free(wanted, TRUE);
}

/* Each byte in each place of texts of each length, whole words of the machine or not. */
static void
test_bytes(void)
{
	char text[LONGEST + 1];

	for (size_t length = 0; length <= LONGEST; length++) {
		memset(text, 0, sizeof(text));
		memset(text, 'a', length);
		check(text);
		for (size_t at = 0; at < length; at++) {
			for (int byte = 1; byte < 256; byte++) {
				text[at] = (char)byte;
				check(text);
			}
			text[at] = at % 2 == 0 ? ' ' : '~';
		}
	}
}

/* Each C1 control character, and what has the same second byte, in each place. */
static void
test_c1(void)
{
	char text[LONGEST + 1];

	for (size_t at = 0; at + 2 <= LONGEST; at++) {
		for (int first = 0xc2; first <= 0xc3; first++) {
			for (int second = 0x80; second <= 0xbf; second++) {
				memset(text, 'a', LONGEST);
				text[LONGEST] = '\0';
				text[at] = (char)first;
				text[at + 1] = (char)second;
				check(text);
			}
		}
	}
}

static void
test_controls(void)
{
	GString *out = g_string_new("[");

	json_string(out, "a\x7f\xc2\x80\xc2\x85z\xc2\x9b\xc2\xa0\xc3\x9b");
	CU_ASSERT_STRING_EQUAL(out->str,
	                       "[\"a\\u007f\\u0080\\u0085z\\u009b\xc2\xa0\xc3\x9b\"");
	g_string_free(out, TRUE);
}

static void
test_members(void)
{
	GString *out = g_string_new(NULL);

	json_open(out, '{');
	json_write(out, "text:s none:s", "a long text without anything that is to be escaped", NULL);
	json_key(out, "");
	json_string(out, "");
	json_key(out, "k\"");
	json_string(out, "\xc3\xa9");
	json_write(out, "yes:b number:i", true, (int64_t)-7);
	g_string_append_c(out, '}');
	CU_ASSERT_STRING_EQUAL(out->str,
	                       "{\"text\":\"a long text without anything that is to be escaped\","
	                       "\"none\":null,\"\":\"\",\"k\\\"\":\"\xc3\xa9\","
	                       "\"yes\":true,\"number\":-7}");
	g_string_free(out, TRUE);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every byte in every place", test_bytes },
		{ "every C1 control character in every place", test_c1 },
		{ "control characters", test_controls },
		{ "members", test_members },
		{ NULL, NULL }
	};

	return suite_run("cli/json_out", tests);
}
