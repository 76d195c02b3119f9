/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loading, reloading and deciding through the real engine, with the modules of
 * the build tree.
 */
#include "engine/engine.h"

#include <limen/question.h>

#include <pthread.h>
#include <stdatomic.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

/* A policy with one identifier, one limit that passes or fails, and a name for it. */
static char *
policy_text(const char *limit, const char *pass)
{
	char *text;

	if (asprintf(&text,
	             "{\"schema\": 4,"
	             "\"identifiers\": [{\"name\": \"all\", \"description\": \"\","
	             "  \"type\": \"always\", \"data\": {}}],"
	             "\"classifiers\": [{\"name\": \"everyone\", \"description\": \"\","
	             "  \"identifiers\": [\"all\"]}],"
	             "\"limits\": [{\"name\": \"%s\", \"type\": \"pass-fail\","
	             "  \"data\": {\"pass\": %s}}],"
	             "\"applications\": [{\"description\": \"%s\", \"classifier\": \"everyone\","
	             "  \"apply\": [{\"require\": \"all\", \"limits\": [\"%s\"]}]}]}",
	             limit, pass, limit, limit) < 0)
		return NULL;
	return text;
}

static limen_engine *
new_engine(unsigned flags)
{
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
		.flags = flags,
	};

	return limen_engine_new(&options);
}

static int
load(limen_engine *engine, const char *limit, const char *pass, limen_diag *diag)
{
	char *text = policy_text(limit, pass);
	int result = limen_engine_load_text(engine, "test", text, strlen(text), diag);

	free(text);
	return result;
}

/* Options that were not filled in must not make an engine that allows more than was meant. */
static void
test_unusable_options(void)
{
	limen_engine_options options = { .flags = LIMEN_ENGINE_FOREIGN_POLICIES };

	CU_ASSERT_PTR_NULL(limen_engine_new(&options));
	CU_ASSERT_EQUAL(errno, EINVAL);
	options.size = sizeof(options);
	options.flags = 1U << 30;
	CU_ASSERT_PTR_NULL(limen_engine_new(&options));
	CU_ASSERT_EQUAL(errno, EINVAL);
}

/* A member of a later version may restrict something. */
static void
test_longer_options(void)
{
	struct {
		limen_engine_options known;
		uint64_t later;
	} options = { .known = { .size = sizeof(options) }, .later = 1 };
	limen_engine *engine;

	CU_ASSERT_PTR_NULL(limen_engine_new(&options.known));
	CU_ASSERT_EQUAL(errno, EINVAL);
	options.later = 0;
	engine = limen_engine_new(&options.known);
	CU_ASSERT_PTR_NOT_NULL(engine);
	limen_engine_free(engine);
}

static void
test_unusable_decide_options(void)
{
	limen_engine *engine = new_engine(LIMEN_ENGINE_WITHOUT_POLICY);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decide_options options = { .trace = true };
	limen_decision *decision = NULL;

	limen_request_parse(req, "{}", 2, NULL);
	CU_ASSERT_EQUAL(limen_engine_decide(engine, req, &options, &decision), LIMEN_EINVAL);
	options = (limen_decide_options){ .size = sizeof(options), .rewrite = 77 };
	CU_ASSERT_EQUAL(limen_engine_decide(engine, req, &options, &decision), LIMEN_EINVAL);
	options = (limen_decide_options){ .size = sizeof(options), .prioritize = 3 };
	CU_ASSERT_EQUAL(limen_engine_decide(engine, req, &options, &decision), LIMEN_EINVAL);
	CU_ASSERT_PTR_NULL(decision);
	limen_request_free(req);
	limen_engine_free(engine);
}

