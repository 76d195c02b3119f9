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
	check_failure("limits.conf", "\"", true);
	check_failure("limits.conf", "# ours\n{}", true);
	check_failure("limits.conf", "schema: 4", true);
	check_failure("limits.conf", "\xFF\xFE{\0}", true);
	check_failure("https://example.net/limits.conf", "schema: 4", true);
	check_failure("https://example.net/limits", "- {", false);
	check_failure(NULL, "\"", false);
	check_failure(".jso", "\"", false);
}

/* Each text is refused in a .conf file, with advice that names what to write. */
static void
test_advice(void)
{
	static const struct {
		const char *text;
		const char *hint; /* its beginning */
	} rows[] = {
		{ "# ours\n{}", "JSON has no comments: write a member \"#\": \"text\"; YAML needs" },
		{ "{\n# ours\n}", "JSON has no comments: write a member \"#\": \"text\"; YAML needs" },
		{ "// ours\n{}", "JSON has no comments: write a member \"#\": \"text\"" },
		{ "{ /* ours */ }", "JSON has no comments: write a member \"#\": \"text\"" },
		{ "\xFF\xFE{}", "save it as UTF-8" },
		{ "{\"a\": \"\xFC\"}", "save it as UTF-8" },
		{ "1{}", "JSON begins with '{'; YAML needs" },
		{ "---\n{}", "JSON begins with '{'; YAML needs" },
		{ "schema: 4\nlimits: []", "JSON begins with '{'; YAML needs" },
		{ "\"schema\": 4 }", "JSON begins with '{'; YAML needs" },
		{ "{\"a\": [{\"b\": 1]}", "a '}' is missing before it" },
		{ "{\"a\": [1}", "a ']' is missing before it" },
		{ "{\"a\": [1,]}", "remove the comma before it" },
		{ "{\"a\": }", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_diag *diag = limen_diag_new();
		const limen_problem *problem;

		CU_ASSERT_PTR_NULL(json_read("a.conf", rows[i].text, strlen(rows[i].text), 0,
		                             diag));
		problem = limen_diag_get(diag, 0);
		CU_ASSERT_PTR_NOT_NULL_FATAL(problem);
		CU_ASSERT_EQUAL(problem->hint == NULL, rows[i].hint == NULL);
		if (problem->hint != NULL && rows[i].hint != NULL)
			CU_ASSERT_EQUAL(strncmp(problem->hint, rows[i].hint, strlen(rows[i].hint)), 0);
		limen_diag_free(diag);
	}
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
		{ "invalid JSON has advice", test_advice },
		{ "JSON gives one document", test_json },
		{ "YAML gives one document each", test_yaml },
		{ NULL, NULL },
	};

	return suite_run("core/text_read", tests);
}
