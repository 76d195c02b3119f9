/* SPDX-License-Identifier: Apache-2.0 */
#include "jansson_patch.h"
#include "base/strbuf.h"
#include "suite.h"

static void
test_table(void)
{
	static const struct {
		const char *before, *after, *patch;
	} cases[] = {
		{ "{\"a\":1}", "{\"a\":1}", "[]" },
		{ "{\"a\":1,\"b\":2}", "{\"b\":2.0,\"a\":1}", "[]" },
		{ "1", "2", "[{\"op\":\"replace\",\"path\":\"\",\"value\":2}]" },
		{ "1", "\"1\"", "[{\"op\":\"replace\",\"path\":\"\",\"value\":\"1\"}]" },
		{ "[9007199254740993]", "[9007199254740992.0]",
		  "[{\"op\":\"replace\",\"path\":\"/0\",\"value\":9007199254740992.0}]" },
		{ "[18446744073709551617]", "[18446744073709551616.0]",
		  "[{\"op\":\"replace\",\"path\":\"/0\",\"value\":18446744073709551616.0}]" },
		{ "[18446744073709551617]", "[1.8446744073709551617e19]", "[]" },
		{ "{}", "[]", "[{\"op\":\"replace\",\"path\":\"\",\"value\":[]}]" },
		{ "{\"a\":1}", "{\"a\":null}",
		  "[{\"op\":\"replace\",\"path\":\"/a\",\"value\":null}]" },
		{ "{\"a\":1,\"b\":2,\"c\":3}", "{\"d\":4,\"b\":5}",
		  "[{\"op\":\"remove\",\"path\":\"/a\"},"
		  "{\"op\":\"replace\",\"path\":\"/b\",\"value\":5},"
		  "{\"op\":\"remove\",\"path\":\"/c\"},"
		  "{\"op\":\"add\",\"path\":\"/d\",\"value\":4}]" },
		{ "{\"~/\":{\"\":1}}", "{\"~/\":{\"\":2}}",
		  "[{\"op\":\"replace\",\"path\":\"/~0~1/\",\"value\":2}]" },
		{ "{\"~1\":1}", "{}", "[{\"op\":\"remove\",\"path\":\"/~01\"}]" },
		{ "[1,2,3]", "[1,2,3,4,5]",
		  "[{\"op\":\"add\",\"path\":\"/3\",\"value\":4},"
		  "{\"op\":\"add\",\"path\":\"/4\",\"value\":5}]" },
		{ "[1,2,3]", "[0,1,2,3]", "[{\"op\":\"add\",\"path\":\"/0\",\"value\":0}]" },
		{ "[1,2,3,4]", "[1,4]",
		  "[{\"op\":\"remove\",\"path\":\"/2\"},{\"op\":\"remove\",\"path\":\"/1\"}]" },
		{ "[1,1,1]", "[1,1]", "[{\"op\":\"remove\",\"path\":\"/2\"}]" },
		{ "[1,{\"a\":1,\"b\":2},3]", "[1,{\"a\":2,\"b\":2},3]",
		  "[{\"op\":\"replace\",\"path\":\"/1/a\",\"value\":2}]" },
		{ "[1,2,3]", "[1,4,5,3]",
		  "[{\"op\":\"replace\",\"path\":\"/1\",\"value\":4},"
		  "{\"op\":\"add\",\"path\":\"/2\",\"value\":5}]" },
		{ "[]", "[[]]", "[{\"op\":\"add\",\"path\":\"/0\",\"value\":[]}]" },
		{ NULL, NULL, "[]" },
		{ NULL, "1", "[{\"op\":\"add\",\"path\":\"\",\"value\":1}]" },
		{ "1", NULL, "[{\"op\":\"remove\",\"path\":\"\"}]" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		document *before = cases[i].before == NULL ? NULL : read_literal(cases[i].before);
		document *after = cases[i].after == NULL ? NULL : read_literal(cases[i].after);
		document *patch = document_diff(document_root(before), document_root(after));

		CU_ASSERT_TRUE(prints_as(document_root(patch), cases[i].patch));
		document_unref(before);
		document_unref(after);
		document_unref(patch);
	}
}

/* ---- RFC 6902, as plain as can be ---- */

static void
check_pair(json_t *before, json_t *after)
{
	document *left = from_jansson(before);
	document *right = from_jansson(after);
	document *patch = document_diff(document_root(left), document_root(right));
	document *again = document_diff(document_root(left), document_root(right));
	json_t *made = apply_patch(before, patch);

	CU_ASSERT_TRUE(json_equal(made, after));
	CU_ASSERT_EQUAL(json_equal(before, after), limen_value_count(document_root(patch)) == 0);
	CU_ASSERT_TRUE(limen_value_equal(document_root(patch), document_root(again)));
	json_decref(made);
	document_unref(left);
	document_unref(right);
	document_unref(patch);
	document_unref(again);
}

static void
test_random(void)
{
	uint64_t state = 23;

	for (int i = 0; i < 5000; i++) {
		json_t *before = make_small(&state, 0);
		json_t *after = i % 4 == 0 ? make_small(&state, 0)
		                           : mutate(json_deep_copy(before), &state, 0);

		check_pair(before, after);
		json_decref(before);
		json_decref(after);
	}
}

/* Nested so deep that comparing everything below at every level would take hours. */
static void
test_cost(void)
{
	size_t depth = 900;
	strbuf texts[2] = { STRBUF_INIT, STRBUF_INIT };
	document *docs[2];
	document *patch;

	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < depth; j++)
			strbuf_addc(&texts[i], '[');
		for (size_t j = 0; j < 200000; j++)
			strbuf_addf(&texts[i], "%zu,", j);
		strbuf_addf(&texts[i], "%zu", i);
		for (size_t j = 0; j < depth; j++)
			strbuf_addc(&texts[i], ']');
		docs[i] = read_literal(texts[i].text);
		strbuf_free(&texts[i]);
	}
	patch = document_diff(document_root(docs[0]), document_root(docs[1]));
	CU_ASSERT_EQUAL(limen_value_count(document_root(patch)), 1);
	document_unref(docs[0]);
	document_unref(docs[1]);
	document_unref(patch);
}

