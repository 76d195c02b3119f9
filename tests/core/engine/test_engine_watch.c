/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An engine that reloads by itself, with the modules of the build tree.
 */
#include <limen/limen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "latch.h"
#include "policy_case.h"
#include "scratch.h"
#include "suite.h"

#define READING                                                                               \
	"{\"schema\": 4, " EVERYBODY ","                                                      \
	"\"limits\": [{\"name\": \"limit\", \"description\": \"\", \"type\": \"from-file\","   \
	"  \"data\": {\"path\": \"%s\"}}],"                                                   \
	"\"applications\": [{\"description\": \"\", \"classifier\": \"all\","                 \
	"  \"apply\": [{\"require\": \"all\", \"limits\": [\"limit\"]}]}]}"

#define POLICY(PASS)                                                                          \
	"{\"schema\": 4,"                                                                     \
	"\"identifiers\": [{\"name\": \"all\", \"description\": \"\","                        \
	"  \"type\": \"always\", \"data\": {}}],"                                             \
	"\"classifiers\": [{\"name\": \"everyone\", \"description\": \"\","                   \
	"  \"identifiers\": [\"all\"]}],"                                                     \
	"\"limits\": [{\"name\": \"limit\", \"description\": \"\", \"type\": \"pass-fail\","  \
	"  \"data\": {\"pass\": " PASS "}}],"                                                 \
	"\"applications\": [{\"description\": \"\", \"classifier\": \"everyone\","            \
	"  \"apply\": [{\"require\": \"all\", \"limits\": [\"limit\"]}]}]}"

typedef struct reload_outcome {
	latch reloaded;
	int result;
	size_t problems;
} reload_outcome;

/* The lock of the latch is held by whoever reads what is written here. */
static void
note_reload(void *data, int result, const limen_diag *diag)
{
	reload_outcome *last = data;

	pthread_mutex_lock(&last->reloaded.lock);
	last->result = result;
	last->problems = limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM);
	pthread_mutex_unlock(&last->reloaded.lock);
	latch_add(&last->reloaded);
}

static int
last_result(reload_outcome *last)
{
	int result;

	pthread_mutex_lock(&last->reloaded.lock);
	result = last->result;
	pthread_mutex_unlock(&last->reloaded.lock);
	return result;
}

static limen_engine *
new_engine(reload_outcome *last, unsigned flags)
{
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = policy_case_path(),
		.flags = flags,
		.reloaded = note_reload,
		.reloaded_data = last,
	};

	return limen_engine_new(&options);
}

static bool
admits(limen_engine *engine)
{
	static const char task[] = "{\"test\": {\"type\": \"idle\"}}";
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;
	bool admitted;

	limen_request_parse(req, task, strlen(task), NULL);
	limen_engine_decide(engine, req, NULL, &decision);
	limen_request_free(req);
	admitted = decision != NULL && limen_decision_admitted(decision);
	limen_decision_free(decision);
	return admitted;
}

/* Waits until a reload has come to 'result'; one change may cause several. */
static void
expect_reload(reload_outcome *last, int result)
{
	unsigned long count = 1;

	while (latch_wait(&last->reloaded, count) && last_result(last) != result)
		count = latch_count(&last->reloaded) + 1;
	CU_ASSERT_EQUAL(last_result(last), result);
}

static void
follow_changes(const char *watched, const char *file)
{
	reload_outcome last = { .reloaded = LATCH_INIT, .result = 1 };
	limen_engine *engine = new_engine(&last, LIMEN_ENGINE_WATCH);

	scratch_write(file, POLICY("true"));
	CU_ASSERT_EQUAL(limen_engine_load(engine, watched, NULL), LIMEN_OK);
	CU_ASSERT_TRUE(admits(engine));
	scratch_write(file, "this is no policy");
	expect_reload(&last, LIMEN_ECONFIG);
	/* The old policy stays, and what is wrong is told. */
	CU_ASSERT_TRUE(admits(engine));
	CU_ASSERT_TRUE(last.problems > 0);
	scratch_write(file, POLICY("false"));
	expect_reload(&last, LIMEN_OK);
	CU_ASSERT_FALSE(admits(engine));
	limen_engine_free(engine);
}

