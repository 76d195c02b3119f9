/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_yaml_out.c - YAML that is written reads back as the same value, also
 * where a text looks like something else.
 */
#include <limen/documents.h>
#include <string.h>

#include "cli/yaml_out.h"
#include "suite.h"

static const char *const values[] = {
	"null",
	"true",
	"[]",
	"{}",
	"12",
	"-0.5",
	"123456789012345678901234567890",
	"\"\"",
	"\"text\"",
	"{\"a\":1}",
	"{\"a\":{\"b\":{\"c\":[]}},\"d\":{}}",
	"[1,[2,[3,[]]],{\"a\":[{\"b\":1,\"c\":2},{\"d\":[4,5]}]}]",
	"[[{\"a\":1}],[[[]]]]",
	"{\"a\":[{\"b\":[{\"c\":null}]}]}",
	/* Texts that would be numbers, booleans, nulls, times or structure. */
	"[\"yes\",\"No\",\"on\",\"OFF\",\"y\",\"null\",\"~\",\"true\",\"1\",\"1e3\",\"0x1F\",\"010\","
	"\"1_000\",\"12:30:45\",\"2026-01-02\",\".5\",\".inf\",\".nan\",\"<<\",\"=\",\"-\",\"- a\","
	"\"a: b\",\"a #b\",\"#\",\"&a\",\"*a\",\"!t\",\"%\",\"@\",\"`\",\"{\",\"[a\",\"|\",\">\",\"?\","
	"\" a\",\"a \",\"'\",\"\\\"\",\"\\\\\",\"---\",\"...\",\"500m\",\"/a/b\",\"_\"]",
	"{\"yes\":1,\"1\":2,\"\":3,\"a b\":4,\"#\":5,\"a:\":6,\"- a\":7}",
	("[\"\\u0000\",\"\\u0001\",\"\\n\",\"a\\nb\\n\",\"\\t\",\"\\u007f\",\"\\u0085\",\"\\u00a0\","
	"\"\\u2028\",\"\\ufeff\",\"\\ufffd\",\"\\ufffe\",\"\\uffff\",\"\\ud83d\\ude00\",\"\\u00e9\"]"),
};

static limen_documents *
parse(const char *name, const char *text)
{
	limen_documents *made = NULL;

	limen_documents_parse(name, text, strlen(text), 0, &made, NULL);
	return made;
}

static void
test_values(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		limen_documents *before = parse("x.json", values[i]);
		GString *text = g_string_new("---\n");
		limen_documents *after;
		bool same;

		CU_ASSERT_PTR_NOT_NULL_FATAL(before);
		yaml_append(text, limen_documents_get(before, 0));
		CU_ASSERT_EQUAL(text->str[text->len - 1], '\n');
		after = parse("x.yaml", text->str);
		same = after != NULL && limen_value_equal(limen_documents_get(before, 0),
		                                          limen_documents_get(after, 0));
		if (i == 0) /* A document of nothing but null is none. */
			same = after != NULL;
		if (!same)
			printf("# %s became %s\n", values[i], text->str);
		CU_ASSERT_TRUE(same);
		limen_documents_free(before);
		limen_documents_free(after);
		g_string_free(text, TRUE);
	}
}

static void
test_form(void)
{
	limen_documents *made = parse("x.json", "{\"b\":[{\"x\":1,\"z\":[2]},[3]],\"a\":{},"
	                                        "\"t\":\"yes\",\"u\":\"plain\"}");
	GString *text = g_string_new(NULL);

	yaml_append(text, limen_documents_get(made, 0));
	CU_ASSERT_STRING_EQUAL(text->str, "b:\n- x: 1\n  z:\n  - 2\n-\n  - 3\na: {}\n"
	                                  "t: \"yes\"\nu: plain\n");
	g_string_free(text, TRUE);
	limen_documents_free(made);
}

