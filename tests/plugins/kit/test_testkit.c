/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_testkit.c - the kit for authors of modules: what it does with each kind
 * of module, and with everything that is not right.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limen/testkit.h>

#include "suite.h"

#define PASSES "{\"pass\":true}"

/* The shipped modules and the probes of this test. */
static limen_kit *
make_kit(void)
{
	const char *builddir = getenv("LIMEN_BUILDDIR");
	const char *modules = getenv("LIMEN_MODULE_PATH");
	char path[4096];
	limen_kit *kit;

	snprintf(path, sizeof path, "%s:%s/tests/kit/modules", modules != NULL ? modules : ".",
	         builddir != NULL ? builddir : ".");
	kit = limen_kit_new(path);
	CU_ASSERT_PTR_NOT_NULL_FATAL(kit);
	return kit;
}

static void
test_before_open(void)
{
	limen_kit *kit = make_kit();

	CU_ASSERT_STRING_EQUAL(limen_kit_problems(kit), "");
	CU_ASSERT_STRING_EQUAL(limen_kit_reason(kit), "");
	CU_ASSERT_EQUAL(limen_kit_verdict(kit), LIMEN_ERROR);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_ERROR);
	CU_ASSERT_PTR_NULL(limen_kit_decision(kit));
	limen_kit_free(kit);
	limen_kit_free(NULL);
}

static void
test_identifier(void)
{
	limen_kit *kit = make_kit();

	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_IDENTIFIER, "hint",
	                               "{\"hint\":\"h\",\"match\":{\"style\":\"exact\","
	                               "\"match\":\"x\"}}"), LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(limen_kit_problems(kit), "");
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"h\":\"x\"}"), LIMEN_PASS);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"h\":\"y\"}"), LIMEN_FAIL);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_SKIP);
	limen_kit_free(kit);
}

static void
test_limit(void)
{
	limen_kit *kit = make_kit();

	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_LIMIT, "pass-fail", PASSES), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_PASS);
	CU_ASSERT_TRUE(limen_decision_admitted(limen_kit_decision(kit)));
	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_LIMIT, "pass-fail", "{\"pass\":false}"),
	                LIMEN_OK);
	CU_ASSERT_PTR_NULL(limen_kit_decision(kit));
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_FAIL);
	CU_ASSERT_STRING_EQUAL(limen_kit_reason(kit), "Forced failure");
	CU_ASSERT_FALSE(limen_decision_admitted(limen_kit_decision(kit)));
	limen_kit_free(kit);
}

/* Asks the rewriter and expects the document to hold 'key'. */
static void
expect_rewrite(const char *data, const char *key)
{
	limen_kit *kit = make_kit();
	limen_value rewritten;
	bool set = false;

	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_REWRITER, "probe", data), LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(limen_kit_problems(kit), "");
	CU_ASSERT_EQUAL(limen_kit_run(kit, "{\"a\":1}", NULL), LIMEN_PASS);
	rewritten = limen_decision_rewritten(limen_kit_decision(kit));
	CU_ASSERT_TRUE(limen_value_bool(limen_value_get(rewritten, key), &set));
	CU_ASSERT_TRUE(set);
	CU_ASSERT_EQUAL(limen_kit_run(kit, "{\"reject\":1}", NULL), LIMEN_FAIL);
	CU_ASSERT_STRING_EQUAL(limen_kit_reason(kit), "rejected");
	limen_kit_free(kit);
}

static void
test_rewriter(void)
{
	expect_rewrite("{}", "probed");
	expect_rewrite(" { } ", "probed");
	expect_rewrite(" {\"key\":\"k\"}\n", "k");
}

static void
test_prioritizer_and_time(void)
{
	limen_kit *kit = make_kit();
	double priority = 0;

	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_PRIORITIZER, "probe", "{\"add\":7}"),
	                LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(limen_kit_problems(kit), "");
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_PASS);
	CU_ASSERT_TRUE(limen_decision_priority(limen_kit_decision(kit), &priority));
	CU_ASSERT_EQUAL(priority, 7.0);
	CU_ASSERT_STRING_EQUAL(limen_kit_reason(kit), "1577836800");
	limen_kit_advance(kit, 5 * LIMEN_SECOND);
	limen_kit_run(kit, NULL, NULL);
	CU_ASSERT_STRING_EQUAL(limen_kit_reason(kit), "1577836805");
	limen_kit_set_now(kit, 42 * LIMEN_SECOND);
	limen_kit_run(kit, NULL, NULL);
	CU_ASSERT_STRING_EQUAL(limen_kit_reason(kit), "42");
	limen_kit_free(kit);
}

