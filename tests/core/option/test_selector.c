/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_selector.c - label selectors by the rules of Kubernetes, fields, and what
 * is no selector.
 */
#include <stdlib.h>
#include <string.h>

#include <limen/documents.h>
#include <limen/selector.h>

#include "suite.h"

#define LABELS(members) "{\"metadata\":{\"labels\":{" members "}}}"
#define WEB LABELS("\"app\":\"web\",\"tier\":\"front\"")
#define EXPRESSION(members) "{\"matchExpressions\":[{" members "}]}"

static limen_documents *
read_text(const char *text)
{
	limen_documents *made = NULL;

	CU_ASSERT_EQUAL_FATAL(
		limen_documents_parse("t.json", text, strlen(text), 0, &made, NULL), LIMEN_OK);
	return made;
}

/* 'labels' and 'fields' may be NULL. */
static int
make(const char *labels, const char *fields, limen_selector **out, limen_diag *diag)
{
	limen_documents *texts[2] = { NULL, NULL };
	limen_value values[2] = { limen_value_none(), limen_value_none() };
	const char *given[2] = { labels, fields };
	int result;

	for (size_t i = 0; i < 2; i++) {
		if (given[i] == NULL)
			continue;
		texts[i] = read_text(given[i]);
		values[i] = limen_documents_get(texts[i], 0);
	}
	result = limen_selector_new(values[0], values[1], out, diag);
	/* Nothing of them is kept. */
	limen_documents_free(texts[0]);
	limen_documents_free(texts[1]);
	return result;
}

struct match_case {
	const char *labels;
	const char *fields;
	const char *object;
	limen_verdict verdict;
};

static const struct match_case label_cases[] = {
	{ NULL, NULL, WEB, LIMEN_PASS },
	{ "{}", NULL, "{}", LIMEN_PASS },
	{ "{\"matchLabels\":{},\"matchExpressions\":[]}", NULL, WEB, LIMEN_PASS },
	{ "{\"matchLabels\":{\"app\":\"web\"}}", NULL, WEB, LIMEN_PASS },
	{ "{\"matchLabels\":{\"app\":\"we\"}}", NULL, WEB, LIMEN_FAIL },
	{ "{\"matchLabels\":{\"app\":\"webs\"}}", NULL, WEB, LIMEN_FAIL },
	/* Values of labels are no patterns. */
	{ "{\"matchLabels\":{\"app\":\"w*\"}}", NULL, WEB, LIMEN_FAIL },
	{ "{\"matchLabels\":{\"app\":\"web\",\"tier\":\"front\"}}", NULL, WEB, LIMEN_PASS },
	{ "{\"matchLabels\":{\"app\":\"web\",\"tier\":\"back\"}}", NULL, WEB, LIMEN_FAIL },
	{ "{\"matchLabels\":{\"app\":\"web\"}}", NULL, "{}", LIMEN_FAIL },
	{ "{\"matchLabels\":{\"app\":\"\"}}", NULL, LABELS("\"app\":null"), LIMEN_PASS },
	{ "{\"matchLabels\":{\"app\":\"\"}}", NULL, "{}", LIMEN_FAIL },
	{ EXPRESSION("\"key\":\"app\",\"operator\":\"In\",\"values\":[\"db\",\"web\"]"), NULL, WEB,
	  LIMEN_PASS },
	{ EXPRESSION("\"key\":\"app\",\"operator\":\"In\",\"values\":[\"db\"]"), NULL, WEB,
	  LIMEN_FAIL },
	{ EXPRESSION("\"key\":\"app\",\"operator\":\"NotIn\",\"values\":[\"db\"]"), NULL, WEB,
	  LIMEN_PASS },
	{ EXPRESSION("\"key\":\"app\",\"operator\":\"NotIn\",\"values\":[\"web\"]"), NULL, WEB,
	  LIMEN_FAIL },
	{ EXPRESSION("\"key\":\"app\",\"operator\":\"NotIn\",\"values\":[\"web\"]"), NULL, "{}",
	  LIMEN_PASS },
	{ EXPRESSION("\"key\":\"app\",\"operator\":\"Exists\""), NULL, WEB, LIMEN_PASS },
	{ EXPRESSION("\"key\":\"apps\",\"operator\":\"Exists\",\"values\":[]"), NULL, WEB,
	  LIMEN_FAIL },
	{ EXPRESSION("\"key\":\"app\",\"operator\":\"DoesNotExist\""), NULL, WEB, LIMEN_FAIL },
	{ EXPRESSION("\"key\":\"app\",\"operator\":\"DoesNotExist\""), NULL, "{}", LIMEN_PASS },
	{ "{\"matchLabels\":{\"app\":\"web\"},\"matchExpressions\":[{\"key\":\"tier\","
	  "\"operator\":\"DoesNotExist\"}]}",
	  NULL, WEB, LIMEN_FAIL },
	/* Of a wrong type: nobody can tell. */
	{ "{\"matchLabels\":{\"app\":\"1\"}}", NULL, LABELS("\"app\":1"), LIMEN_ERROR },
	{ EXPRESSION("\"key\":\"app\",\"operator\":\"NotIn\",\"values\":[\"a\"]"), NULL,
	  LABELS("\"app\":[]"), LIMEN_ERROR },
	{ "{\"matchLabels\":{\"app\":\"web\"}}", NULL, "{\"metadata\":{\"labels\":[]}}",
	  LIMEN_ERROR },
	{ "{\"matchLabels\":{\"app\":\"web\"}}", NULL, "{\"metadata\":1}", LIMEN_ERROR },
	{ EXPRESSION("\"key\":\"a\",\"operator\":\"DoesNotExist\""), NULL, "{\"metadata\":1}",
	  LIMEN_ERROR },
	{ "{\"matchLabels\":{\"app\":\"1\",\"x\":\"y\"}}", NULL, LABELS("\"app\":1"), LIMEN_FAIL },
};

