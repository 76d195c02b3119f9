/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include "document/document_layout.h"
#include "documents.h"
#include "base/strbuf.h"
#include "reader/reader.h"

static void
test_places(void)
{
	static const struct {
		const char *pointer;
		unsigned line, column;
	} cases[] = {
		{ "", 2, 1 },
		{ "/a", 3, 7 },
		{ "/a/0", 3, 8 },
		{ "/a/1", 4, 4 },
		{ "/\xC3\xA9", 5, 13 },
		{ "/\xC3\xA9/b", 5, 24 },
		{ "/c", 6, 6 },
	};
	document *doc = read_literal("\n{\n \"a\": [1,\n   {}],\r\n \"x\":0, "
	                             "\"\xC3\xA9\":{\"\xE2\x82\xAC\":0,\"b\":-1},\n \"c\":\"z\"}");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		place found = value_place(find_value(doc, cases[i].pointer));

		CU_ASSERT_STRING_EQUAL(found.file, "literal");
		CU_ASSERT_EQUAL(found.line, cases[i].line);
		CU_ASSERT_EQUAL(found.column, cases[i].column);
	}
	document_unref(doc);
}

static void
test_unknown(void)
{
	builder *build = builder_new();
	document *doc;
	place found = value_place(limen_value_none());

	CU_ASSERT_TRUE(found.file == NULL && found.line == 0 && found.column == 0);
	builder_null(build, ORIGIN_NONE, 17);
	doc = builder_finish(build);
	found = value_place(document_root(doc));
	CU_ASSERT_TRUE(found.file == NULL && found.line == 0 && found.column == 0);
	document_unref(doc);

	doc = json_read(NULL, " 1", 2, 0, NULL);
	found = value_place(document_root(doc));
	CU_ASSERT_TRUE(found.file == NULL && found.line == 1 && found.column == 2);
	document_unref(doc);
}

/* An array of 'count' numbers, 'gap' before each: their places follow from how it was written. */
static void
check_many(size_t count, const char *gap, bool on_lines)
{
	strbuf text = STRBUF_INIT;
	char *made;
	document *doc;
	limen_iter iter;
	limen_value value;
	unsigned wrong = 0;
	unsigned i = 0;

	for (size_t j = 0; j < count; j++)
		strbuf_addf(&text, "%c%s%u", j == 0 ? '[' : ',', gap, (unsigned)(j % 10));
	strbuf_addc(&text, ']');
	made = strbuf_steal(&text, NULL);
	doc = read_literal(made);
	iter = limen_iter_start(document_root(doc));
	for (; limen_iter_next(&iter, NULL, &value); i++) {
		place found = value_place(value);
		unsigned column = on_lines ? 2 : 3 + 3 * i;

		wrong += found.line != (on_lines ? i + 2 : 1) || found.column != column;
	}
	CU_ASSERT_EQUAL(i, count);
	CU_ASSERT_EQUAL(wrong, 0);
	document_unref(doc);
	free(made);
}

static void
test_many(void)
{
	check_many(100000, "\n ", true);
	check_many(100000, " ", false);
}

/* Goes through the whole value: each node's pointer leads back to it. */
static void
check_pointers(const document *doc, limen_value value)
{
	limen_iter iter = limen_iter_start(value);
	char *pointer = value_pointer(value);
	limen_value key, member;

	CU_ASSERT_PTR_EQUAL(find_value(doc, pointer).node, value.node);
	while (limen_iter_next(&iter, &key, &member)) {
		char *by_key = value_pointer(key);
		char *by_member = value_pointer(member);

		if (limen_value_exists(key))
			CU_ASSERT_STRING_EQUAL(by_key, by_member);
		free(by_key);
		free(by_member);
		check_pointers(doc, member);
	}
	free(pointer);
}

static void
test_pointers(void)
{
	uint64_t state = 99;

	for (int i = 0; i < 200; i++) {
		document *doc = make_random(&state);

		check_pointers(doc, document_root(doc));
		document_unref(doc);
	}
}

/* The same where there are so many nodes that a table is made. */
static void
test_pointers_of_many(void)
{
	uint64_t state = 7;
	builder *build = builder_new();
	document *doc;

	builder_begin_array(build, ORIGIN_NONE, 0);
	for (int i = 0; i < 300; i++) {
		document *part = make_random(&state);

		builder_copy(build, document_root(part));
		document_unref(part);
	}
	builder_end(build);
	doc = builder_finish(build);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	check_pointers(doc, document_root(doc));
	CU_ASSERT_PTR_NOT_NULL(doc->parent_index);
	document_unref(doc);
}

