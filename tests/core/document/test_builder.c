/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <stdio.h>

#include "documents.h"

static void
add_member(builder *build, const char *key, const char *number)
{
	builder_string(build, ORIGIN_NONE, 0, key, strlen(key));
	builder_number(build, ORIGIN_NONE, 0, number, strlen(number));
}

static void
test_every_type(void)
{
	builder *build = builder_new();
	document *doc;

	builder_begin_array(build, ORIGIN_NONE, 0);
	builder_null(build, ORIGIN_NONE, 0);
	builder_bool(build, ORIGIN_NONE, 0, true);
	builder_bool(build, ORIGIN_NONE, 0, false);
	builder_number(build, ORIGIN_NONE, 0, "12", 2);
	builder_number(build, ORIGIN_NONE, 0, "1.20", 4);
	builder_string(build, ORIGIN_NONE, 0, "a\0b", 3);
	builder_begin_array(build, ORIGIN_NONE, 0);
	builder_end(build);
	builder_begin_object(build, ORIGIN_NONE, 0);
	add_member(build, "k", "1");
	builder_end(build);
	builder_end(build);
	doc = builder_finish(build);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	CU_ASSERT_TRUE(prints_as(document_root(doc),
	                         "[null,true,false,12,1.20,\"a\\u0000b\",[],{\"k\":1}]"));
	document_unref(doc);
}

/* 'count' members of which every name is used twice; the later ones count. */
static void
check_duplicates(uint32_t count)
{
	builder *build = builder_new();
	document *doc;
	limen_value root;
	char text[16];

	builder_begin_object(build, ORIGIN_NONE, 0);
	for (uint32_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%u", i % (count / 2));
		builder_string(build, ORIGIN_NONE, 0, text, strlen(text));
		snprintf(text, sizeof(text), "%u", i);
		builder_number(build, ORIGIN_NONE, 0, text, strlen(text));
	}
	builder_end(build);
	doc = builder_finish(build);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	root = document_root(doc);
	CU_ASSERT_EQUAL(limen_value_count(root), count / 2);
	for (uint32_t i = 0; i < count / 2; i++) {
		int64_t value = -1;

		snprintf(text, sizeof(text), "%u", i);
		CU_ASSERT_TRUE(limen_value_int(limen_value_get(root, text), &value));
		CU_ASSERT_EQUAL(value, i + count / 2);
	}
	document_unref(doc);
}

/* On both sides of the size from which a table is used. */
static void
test_duplicates(void)
{
	for (uint32_t count = 2; count <= 40; count += 2)
		check_duplicates(count);
	check_duplicates(2000);
}

static void
test_all_the_same(void)
{
	for (uint32_t count = 1; count < 50; count++) {
		builder *build = builder_new();
		document *doc;

		builder_begin_object(build, ORIGIN_NONE, 0);
		for (uint32_t i = 1; i < count; i++)
			add_member(build, "same", "1");
		add_member(build, "same", "2");
		builder_end(build);
		doc = builder_finish(build);
		CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
		CU_ASSERT_TRUE(prints_as(document_root(doc), "{\"same\":2}"));
		document_unref(doc);
	}
}

static void
test_keys_with_nuls(void)
{
	builder *build = builder_new();
	document *doc;

	builder_begin_object(build, ORIGIN_NONE, 0);
	builder_string(build, ORIGIN_NONE, 0, "a\0x", 3);
	builder_null(build, ORIGIN_NONE, 0);
	builder_string(build, ORIGIN_NONE, 0, "a\0y", 3);
	builder_null(build, ORIGIN_NONE, 0);
	builder_end(build);
	doc = builder_finish(build);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	CU_ASSERT_EQUAL(limen_value_count(document_root(doc)), 2);
	document_unref(doc);
}

static void
test_comments(void)
{
	builder *build = builder_new();
	document *doc;

	builder_drop_comments(build);
	builder_begin_object(build, ORIGIN_NONE, 0);
	add_member(build, "#", "1");
	add_member(build, "a", "2");
	add_member(build, "#", "3");
	add_member(build, "", "4");
	add_member(build, "a", "5");
	builder_end(build);
	doc = builder_finish(build);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	CU_ASSERT_TRUE(prints_as(document_root(doc), "{\"\":4,\"a\":5}"));
	document_unref(doc);
}

