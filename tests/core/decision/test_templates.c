/* SPDX-License-Identifier: Apache-2.0 */
/* Templates of workloads, and controllers of objects. */
#include <limen/documents.h>
#include <limen/template.h>
#include <stdlib.h>
#include <string.h>

#include "fail_malloc.h"
#include "policy_case.h"
#include "suite.h"

static void
expect_controller(const char *text, const char *name)
{
	limen_documents *parsed = NULL;
	limen_value owner;

	CU_ASSERT_EQUAL_FATAL(limen_documents_parse(NULL, text, strlen(text), 0, &parsed, NULL),
	                      LIMEN_OK);
	owner = limen_object_controller(limen_documents_get(parsed, 0));
	CU_ASSERT_EQUAL(limen_value_exists(owner), name != NULL);
	if (name != NULL)
		CU_ASSERT_TRUE(limen_value_is(limen_value_get(owner, "name"), name));
	limen_documents_free(parsed);
}

static void
test_controllers(void)
{
	expect_controller("{}", NULL);
	expect_controller("{\"metadata\":{\"ownerReferences\":null}}", NULL);
	expect_controller("{\"metadata\":{\"ownerReferences\":[{\"name\":\"a\"},"
	                  "{\"name\":\"b\",\"controller\":false},5]}}", NULL);
	expect_controller("{\"metadata\":{\"ownerReferences\":[{\"name\":\"a\"},"
	                  "{\"name\":\"b\",\"controller\":true},5]}}", "b");
}

static void
count(void *data, const limen_template *found)
{
	size_t *number = data;

	CU_ASSERT_TRUE(limen_value_is(limen_value_get(found->object, "kind"), found->kind));
	/* A name that no API server accepts is in no pod. */
	CU_ASSERT(found->name == NULL || strlen(found->name) < 300);
	++*number;
}

/* Finds the templates of a StatefulSet with 'claims' claims, and decides about it. */
static void
try_claims(size_t claims, size_t name_length, size_t warnings)
{
	limen_engine *engine = policy_case_engine(0);
	limen_decide_options options = { .size = sizeof(options), .phase = LIMEN_PHASE_WORKLOAD };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	char *text = malloc(name_length + claims * 3 + 200);
	limen_decision *decision = NULL;
	size_t number = 0;
	size_t count_of_warnings = 0;
	char *at = stpcpy(text, "{\"metadata\":{\"name\":\"");

	at = (char *)memset(at, 'n', name_length) + name_length;
	at = stpcpy(at, "\"},\"spec\":{\"template\":{},\"volumeClaimTemplates\":[{}");
	for (size_t i = 1; i < claims; i++)
		at = stpcpy(at, ",{}");
	stpcpy(at, "]}}");
	policy_case_load(engine, "{\"admission\": [{\"name\": \"a\", \"plugin\": \"chain\","
	                         " \"data\": {\"validate\": \"pass\"}}]}");
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, text, strlen(text), NULL), LIMEN_OK);
	limen_request_set_field(req, LIMEN_FIELD_KIND, "StatefulSet");
	limen_request_set_field(req, LIMEN_FIELD_GROUP, "apps");
	CU_ASSERT_EQUAL(limen_engine_each_template(engine, "apps", "StatefulSet",
	                                           limen_request_document(req), count, &number, NULL),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(number, claims + 1);
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, &options, &decision), LIMEN_OK);
	CU_ASSERT_TRUE(limen_decision_admitted(decision));
	limen_decision_warnings(decision, &count_of_warnings);
	CU_ASSERT_EQUAL(count_of_warnings, warnings);
	limen_decision_free(decision);
	limen_request_free(req);
	limen_engine_free(engine);
	free(text);
}

/* Any sender may write many templates and a long name, which each of them would repeat. */
static void
test_many(void)
{
	try_claims(1, 3, 0);
	try_claims(99, 253, 0);
	try_claims(100, 254, 1);
	try_claims(10000, 100000, 1);
}

/* Whatever allocation fails, a workload that is to be refused is never admitted in silence. */
static void
test_short_memory(void)
{
	static const char object[] =
		"{\"metadata\": {\"name\": \"web\"}, \"spec\": {\"tasks\": [{\"template\": {\"spec\":"
		" {}}}, {\"template\": {\"metadata\": {\"labels\": {\"a\": \"b\"}}}}]}}";
	static const char text[] =
		"{\"templates\": [{\"group\": \"e.com\", \"kind\": \"Gang\", \"path\":"
		" \"spec.tasks[].template\"}], \"admission\": [{\"name\": \"tried\", \"plugin\":"
		" \"chain\", \"enforce\": \"warn\", \"data\": {\"validate\": \"fail\", \"set\":"
		" {\"/x\": 1}}}, {\"name\": \"strict\", \"plugin\": \"chain\", \"workloads\": \"deny\","
		" \"data\": {\"validate\": \"fail\", \"reason\": \"no\"}}]}";
	limen_engine *engine = policy_case_engine(0);
	limen_decide_options options = { .size = sizeof(options), .phase = LIMEN_PHASE_WORKLOAD,
		                         .trace = true };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	bool failed = true;

	policy_case_load(engine, text);
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, object, strlen(object), NULL), LIMEN_OK);
	limen_request_set_field(req, LIMEN_FIELD_KIND, "Gang");
	limen_request_set_field(req, LIMEN_FIELD_GROUP, "e.com");
	for (unsigned long n = 1; failed; n++) {
		limen_decision *decision = NULL;
		size_t warnings = 0;
		int result;

		fail_malloc_once(n);
		result = limen_engine_decide(engine, req, &options, &decision);
		failed = fail_malloc_stop();
		CU_ASSERT(result == LIMEN_OK || (failed && result == LIMEN_ENOMEM));
		limen_decision_warnings(decision, &warnings);
		CU_ASSERT(!limen_decision_admitted(decision) || warnings > 0);
		CU_ASSERT(failed || limen_decision_code(decision) == 403);
		limen_decision_free(decision);
	}
	limen_request_free(req);
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the controller is the owner that says so", test_controllers },
		{ "short memory admits no workload in silence", test_short_memory },
		{ "100 templates of a workload are decided about", test_many },
		{ NULL, NULL },
	};

	return suite_run("decision/templates", tests);
}