static const struct match_case field_cases[] = {
	{ NULL, "{}", "{}", LIMEN_PASS },
	{ NULL, "{\"metadata.name\":\"web-*\"}", "{\"metadata\":{\"name\":\"web-1\"}}",
	  LIMEN_PASS },
	{ NULL, "{\"metadata.name\":\"web-*\"}", "{\"metadata\":{\"name\":\"web\"}}", LIMEN_FAIL },
	{ NULL, "{\"metadata.name\":[\"db\",\"web\"]}", "{\"metadata\":{\"name\":\"web\"}}",
	  LIMEN_PASS },
	{ NULL, "{\"metadata.name\":\"web-*\"}", "{\"metadata\":{\"generateName\":\"web-\"}}",
	  LIMEN_PASS },
	{ NULL, "{\"metadata.name\":\"web-*\"}",
	  "{\"metadata\":{\"name\":\"db\",\"generateName\":\"web-\"}}", LIMEN_FAIL },
	{ NULL, "{\"metadata.uid\":\"1\"}", "{\"metadata\":{\"uid\":\"1\"}}", LIMEN_PASS },
	{ NULL, "{\"metadata.uid\":\"1\"}", "{}", LIMEN_FAIL },
	{ NULL, "{\"metadata.uid\":\"\"}", "{\"metadata\":{\"uid\":null}}", LIMEN_PASS },
	{ NULL, "{\"metadata.namespace\":\"shop\"}", "{\"metadata\":{\"namespace\":\"shop\"}}",
	  LIMEN_PASS },
	{ NULL, "{\"spec.nodeName\":\"n1\"}", "{\"spec\":{\"nodeName\":\"n1\"}}", LIMEN_PASS },
	{ NULL, "{\"spec.nodeName\":\"\"}", "{\"spec\":{}}", LIMEN_PASS },
	{ NULL, "{\"spec.priorityClassName\":\"high*\",\"spec.serviceAccountName\":\"bot\"}",
	  "{\"spec\":{\"priorityClassName\":\"high\",\"serviceAccountName\":\"bot\"}}", LIMEN_PASS },
	{ NULL, "{\"spec.priorityClassName\":\"high*\",\"spec.serviceAccountName\":\"bot\"}",
	  "{\"spec\":{\"priorityClassName\":\"high\"}}", LIMEN_FAIL },
	{ "{\"matchLabels\":{\"app\":\"web\"}}", "{\"metadata.name\":\"x\"}", WEB, LIMEN_FAIL },
	{ NULL, "{\"spec.nodeName\":\"1\"}", "{\"spec\":{\"nodeName\":1}}", LIMEN_ERROR },
	{ NULL, "{\"spec.nodeName\":\"1\"}", "{\"spec\":[]}", LIMEN_ERROR },
	{ NULL, "{\"metadata.name\":\"1\"}", "{\"metadata\":{\"name\":{}}}", LIMEN_ERROR },
};

static void
check_match(const struct match_case *one, const char *namespace, const char *name)
{
	limen_documents *object = read_text(one->object);
	limen_selector *selector = NULL;
	limen_verdict found;

	CU_ASSERT_EQUAL_FATAL(make(one->labels, one->fields, &selector, NULL), LIMEN_OK);
	found = limen_selector_match(selector, limen_documents_get(object, 0), namespace, name);
	if (found != one->verdict)
		fprintf(stderr, "%s %s: %d\n", one->labels == NULL ? one->fields : one->labels,
		        one->object, (int)found);
	CU_ASSERT_EQUAL(found, one->verdict);
	limen_selector_free(selector);
	limen_documents_free(object);
}

static void
test_labels(void)
{
	for (size_t i = 0; i < sizeof(label_cases) / sizeof(label_cases[0]); i++)
		check_match(&label_cases[i], NULL, NULL);
}

