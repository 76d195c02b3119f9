/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include "document/diag.h"
#include "documents.h"
#include "base/strbuf.h"

#include <string.h>

static void
test_null(void)
{
	limen_diag_add(NULL, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "x");
	limen_diag_hint(NULL, "x");
	diag_set_context(NULL, limen_value_none());
	diag_add_place(NULL, LIMEN_SEVERITY_PROBLEM, NULL, 0, 0, NULL, "x");
	limen_diag_write(NULL, stdout);
	limen_diag_free(NULL);
	CU_ASSERT_EQUAL(limen_diag_count(NULL, LIMEN_SEVERITY_NOTE), 0);
	CU_ASSERT_PTR_NULL(limen_diag_get(NULL, 0));
}

static void
test_counts(void)
{
	limen_diag *diag = limen_diag_new();

	limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_value_none(), "n");
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "p");
	limen_diag_add(diag, LIMEN_SEVERITY_WARNING, limen_value_none(), "w");
	limen_diag_add(diag, (limen_severity)17, limen_value_none(), "unknown");
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 4);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_WARNING), 3);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 2);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->text, "n");
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 2)->text, "w");
	CU_ASSERT_PTR_NULL(limen_diag_get(diag, 4));
	CU_ASSERT_PTR_NULL(limen_diag_get(diag, SIZE_MAX));
	limen_diag_free(diag);
}

/* Entries outlive what they are about, and stay where they are as the list grows. */
static void
test_ownership(void)
{
	document *doc = read_literal("{\"a\":\n  [0, 1]}");
	limen_diag *diag = limen_diag_new();
	const limen_problem *first;

	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, find_value(doc, "/a/1"), "must be %d or %s", 2,
	               "less");
	limen_diag_hint(diag, "write %s", "0");
	document_unref(doc);
	first = limen_diag_get(diag, 0);
	for (int i = 0; i < 1000; i++)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_value_none(), "%d", i);
	CU_ASSERT_STRING_EQUAL(first->file, "literal");
	CU_ASSERT_EQUAL(first->line, 2);
	CU_ASSERT_EQUAL(first->column, 7);
	CU_ASSERT_STRING_EQUAL(first->pointer, "/a/1");
	CU_ASSERT_STRING_EQUAL(first->text, "must be 2 or less");
	CU_ASSERT_STRING_EQUAL(first->hint, "write 0");
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 1000)->text, "999");
	CU_ASSERT_PTR_NULL(limen_diag_get(diag, 1000)->hint);
	limen_diag_free(diag);
}

static void
test_context(void)
{
	document *doc = read_literal("{\"a\":1,\"b\":2}");
	limen_diag *diag = limen_diag_new();

	diag_set_context(diag, find_value(doc, "/a"));
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "x");
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, find_value(doc, "/b"), "x");
	diag_set_context(diag, limen_value_none());
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "x");
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->pointer, "/a");
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 1)->pointer, "/b");
	CU_ASSERT_PTR_NULL(limen_diag_get(diag, 2)->pointer);
	CU_ASSERT_PTR_NULL(limen_diag_get(diag, 2)->file);
	limen_diag_free(diag);
	document_unref(doc);
}

/* A place in a file that is no policy has nothing of the entry. */
static void
test_at(void)
{
	document *doc = read_literal("{\"a\":1}");
	limen_diag *diag = limen_diag_new();
	const limen_problem *found;
	char file[] = "list";

	limen_diag_add_at(NULL, LIMEN_SEVERITY_PROBLEM, "list", 1, "x");
	diag_set_context(diag, find_value(doc, "/a"));
	limen_diag_add_at(diag, LIMEN_SEVERITY_WARNING, file, 7, "%s is %d", "b", 2);
	limen_diag_hint(diag, "write 0");
	limen_diag_add_at(diag, LIMEN_SEVERITY_PROBLEM, "other", 0, "empty");
	memset(file, 'x', strlen(file));
	found = limen_diag_get(diag, 0);
	CU_ASSERT_STRING_EQUAL(found->file, "list");
	CU_ASSERT_EQUAL(found->line, 7);
	CU_ASSERT_EQUAL(found->column, 0);
	CU_ASSERT_PTR_NULL(found->pointer);
	CU_ASSERT_STRING_EQUAL(found->text, "b is 2");
	CU_ASSERT_STRING_EQUAL(found->hint, "write 0");
	CU_ASSERT_EQUAL(limen_diag_get(diag, 1)->line, 0);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 1);
	limen_diag_free(diag);
	document_unref(doc);
}

