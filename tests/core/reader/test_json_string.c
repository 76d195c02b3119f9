/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#include "document/document_layout.h"
#include "reader/json_nodes.h"
#include "base/recycle.h"

/* Reads 'length' bytes into 'nodes', whose texts are good until the next call. */
static bool
read_nodes(const char *text, size_t length, json_nodes *nodes)
{
	static char room[256 + SOURCE_PADDING];

	memset(room, 0, sizeof(room));
	memcpy(room, text, length);
	return json_nodes_read(nodes, room, length, 0);
}

static void
free_nodes(json_nodes *nodes)
{
	recycle_free(nodes->items);
	arena_free(&nodes->texts);
}

static void
test_strings(void)
{
	static const struct {
		const char *text;
		const char *value;
		size_t length;
	} cases[] = {
		{ "\"\"", "", 0 },
		{ " \"abc\" ", "abc", 3 },
		{ "\"\\n\"", "\n", 1 },
		{ "\"a\\tb\" ", "a\tb", 3 },
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8 },
		{ "\"\\u0000x\"", "\0x", 2 },
		{ "\"\\u007f\\u0080\\u07FF\\u0800\\uffff\"",
		  "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF", 11 },
		{ "\"\\ud800\\udc00\\uDBFF\\uDFFF\"", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 8 },
		{ "\"\\ud7ff\\ue000\"", "\xED\x9F\xBF\xEE\x80\x80", 6 },
		{ "\"\x7F\xC3\xA9\"", "\x7F\xC3\xA9", 3 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_nodes nodes;

		CU_ASSERT_TRUE_FATAL(read_nodes(cases[i].text, strlen(cases[i].text), &nodes));
		CU_ASSERT_EQUAL_FATAL(nodes.count, 1);
		CU_ASSERT_EQUAL(nodes.items->type, LIMEN_TYPE_STRING);
		CU_ASSERT_EQUAL_FATAL(nodes.items->length, cases[i].length);
		CU_ASSERT_EQUAL(memcmp(nodes.items->text, cases[i].value, cases[i].length + 1), 0);
		CU_ASSERT_PTR_NULL(nodes.cursor.error);
		free_nodes(&nodes);
	}
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

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_nodes nodes;

		CU_ASSERT_FALSE(read_nodes(cases[i].text, strlen(cases[i].text), &nodes));
		CU_ASSERT_STRING_EQUAL(nodes.cursor.error, cases[i].error);
		CU_ASSERT_EQUAL(nodes.cursor.error_at, cases[i].at);
		free_nodes(&nodes);
	}
}

/* What a byte within a string leads to, and at which byte from it. */
static const char *
expect_byte(int c, size_t *offset)
{
	*offset = c == '"' ? 1 : 0;
	if (c == '"')
		return "Extra data";
	if (c == '\\')
		return "Invalid \\escape";
	if (c < 0x20)
		return "Invalid control character at";
	return c < 0x80 ? NULL : "Invalid UTF-8";
}

/* Every byte at every place of three of the blocks that are looked at at once. */
static void
test_every_byte(void)
{
	char text[200];

	for (size_t at = 1; at + 1 < sizeof(text); at++) {
		for (int c = 0; c < 256; c++) {
			json_nodes nodes;
			size_t offset;
			const char *error = expect_byte(c, &offset);

			memset(text, 'x', sizeof(text));
			text[0] = text[sizeof(text) - 1] = '"';
			text[at] = (char)c;
			CU_ASSERT_EQUAL(read_nodes(text, sizeof(text), &nodes), error == NULL);
			if (error == NULL)
				CU_ASSERT_EQUAL(nodes.items->length, sizeof(text) - 2)
			else if (c != '\\' || at + 2 < sizeof(text))
				CU_ASSERT_TRUE(strcmp(nodes.cursor.error, error) == 0 &&
				               nodes.cursor.error_at == at + offset);
			free_nodes(&nodes);
		}
	}
}

/* Strings with escapes share memory: none may run into another, wherever they stand. */
static void
test_neighbours(void)
{
	for (size_t size = 0; size < 80; size++) {
		char text[256];
		json_nodes nodes;
		int length = snprintf(text, sizeof(text), "[\"%0*d\\n\",\"\\u20ac%0*d\",\"\\\\\"]",
		                      (int)size, 7, (int)size, 7);

		CU_ASSERT_TRUE_FATAL(read_nodes(text, (size_t)length, &nodes));
		CU_ASSERT_EQUAL_FATAL(nodes.count, 4);
		snprintf(text, sizeof(text), "%0*d\n", (int)size, 7);
		CU_ASSERT_STRING_EQUAL(nodes.items[1].text, text);
		snprintf(text, sizeof(text), "\xE2\x82\xAC%0*d", (int)size, 7);
		CU_ASSERT_STRING_EQUAL(nodes.items[2].text, text);
		CU_ASSERT_STRING_EQUAL(nodes.items[3].text, "\\");
		free_nodes(&nodes);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "escapes become what they stand for", test_strings },
		{ "mistakes are named where they are", test_mistakes },
		{ "every byte is told apart at every place", test_every_byte },
		{ "strings with escapes stay apart", test_neighbours },
		{ NULL, NULL },
	};

	return suite_run("core/json_string", tests);
}
