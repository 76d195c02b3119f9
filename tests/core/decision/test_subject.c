/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A subject is a row: a third one, whose value is a string and which needs no identification, is
 * decided by the stages that its row lists.
 */
#include "decision/pipeline.h"

#include "policy_case.h"

static unsigned looked;

/* A stage of the row alone. */
static bool
look(pipeline *run)
{
	size_t length = 0;

	limen_value_string(limen_request_document(&run->request), &length);
	looked += (unsigned)length;
	return true;
}

static bool
has_limits(const pipeline *run)
{
	return run->policy->limits.count > 0;
}

static const stage stages[] = {
	{ check_value, NULL }, { look, NULL },        { identify, NULL },
	{ classify, NULL },    { apply, has_limits }, { NULL, NULL },
};

static const subject_row visit = {
	.id = (limen_subject)3,
	.stages = stages,
	.types = 1U << LIMEN_TYPE_STRING,
	.unfit_code = 422,
	.unfit = "a visit has a name, not ",
	.unfit_names_type = true,
};

#define POLICY(limits, members)                                                         \
	"{\"schema\": 4, \"identifiers\": [{\"name\": \"i\", \"description\": \"\","    \
	" \"type\": \"verdict\", \"data\": {\"from-hint\": \"i\"}}], \"classifiers\": [{" \
	"\"name\": \"c\", \"description\": \"\", \"identifiers\": [\"i\"]}],"            \
	" \"limits\": [" limits "], \"applications\": [{\"description\": \"a\","         \
	" \"apply\": [{\"require\": \"all\", \"limits\": [" members "]}]}]}"
#define LIMIT "{\"name\": \"l\", \"type\": \"verdict\", \"data\": {\"from-hint\": \"l\"}}"

static void
expect(limen_engine *engine, const char *value, const char *hint, int code, const char *reason)
{
	const limen_decide_options options = { .size = sizeof(options), .diagnostics = true,
		                               .phase = LIMEN_PHASE_MUTATE };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_decision *decision = NULL;

	req->subject = &visit;
	CU_ASSERT_EQUAL(limen_request_parse(req, value, strlen(value), NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_subject(req), visit.id);
	limen_request_set_hint(req, "l", hint);
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, &options, &decision), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_decision_code(decision), code);
	CU_ASSERT_EQUAL(limen_decision_admitted(decision), code == 200);
	CU_ASSERT_STRING_EQUAL(limen_decision_reason(decision), reason);
	if (strcmp(limen_decision_reason(decision), reason) != 0)
		printf("# wanted: %s\n# found:  %s\n", reason, limen_decision_reason(decision));
	CU_ASSERT_PTR_NULL(limen_decision_diagnostics(decision));
	CU_ASSERT_FALSE(limen_decision_priority(decision, &(double){ 0 }));
	limen_decision_free(decision);
	limen_request_free(req);
}

static void
test_row(void)
{
	limen_engine *engine = policy_case_engine(0);

	policy_case_load(engine, POLICY(LIMIT, "\"l\""));
	looked = 0;
	/* No identifier and no classifier matches, which this row does not need. */
	expect(engine, "\"abc\"", "pass", 200, "application 'a' passes");
	CU_ASSERT_EQUAL(looked, 3);
	expect(engine, "\"abc\"", "fail", 403, "application 'a' fails: limit 'l' failed");
	expect(engine, "\"abc\"", "error", 500,
	       "application 'a' fails: limit 'l' failed: Limit l threw an exception: "
	       "the module failed and gave no reason");
	CU_ASSERT_EQUAL(looked, 9);
	/* The first stage refuses other values, so that no other runs. */
	expect(engine, "{}", "pass", 422, "a visit has a name, not an object");
	expect(engine, "[]", "pass", 422, "a visit has a name, not an array");
	CU_ASSERT_EQUAL(looked, 9);
	limen_engine_free(engine);
}

/* A stage that the policy does not want is left out. */
static void
test_unwanted_stage(void)
{
	limen_engine *engine = policy_case_engine(0);

	policy_case_load(engine, POLICY("", ""));
	looked = 0;
	expect(engine, "\"abcd\"", "fail", 200, "no decision was reached");
	CU_ASSERT_EQUAL(looked, 4);
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a third row is decided by its stages", test_row },
		{ "stages that are not wanted are left out", test_unwanted_stage },
		{ NULL, NULL },
	};

	return suite_run("core/subject", tests);
}
