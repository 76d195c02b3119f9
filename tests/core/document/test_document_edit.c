/* SPDX-License-Identifier: Apache-2.0 */
#include "jansson_value.h"
#include "suite.h"
#include "reader/reader.h"

static void
test_copy(void)
{
	document *whole = read_literal("{\"a\":[1,\n {\"b~/\":{\"c\":true,\"c\":null}}]}");
	document *copy = document_copy(find_value(whole, "/a/1"));
	place where;
	char *pointer;

	document_unref(whole);
	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	CU_ASSERT_TRUE(prints_as(document_root(copy), "{\"b~/\":{\"c\":null}}"));
	where = value_place(find_value(copy, "/b~0~1/c"));
	CU_ASSERT_STRING_EQUAL(where.file, "literal");
	CU_ASSERT_EQUAL(where.line, 2);
	CU_ASSERT_EQUAL(where.column, 23);
	pointer = value_pointer(find_value(copy, "/b~0~1/c"));
	CU_ASSERT_STRING_EQUAL(pointer, "/a/1/b~0~1/c");
	free(pointer);
	document_unref(copy);
	CU_ASSERT_PTR_NULL(document_copy(limen_value_none()));
}

/* The same by sharing, also of what is shared already. */
static void
test_share(void)
{
	document *whole = read_literal("{\"a\":[1,\n {\"b~/\":{\"c\":true,\"c\":null}}],\"z\":{}}");
	document *part = document_share(find_value(whole, "/a/1"));
	document *inner = document_share(find_value(part, "/b~0~1"));
	place where;
	char *pointer;

	CU_ASSERT_PTR_NOT_NULL_FATAL(inner);
	CU_ASSERT_PTR_EQUAL(document_root(part).node, find_value(whole, "/a/1").node);
	document_unref(whole);
	CU_ASSERT_TRUE(prints_as(document_root(part), "{\"b~/\":{\"c\":null}}"));
	document_unref(part);
	CU_ASSERT_TRUE(prints_as(document_root(inner), "{\"c\":null}"));
	where = value_place(find_value(inner, "/c"));
	CU_ASSERT_STRING_EQUAL(where.file, "literal");
	CU_ASSERT_EQUAL(where.line, 2);
	CU_ASSERT_EQUAL(where.column, 23);
	pointer = value_pointer(find_value(inner, "/c"));
	CU_ASSERT_STRING_EQUAL(pointer, "/a/1/b~0~1/c");
	free(pointer);
	document_unref(inner);
	CU_ASSERT_PTR_NULL(document_share(limen_value_none()));
}

static void
check_pointer(limen_value value, const char *expected)
{
	char *pointer = value_pointer(value);

	CU_ASSERT_STRING_EQUAL(pointer, expected);
	free(pointer);
}

/* Pointers are those of the whole, unless a part was given another. */
static void
test_part_pointers(void)
{
	document *whole = read_literal("{\"a\":[1,{\"b\":{\"c\":true}}]}");
	document *part = document_share(find_value(whole, "/a/1"));
	document *plain, *other;

	CU_ASSERT_PTR_NOT_NULL_FATAL(part);
	CU_ASSERT_TRUE(document_set_base(whole, "/file"));
	plain = document_share(find_value(part, "/b"));
	CU_ASSERT_TRUE(document_set_base(part, "/other"));
	other = document_share(find_value(part, "/b"));
	check_pointer(find_value(plain, "/c"), "/file/a/1/b/c");
	check_pointer(document_root(part), "/other");
	check_pointer(find_value(part, "/b/c"), "/other/b/c");
	check_pointer(document_root(other), "/other/b");
	check_pointer(find_value(other, "/c"), "/other/b/c");
	document_unref(whole);
	document_unref(part);
	document_unref(plain);
	document_unref(other);
}

/* A part is changed and compared as any other document is. */
static void
test_change_part(void)
{
	document *whole = read_literal("{\"a\":1,\"b\":{\"x\":[1,2],\"y\":3},\"c\":4}");
	document *value = read_literal("5");
	document *part = document_share(find_value(whole, "/b"));
	change one = { .kind = CHANGE_SET, .target = document_root(part), .key = "y",
		       .key_length = 1, .value = document_root(value) };
	document *made = document_apply(part, &one, 1);
	document *patch = document_diff(document_root(part), document_root(made));
	document *all = document_share(document_root(whole));

	CU_ASSERT_PTR_EQUAL(all, whole);
	CU_ASSERT_TRUE(prints_as(document_root(made), "{\"x\":[1,2],\"y\":5}"));
	check_pointer(find_value(made, "/x"), "/b/x");
	CU_ASSERT_TRUE(prints_as(document_root(patch),
	                         "[{\"op\":\"replace\",\"path\":\"/y\",\"value\":5}]"));
	document_unref(whole);
	document_unref(all);
	document_unref(part);
	document_unref(value);
	document_unref(made);
	document_unref(patch);
}