/* Each of these is a caller's mistake that must not make a document. */
static void
test_misuse(void)
{
	for (int i = 0; i < 8; i++) {
		builder *build = builder_new();

		switch (i) {
		case 0: /* nothing at all */
			break;
		case 1:
			builder_null(build, ORIGIN_NONE, 0);
			builder_null(build, ORIGIN_NONE, 0);
			break;
		case 2:
			builder_begin_array(build, ORIGIN_NONE, 0);
			break;
		case 3:
			builder_end(build);
			builder_null(build, ORIGIN_NONE, 0);
			break;
		case 4:
			builder_begin_object(build, ORIGIN_NONE, 0);
			builder_null(build, ORIGIN_NONE, 0);
			break;
		case 5:
			builder_begin_object(build, ORIGIN_NONE, 0);
			builder_string(build, ORIGIN_NONE, 0, "key", 3);
			builder_end(build);
			break;
		case 6:
			builder_copy(build, limen_value_none());
			break;
		default:
			for (int depth = 0; depth <= 2 * READ_DEPTH_MAX; depth++)
				builder_begin_array(build, ORIGIN_NONE, 0);
			for (int depth = 0; depth <= 2 * READ_DEPTH_MAX; depth++)
				builder_end(build);
		}
		CU_ASSERT_PTR_NULL(builder_finish(build));
	}
	builder_free(NULL);
}

static void
test_sources(void)
{
	builder *build = builder_new();
	source *a = source_new("a", "", 0);
	source *b = source_new("b", "", 0);

	CU_ASSERT_EQUAL(builder_source(build, a), 0);
	CU_ASSERT_EQUAL(builder_source(build, b), 1);
	CU_ASSERT_EQUAL(builder_source(build, a), 0);
	CU_ASSERT_EQUAL(builder_source(build, b), 1);
	source_unref(a);
	source_unref(b);
	builder_free(build);
}

static void
test_copy(void)
{
	static const char *const texts[] = {
		"null", "1.50", "\"x\"", "[]", "{}", "[[],[[]],{}]", "{\"a\":{\"b\":[]}}",
		"{\"a\":1,\"b\":{\"c\":[1,2,{\"d\":null}]},\"e\":[[[]]]}",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		document *from = read_literal(texts[i]);
		builder *build = builder_new();
		document *doc;
		char expected[256];

		builder_begin_array(build, ORIGIN_NONE, 0);
		builder_copy(build, document_root(from));
		builder_begin_object(build, ORIGIN_NONE, 0);
		builder_string(build, ORIGIN_NONE, 0, "k", 1);
		builder_copy(build, document_root(from));
		builder_end(build);
		builder_end(build);
		document_unref(from);
		doc = builder_finish(build);
		CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
		snprintf(expected, sizeof(expected), "[%s,{\"k\":%s}]", texts[i], texts[i]);
		CU_ASSERT_TRUE(prints_as(document_root(doc), expected));
		document_unref(doc);
	}
}

/* Copies leave hidden members behind and keep the place of everything else. */
static void
test_copy_part(void)
{
	document *from = read_literal("{\"a\":1,\n\"a\":[{\"b\":{},\"b\":7},\n8],\"c\":0,\"c\":9}");
	builder *build = builder_new();
	document *doc;

	builder_copy(build, document_root(from));
	document_unref(from);
	doc = builder_finish(build);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	CU_ASSERT_TRUE(prints_as(document_root(doc), "{\"a\":[{\"b\":7},8],\"c\":9}"));
	CU_ASSERT_STRING_EQUAL(value_place(find_value(doc, "/a/1")).file, "literal");
	CU_ASSERT_EQUAL(value_place(find_value(doc, "/a/1")).line, 3);
	CU_ASSERT_EQUAL(value_place(find_value(doc, "/a/0/b")).column, 18);
	document_unref(doc);
}

static void
test_long_texts(void)
{
	static char text[70000];
	builder *build = builder_new();
	document *doc;
	limen_value found;
	size_t length = 0;

	memset(text, 'x', sizeof(text));
	builder_begin_array(build, ORIGIN_NONE, 0);
	for (size_t i = 0; i < 1200; i++)
		builder_string(build, ORIGIN_NONE, 0, text, i);
	builder_string(build, ORIGIN_NONE, 0, text, sizeof(text));
	builder_end(build);
	doc = builder_finish(build);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	for (size_t i = 0; i < 1200; i++) {
		const char *copy = limen_value_string(limen_value_at(document_root(doc), i),
		                                      &length);

		CU_ASSERT_EQUAL(length, i);
		CU_ASSERT_EQUAL(strlen(copy), i);
	}
	found = limen_value_at(document_root(doc), 1200);
	CU_ASSERT_EQUAL(strlen(limen_value_string(found, NULL)), sizeof(text));
	document_unref(doc);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "values of every type", test_every_type },
		{ "the last of repeated keys counts, in objects of any size", test_duplicates },
		{ "one key over and over", test_all_the_same },
		{ "keys are compared beyond a NUL", test_keys_with_nuls },
		{ "comments are hidden on demand", test_comments },
		{ "calls that make no single value make no document", test_misuse },
		{ "a source has one index", test_sources },
		{ "copies are equal and independent", test_copy },
		{ "copies drop hidden members and keep places", test_copy_part },
		{ "texts of any length", test_long_texts },
		{ NULL, NULL },
	};

	return suite_run("core/builder", tests);
}