static void
test_file(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");

	follow_changes(file, file);
	free(file);
	scratch_free(&dir);
}

static void
test_directory(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");

	follow_changes(dir.path, file);
	free(file);
	scratch_free(&dir);
}

/* Each of several files that are one policy is watched. */
static void
test_several(void)
{
	scratch dir = scratch_new();
	char *first = scratch_path(&dir, "first.conf");
	char *second = scratch_path(&dir, "second.conf");
	const char *paths[] = { first, second };
	reload_outcome last = { .reloaded = LATCH_INIT, .result = 1 };
	limen_engine *engine = new_engine(&last, LIMEN_ENGINE_WATCH);

	scratch_write(first, POLICY("true"));
	scratch_write(second, "{\"limits\": []}");
	CU_ASSERT_EQUAL(limen_engine_load_files(engine, paths, 2, NULL), LIMEN_OK);
	CU_ASSERT_TRUE(admits(engine));
	scratch_write(second, "this is no policy");
	expect_reload(&last, LIMEN_ECONFIG);
	scratch_write(second, "{\"identifiers\": []}");
	expect_reload(&last, LIMEN_OK);
	scratch_write(first, "nor is this");
	expect_reload(&last, LIMEN_ECONFIG);
	scratch_write(first, POLICY("false"));
	expect_reload(&last, LIMEN_OK);
	CU_ASSERT_FALSE(admits(engine));
	limen_engine_free(engine);
	free(first);
	free(second);
	scratch_free(&dir);
}