/* A phase that a newer program knows must not be taken for one that decides less. */
static void
test_unknown_phase(void)
{
	limen_engine *engine = new_engine(0);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decide_options options = { .size = sizeof(options),
		                         .phase = (limen_phase)(LIMEN_PHASE_WORKLOAD + 1) };
	limen_decision *decision = NULL;

	CU_ASSERT_EQUAL(load(engine, "a", "true", NULL), LIMEN_OK);
	limen_request_parse(req, "{}", 2, NULL);
	CU_ASSERT_EQUAL(limen_engine_decide(engine, req, &options, &decision), LIMEN_EINVAL);
	CU_ASSERT_PTR_NULL(decision);
	/* Nor does a caller who knows no phases name one. */
	options.size = offsetof(limen_decide_options, phase);
	CU_ASSERT_EQUAL(limen_engine_decide(engine, req, &options, &decision), LIMEN_OK);
	CU_ASSERT_TRUE(limen_decision_admitted(decision));
	limen_decision_free(decision);
	limen_request_free(req);
	limen_engine_free(engine);
}

static limen_decision *
decide(limen_engine *engine)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;

	limen_request_parse(req, "{\"test\": {\"type\": \"idle\"}}", 26, NULL);
	limen_engine_decide(engine, req, NULL, &decision);
	limen_request_free(req);
	return decision;
}

static bool
admits(limen_engine *engine)
{
	limen_decision *decision = decide(engine);
	bool admitted = decision != NULL && limen_decision_admitted(decision);

	limen_decision_free(decision);
	return admitted;
}

static void
test_without_policy(void)
{
	limen_engine *engine = new_engine(0);
	limen_engine *open = new_engine(LIMEN_ENGINE_WITHOUT_POLICY);
	limen_decision *decision;

	CU_ASSERT_PTR_NULL(decide(engine));
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_ENOPOLICY);
	decision = decide(open);
	CU_ASSERT_PTR_NOT_NULL_FATAL(decision);
	CU_ASSERT_TRUE(limen_decision_admitted(decision));
	CU_ASSERT_STRING_EQUAL(limen_decision_reason(decision), "No limits were applied");
	limen_decision_free(decision);
	limen_engine_free(engine);
	limen_engine_free(open);
}

static void
test_load_and_replace(void)
{
	limen_engine *engine = new_engine(0);

	CU_ASSERT_EQUAL(load(engine, "yes", "true", NULL), LIMEN_OK);
	CU_ASSERT_TRUE(admits(engine));
	CU_ASSERT_EQUAL(load(engine, "no", "false", NULL), LIMEN_OK);
	CU_ASSERT_FALSE(admits(engine));
	limen_engine_free(engine);
}

static void
test_failed_load_changes_nothing(void)
{
	limen_engine *engine = new_engine(0);
	limen_diag *diag = limen_diag_new();

	CU_ASSERT_EQUAL(load(engine, "yes", "true", NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(load(engine, "yes", "7", diag), LIMEN_ECONFIG);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 1);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->pointer, "/limits/0/data/pass");
	CU_ASSERT_TRUE(admits(engine));
	CU_ASSERT_EQUAL(limen_engine_load(engine, "/nonexistent/limits.conf", NULL), LIMEN_EIO);
	CU_ASSERT_TRUE(admits(engine));
	limen_diag_free(diag);
	limen_engine_free(engine);
}

static void
write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	fclose(file);
}

static void
test_reload_reads_the_file_again(void)
{
	char directory[] = "/tmp/limen-engine-XXXXXX";
	limen_engine *engine = new_engine(0);
	char path[64];
	char *yes = policy_text("same", "true");
	char *no = policy_text("same", "false");

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/limits.conf", directory);
	write_file(path, yes);
	CU_ASSERT_EQUAL(limen_engine_load(engine, directory, NULL), LIMEN_OK);
	CU_ASSERT_TRUE(admits(engine));
	write_file(path, no);
	CU_ASSERT_TRUE(admits(engine));
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	CU_ASSERT_FALSE(admits(engine));
	unlink(path);
	CU_ASSERT_NOT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	CU_ASSERT_FALSE(admits(engine));
	rmdir(directory);
	free(yes);
	free(no);
	limen_engine_free(engine);
}

