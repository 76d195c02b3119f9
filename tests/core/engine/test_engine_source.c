/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an engine loads: several paths that are one policy, the namespace of
 * manifests that name none, and nothing else where loading failed.
 */
#include <limen/limen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

#define ITEMS "\"spec\":{\"limits\":[]}}"
#define RANGE(name) \
	"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"" name "\"}," ITEMS

static char directory[] = "/tmp/limen-source-XXXXXX";

static const char *
write_file(const char *name, const char *text, char path[64])
{
	FILE *file;

	snprintf(path, 64, "%s/%s", directory, name);
	file = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	fclose(file);
	return path;
}

static limen_engine *
new_engine(const char *namespace)
{
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
		.flags = LIMEN_ENGINE_PASSIVE,
		.manifest_namespace = namespace,
	};

	return limen_engine_new(&options);
}

/* How often 'text' is in what the engine holds. */
static unsigned
count(limen_engine *engine, const char *text)
{
	char *found = limen_engine_describe(engine, 0, NULL);
	unsigned times = 0;

	for (const char *at = strstr(found, text); at != NULL; at = strstr(at + 1, text))
		times++;
	free(found);
	return times;
}

static void
test_several(void)
{
	char first[64], second[64];
	const char *paths[] = { write_file("a.yaml", RANGE("a"), first),
		                write_file("b.json", RANGE("b"), second) };
	limen_engine *engine = new_engine(NULL);

	CU_ASSERT_EQUAL(limen_engine_load_files(engine, paths, 2, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(count(engine, "\"name\":\"a\""), 1);
	CU_ASSERT_EQUAL(count(engine, "\"name\":\"b\""), 1);
	/* A reload reads them all again. */
	write_file("b.json", RANGE("c"), second);
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(count(engine, "\"name\":\"a\""), 1);
	CU_ASSERT_EQUAL(count(engine, "\"name\":\"b\""), 0);
	CU_ASSERT_EQUAL(count(engine, "\"name\":\"c\""), 1);
	limen_engine_free(engine);
}

static void
test_problems(void)
{
	char first[64], second[64];
	const char *paths[] = { write_file("a.yaml", RANGE("a"), first), "/nonexistent",
		                write_file("b.json", RANGE("a"), second) };
	limen_engine *engine = new_engine(NULL);
	limen_diag *diag = limen_diag_new();

	CU_ASSERT_EQUAL(limen_engine_load_files(engine, paths, 3, diag), LIMEN_EIO);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 2);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->file, "/nonexistent");
	/* Two of one name, which each file alone does not show. */
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 1)->text, "there are two LimitRanges \"a\" in "
	                                                      "the namespace \"default\"");
	limen_diag_free(diag);
	limen_engine_free(engine);
}

/* As a pattern gives that nothing fits. */
static void
test_no_files(void)
{
	limen_engine *engine = new_engine(NULL);
	limen_diag *diag = limen_diag_new();
	char *described;

	CU_ASSERT_EQUAL(limen_engine_load_text(engine, NULL, RANGE("a"), strlen(RANGE("a")), NULL),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(limen_engine_load_files(engine, NULL, 0, diag), LIMEN_ECONFIG);
	CU_ASSERT_EQUAL_FATAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 1);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->text, "no file or directory was named");
	CU_ASSERT_EQUAL(count(engine, "\"name\":\"a\""), 1);
	described = limen_engine_describe(engine, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL(strstr(described, "\"error\":\"no file or directory was named\""));
	free(described);
	/* As of everything that failed to load, a reload tries the same again. */
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_ECONFIG);
	CU_ASSERT_EQUAL(count(engine, "\"name\":\"a\""), 1);
	limen_diag_free(diag);
	limen_engine_free(engine);
}