/* What a reader refuses in a text, or in a key, is written another way. */
static void
test_strict(void)
{
	limen_documents *made = parse("x.json", "[\"a\\uffffb\\ufffe\"]");
	GString *json = g_string_new("[{\"a\":[{\"");
	GString *text = g_string_new(NULL);
	limen_documents *after;

	yaml_append(text, limen_documents_get(made, 0));
	CU_ASSERT_STRING_EQUAL(text->str, "- \"a\\uffffb\\ufffe\"\n");
	limen_documents_free(made);
	for (int i = 0; i < 1100; i++)
		g_string_append_c(json, 'k');
	g_string_append(json, "\":{\"x\":[1,2]},\"m\":1}]}]");
	made = parse("x.json", json->str);
	g_string_truncate(text, 0);
	yaml_append(text, limen_documents_get(made, 0));
	CU_ASSERT_TRUE(g_str_has_prefix(text->str, "- a:\n  - ? kkk"));
	CU_ASSERT_TRUE(g_str_has_suffix(text->str, "kkk\n    :\n      x:\n      - 1\n      - 2\n"
	                                           "    m: 1\n"));
	after = parse("x.yaml", text->str);
	CU_ASSERT_PTR_NOT_NULL_FATAL(after);
	CU_ASSERT_TRUE(limen_value_equal(limen_documents_get(made, 0),
	                                 limen_documents_get(after, 0)));
	limen_documents_free(after);
	limen_documents_free(made);
	g_string_free(text, TRUE);
	g_string_free(json, TRUE);
}

/* Below the deepest line, too, long keys are read again; the longest short one is as in JSON. */
static void
test_deep_keys(void)
{
	GString *json = g_string_new(NULL);
	GString *text = g_string_new(NULL);
	limen_documents *made, *after;

	for (int i = 0; i < 40; i++)
		g_string_append(json, "{\"a\":");
	g_string_append_printf(json, "{\"b\":[{\"%01100d\":{\"%01100d\":1},\"c\":2}],\"%0998d\":3}", 1,
	                       2, 3);
	for (int i = 0; i < 40; i++)
		g_string_append_c(json, '}');
	made = parse("x.json", json->str);
	CU_ASSERT_PTR_NOT_NULL_FATAL(made);
	yaml_append(text, limen_documents_get(made, 0));
	CU_ASSERT_PTR_NOT_NULL(strstr(text->str, "\"b\":[{? \"000"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text->str, "1\" :{? \"000"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text->str, "2\" :1},\"c\":2}],\"000"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text->str, "3\":3}"));
	after = parse("x.yaml", text->str);
	CU_ASSERT_PTR_NOT_NULL_FATAL(after);
	CU_ASSERT_TRUE(limen_value_equal(limen_documents_get(made, 0),
	                                 limen_documents_get(after, 0)));
	limen_documents_free(after);
	limen_documents_free(made);
	g_string_free(text, TRUE);
	g_string_free(json, TRUE);
}

/* Lines are not indented without end, or a small text would become a huge one. */
static void
test_depth(void)
{
	GString *json = g_string_new(NULL);
	GString *text = g_string_new(NULL);
	limen_documents *made, *after;

	for (int i = 0; i < 200; i++)
		g_string_append(json, i % 2 == 0 ? "[" : "{\"a\":");
	g_string_append(json, "[\"b: c\"");
	for (int i = 0; i < 1000; i++)
		g_string_append(json, ",1");
	g_string_append_c(json, ']');
	for (int i = 0; i < 200; i++)
		g_string_append(json, i % 2 == 0 ? ",\"z\":[[]]}" : "]");
	made = parse("x.json", json->str);
	CU_ASSERT_PTR_NOT_NULL_FATAL(made);
	yaml_append(text, limen_documents_get(made, 0));
	CU_ASSERT_TRUE(text->len < 4 * json->len);
	after = parse("x.yaml", text->str);
	CU_ASSERT_PTR_NOT_NULL_FATAL(after);
	CU_ASSERT_TRUE(limen_value_equal(limen_documents_get(made, 0),
	                                 limen_documents_get(after, 0)));
	limen_documents_free(after);
	limen_documents_free(made);
	g_string_free(text, TRUE);
	g_string_free(json, TRUE);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "values read back", test_values },
		{ "block style", test_form },
		{ "for strict readers", test_strict },
		{ "long keys deep down", test_deep_keys },
		{ "deep nesting", test_depth },
		{ NULL, NULL }
	};

	return suite_run("cli/yaml_out", tests);
}
