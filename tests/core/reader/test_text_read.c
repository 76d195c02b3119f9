/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <limen/diag.h>

#include "documents.h"
#include "reader/reader.h"

/*
 * Reads 'text' and tells by what only one of the two formats allows who read
 * it: JSON's own message, or success with text that is no JSON.
 */
static void
check_failure(const char *name, const char *text, bool json)
{
	limen_diag *diag = limen_diag_new();
	document **docs = NULL;
	size_t count = 0;
	int result = text_read(name, text, strlen(text), 0, &docs, &count, diag);
	const limen_problem *problem = limen_diag_get(diag, 0);
	bool as_json;

	CU_ASSERT_NOT_EQUAL(result, LIMEN_OK);
	CU_ASSERT_PTR_NULL(docs);
	as_json = problem != NULL && strncmp(problem->text, "Invalid JSON: ", 14) == 0;
	CU_ASSERT_EQUAL(as_json, json);
	limen_diag_free(diag);
}

/* Neither format allows these texts, but each says so in its own words. */
static void
test_choice(void)
{
	check_failure("a.json", "{", true);
	check_failure("a.json", "\"", true);
	check_failure("a.json", "", true);
	check_failure("limits.conf", "{", true);
	check_failure("limits.conf", " \t\r\n [", true);
	check_failure("limits.conf", "\xEF\xBB\xBF{}", true);
	check_failure(NULL, "{", true);
	check_failure("a.yaml", "{", false);
	check_failure("a.yml", "[", false);
	check_failure("limits.conf", "\"", false);
	check_failure(NULL, "\"", false);
	check_failure(".jso", "\"", false);
}

static void
test_json(void)
{
	limen_diag *diag = limen_diag_new();
	document **docs = NULL;
	size_t count = 0;

	CU_ASSERT_EQUAL_FATAL(text_read("x", " {\"#\":1,\"a\":NaN}", 16,
	                                READ_COMMENTS | READ_NAN, &docs, &count, diag), LIMEN_OK);
	CU_ASSERT_EQUAL_FATAL(count, 1);
	CU_ASSERT_TRUE(prints_as(document_root(docs[0]), "{\"a\":null}"));
	document_unref(docs[0]);
	free(docs);
	limen_diag_free(diag);
}

static void
test_yaml(void)
{
	limen_diag *diag = limen_diag_new();
	document **docs = NULL;
	size_t count = 0;

	CU_ASSERT_EQUAL_FATAL(text_read("x", "a: 1\n---\nb: [2]\n", 16, 0, &docs, &count, diag),
	                      LIMEN_OK);
	CU_ASSERT_EQUAL_FATAL(count, 2);
	CU_ASSERT_TRUE(prints_as(document_root(docs[0]), "{\"a\":1}"));
	CU_ASSERT_TRUE(prints_as(document_root(docs[1]), "{\"b\":[2]}"));
	document_unref(docs[0]);
	document_unref(docs[1]);
	free(docs);
	limen_diag_free(diag);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the format follows from name and first character", test_choice },
		{ "JSON gives one document", test_json },
		{ "YAML gives one document each", test_yaml },
		{ NULL, NULL },
	};

	return suite_run("core/text_read", tests);
}