/* The same engine may be told to load other things; the last counts. */
static void
test_exchange(void)
{
	char first[64], second[64];
	const char *paths[] = { write_file("a.yaml", RANGE("a"), first),
		                write_file("b.json", RANGE("b"), second) };
	limen_engine *engine = new_engine(NULL);

	CU_ASSERT_EQUAL(limen_engine_load_files(engine, paths, 2, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_engine_load(engine, first, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(count(engine, "\"name\":\"b\""), 0);
	CU_ASSERT_EQUAL(limen_engine_load_files(engine, paths, 2, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_engine_load_text(engine, NULL, RANGE("t"), strlen(RANGE("t")), NULL),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(count(engine, "\"name\":\"a\""), 0);
	CU_ASSERT_EQUAL(count(engine, "\"name\":\"t\""), 1);
	limen_engine_free(engine);
}

static void
test_namespace(void)
{
	static const char entry[] =
		"admission:\n- name: l\n  plugin: LimitRanger\n  manifests: true\n%s---\n" RANGE("a");
	static const char *const data[] = { "", "  data: {namespace: own}\n" };
	static const char *const wanted[] = { "\"namespace\":\"shop\"", "\"namespace\":\"own\"" };
	limen_engine *engine = new_engine("shop");
	limen_engine *plain = new_engine(NULL);

	CU_ASSERT_EQUAL(limen_engine_load_text(engine, NULL, RANGE("a"), strlen(RANGE("a")), NULL),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(count(engine, "\"namespace\":\"shop\""), 1);
	CU_ASSERT_EQUAL(limen_engine_load_text(plain, NULL, RANGE("a"), strlen(RANGE("a")), NULL),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(count(plain, "\"namespace\":\"default\""), 1);
	for (size_t i = 0; i < 2; i++) {
		char text[512];

		snprintf(text, sizeof(text), entry, data[i]);
		CU_ASSERT_EQUAL(limen_engine_load_text(engine, NULL, text, strlen(text), NULL),
		                LIMEN_OK);
		CU_ASSERT_EQUAL(count(engine, wanted[i]), 1);
	}
	limen_engine_free(engine);
	limen_engine_free(plain);
}

static int
decide(limen_engine *engine)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;
	int result;

	limen_request_parse(req, "{}", 2, NULL);
	result = limen_engine_decide(engine, req, NULL, &decision);
	CU_ASSERT_EQUAL(decision != NULL, result == LIMEN_OK);
	limen_decision_free(decision);
	limen_request_free(req);
	return result;
}

/* However it is named, a policy that fails to load is not replaced by none. */
static void
test_failed_without_policy(void)
{
	static const limen_engine_options options = { .size = sizeof(options),
		                                      .flags = LIMEN_ENGINE_WITHOUT_POLICY };
	const char *missing = "/nonexistent";

	for (unsigned way = 0; way < 4; way++) {
		limen_engine *engine = limen_engine_new(&options);

		/* There is nothing that a reload could fail to load. */
		CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_ENOPOLICY);
		CU_ASSERT_EQUAL(decide(engine), LIMEN_OK);
		if (way == 0)
			CU_ASSERT_NOT_EQUAL(limen_engine_load(engine, missing, NULL), LIMEN_OK);
		if (way == 1)
			CU_ASSERT_NOT_EQUAL(limen_engine_load_files(engine, &missing, 1, NULL),
			                    LIMEN_OK);
		if (way == 2)
			CU_ASSERT_NOT_EQUAL(limen_engine_load_text(engine, NULL, "{", 1, NULL),
			                    LIMEN_OK);
		if (way == 3)
			CU_ASSERT_NOT_EQUAL(limen_engine_load_files(engine, NULL, 0, NULL),
			                    LIMEN_OK);
		CU_ASSERT_EQUAL(decide(engine), LIMEN_ENOPOLICY);
		limen_engine_free(engine);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "several paths are one policy", test_several },
		{ "problems of several paths", test_problems },
		{ "no paths at all are no policy", test_no_files },
		{ "what was loaded last counts", test_exchange },
		{ "the namespace of manifests that name none", test_namespace },
		{ "a policy that failed to load is not replaced by none",
		  test_failed_without_policy },
		{ NULL, NULL }
	};
	char path[64];
	int status;

	if (mkdtemp(directory) == NULL)
		return 1;
	status = suite_run("core/engine_source", tests);
	snprintf(path, sizeof(path), "%s/a.yaml", directory);
	unlink(path);
	snprintf(path, sizeof(path), "%s/b.json", directory);
	unlink(path);
	rmdir(directory);
	return status;
}