static void
test_merge(void)
{
	static const struct {
		const char *base, *over, *merged;
	} cases[] = {
		{ "{}", "{}", "{}" },
		{ "{\"a\":1}", "{\"b\":2}", "{\"a\":1,\"b\":2}" },
		{ "{\"a\":1,\"b\":2}", "{\"a\":3}", "{\"a\":3,\"b\":2}" },
		{ "{\"a\":{\"x\":1,\"y\":2}}", "{\"a\":{\"y\":3,\"z\":4}}",
		  "{\"a\":{\"x\":1,\"y\":3,\"z\":4}}" },
		{ "{\"a\":[1,2]}", "{\"a\":[3]}", "{\"a\":[3]}" },
		{ "{\"a\":{\"x\":1}}", "{\"a\":1}", "{\"a\":1}" },
		{ "{\"a\":1}", "{\"a\":{\"x\":1}}", "{\"a\":{\"x\":1}}" },
		{ "{\"a\":1}", "{\"a\":null}", "{\"a\":null}" },
		{ "{\"a\":1}", "[2]", "[2]" },
		{ "1", "{\"a\":1}", "{\"a\":1}" },
		{ NULL, "[1]", "[1]" },
		{ "{\"a\":1}", NULL, "{\"a\":1}" },
		{ NULL, NULL, "{}" },
		{ "{\"a\":1,\"a\":2}", "{\"b\":1,\"b\":3}", "{\"a\":2,\"b\":3}" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		document *base = cases[i].base == NULL ? NULL : read_literal(cases[i].base);
		document *over = cases[i].over == NULL ? NULL : read_literal(cases[i].over);
		document *merged = document_merge(document_root(base), document_root(over));

		CU_ASSERT_TRUE(prints_as(document_root(merged), cases[i].merged));
		document_unref(base);
		document_unref(over);
		document_unref(merged);
	}
}

static void
check_node(const document *doc, const char *pointer, const char *file, unsigned line,
           const char *expected)
{
	limen_value value = find_value(doc, pointer);
	place where = value_place(value);
	char *found = value_pointer(value);

	CU_ASSERT_STRING_EQUAL(where.file, file);
	CU_ASSERT_EQUAL(where.line, line);
	CU_ASSERT_STRING_EQUAL(found, expected);
	free(found);
}

static void
test_merge_places(void)
{
	static const char below[] = "\n{\"a\": {\"x\": 1,\n\"y\": 2}}";
	static const char above[] = "{\"over\":\n{\"a\":\n{\"y\": 3}}}";
	document *base = json_read("base", below, strlen(below), 0, NULL);
	document *over = json_read("over", above, strlen(above), 0, NULL);
	document *merged = document_merge(document_root(base), find_value(over, "/over"));

	document_unref(base);
	document_unref(over);
	CU_ASSERT_PTR_NOT_NULL_FATAL(merged);
	check_node(merged, "", "over", 2, "/over");
	check_node(merged, "/a", "over", 3, "/over/a");
	check_node(merged, "/a/x", "base", 2, "/over/a/x");
	check_node(merged, "/a/y", "over", 3, "/over/a/y");
	document_unref(merged);
}

static json_t *
merge_with_jansson(json_t *base, json_t *over)
{
	const char *key;
	json_t *member;
	json_t *made;

	if (!json_is_object(base) || !json_is_object(over))
		return json_incref(over);
	made = json_copy(base);
	json_object_foreach(over, key, member) {
		json_t *below = json_object_get(base, key);

		if (below == NULL)
			json_object_set(made, key, member);
		else
			json_object_set_new(made, key, merge_with_jansson(below, member));
	}
	return made;
}

static void
test_random_merges(void)
{
	uint64_t state = 17;

	for (int i = 0; i < 3000; i++) {
		json_t *one = make_small(&state, 0);
		json_t *other = mutate(json_deep_copy(one), &state, 0);
		document *base = from_jansson(one);
		document *over = from_jansson(other);
		document *merged = document_merge(document_root(base), document_root(over));
		json_t *expected = merge_with_jansson(one, other);
		json_t *found = to_jansson(document_root(merged));

		CU_ASSERT_TRUE(json_equal(expected, found));
		json_decref(one);
		json_decref(other);
		json_decref(expected);
		json_decref(found);
		document_unref(base);
		document_unref(over);
		document_unref(merged);
	}
}

/* Objects too large to be searched member by member. */
static void
test_large_merge(void)
{
	json_t *one = json_object();
	json_t *other = json_object();
	document *base, *over, *merged;
	char key[16];

	for (int i = 0; i < 50000; i++) {
		snprintf(key, sizeof(key), "%d", i);
		json_object_set_new(one, key, json_integer(i));
		snprintf(key, sizeof(key), "%d", i + 25000);
		json_object_set_new(other, key, json_integer(-i));
	}
	base = from_jansson(one);
	over = from_jansson(other);
	merged = document_merge(document_root(base), document_root(over));
	CU_ASSERT_EQUAL(limen_value_count(document_root(merged)), 75000);
	CU_ASSERT_TRUE(prints_as(find_value(merged, "/74999"), "-49999"));
	CU_ASSERT_TRUE(prints_as(find_value(merged, "/24999"), "24999"));
	json_decref(one);
	json_decref(other);
	document_unref(base);
	document_unref(over);
	document_unref(merged);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a copy keeps places and pointers", test_copy },
		{ "merges", test_merge },
		{ "a merge keeps places", test_merge_places },
		{ "random merges against jansson", test_random_merges },
		{ "large objects", test_large_merge },
		{ "a part shares the memory of the whole", test_share },
		{ "a part has the pointers of the whole", test_part_pointers },
		{ "a part is changed and compared as any document", test_change_part },
		{ NULL, NULL },
	};

	return suite_run("core/document_edit", tests);
}
