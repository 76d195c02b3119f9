/* SPDX-License-Identifier: Apache-2.0 */
#include "document/borrowed.h"

#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "fail_malloc.h"
#include "suite.h"
#include "reader/reader.h"

static void
test_find(void)
{
	graft_list list = { .count = 0 };

	CU_ASSERT_PTR_NULL(grafts_find(&list, 0));
	for (uint32_t i = 0; i < 9; i++) {
		char pointer[8] = { '/', (char)('a' + i) };

		CU_ASSERT_TRUE(grafts_add(&list, i * 2 + 1, pointer));
	}
	for (uint32_t i = 0; i < 20; i++) {
		const char *found = grafts_find(&list, i);

		CU_ASSERT_EQUAL(found != NULL, i % 2 == 1 && i < 18);
		if (found != NULL)
			CU_ASSERT_EQUAL(found[1], (char)('a' + i / 2));
	}
	grafts_free(&list);
	CU_ASSERT_PTR_NULL(grafts_find(&list, 1));
}

static document *
read_text(const char *text)
{
	document *doc = json_read(NULL, text, strlen(text), 0, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	return doc;
}

/* {"m": [GRAFT, GRAFT]} of the members "x" and "y/" of 'from'; NULL when memory is short. */
static document *
graft_two(const document *from)
{
	builder *build = builder_new();

	if (build == NULL)
		return NULL;
	builder_begin_object(build, ORIGIN_NONE, 0);
	builder_string(build, ORIGIN_NONE, 0, "m", 1);
	builder_begin_array(build, ORIGIN_NONE, 0);
	builder_graft(build, limen_value_get(document_root(from), "x"));
	builder_graft(build, limen_value_get(document_root(from), "y/"));
	builder_end(build);
	builder_end(build);
	return builder_finish(build);
}

static void
expect_pointer(limen_value value, const char *wanted)
{
	char *pointer = value_pointer(value);

	CU_ASSERT_STRING_EQUAL(pointer, wanted);
	free(pointer);
}

static void
expect_pointers(limen_value root, const char *base)
{
	limen_value list = limen_value_get(root, "m");
	char above[16];

	strcpy(above, base);
	expect_pointer(root, base);
	expect_pointer(list, strcat(above, "/m"));
	expect_pointer(limen_value_at(list, 0), "/x");
	expect_pointer(limen_value_get(limen_value_at(list, 0), "a"), "/x/a");
	expect_pointer(limen_value_at(list, 1), "/y~1");
	expect_pointer(limen_value_at(limen_value_at(list, 1), 1), "/y~1/1");
}

/* Pointers survive being copied, whole or in part, and merged. */
static void
test_pointers(void)
{
	document *from = read_text("{\"d\": 1, \"x\": {\"a\": 0, \"a\": 1}, \"y/\": [1, 2]}");
	document *made = graft_two(from);
	document *copy, *part, *merged;

	CU_ASSERT_TRUE(document_set_base(made, "/base"));
	expect_pointers(document_root(made), "/base");
	copy = document_copy(document_root(made));
	expect_pointers(document_root(copy), "/base");
	part = document_copy(limen_value_at(limen_value_get(document_root(copy), "m"), 1));
	expect_pointer(limen_value_at(document_root(part), 0), "/y~1/0");
	merged = document_merge(document_root(from), document_root(copy));
	expect_pointer(limen_value_get(limen_value_at(limen_value_get(document_root(merged), "m"),
	                                              0), "a"), "/x/a");
	expect_pointer(limen_value_get(document_root(merged), "d"), "/base/d");
	document_unref(merged);
	document_unref(part);
	document_unref(copy);
	document_unref(made);
	document_unref(from);
}

static void
test_no_memory(void)
{
	document *from = read_text("{\"x\": {\"a\": 1}, \"y/\": [1, 2]}");
	document *made = NULL;

	for (unsigned long nth = 1; made == NULL && nth < 100; nth++) {
		fail_malloc_once(nth);
		made = graft_two(from);
		fail_malloc_stop();
	}
	CU_ASSERT_PTR_NOT_NULL_FATAL(made);
	expect_pointers(document_root(made), "");
	document_unref(made);
	document_unref(from);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "nodes with pointers of their own are found", test_find },
		{ "parts of other files keep their pointers", test_pointers },
		{ "a shortage of memory is told", test_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/grafts", tests);
}