/* Pointers may be as long as the text; that must not make its square. */
static void
test_long_pointers(void)
{
	const size_t length = ((size_t)1 << 18) - strlen("//0") - 1;
	strbuf text = STRBUF_INIT;
	limen_diag *diag = limen_diag_new();
	limen_value list;
	document *doc;

	strbuf_adds(&text, "{\"");
	for (size_t i = 0; i < length; i++)
		strbuf_addc(&text, 'k');
	strbuf_adds(&text, "\":\n[0,1,2,3,4,5]}");
	doc = read_literal(text.text);
	list = limen_value_member(document_root(doc), text.text + 2, length);
	/* With their ends, four of them take a MiB. */
	for (size_t i = 0; i < 6; i++) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_at(list, i), "%zu", i);
		limen_diag_hint(diag, "do %zu", i);
	}
	diag_add_place(diag, LIMEN_SEVERITY_PROBLEM, "f", 1, 2, "/a", "6");
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 7);
	for (size_t i = 0; i < 6; i++) {
		const limen_problem *one = limen_diag_get(diag, i);

		CU_ASSERT_EQUAL(one->pointer != NULL, i < 4);
		CU_ASSERT_EQUAL(one->line, 2);
		CU_ASSERT_EQUAL(one->column, 2 + 2 * i);
		CU_ASSERT_EQUAL(one->text[0], one->hint[3]);
	}
	CU_ASSERT_PTR_NULL(limen_diag_get(diag, 6)->pointer);
	limen_diag_free(diag);
	document_unref(doc);
	strbuf_free(&text);
}

/* Adds 'count' entries, each as long as the format says, with a hint. */
static void
add_many(limen_diag *diag, limen_severity severity, size_t count, int length)
{
	for (size_t i = 0; i < count; i++) {
		limen_diag_add(diag, severity, limen_value_none(), "%*zu", length, i);
		limen_diag_hint(diag, "hint %zu", i);
	}
}

static void
check_rest(const limen_diag *diag, size_t at, limen_severity severity, const char *text)
{
	const limen_problem *rest = limen_diag_get(diag, at);

	CU_ASSERT_PTR_NOT_NULL_FATAL(rest);
	CU_ASSERT_EQUAL(rest->severity, severity);
	CU_ASSERT_STRING_EQUAL(rest->text, text);
	CU_ASSERT_PTR_NULL(rest->hint);
	CU_ASSERT_PTR_NULL(limen_diag_get(diag, at + 1));
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), at + 1);
}

/* Warnings hide no problem, nor does what is left out: whoever counts learns of each. */
static void
test_many(void)
{
	limen_diag *diag = limen_diag_new();

	add_many(diag, LIMEN_SEVERITY_WARNING, 999, 1);
	add_many(diag, LIMEN_SEVERITY_NOTE, 1, 1);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 1000);
	CU_ASSERT_PTR_NULL(limen_diag_get(diag, 1000));
	add_many(diag, LIMEN_SEVERITY_NOTE, 2, 1);
	check_rest(diag, 1000, LIMEN_SEVERITY_NOTE, "and 2 more, which are not listed");
	add_many(diag, LIMEN_SEVERITY_WARNING, 1, 1);
	check_rest(diag, 1000, LIMEN_SEVERITY_WARNING, "and 3 more, which are not listed");
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_WARNING), 1000);
	add_many(diag, LIMEN_SEVERITY_PROBLEM, 1000, 1);
	check_rest(diag, 2000, LIMEN_SEVERITY_WARNING, "and 3 more, which are not listed");
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 1000);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 1999)->text, "999");
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 1999)->hint, "hint 999");
	add_many(diag, (limen_severity)17, 1, 1);
	diag_add_place(diag, LIMEN_SEVERITY_PROBLEM, "f", 1, 1, "/a", "x");
	add_many(diag, LIMEN_SEVERITY_NOTE, 1, 1);
	check_rest(diag, 2000, LIMEN_SEVERITY_PROBLEM, "and 6 more, which are not listed");
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 1002);
	limen_diag_free(diag);
}

