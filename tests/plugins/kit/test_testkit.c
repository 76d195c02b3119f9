/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_testkit.c - the kit for authors of modules: what it does with each kind
 * of module, and with everything that is not right.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

	snprintf(path, sizeof path, "%s:%s/tests/kit/modules:%s/tests/modules",
	         modules != NULL ? modules : ".", builddir != NULL ? builddir : ".",
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

static void
say_update(void *data, limen_request *req)
{
	const char *old = data;

	CU_ASSERT_EQUAL(limen_request_parse_old(req, old, strlen(old), NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_field(req, LIMEN_FIELD_OPERATION, "UPDATE"), LIMEN_OK);
}

/* LimitRanger looks at a pod when it is created only. */
static void
test_update(void)
{
	char pod[] = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"namespace\":\"n\"}"
		     ",\"spec\":{\"containers\":[{\"name\":\"c\"}]}}";
	limen_kit *kit = make_kit();

	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_ADMISSION, "LimitRanger",
	                               "{\"manifests\":[{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\","
	                               "\"metadata\":{\"name\":\"l\",\"namespace\":\"n\"},\"spec\":"
	                               "{\"limits\":[{\"type\":\"Pod\",\"max\":{\"cpu\":\"1\"}}]}}]}"),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(limen_kit_run(kit, pod, NULL), LIMEN_FAIL);
	limen_kit_prepare(kit, say_update, pod);
	CU_ASSERT_NOT_EQUAL(limen_kit_run(kit, pod, NULL), LIMEN_FAIL);
	CU_ASSERT_TRUE(limen_decision_admitted(limen_kit_decision(kit)));
	limen_kit_prepare(kit, NULL, NULL);
	CU_ASSERT_EQUAL(limen_kit_run(kit, pod, NULL), LIMEN_FAIL);
	limen_kit_free(kit);
}

static void
say_user(void *data, limen_request *req)
{
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "user", data), LIMEN_OK);
}

static void
say_hurry(void *data, limen_request *req)
{
	(void)data;
	limen_request_set_timeout(req, 1);
}

static void
test_user_and_timeout(void)
{
	char name[] = "ann";
	limen_kit *kit = make_kit();

	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_IDENTIFIER, "hint",
	                               "{\"hint\":\"user\",\"match\":{\"style\":\"exact\","
	                               "\"match\":\"ann\"}}"), LIMEN_OK);
	limen_kit_prepare(kit, say_user, name);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_PASS);
	limen_kit_prepare(kit, say_hurry, NULL);
	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_IDENTIFIER, "verdict",
	                               "{\"verdict\":\"pass\",\"blocking\":true,\"sleep\":\"PT1S\"}"), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_kit_run(kit, NULL, NULL), LIMEN_ERROR);
	CU_ASSERT_PTR_NOT_NULL(strstr(limen_kit_reason(kit), "no answer in time"));
	limen_kit_free(kit);
}

static void
write_range(const char *path, const char *most)
{
	FILE *file = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fprintf(file, "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l, namespace: n}\n"
	        "spec: {limits: [{type: PersistentVolumeClaim, max: {storage: %s}}]}\n", most);
	CU_ASSERT_EQUAL(fclose(file), 0);
}

static void
test_reload(void)
{
	const char *claim = "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":"
			    "{\"name\":\"c\",\"namespace\":\"n\"},\"spec\":{\"resources\":"
			    "{\"requests\":{\"storage\":\"2Gi\"}}}}";
	char path[] = "/tmp/limen-testkit-XXXXXX";
	char options[sizeof(path) + 32];
	limen_kit *kit = make_kit();
	int fd = mkstemp(path);

	CU_ASSERT_NOT_EQUAL_FATAL(fd, -1);
	close(fd);
	CU_ASSERT_EQUAL(limen_kit_reload(kit), LIMEN_ENOPOLICY);
	write_range(path, "1Gi");
	snprintf(options, sizeof(options), "{\"files\":[\"%s\"]}", path);
	CU_ASSERT_EQUAL(limen_kit_open(kit, LIMEN_KIND_ADMISSION, "LimitRanger", options), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_kit_run(kit, claim, NULL), LIMEN_FAIL);
	write_range(path, "2Gi");
	CU_ASSERT_EQUAL(limen_kit_reload(kit), LIMEN_OK);
	CU_ASSERT_PTR_NULL(limen_kit_decision(kit));
	CU_ASSERT_EQUAL(limen_kit_run(kit, claim, NULL), LIMEN_PASS);
	write_range(path, "much");
	CU_ASSERT_NOT_EQUAL(limen_kit_reload(kit), LIMEN_OK);
	CU_ASSERT_STRING_NOT_EQUAL(limen_kit_problems(kit), "");
	CU_ASSERT_EQUAL(limen_kit_run(kit, claim, NULL), LIMEN_ERROR);
	unlink(path);
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
		{ "an update of an object", test_update },
		{ "a user, and a deadline that passes", test_user_and_timeout },
		{ "a reload when a file has changed", test_reload },
		{ "a store, asked by a limit", test_store },
		{ "an open that fails", test_failed_open },
		{ "a request that cannot be read", test_unreadable_request },
		{ NULL, NULL }
	};

	return suite_run("kit/testkit", tests);
}