static void
test_instances_carry_over(void)
{
	limen_engine *engine = new_engine(0);
	const instance *always;
	const instance *limit;

	CU_ASSERT_EQUAL(load(engine, "one", "true", NULL), LIMEN_OK);
	always = engine->current->identifiers.items[0].instance;
	limit = engine->current->limits.items[0].instance;
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	CU_ASSERT_PTR_EQUAL(engine->current->identifiers.items[0].instance, always);
	CU_ASSERT_PTR_EQUAL(engine->current->limits.items[0].instance, limit);
	/* Other data: another instance; the identifier is still the same. */
	CU_ASSERT_EQUAL(load(engine, "one", "false", NULL), LIMEN_OK);
	CU_ASSERT_PTR_EQUAL(engine->current->identifiers.items[0].instance, always);
	CU_ASSERT_PTR_NOT_EQUAL(engine->current->limits.items[0].instance, limit);
	limen_engine_free(engine);
}

static void
test_graveyard_waits_for_decisions(void)
{
	limen_engine *engine = new_engine(0);
	policy *held;

	CU_ASSERT_EQUAL(load(engine, "one", "true", NULL), LIMEN_OK);
	held = policy_ref(engine->current);
	CU_ASSERT_EQUAL(load(engine, "two", "true", NULL), LIMEN_OK);
	CU_ASSERT_PTR_EQUAL(engine->graveyard, held);
	policy_unref(held);
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	CU_ASSERT_PTR_NULL(engine->graveyard);
	limen_engine_free(engine);
}

static bool
graveyard_is_empty(limen_engine *engine)
{
	bool empty;

	pthread_mutex_lock(&engine->control);
	empty = engine->graveyard == NULL;
	pthread_mutex_unlock(&engine->control);
	return empty;
}

/* The first look comes too early; nothing but another one empties the graveyard. */
static void
test_graveyard_is_swept_unasked(void)
{
	limen_engine *engine = new_engine(0);
	policy *held;

	CU_ASSERT_EQUAL(load(engine, "one", "true", NULL), LIMEN_OK);
	held = policy_ref(engine->current);
	CU_ASSERT_EQUAL(load(engine, "two", "true", NULL), LIMEN_OK);
	usleep(1200000);
	CU_ASSERT_FALSE(graveyard_is_empty(engine));
	policy_unref(held);
	for (int i = 0; i < 600 && !graveyard_is_empty(engine); i++)
		usleep(100000);
	CU_ASSERT_TRUE(graveyard_is_empty(engine));
	limen_engine_free(engine);
}

#define DECIDERS 3
#define RELOADS 200

typedef struct stress {
	limen_engine *engine;
	atomic_bool stop;
	atomic_uint decided;
	atomic_uint wrong;
} stress;

/* Each decision must be of one policy from start to end: its names say which. */
static void *
decide_until_stopped(void *data)
{
	stress *shared = data;

	while (!atomic_load(&shared->stop)) {
		limen_decision *decision = decide(shared->engine);
		const char *reason = limen_decision_reason(decision);
		bool admitted = limen_decision_admitted(decision);

		if (strcmp(reason, admitted ? "application 'yes' passes"
		                            : "application 'no' fails: limit 'no' failed: Forced "
		                              "failure") != 0)
			atomic_fetch_add(&shared->wrong, 1);
		atomic_fetch_add(&shared->decided, 1);
		limen_decision_free(decision);
	}
	return NULL;
}