/* What was loaded last is what is watched. */
static void
test_other_path(void)
{
	scratch dir = scratch_new();
	char *first = scratch_path(&dir, "first.conf");
	char *second = scratch_path(&dir, "second.conf");
	reload_outcome last = { .reloaded = LATCH_INIT, .result = 1 };
	limen_engine *engine = new_engine(&last, LIMEN_ENGINE_WATCH);

	scratch_write(first, POLICY("true"));
	scratch_write(second, POLICY("true"));
	CU_ASSERT_EQUAL(limen_engine_load(engine, first, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_engine_load(engine, second, NULL), LIMEN_OK);
	scratch_write(first, "this is no policy");
	scratch_write(second, POLICY("false"));
	expect_reload(&last, LIMEN_OK);
	CU_ASSERT_FALSE(admits(engine));
	limen_engine_free(engine);
	free(first);
	free(second);
	scratch_free(&dir);
}

static void
write_reading(const char *file, const char *answer)
{
	char text[2048];

	snprintf(text, sizeof(text), READING, answer);
	scratch_write(file, text);
}

static void
wait_until(limen_engine *engine, bool admitted)
{
	for (int i = 0; i < 600 && admits(engine) != admitted; i++)
		usleep(100000);
	CU_ASSERT_EQUAL(admits(engine), admitted);
}

/* Only the policy file is watched beside the input, which stands in another directory. */
static void
test_input(void)
{
	scratch dir = scratch_new();
	scratch other = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");
	char *answer = scratch_path(&other, "verdict");
	reload_outcome last = { .reloaded = LATCH_INIT, .result = 1 };
	limen_engine *engine = new_engine(&last, LIMEN_ENGINE_WATCH);

	scratch_write(answer, "pass");
	write_reading(file, answer);
	CU_ASSERT_EQUAL(limen_engine_load(engine, file, NULL), LIMEN_OK);
	CU_ASSERT_TRUE(admits(engine));
	scratch_write(answer, "fail");
	wait_until(engine, false);
	scratch_write(answer, "pass");
	wait_until(engine, true);
	/* A load that fails leaves the watch of what stays in force. */
	unlink(answer);
	expect_reload(&last, LIMEN_ECONFIG);
	CU_ASSERT_TRUE(admits(engine));
	scratch_write(answer, "fail");
	wait_until(engine, false);
	limen_engine_free(engine);
	free(file);
	free(answer);
	scratch_free(&dir);
	scratch_free(&other);
}

/* Which files are watched changes with the policy. */
static void
test_other_input(void)
{
	scratch dir = scratch_new();
	scratch other = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");
	char *first = scratch_path(&other, "first");
	char *second = scratch_path(&other, "second");
	reload_outcome last = { .reloaded = LATCH_INIT, .result = 1 };
	limen_engine *engine = new_engine(&last, LIMEN_ENGINE_WATCH);

	scratch_write(first, "pass");
	scratch_write(second, "fail");
	write_reading(file, first);
	CU_ASSERT_EQUAL(limen_engine_load(engine, file, NULL), LIMEN_OK);
	CU_ASSERT_TRUE(admits(engine));
	write_reading(file, second);
	wait_until(engine, false);
	scratch_write(second, "pass");
	wait_until(engine, true);
	limen_engine_free(engine);
	free(file);
	free(first);
	free(second);
	scratch_free(&dir);
	scratch_free(&other);
}

/* What a policy names that is not in force for want of it is waited for. */
static void
test_missing_input(void)
{
	scratch dir = scratch_new();
	scratch other = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");
	char *first = scratch_path(&other, "first");
	char *second = scratch_path(&other, "second");
	reload_outcome last = { .reloaded = LATCH_INIT, .result = 1 };
	limen_engine *engine = new_engine(&last, LIMEN_ENGINE_WATCH);

	write_reading(file, first);
	CU_ASSERT_NOT_EQUAL(limen_engine_load(engine, file, NULL), LIMEN_OK);
	scratch_write(first, "pass");
	wait_until(engine, true);
	/* The same on a reload, with a policy in force. */
	write_reading(file, second);
	expect_reload(&last, LIMEN_ECONFIG);
	CU_ASSERT_TRUE(admits(engine));
	scratch_write(second, "fail");
	wait_until(engine, false);
	scratch_write(second, "pass");
	wait_until(engine, true);
	limen_engine_free(engine);
	free(file);
	free(first);
	free(second);
	scratch_free(&dir);
	scratch_free(&other);
}

#define LIMITING(TYPE)                                                                        \
	"{\"apiVersion\": \"eventratelimit.admission.k8s.io/v1alpha1\", \"kind\": \"Configuration\"," \
	" \"limits\": [{\"type\": \"" TYPE "\", \"qps\": 1, \"burst\": 1}]}"

/* What an AdmissionConfiguration names stands anywhere. */
static void
test_named_file(void)
{
	scratch dir = scratch_new();
	scratch other = scratch_new();
	char *file = scratch_path(&dir, "plugins.json");
	char *named = scratch_path(&other, "events.json");
	reload_outcome last = { .reloaded = LATCH_INIT, .result = 1 };
	limen_engine *engine = new_engine(&last, LIMEN_ENGINE_WATCH);
	char text[2048];

	snprintf(text, sizeof(text),
	         "{\"apiVersion\": \"apiserver.config.k8s.io/v1\", \"kind\":"
	         " \"AdmissionConfiguration\", \"plugins\": [{\"name\": \"EventRateLimit\","
	         " \"path\": \"%s\"}]}",
	         named);
	scratch_write(file, text);
	CU_ASSERT_NOT_EQUAL(limen_engine_load(engine, dir.path, NULL), LIMEN_OK);
	scratch_write(named, LIMITING("Server"));
	expect_reload(&last, LIMEN_OK);
	scratch_write(named, LIMITING("Nobody"));
	expect_reload(&last, LIMEN_ECONFIG);
	scratch_write(named, LIMITING("User"));
	expect_reload(&last, LIMEN_OK);
	limen_engine_free(engine);
	free(file);
	free(named);
	scratch_free(&dir);
	scratch_free(&other);
}

/* What is written between two reloads must not be lost, whoever reloads. */
static void
test_input_beside_reloads(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");
	char *answer = scratch_path(&dir, "verdict");
	reload_outcome last = { .reloaded = LATCH_INIT };
	limen_engine *engine = new_engine(&last, LIMEN_ENGINE_WATCH);

	scratch_write(answer, "pass");
	write_reading(file, answer);
	CU_ASSERT_EQUAL(limen_engine_load(engine, file, NULL), LIMEN_OK);
	for (int i = 0; i < 40; i++) {
		scratch_write(answer, i % 2 == 0 ? "fail" : "pass");
		CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
		usleep(5000);
	}
	scratch_write(answer, "fail");
	wait_until(engine, false);
	limen_engine_free(engine);
	free(file);
	free(answer);
	scratch_free(&dir);
}

static void
test_without_watch(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");
	reload_outcome last = { .reloaded = LATCH_INIT };
	limen_engine *engine = new_engine(&last, 0);
	limen_engine *passive = new_engine(&last, LIMEN_ENGINE_WATCH | LIMEN_ENGINE_PASSIVE);

	scratch_write(file, POLICY("true"));
	CU_ASSERT_EQUAL(limen_engine_load(engine, file, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_engine_load(passive, file, NULL), LIMEN_OK);
	scratch_write(file, POLICY("false"));
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	CU_ASSERT_FALSE(admits(engine));
	CU_ASSERT_TRUE(admits(passive));
	limen_engine_free(engine);
	limen_engine_free(passive);
	CU_ASSERT_EQUAL(latch_count(&last.reloaded), 0);
	free(file);
	scratch_free(&dir);
}

static bool
has_loaded(limen_engine *engine, int count)
{
	char *text = limen_engine_describe(engine, 0, NULL);
	char wanted[32];
	bool found;

	snprintf(wanted, sizeof(wanted), "\"loads\":%d", count);
	found = text != NULL && strstr(text, wanted) != NULL;
	free(text);
	return found;
}

/* A file that is written as it was, and one whose mistake is mended. */
static void
test_same_contents(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");
	char *copy = scratch_path(&dir, "limits.new");
	reload_outcome last = { .reloaded = LATCH_INIT, .result = 1 };
	limen_engine *engine = new_engine(&last, LIMEN_ENGINE_WATCH);

	scratch_write(file, POLICY("true"));
	CU_ASSERT_EQUAL(limen_engine_load(engine, file, NULL), LIMEN_OK);
	/* Written in place it might be read while it is empty. */
	scratch_write(copy, POLICY("true"));
	CU_ASSERT_EQUAL(rename(copy, file), 0);
	for (int i = 0; i < 600 && has_loaded(engine, 1); i++)
		usleep(100000);
	CU_ASSERT_FALSE(has_loaded(engine, 1));
	CU_ASSERT_EQUAL(latch_count(&last.reloaded), 0);
	scratch_write(file, "this is no policy");
	expect_reload(&last, LIMEN_ECONFIG);
	scratch_write(file, POLICY("true"));
	expect_reload(&last, LIMEN_OK);
	limen_engine_free(engine);
	free(copy);
	free(file);
	scratch_free(&dir);
}

/* Engines that go away at any moment of a reload. */
static void
test_free(void)
{
	scratch dir = scratch_new();
	char *file = scratch_path(&dir, "limits.conf");
	reload_outcome last = { .reloaded = LATCH_INIT };

	for (int i = 0; i < 20; i++) {
		limen_engine *engine = new_engine(&last, LIMEN_ENGINE_WATCH);
		unsigned long before = latch_count(&last.reloaded);

		scratch_write(file, i % 2 == 0 ? POLICY("true") : POLICY("false"));
		CU_ASSERT_EQUAL(limen_engine_load(engine, dir.path, NULL), LIMEN_OK);
		scratch_write(file, i % 2 == 0 ? POLICY("false") : POLICY("true"));
		if (i % 4 == 0) {
			CU_ASSERT_TRUE(latch_wait(&last.reloaded, before + 1));
		} else {
			CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
		}
		limen_engine_free(engine);
	}
	free(file);
	scratch_free(&dir);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a file that changes is loaded again", test_file },
		{ "a directory whose files change is loaded again", test_directory },
		{ "several files that change are loaded again", test_several },
		{ "the path loaded last is the one watched", test_other_path },
		{ "a file that a module reads is watched", test_input },
		{ "a file that a policy could not read is watched", test_missing_input },
		{ "files of modules are watched as policies name them", test_other_input },
		{ "a file that a file of the policy names is watched", test_named_file },
		{ "no change of such a file is lost beside reloads", test_input_beside_reloads },
		{ "nothing is reloaded unasked", test_without_watch },
		{ "a reload that changes nothing is not told", test_same_contents },
		{ "an engine may be freed while it watches", test_free },
		{ NULL, NULL },
	};

	return suite_run("core/engine_watch", tests);
}