/* Keys that were overridden, a base, and parts that came from elsewhere. */
static void
test_pointers_with_table(void)
{
	document *part = read_literal("{\"x\":[{\"a\":1,\"a\":{\"~/\":[2]}}]}");
	builder *build = builder_new();
	document *doc;
	char *pointer;

	CU_ASSERT_TRUE(document_set_base(part, "/other"));
	builder_begin_array(build, ORIGIN_NONE, 0);
	for (int i = 0; i < 2000; i++)
		builder_null(build, ORIGIN_NONE, 0);
	builder_graft(build, find_value(part, "/x/0"));
	builder_copy(build, document_root(part));
	builder_end(build);
	doc = builder_finish(build);
	CU_ASSERT_TRUE(document_set_base(doc, "/base"));
	pointer = value_pointer(find_value(doc, "/2000/a/~0~1/0"));
	CU_ASSERT_STRING_EQUAL(pointer, "/other/x/0/a/~0~1/0");
	free(pointer);
	pointer = value_pointer(find_value(doc, "/2001/x/0/a/~0~1/0"));
	CU_ASSERT_STRING_EQUAL(pointer, "/base/2001/x/0/a/~0~1/0");
	free(pointer);
	pointer = value_pointer(document_root(doc));
	CU_ASSERT_STRING_EQUAL(pointer, "/base");
	free(pointer);
	document_unref(part);
	document_unref(doc);
}

/* With a walk past the siblings this would take minutes. */
static void
test_pointers_in_linear_time(void)
{
	enum { COUNT = 200000 };
	strbuf text = STRBUF_INIT;
	limen_value element;
	limen_iter iter;
	document *doc;
	unsigned wrong = 0;
	unsigned i = 0;
	char *made;

	for (unsigned j = 0; j < COUNT; j++)
		strbuf_adds(&text, j == 0 ? "[0" : ",0");
	strbuf_addc(&text, ']');
	made = strbuf_steal(&text, NULL);
	doc = read_literal(made);
	iter = limen_iter_start(document_root(doc));
	for (; limen_iter_next(&iter, NULL, &element); i++) {
		char *pointer = value_pointer(element);

		wrong += strtoul(pointer + 1, NULL, 10) != i;
		free(pointer);
	}
	CU_ASSERT_EQUAL(i, COUNT);
	CU_ASSERT_EQUAL(wrong, 0);
	document_unref(doc);
	free(made);
}

/* Pointers and field paths begin at the root of the document, wherever that stands in a file. */
static void
test_ways(void)
{
	static const struct {
		const char *pointer;
		const char *field;
	} cases[] = {
		{ "", "" },
		{ "/spec", "spec" },
		{ "/spec/containers", "spec.containers" },
		{ "/spec/containers/1", "spec.containers[1]" },
		{ "/spec/containers/1/image", "spec.containers[1].image" },
		{ "/spec/containers/0/0", "spec.containers[0][0]" },
		{ "/m/example.com~1a", "m[example.com/a]" },
		{ "/m/a-b", "m[a-b]" },
		{ "/m/", "m[]" },
		{ "/m/~0", "m[~]" },
		{ "/m/a_9", "m.a_9" },
		{ "/ /x", "[ ].x" },
	};
	document *whole = read_literal("[{\"spec\":{\"containers\":[[1],{\"name\":1,\"image\":2}]},"
	                               "\"m\":{\"example.com/a\":1,\"a-b\":2,\"a-b\":3,\"\":4,"
	                               "\"~\":5,\"a_9\":6},\" \":{\"x\":7},\"n\\u0000n\":8}]");
	document *part = document_share(find_value(whole, "/0"));
	limen_value key = limen_value_none(), member;
	limen_iter iter = limen_iter_start(document_root(part));

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_value value = find_value(part, cases[i].pointer);
		char *pointer = limen_value_pointer(value);
		char *field = limen_value_field_path(value);

		CU_ASSERT_STRING_EQUAL(pointer, cases[i].pointer);
		CU_ASSERT_STRING_EQUAL(field, cases[i].field);
		free(pointer);
		free(field);
	}
	while (limen_iter_next(&iter, &key, &member))
		;
	CU_ASSERT_PTR_NULL(limen_value_pointer(member));
	CU_ASSERT_PTR_NULL(limen_value_field_path(key));
	CU_ASSERT_PTR_NULL(limen_value_pointer(limen_value_none()));
	CU_ASSERT_PTR_NULL(limen_value_field_path(limen_value_none()));
	document_unref(part);
	document_unref(whole);
}

static void
test_base(void)
{
	document *doc = read_literal("{\"a/~\":[1]}");
	char *pointer;

	CU_ASSERT_TRUE(document_set_base(doc, "/limits/3/data"));
	pointer = value_pointer(document_root(doc));
	CU_ASSERT_STRING_EQUAL(pointer, "/limits/3/data");
	free(pointer);
	pointer = value_pointer(find_value(doc, "/a~1~0/0"));
	CU_ASSERT_STRING_EQUAL(pointer, "/limits/3/data/a~1~0/0");
	free(pointer);
	document_unref(doc);
	pointer = value_pointer(limen_value_none());
	CU_ASSERT_STRING_EQUAL(pointer, "");
	free(pointer);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "lines and columns", test_places },
		{ "many values on many lines and on one", test_many },
		{ "unknown places", test_unknown },
		{ "every pointer leads back to its value", test_pointers },
		{ "also in large documents", test_pointers_of_many },
		{ "also with overridden keys and parts of other files", test_pointers_with_table },
		{ "pointers of all nodes take linear time", test_pointers_in_linear_time },
		{ "pointers begin with the document's base", test_base },
		{ "pointers and field paths within a document", test_ways },
		{ NULL, NULL },
	};

	return suite_run("core/place", tests);
}