static void
test_reload_while_deciding(void)
{
	stress shared = { .engine = new_engine(0) };
	pthread_t threads[DECIDERS];

	CU_ASSERT_EQUAL_FATAL(load(shared.engine, "yes", "true", NULL), LIMEN_OK);
	for (size_t i = 0; i < DECIDERS; i++)
		pthread_create(&threads[i], NULL, decide_until_stopped, &shared);
	for (int i = 0; i < RELOADS; i++)
		CU_ASSERT_EQUAL(load(shared.engine, i % 2 ? "yes" : "no", i % 2 ? "true" : "false",
		                     NULL),
		                LIMEN_OK);
	/* However slow the machine: some decisions must have run beside the reloads. */
	while (atomic_load(&shared.decided) < 100)
		CU_ASSERT_EQUAL(limen_engine_reload(shared.engine, NULL), LIMEN_OK);
	atomic_store(&shared.stop, true);
	for (size_t i = 0; i < DECIDERS; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(atomic_load(&shared.wrong), 0);
	limen_engine_free(shared.engine);
}

static void
count_module(void *data, const limen_module_info *info)
{
	size_t *count = data;

	if (info->kind == LIMEN_KIND_IDENTIFIER && strcmp(info->type, "always") == 0)
		(*count)++;
}

static void
test_modules(void)
{
	limen_engine *engine = new_engine(LIMEN_ENGINE_PASSIVE);
	size_t count = 0;

	CU_ASSERT_EQUAL(limen_engine_each_module(engine, count_module, &count, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(count, 1);
	CU_ASSERT_EQUAL(limen_engine_find_module(engine, LIMEN_KIND_IDENTIFIER, "always",
	                                         count_module, &count, NULL),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(count, 2);
	CU_ASSERT_EQUAL(limen_engine_find_module(engine, LIMEN_KIND_IDENTIFIER, "nowhere",
	                                         count_module, &count, NULL),
	                LIMEN_ENOENT);
	CU_ASSERT_EQUAL(limen_engine_find_module(engine, LIMEN_KIND_IDENTIFIER, "../../etc/passwd",
	                                         count_module, &count, NULL),
	                LIMEN_ENOENT);
	limen_engine_free(engine);
}

static void
test_describe(void)
{
	limen_engine *engine = new_engine(0);
	char *text;

	text = limen_engine_describe(engine, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"ready\":false"));
	free(text);
	CU_ASSERT_EQUAL(load(engine, "one", "true", NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(load(engine, "one", "8", NULL), LIMEN_ECONFIG);
	text = limen_engine_describe(engine, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"ready\":true"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"error\":\"test:1:"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, ": 8 is not of type 'boolean'\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"pass-fail\""));
	free(text);
	limen_engine_free(engine);
}

/* So that only the last of several calls need be looked at. */
static void
test_no_engine(void)
{
	const char *path = "/nowhere";
	limen_engine *engine = limen_engine_new(NULL);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;

	CU_ASSERT_EQUAL(limen_engine_load(NULL, path, NULL), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_engine_load_files(NULL, &path, 1, NULL), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_engine_load_text(NULL, NULL, "{}", 2, NULL), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_engine_reload(NULL, NULL), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_engine_decide(NULL, req, NULL, &decision), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_engine_decide(engine, NULL, NULL, &decision), LIMEN_ENOMEM);
	CU_ASSERT_PTR_NULL(decision);
	limen_request_free(req);
	limen_engine_free(engine);
	limen_engine_free(NULL);
}

/* Loads a policy with the key "path:POINTER" of a rate. */
static void
load_key(limen_engine *engine, const char *pointer)
{
	char *text;

	if (asprintf(&text,
	             "{\"limits\": [{\"name\": \"r\", \"type\": \"rate\","
	             "  \"data\": {\"rate\": \"9/s\", \"key\": [\"path:%s\"]}}],"
	             "\"applications\": [{\"apply\": [{\"require\": \"all\","
	             "  \"limits\": [\"r\"]}]}]}", pointer) < 0)
		return;
	CU_ASSERT_EQUAL(limen_engine_load_text(engine, NULL, text, strlen(text), NULL), LIMEN_OK);
	free(text);
}

/* Tells describe() its work, and keeps its arguments. */
typedef struct describing {
	limen_engine *engine;
	limen_request *req;
	const char *text;
	const char *next; /* key of a policy that is loaded meanwhile, or NULL */
	int result;       /* unless it is LIMEN_OK, nothing is filled */
	unsigned parts;
	char header[16];
	size_t calls;
} describing;

static int
describe(void *data, const limen_http_needs *needs)
{
	describing *self = data;
	limen_documents *parsed = NULL;
	int result;

	self->calls++;
	self->parts = needs->parts;
	snprintf(self->header, sizeof(self->header), "%s",
	         needs->headers[0] == NULL ? "" : needs->headers[0]);
	if (self->next != NULL)
		load_key(self->engine, self->next);
	if (self->result != LIMEN_OK)
		return self->result;
	limen_documents_parse(NULL, self->text, strlen(self->text), 0, &parsed, NULL);
	result = limen_http_fill(self->req, limen_documents_get(parsed, 0), NULL, NULL);
	limen_documents_free(parsed);
	return result;
}

static void
note_end(void *data)
{
	(void)data;
}

/* Decides a request that describe() fills; 'waits': in two steps. */
static limen_decision *
decide_described(describing *self, bool waits)
{
	const limen_decide_options options = { .size = sizeof(options), .describe = describe,
		                               .describe_data = self };
	limen_decision *decision = NULL;
	limen_pending *pending = NULL;

	self->calls = 0;
	self->req = limen_request_new(LIMEN_SUBJECT_HTTP);
	CU_ASSERT_EQUAL(waits ? limen_engine_begin(self->engine, self->req, &options, note_end, NULL,
	                                           &pending, NULL)
	                      : limen_engine_decide(self->engine, self->req, &options, &decision),
	                LIMEN_OK);
	if (waits) {
		/* The first policy decides, not one that reads something else. */
		load_key(self->engine, "/headers/x-last");
		CU_ASSERT_EQUAL(limen_pending_decide(pending, &decision), LIMEN_OK);
	}
	CU_ASSERT_EQUAL(self->calls, 1);
	limen_request_free(self->req);
	return decision;
}

/* A request without a header that another policy reads would get the bucket of others. */
static void
test_describing(void)
{
	limen_engine *engine = new_engine(0);
	describing self = { .engine = engine,
		            .text = "{\"method\":\"GET\",\"path\":\"/\","
		                    "\"headers\":{\"x-user\":\"ann\"}}" };
	limen_decision *decision;

	for (int waits = 0; waits < 2; waits++) {
		load_key(engine, "/path");
		self.next = "/headers/x-user";
		decision = decide_described(&self, waits);
		CU_ASSERT_EQUAL(self.parts, LIMEN_HTTP_PATH);
		CU_ASSERT_STRING_EQUAL(self.header, "");
		CU_ASSERT_EQUAL(limen_decision_code(decision), 200);
		limen_decision_free(decision);
		load_key(engine, "/headers/x-user");
		self.next = "/path";
		decision = decide_described(&self, waits);
		CU_ASSERT_EQUAL(self.parts, 0);
		CU_ASSERT_STRING_EQUAL(self.header, "x-user");
		CU_ASSERT_EQUAL(limen_decision_code(decision), 200);
		limen_decision_free(decision);
		self.next = NULL;
		for (self.result = LIMEN_ENOMEM; self.result != LIMEN_OK;
		     self.result = self.result == LIMEN_ENOMEM ? LIMEN_EINVAL : LIMEN_OK) {
			decision = decide_described(&self, waits);
			CU_ASSERT_EQUAL(limen_decision_code(decision),
			                self.result == LIMEN_ENOMEM ? 500 : 400);
			limen_decision_free(decision);
		}
	}
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "without a policy only those decide who were told to", test_without_policy },
		{ "a new policy replaces the old one", test_load_and_replace },
		{ "a failed load changes nothing and says where", test_failed_load_changes_nothing },
		{ "a reload reads the files again", test_reload_reads_the_file_again },
		{ "unchanged instances carry over", test_instances_carry_over },
		{ "a replaced policy waits for its last decision", test_graveyard_waits_for_decisions },
		{ "a replaced policy is freed without another load",
		  test_graveyard_is_swept_unasked },
		{ "every decision beside reloads is of one policy", test_reload_while_deciding },
		{ "a phase that is none gets no decision", test_unknown_phase },
		{ "options without their size, or with an unknown flag, make no engine",
		  test_unusable_options },
		{ "options with members of a later version make no engine", test_longer_options },
		{ "options without their size, or unknown, get no decision", test_unusable_decide_options },
		{ "an engine or a request that could not be made gets none", test_no_engine },
		{ "modules are listed and found", test_modules },
		{ "the engine describes what it holds", test_describe },
		{ "an HTTP request is described under the policy that decides", test_describing },
		{ NULL, NULL },
	};

	return suite_run("core/engine", tests);
}
