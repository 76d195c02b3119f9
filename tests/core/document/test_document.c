/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <limen/diag.h>

#include "documents.h"

static void
test_references(void)
{
	document *doc = read_literal("[1]");

	CU_ASSERT_PTR_EQUAL(document_ref(doc), doc);
	document_unref(doc);
	CU_ASSERT_TRUE(prints_as(document_root(doc), "[1]"));
	document_unref(doc);
	document_unref(NULL);
	source_unref(NULL);
	CU_ASSERT_FALSE(limen_value_exists(document_root(NULL)));
}

static void
test_base(void)
{
	document *doc = read_literal("[1]");

	CU_ASSERT_STRING_EQUAL(document_base(doc), "");
	CU_ASSERT_TRUE(document_set_base(doc, "/limits/3"));
	CU_ASSERT_TRUE(document_set_base(doc, "/limits/4"));
	CU_ASSERT_STRING_EQUAL(document_base(doc), "/limits/4");
	document_unref(doc);
}

static void
test_duplicate_notes(void)
{
	document *doc = read_literal("{\"a\":{\"x\":1,\"x\":2},\n\"#\":1,\"#\":2,\n"
	                             "\"b\":{\"y\":0,\n \"y\":1},\"a\":3}");
	limen_diag *diag = limen_diag_new();

	document_note_duplicates(doc, diag);
	document_note_duplicates(doc, NULL);
	/* What stands within an overridden member matters to nobody. */
	CU_ASSERT_EQUAL_FATAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 2);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_WARNING), 0);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->pointer, "/a");
	CU_ASSERT_EQUAL(limen_diag_get(diag, 0)->line, 1);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 1)->pointer, "/b/y");
	CU_ASSERT_EQUAL(limen_diag_get(diag, 1)->line, 3);
	limen_diag_free(diag);
	document_unref(doc);
}

static void
test_many_duplicates(void)
{
	builder *build = builder_new();
	limen_diag *diag = limen_diag_new();
	document *doc;

	builder_begin_object(build, ORIGIN_NONE, 0);
	for (int i = 0; i < 10000; i++) {
		builder_string(build, ORIGIN_NONE, 0, "a", 1);
		builder_null(build, ORIGIN_NONE, 0);
	}
	builder_end(build);
	doc = builder_finish(build);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	document_note_duplicates(doc, diag);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 101);
	limen_diag_free(diag);
	document_unref(doc);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a document lives as long as it is referred to", test_references },
		{ "the base pointer can be replaced", test_base },
		{ "repeated keys are noted where they stand", test_duplicate_notes },
		{ "the number of notes is bounded", test_many_duplicates },
		{ NULL, NULL },
	};

	return suite_run("core/document", tests);
}
