/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents as programs read them.  What the readers themselves make of text is
 * for test_json_read.c and test_yaml_read.c.
 */
#include <limen/documents.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static limen_documents *
parse(const char *name, const char *text, unsigned flags, limen_diag *diag)
{
	limen_documents *made = NULL;
	int result = limen_documents_parse(name, text, strlen(text), flags, &made, diag);

	CU_ASSERT_TRUE((result == LIMEN_OK) == (made != NULL));
	return made;
}

static void
test_formats(void)
{
	static const struct {
		const char *name;
		const char *text;
		size_t count; /* 0: refused */
		const char *first;
	} rows[] = {
		{ NULL, "{\"a\":1}", 1, "{\"a\":1}" },
		{ NULL, "a: 1", 1, "{\"a\":1}" },
		{ NULL, "a: 1\n---\n# nothing\n---\nb: 2\n", 2, "{\"a\":1}" },
		{ NULL, "a: &x [1]\nb: *x\n", 1, "{\"a\":[1],\"b\":[1]}" },
		{ NULL, " \n[1]", 1, "[1]" },
		{ "x.json", "a: 1", 0, NULL },
		{ "x.yaml", "{a: 1}", 1, "{\"a\":1}" },
		{ "x.yml", "{\"#\": 1}", 1, "{\"#\":1}" },
		{ NULL, "{a: 1}", 0, NULL },
		{ NULL, "a: [", 0, NULL },
		{ NULL, "\xFF: 1", 0, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_diag *diag = limen_diag_new();
		limen_documents *made = parse(rows[i].name, rows[i].text, 0, diag);
		char *text;

		CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0,
		                rows[i].count == 0);
		limen_diag_free(diag);
		CU_ASSERT_EQUAL_FATAL(made == NULL, rows[i].count == 0);
		if (made == NULL)
			continue;
		CU_ASSERT_EQUAL(limen_documents_count(made), rows[i].count);
		text = limen_value_to_json(limen_documents_get(made, 0), 0, NULL);
		CU_ASSERT_STRING_EQUAL(text, rows[i].first);
		CU_ASSERT_FALSE(limen_value_exists(limen_documents_get(made, rows[i].count)));
		free(text);
		limen_documents_free(made);
	}
	limen_documents_free(NULL);
}

/* What pScheduler reads that JSON is not, and YAML with comments of that kind. */
static void
test_flags(void)
{
	enum { DROP = LIMEN_DOCUMENTS_DROP_COMMENTS, NANS = LIMEN_DOCUMENTS_NAN };
	static const struct {
		const char *text;
		unsigned flags;
		const char *wanted; /* NULL: refused */
	} rows[] = {
		{ "{\"#\":1,\"a\":[{\"#b\":2,\"c#\":3}]}", 0, "{\"#\":1,\"a\":[{\"#b\":2,\"c#\":3}]}" },
		{ "{\"#\":1,\"a\":[{\"#b\":2,\"c#\":3}]}", DROP, "{\"a\":[{\"c#\":3}]}" },
		{ "\"#x\": 1\na: {\"#\": 2}\n", DROP, "{\"a\":{}}" },
		{ "[NaN,-Infinity]", NANS, "[null,null]" },
		{ "{\"#\":NaN}", DROP | NANS, "{}" },
		{ "[NaN]", DROP, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_documents *made = parse(NULL, rows[i].text, rows[i].flags, NULL);
		char *text;

		CU_ASSERT_EQUAL_FATAL(made == NULL, rows[i].wanted == NULL);
		if (made == NULL)
			continue;
		text = limen_value_to_json(limen_documents_get(made, 0), 0, NULL);
		CU_ASSERT_STRING_EQUAL(text, rows[i].wanted);
		free(text);
		limen_documents_free(made);
	}
}

static void
test_nothing(void)
{
	limen_documents *made = parse(NULL, "# nothing\n", 0, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(made);
	CU_ASSERT_EQUAL(limen_documents_count(made), 0);
	limen_documents_free(made);
	CU_ASSERT_PTR_NULL(parse("x.json", "", 0, NULL));
}

static void
test_places(void)
{
	limen_diag *diag = limen_diag_new();
	limen_documents *made = parse("pods.yaml", "---\na: 1\n---\nb:\n  c: 2\n", 0, diag);
	limen_value value = limen_value_get(limen_documents_get(made, 1), "b");

	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_get(value, "c"), "here");
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->file, "pods.yaml");
	CU_ASSERT_EQUAL(limen_diag_get(diag, 0)->line, 5);
	CU_ASSERT_EQUAL(limen_diag_get(diag, 0)->column, 6);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->pointer, "/b/c");
	limen_documents_free(made);
	limen_diag_free(diag);
}

static void
test_repeated(void)
{
	static const char *const texts[] = { "{\"a\":1,\"a\":2}", "a: 1\na: 2\n" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		limen_diag *diag = limen_diag_new();
		limen_documents *made = parse(NULL, texts[i], 0, diag);
		int64_t value = 0;

		CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 0);
		limen_documents_free(made);
		made = parse(NULL, texts[i], LIMEN_DOCUMENTS_NOTE_REPEATED, diag);
		CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 1);
		limen_value_int(limen_value_get(limen_documents_get(made, 0), "a"), &value);
		CU_ASSERT_EQUAL(value, 2);
		limen_documents_free(made);
		limen_diag_free(diag);
	}
}

/* Nine levels of ten aliases each would be a thousand million values. */
static void
test_aliases(void)
{
	char text[2048] = "a0: &a0 [x]\n";
	limen_diag *diag = limen_diag_new();

	for (int i = 1; i <= 9; i++) {
		size_t used = strlen(text);

		used += (size_t)snprintf(text + used, sizeof(text) - used, "a%d: &a%d [", i, i);
		for (int j = 0; j < 10; j++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s*a%d",
			                         j == 0 ? "" : ",", i - 1);
		snprintf(text + used, sizeof(text) - used, "]\n");
	}
	CU_ASSERT_PTR_NULL(parse("bomb.yaml", text, 0, diag));
	CU_ASSERT_TRUE(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0);
	limen_diag_free(diag);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "JSON and YAML", test_formats },
		{ "comments and numbers of pScheduler", test_flags },
		{ "no document", test_nothing },
		{ "places", test_places },
		{ "repeated keys", test_repeated },
		{ "aliases of aliases", test_aliases },
		{ NULL, NULL }
	};

	return suite_run("core/documents", tests);
}