/* A task as it was and as a script made it: what is named by 'key' has other elements. */
static document *
read_listed(const char *root, size_t length, size_t count, const char *element)
{
	strbuf text = STRBUF_INIT;
	document *made;

	strbuf_addf(&text, "{\"same\":1,\"%s\":{\"", root);
	for (size_t i = 0; i < length; i++)
		strbuf_addc(&text, 'k');
	strbuf_addf(&text, "\":[%s", element);
	for (size_t i = 1; i < count; i++)
		strbuf_addf(&text, ",%s", element);
	strbuf_addf(&text, "]}}");
	made = read_literal(text.text);
	strbuf_free(&text);
	return made;
}

/* With 100 bytes of key and 1000 elements it would be 100 KB, with 10,000 of each 100 MB. */
static void
test_long_key(void)
{
	static const struct {
		size_t length, count, operations;
		const char *path; /* of the first operation; NULL: it leads into the list */
	} cases[] = {
		{ 100, 1000, 1000, NULL },
		{ 1000, 1000, 1000, NULL },
		{ 10000, 50, 50, NULL },
		{ 10000, 10000, 1, "/test" },
		{ 400000, 2, 2, NULL },
		{ 1000000, 100, 1, "/test" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		document *before = read_listed("test", cases[i].length, cases[i].count, "1");
		document *after = read_listed("test", cases[i].length, cases[i].count, "2");
		document *patch = document_diff(document_root(before), document_root(after));
		limen_value first = limen_value_at(document_root(patch), 0);
		limen_value path = limen_value_get(first, "path");
		size_t length = 0;

		CU_ASSERT_EQUAL(limen_value_count(document_root(patch)), cases[i].operations);
		limen_value_string(path, &length);
		if (cases[i].path == NULL) {
			CU_ASSERT_EQUAL(length, strlen("/test//0") + cases[i].length);
		} else {
			CU_ASSERT_TRUE(limen_value_is(path, cases[i].path));
			CU_ASSERT_TRUE(limen_value_equal(
				limen_value_get(first, "value"),
				limen_value_get(document_root(after), "test")));
		}
		document_unref(before);
		document_unref(after);
		document_unref(patch);
	}
}

/* So many members of the root that even one operation for each is too much. */
static void
test_wide_root(void)
{
	document *docs[2];
	document *patch;

	for (size_t i = 0; i < 2; i++) {
		strbuf text = STRBUF_INIT;

		strbuf_addf(&text, "{\"\":%zu", i);
		for (size_t j = 0; j < 200000; j++)
			strbuf_addf(&text, ",\"%zu\":%zu", j, i);
		strbuf_addc(&text, '}');
		docs[i] = read_literal(text.text);
		strbuf_free(&text);
	}
	patch = document_diff(document_root(docs[0]), document_root(docs[1]));
	CU_ASSERT_EQUAL(limen_value_count(document_root(patch)), 1);
	CU_ASSERT_TRUE(limen_value_is(
		limen_value_get(limen_value_at(document_root(patch), 0), "path"), ""));
	CU_ASSERT_TRUE(limen_value_equal(
		limen_value_get(limen_value_at(document_root(patch), 0), "value"),
		document_root(docs[1])));
	document_unref(docs[0]);
	document_unref(docs[1]);
	document_unref(patch);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "patches", test_table },
		{ "applying the patch gives the other document", test_random },
		{ "deep and wide documents", test_cost },
		{ "many changes below a long key", test_long_key },
		{ "more members than operations", test_wide_root },
		{ NULL, NULL },
	};

	return suite_run("core/document_diff", tests);
}