static void
test_fields(void)
{
	for (size_t i = 0; i < sizeof(field_cases) / sizeof(field_cases[0]); i++)
		check_match(&field_cases[i], "", "");
}

/* What the request says of the object comes first. */
static void
test_request(void)
{
	static const struct match_case both = {
		NULL, "{\"metadata.name\":\"a\",\"metadata.namespace\":\"b\"}",
		"{\"metadata\":{\"name\":\"x\",\"namespace\":\"y\"}}", LIMEN_PASS
	};
	struct match_case own = both;

	check_match(&both, "b", "a");
	own.verdict = LIMEN_FAIL;
	check_match(&own, "b", NULL);
	check_match(&own, "", "a");
}

struct problem_case {
	const char *labels;
	const char *fields;
	const char *pointer;
	const char *text;
};

static const struct problem_case problems[] = {
	{ "[]", NULL, "", "[] is not of type 'object'" },
	{ "{\"matchLabels\":[]}", NULL, "/matchLabels", "[] is not of type 'object'" },
	{ "{\"matchLabels\":{\"a\":1}}", NULL, "/matchLabels/a", "1 is not of type 'string'" },
	{ "{\"matchLabels\":{\"\":\"x\"}}", NULL, "/matchLabels/", "a label has a name" },
	{ "{\"matchExpressions\":{}}", NULL, "/matchExpressions", "{} is not of type 'array'" },
	{ "{\"matchExpressions\":[1]}", NULL, "/matchExpressions/0", "1 is not of type 'object'" },
	{ EXPRESSION("\"operator\":\"Exists\""), NULL, "/matchExpressions/0",
	  "'key' is a required property" },
	{ EXPRESSION("\"key\":\"a\""), NULL, "/matchExpressions/0",
	  "'operator' is a required property" },
	{ EXPRESSION("\"key\":\"a\",\"operator\":\"in\",\"values\":[\"b\"]"), NULL,
	  "/matchExpressions/0/operator",
	  "'in' is not one of ['In', 'NotIn', 'Exists', 'DoesNotExist']" },
	{ EXPRESSION("\"key\":\"a\",\"operator\":\"In\""), NULL, "/matchExpressions/0",
	  "'values' must be specified when 'operator' is 'In' or 'NotIn'" },
	{ EXPRESSION("\"key\":\"a\",\"operator\":\"NotIn\",\"values\":[]"), NULL,
	  "/matchExpressions/0", "'values' must be specified when 'operator' is 'In' or 'NotIn'" },
	{ EXPRESSION("\"key\":\"a\",\"operator\":\"Exists\",\"values\":[\"b\"]"), NULL,
	  "/matchExpressions/0",
	  "'values' may not be specified when 'operator' is 'Exists' or 'DoesNotExist'" },
	{ EXPRESSION("\"key\":\"a\",\"operator\":\"In\",\"values\":[1]"), NULL,
	  "/matchExpressions/0/values/0", "1 is not of type 'string'" },
	{ NULL, "[]", "", "[] is not of type 'object'" },
	{ NULL, "{\"metadata.name\":1}", "/metadata.name", "1 is not of type 'string'" },
	{ NULL, "{\"metadata.name\":[]}", "/metadata.name", "an empty array selects nothing" },
	{ NULL, "{\"metadata.name\":[1]}", "/metadata.name/0", "1 is not of type 'string'" },
};

static void
test_problems(void)
{
	for (size_t i = 0; i < sizeof(problems) / sizeof(problems[0]); i++) {
		const struct problem_case *one = &problems[i];
		limen_diag *diag = limen_diag_new();
		limen_selector *selector = NULL;
		const limen_problem *found;

		CU_ASSERT_EQUAL(make(one->labels, one->fields, &selector, diag), LIMEN_EINVAL);
		CU_ASSERT_PTR_NULL(selector);
		CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 1);
		found = limen_diag_get(diag, 0);
		CU_ASSERT_PTR_NOT_NULL_FATAL(found);
		CU_ASSERT_STRING_EQUAL(found->text, one->text);
		CU_ASSERT_STRING_EQUAL(found->pointer, one->pointer);
		limen_diag_free(diag);
	}
}

static void
test_unknown_keys(void)
{
	limen_diag *diag = limen_diag_new();
	limen_selector *selector = NULL;

	CU_ASSERT_EQUAL(make("{\"matchLabel\":{}}", "{\"spec.nodename\":\"a\"}", &selector, diag),
	                LIMEN_EINVAL);
	CU_ASSERT_EQUAL_FATAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(limen_diag_get(diag, 0)->hint, "matchLabels"));
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 1)->hint, "did you mean 'spec.nodeName'?");
	limen_diag_free(diag);
	limen_selector_free(NULL);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "labels", test_labels },
		{ "fields", test_fields },
		{ "what the request says", test_request },
		{ "what is no selector", test_problems },
		{ "keys that are not known", test_unknown_keys },
		{ NULL, NULL },
	};

	return suite_run("core/selector", tests);
}
