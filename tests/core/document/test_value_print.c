/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include "documents.h"
#include "reader/reader.h"

static void
test_compact(void)
{
	static const struct {
		const char *text, *printed;
	} cases[] = {
		{ "null", "null" },
		{ "[ true , false ]", "[true,false]" },
		{ "[1.50,-0,1E+05,123456789012345678901234567890]",
		  "[1.50,-0,1E+05,123456789012345678901234567890]" },
		{ "[NaN,Infinity,-Infinity]", "[null,null,null]" },
		{ "\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u001f \\\"\\\\\\/\\u007f\"",
		  "\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u001f \\\"\\\\/\\u007f\"" },
		{ "\"\\u007f\\u0080\\u0085 \\u009b\\u00a0\\u00db\"",
		  "\"\\u007f\\u0080\\u0085 \\u009b\xC2\xA0\xC3\x9B\"" },
		{ "{\"a key with \\u009b in it\":\"\xC2\x9B\x7F\"}",
		  "{\"a key with \\u009b in it\":\"\\u009b\\u007f\"}" },
		{ "\"\\u00e9\\u2028\\ud83d\\ude00\"", "\"\xC3\xA9\xE2\x80\xA8\xF0\x9F\x98\x80\"" },
		{ "{ }", "{}" },
		{ "{\"b\":[{}],\"a\":{\"\":[]}}", "{\"b\":[{}],\"a\":{\"\":[]}}" },
		{ "{\"a\":1,\"a\":2}", "{\"a\":2}" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		document *doc = read_literal(cases[i].text);

		CU_ASSERT_TRUE(prints_as(document_root(doc), cases[i].printed));
		document_unref(doc);
	}
	CU_ASSERT_PTR_NULL(limen_value_to_json(limen_value_none(), 0, NULL));
}

static void
check_flags(const char *text, unsigned flags, const char *expected)
{
	document *doc = read_literal(text);
	size_t length = 0;
	char *printed = limen_value_to_json(document_root(doc), flags, &length);

	CU_ASSERT_PTR_NOT_NULL_FATAL(printed);
	CU_ASSERT_STRING_EQUAL(printed, expected);
	CU_ASSERT_EQUAL(length, strlen(expected));
	free(printed);
	document_unref(doc);
}

static void
test_flags(void)
{
	check_flags("{\"b\":[1,{\"x\":[]}],\"a\":{}}", LIMEN_JSON_PRETTY,
	            "{\n  \"b\": [\n    1,\n    {\n      \"x\": []\n    }\n  ],\n  \"a\": {}\n}");
	check_flags("[[]]", LIMEN_JSON_PRETTY, "[\n  []\n]");
	check_flags("7", LIMEN_JSON_PRETTY, "7");
	check_flags("{\"b\":1,\"a\":{\"d\":1,\"c\":[]},\"B\":2,\"\":3,\"aa\":4}", LIMEN_JSON_SORTED,
	            "{\"\":3,\"B\":2,\"a\":{\"c\":[],\"d\":1},\"aa\":4,\"b\":1}");
	check_flags("{\"a\\u0000b\":1,\"a\\u0000a\":2,\"a\":3,\"\\u00e9\":4}", LIMEN_JSON_SORTED,
	            "{\"a\":3,\"a\\u0000a\":2,\"a\\u0000b\":1,\"\xC3\xA9\":4}");
	check_flags("{\"b\":1,\"a\":[]}", LIMEN_JSON_SORTED | LIMEN_JSON_PRETTY,
	            "{\n  \"a\": [],\n  \"b\": 1\n}");
}

/* Blanks do not make a deep text a thousand times as long. */
static void
test_indent(void)
{
	enum { DEPTH = 900 };
	char text[2 * DEPTH + 1] = "";
	document *doc;
	size_t length = 0;
	char *printed;

	memset(text, '[', DEPTH);
	memset(text + DEPTH, ']', DEPTH);
	doc = read_literal(text);
	printed = limen_value_to_json(document_root(doc), LIMEN_JSON_PRETTY, &length);
	CU_ASSERT_PTR_NOT_NULL_FATAL(printed);
	CU_ASSERT(length < 2 * DEPTH * (2 * 64 + 2));
	free(printed);
	document_unref(doc);
}

static void
test_round_trip(void)
{
	uint64_t state = 123456789;

	for (int i = 0; i < 2000; i++) {
		document *doc = make_random(&state);
		unsigned flags = draw(&state, 4);
		size_t length = 0;
		char *text = limen_value_to_json(document_root(doc), flags, &length);
		document *again = json_read(NULL, text, length, 0, NULL);
		char *second = limen_value_to_json(document_root(again), flags, NULL);

		CU_ASSERT_PTR_NOT_NULL_FATAL(again);
		CU_ASSERT_TRUE(limen_value_equal(document_root(doc), document_root(again)));
		CU_ASSERT_STRING_EQUAL(second, text);
		free(text);
		free(second);
		document_unref(again);
		document_unref(doc);
	}
}

static void
test_deep(void)
{
	char text[2 * READ_DEPTH_MAX + 1] = "";
	document *doc;

	memset(text, '[', READ_DEPTH_MAX);
	memset(text + READ_DEPTH_MAX, ']', READ_DEPTH_MAX);
	doc = read_literal(text);
	CU_ASSERT_TRUE(prints_as(document_root(doc), text));
	document_unref(doc);
}

static document *
make_text(const char *text, size_t length)
{
	builder *build = builder_new();

	builder_string(build, ORIGIN_NONE, 0, text, length);
	return builder_finish(build);
}

/* Each byte at each place of a text, between others of its sort and of both ends. */
static void
test_places(void)
{
	for (int byte = 0; byte < 0x80; byte++) {
		for (size_t where = 0; where < 20; where++) {
			char text[24] = "\xc3\xbc" "abcd\x7f" "fg h!i#j[k]";
			document *one, *again;
			char *printed;
			size_t length = 0;

			memmove(text + where + 1, text + where, 20 - where);
			if (where == 1)
				continue;
			text[where] = (char)byte;
			one = make_text(text, 19);
			printed = limen_value_to_json(document_root(one), 0, &length);
			for (size_t i = 0; i < length; i++)
				CU_ASSERT((unsigned char)printed[i] >= 0x20 && printed[i] != 0x7f);
			again = json_read(NULL, printed, length, 0, NULL);
			CU_ASSERT_PTR_NOT_NULL_FATAL(again);
			CU_ASSERT(limen_value_equal(document_root(one), document_root(again)));
			free(printed);
			document_unref(one);
			document_unref(again);
		}
	}
}

/* Each character of two bytes from U+0080 on, at each place: C1 has an escape, the others none. */
static void
test_c1(void)
{
	for (unsigned code = 0x80; code < 0x100; code++) {
		for (size_t where = 0; where < 20; where++) {
			char text[24] = "abcd fg h!i#j[k]lmn";
			char wanted[40];
			document *one;

			memmove(text + where + 2, text + where, 20 - where);
			text[where] = (char)(0xc0 | code >> 6);
			text[where + 1] = (char)(0x80 | (code & 0x3f));
			if (code < 0xa0)
				snprintf(wanted, sizeof(wanted), "\"%.*s\\u%04x%s\"", (int)where,
				         text, code, text + where + 2);
			else
				snprintf(wanted, sizeof(wanted), "\"%s\"", text);
			one = make_text(text, strlen(text));
			CU_ASSERT_TRUE(prints_as(document_root(one), wanted));
			document_unref(one);
		}
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "compact", test_compact },
		{ "pretty and sorted", test_flags },
		{ "pretty and deep", test_indent },
		{ "what is printed reads back equal", test_round_trip },
		{ "what needs an escape has one, wherever it stands", test_places },
		{ "C1 control characters, wherever they stand", test_c1 },
		{ "as deep as can be read", test_deep },
		{ NULL, NULL },
	};

	return suite_run("core/value_print", tests);
}