/* A text of 256 KiB less its hint: four of them with their ends and hints are a MiB. */
static void
test_long_texts(void)
{
	const int length = (1 << 18) - (int)sizeof("hint 0") - 1;
	limen_diag *diag = limen_diag_new();

	add_many(diag, LIMEN_SEVERITY_PROBLEM, 5, length);
	check_rest(diag, 4, LIMEN_SEVERITY_PROBLEM, "and 1 more, which are not listed");
	limen_diag_free(diag);
	diag = limen_diag_new();
	add_many(diag, LIMEN_SEVERITY_PROBLEM, 5, length - 1);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 5);
	add_many(diag, LIMEN_SEVERITY_PROBLEM, 1, 1);
	check_rest(diag, 5, LIMEN_SEVERITY_PROBLEM, "and 1 more, which are not listed");
	diag_add_place(diag, LIMEN_SEVERITY_WARNING, "f", 1, 1, "/a", "there is room for warnings");
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 5)->file, "f");
	limen_diag_free(diag);
}

static void
test_print(void)
{
	static const char expected[] =
	        "f.conf:3:7: error: At /a/b: text\n"
	        "f.conf:3:7: warning: At /: root\n"
	        "  hint: do so\n"
	        "f.conf: note: whole file\n"
	        "f.conf:3: error: line\n"
	        "3:7: error: unnamed\n"
	        "error: At /x: no file\n"
	        "error: bare\n"
	        "error: a\\x0ab\\x1b[31m\xC3\xA9\n";
	limen_diag *diag = limen_diag_new();
	char *text = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&text, &length);

	limen_diag_hint(diag, "about nothing");
	diag_add_place(diag, LIMEN_SEVERITY_PROBLEM, "f.conf", 3, 7, "/a/b", "text");
	diag_add_place(diag, LIMEN_SEVERITY_WARNING, "f.conf", 3, 7, "", "root");
	limen_diag_hint(diag, "do so");
	diag_add_place(diag, LIMEN_SEVERITY_NOTE, "f.conf", 0, 0, NULL, "whole file");
	diag_add_place(diag, LIMEN_SEVERITY_PROBLEM, "f.conf", 3, 0, NULL, "line");
	diag_add_place(diag, LIMEN_SEVERITY_PROBLEM, NULL, 3, 7, NULL, "unnamed");
	diag_add_place(diag, LIMEN_SEVERITY_PROBLEM, NULL, 0, 0, "/x", "no file");
	diag_add_place(diag, LIMEN_SEVERITY_PROBLEM, NULL, 0, 0, NULL, "bare");
	diag_add_place(diag, LIMEN_SEVERITY_PROBLEM, NULL, 0, 0, NULL, "a\nb\x1B[31m\xC3\xA9");
	CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
	limen_diag_write(diag, stream);
	fclose(stream);
	CU_ASSERT_STRING_EQUAL(text, expected);
	free(text);
	limen_diag_free(diag);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "no list is fine everywhere", test_null },
		{ "entries are counted by severity", test_counts },
		{ "entries own their strings", test_ownership },
		{ "entries without a place take the context's", test_context },
		{ "a module gives a line of a file that it read", test_at },
		{ "pointers end where they would be too long together", test_long_pointers },
		{ "so many entries are kept, and the others counted", test_many },
		{ "and so many bytes of texts", test_long_texts },
		{ "printing leaves out what is unknown", test_print },
		{ NULL, NULL },
	};

	return suite_run("core/diag", tests);
}