/* The kind, the namespace and the operation come from the object and the kit. */
static void
test_admission(void)
{
	limen_kit *kit = make_kit();
	const char *small = "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":"
			    "{\"name\":\"c\",\"namespace\":\"n\"},\"spec\":{\"resources\":"
			    "{\"requests\":{\"storage\":\"1Gi\"}}}}";
	const char *large = "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":"
			    "{\"name\":\"c\",\"namespace\":\"n\"},\"spec\":{\"resources\":"
			    "{\"requests\":{\"storage\":\"3Gi\"}}}}";

	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_ADMISSION, "LimitRanger",
	                               "{\"manifests\":[{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\","
	                               "\"metadata\":{\"name\":\"l\",\"namespace\":\"n\"},\"spec\":"
	                               "{\"limits\":[{\"type\":\"PersistentVolumeClaim\",\"max\":"
	                               "{\"storage\":\"2Gi\"}}]}}]}"), LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(limen_kit_problems(kit), "");
	CU_ASSERT_EQUAL(limen_kit_run(kit, small, NULL), LIMEN_PASS);
	CU_ASSERT_TRUE(limen_decision_admitted(limen_kit_decision(kit)));
	CU_ASSERT_EQUAL(limen_kit_run(kit, large, NULL), LIMEN_FAIL);
	CU_ASSERT_FALSE(limen_decision_admitted(limen_kit_decision(kit)));
	CU_ASSERT_PTR_NOT_NULL(limen_decision_violation(limen_kit_decision(kit), 0));
	CU_ASSERT_EQUAL(limen_kit_run(kit, "[]", NULL), LIMEN_ERROR);
	limen_kit_free(kit);
}

/* Two at once for each user, and one a minute. */
static void
test_store(void)
{
	limen_kit *kit = make_kit();

	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_STORE, "memory", "{\"capacity\":10}"),
	                LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(limen_kit_problems(kit), "");
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"user\":\"ann\"}"), LIMEN_PASS);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"user\":\"ann\"}"), LIMEN_PASS);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"user\":\"ann\"}"), LIMEN_FAIL);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"user\":\"bob\"}"), LIMEN_PASS);
	limen_kit_advance(kit, 60 * LIMEN_SECOND);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"user\":\"ann\"}"), LIMEN_PASS);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"user\":\"ann\"}"), LIMEN_FAIL);
	limen_kit_free(kit);
}

/* A failed open leaves nothing to run, although the engine keeps its last policy. */
static void
test_failed_open(void)
{
	limen_kit *kit = make_kit();

	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_LIMIT, "pass-fail", PASSES), LIMEN_OK);
	CU_ASSERT_NOT_EQUAL(limen_kit_open(kit, LIMEN_KIND_LIMIT, "pass-fail", "{}"), LIMEN_OK);
	CU_ASSERT_PTR_NOT_NULL(strstr(limen_kit_problems(kit), "error: At /limits/0/data: "));
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_ERROR);
	CU_ASSERT_NOT_EQUAL(limen_kit_open(kit, LIMEN_KIND_LIMIT, "pass-fail", "{"), LIMEN_OK);
	CU_ASSERT_STRING_NOT_EQUAL(limen_kit_problems(kit), "");
	CU_ASSERT_NOT_EQUAL(limen_kit_open(kit, LIMEN_KIND_LIMIT, "no-such", "{}"), LIMEN_OK);
	CU_ASSERT_PTR_NOT_NULL(strstr(limen_kit_problems(kit), "no-such"));
	CU_ASSERT_EQUAL(limen_kit_open(kit, (limen_kind)99, "memory", "{}"), LIMEN_EINVAL);
	CU_ASSERT_STRING_EQUAL(limen_kit_problems(kit), "");
	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_LIMIT, "pass-fail", PASSES), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_PASS);
	limen_kit_free(kit);
}

static void
test_unreadable_request(void)
{
	limen_kit *kit = make_kit();

	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_LIMIT, "pass-fail", PASSES), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_PASS);
	CU_ASSERT_EQUAL(limen_kit_run(kit, "{", NULL), LIMEN_ERROR);
	CU_ASSERT_PTR_NULL(limen_kit_decision(kit));
	CU_ASSERT_EQUAL(limen_kit_run(kit, "", NULL), LIMEN_ERROR);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{\"h\":}"), LIMEN_ERROR);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "[]"), LIMEN_ERROR);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, "{}"), LIMEN_PASS);
	limen_kit_free(kit);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a kit that nothing was opened in", test_before_open },
		{ "an identifier", test_identifier },
		{ "a limit, and another after it", test_limit },
		{ "a rewriter", test_rewriter },
		{ "a prioritizer, and time", test_prioritizer_and_time },
		{ "an admission plugin", test_admission },
		{ "a store, asked by a limit", test_store },
		{ "an open that fails", test_failed_open },
		{ "a request that cannot be read", test_unreadable_request },
		{ NULL, NULL }
	};

	return suite_run("kit/testkit", tests);
}
