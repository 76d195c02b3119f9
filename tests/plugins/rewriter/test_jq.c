/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq.c - the rewriter "jq" through the real engine: what its data has to be,
 * and that the answer is what the script made of the task, whatever that is.
 * tests/cases/jq has the rules.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "suite.h"

/* The script takes what the hint says for the specification. */
#define TAKE_HINT "{\"script\":\".test.spec = hint(\\\"spec\\\")\"}"

/* Is the rewritten task the JSON 'wanted'? */
static bool
is_rewritten(const limen_kit *kit, const char *wanted)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	bool same = false;

	if (limen_request_parse(req, wanted, strlen(wanted), NULL) == LIMEN_OK)
		same = limen_value_equal(limen_request_original(req),
		                         limen_decision_rewritten(limen_kit_decision(kit)));
	limen_request_free(req);
	return same;
}

/* Numbers from 'seed' that are the same every time. */
static unsigned
mix(unsigned seed)
{
	seed ^= seed >> 16;
	seed *= 0x7feb352dU;
	seed ^= seed >> 15;
	seed *= 0x846ca68bU;
	return seed ^ seed >> 16;
}

static void
write_scalar(FILE *out, unsigned seed)
{
	static const char *const scalars[] = {
		"null", "true", "false", "\"\"", "\"text\"", "\"\\u0000\\\"\\\\\\n\"",
		"\"\\u00fc\"",
		"0", "1", "1.0", "-7", "2.5", "1e3", "9007199254740992", "1e-7", "1234567.875"
	};

	fputs(scalars[seed % (sizeof(scalars) / sizeof(scalars[0]))], out);
}

/*
 * Writes a value that 'seed' stands for.  With 'changes', some of the nodes in it
 * stand for other seeds, so that most is as without.
 */
static void
write_value(FILE *out, unsigned seed, unsigned changes, int depth)
{
	bool changed = changes != 0 && mix(seed + changes) % 8 == 0;
	unsigned own = mix(changed ? seed ^ changes : seed);
	unsigned count = own / 16 % 6;
	bool is_array = own % 5 == 0;

	if (depth == 0 || own % 5 > 2) {
		write_scalar(out, own / 8);
		return;
	}
	fputc(is_array ? '[' : '{', out);
	for (unsigned i = 0; i < count; i++) {
		fputs(i == 0 ? "" : ",", out);
		if (!is_array)
			fprintf(out, "\"%s%u\":", mix(own + i) % 5 == 0 ? "\\u0000" : "k", i);
		write_value(out, own + i, changes, depth - 1);
	}
	fputc(is_array ? ']' : '}', out);
}

static char *
make_value(unsigned seed, unsigned changes, const char *before, const char *after)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	fputs(before, out);
	write_value(out, seed, changes, 5);
	fputs(after, out);
	fclose(out);
	return text;
}

static void
test_random(void)
{
	limen_kit *kit = plugin_open(LIMEN_KIND_REWRITER, "jq", TAKE_HINT);
	unsigned different = 0;

	for (unsigned i = 1; kit != NULL && i <= 1500; i++) {
		unsigned changes = i % 4 == 0 ? 0 : mix(i);
		char *task = make_value(i, 0, "{\"test\":{\"type\":\"x\",\"spec\":", "}}");
		char *wanted = make_value(i, changes, "{\"test\":{\"type\":\"x\",\"spec\":", "}}");
		char *hints = make_value(i, changes, "{\"spec\":", "}");
		limen_verdict verdict = limen_kit_run(kit, task, hints);
		const limen_decision *decision = limen_kit_decision(kit);
		bool same = strcmp(task, wanted) == 0;

		different += same ? 0 : 1;
		plugin_assert(verdict == LIMEN_PASS && is_rewritten(kit, wanted), __FILE__,
		              __LINE__, "%s to %s: %s", task, wanted, limen_kit_reason(kit));
		plugin_assert(!same || limen_value_count(limen_decision_patch(decision)) == 0,
		              __FILE__, __LINE__, "%s: has a patch", task);
		free(task);
		free(wanted);
		free(hints);
	}
	CU_ASSERT(different > 400);
	limen_kit_free(kit);
}

/* Members that were passed in looking one up. */
static atomic_size_t passed;

/* Stands before the library's. */
limen_value
limen_value_member(limen_value object, const char *key, size_t length)
{
	limen_key wanted = { key, length };
	limen_value found;

	atomic_fetch_add(&passed, limen_value_count(object));
	limen_value_pick(object, &wanted, 1, &found);
	return found;
}

enum { MANY = 20000 };

/* Objects in an object: each is compared with what it was, but for one nothing changes. */
static char *
make_many(const char *before, size_t changed, const char *after)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	fputs(before, out);
	for (size_t i = 0; i < MANY; i++)
		fprintf(out, "%s\"k%zu\":{\"a\":%d}", i == 0 ? "" : ",", i, i == changed ? 1 : 0);
	fputs(after, out);
	fclose(out);
	return text;
}

/* Under a sanitizer the script needs more than the second that it has by default. */
static void
test_many(void)
{
	limen_kit *kit = plugin_open(LIMEN_KIND_REWRITER, "jq",
	                             "{\"script\":\".test.spec = hint(\\\"spec\\\")\","
	                             "\"timeout\":\"PT30S\"}");
	char *task = make_many("{\"test\":{\"type\":\"x\",\"spec\":{", MANY, "}}}");
	char *wanted = make_many("{\"test\":{\"type\":\"x\",\"spec\":{", MANY - 1, "}}}");
	char *hints = make_many("{\"spec\":{", MANY - 1, "}}");
	size_t most = (size_t)64 * MANY;

	atomic_store(&passed, 0);
	CU_ASSERT_FATAL(kit != NULL);
	CU_ASSERT_EQUAL(limen_kit_run(kit, task, hints), LIMEN_PASS);
	plugin_assert(atomic_load(&passed) < most, __FILE__, __LINE__, "%zu members passed",
	              atomic_load(&passed));
	CU_ASSERT_TRUE(is_rewritten(kit, wanted));
	CU_ASSERT_EQUAL(limen_value_count(limen_decision_patch(limen_kit_decision(kit))), 1);
	limen_kit_free(kit);
	free(task);
	free(wanted);
	free(hints);
}

/* Rewrites and prioritizes, each task by a number of its own. */
static const char shared_policy[] =
	"{\"schema\":4,"
	"\"identifiers\":[{\"name\":\"i\",\"description\":\"\",\"type\":\"always\",\"data\":{}}],"
	"\"classifiers\":[{\"name\":\"c\",\"description\":\"\",\"identifiers\":[\"i\"]}],"
	"\"rewrite\":{\"script\":\".test.spec.n += 1 | change(hint(\\\"h\\\"))\"},"
	"\"limits\":[],\"applications\":[{\"description\":\"\",\"apply\":[]}],"
	"\"priority\":{\"script\":\"set(.test.spec.n; classifiers)\"}}";

struct worker {
	limen_engine *engine;
	int first;
	int good;
	pthread_t thread;
};

enum { WORKERS = 4, DECISIONS = 100 };

static bool
decide_one(limen_engine *engine, int number)
{
	const limen_decide_options options = { .size = sizeof options,
		                               .rewrite = LIMEN_SWITCH_ON,
		                               .prioritize = LIMEN_SWITCH_ON,
		                               .diagnostics = true };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;
	char task[96], wanted[96];
	double priority = -1.0;
	bool good;

	snprintf(task, sizeof task, "{\"test\":{\"type\":\"t\",\"spec\":{\"n\":%d}}}", number);
	snprintf(wanted, sizeof wanted, "Rewriter made changes:\n  hint %d\n", number);
	limen_request_parse(req, task, strlen(task), NULL);
	snprintf(task, sizeof task, "hint %d", number);
	limen_request_set_hint(req, "h", task);
	good = limen_engine_decide(engine, req, &options, &decision) == LIMEN_OK &&
	       limen_decision_priority(decision, &priority) && priority == number &&
	       strstr(limen_decision_diagnostics(decision), wanted) != NULL;
	limen_decision_free(decision);
	limen_request_free(req);
	return good;
}

static void *
decide_many(void *data)
{
	struct worker *worker = data;

	for (int i = 0; i < DECISIONS; i++)
		worker->good += decide_one(worker->engine, worker->first + i) ? 1 : 0;
	return NULL;
}

static void
test_threads(void)
{
	limen_engine_options options = { .size = sizeof options,
		                         .module_path = getenv("LIMEN_MODULE_PATH") };
	limen_engine *engine = limen_engine_new(&options);
	struct worker workers[WORKERS];

	CU_ASSERT_EQUAL_FATAL(limen_engine_load_text(engine, "policy", shared_policy,
	                                             strlen(shared_policy), NULL), LIMEN_OK);
	for (int i = 0; i < WORKERS; i++) {
		workers[i] = (struct worker){ .engine = engine, .first = i * 1000 };
		CU_ASSERT_EQUAL_FATAL(pthread_create(&workers[i].thread, NULL, decide_many,
		                                     &workers[i]), 0);
	}
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(workers[i].thread, NULL);
		CU_ASSERT_EQUAL(workers[i].good, DECISIONS);
	}
	limen_engine_free(engine);
}

static void
test_data(void)
{
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{}", "'script' is a required property");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":5}", "/rewrite/script");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":[\".\",5]}", "/rewrite/script/1");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\"\"}", "The script is empty");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\". | (\"}", "/rewrite/script");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\"nope(1)\"}", "nope/1");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\".\",\"args\":[]}", "/rewrite/args");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\".\",\"timeout\":\"PT0S\"}",
	              "/rewrite/timeout");
	plugin_refuse(LIMEN_KIND_REWRITER, "jq", "{\"script\":\".\",\"more\":1}", "'more'");
	plugin_remark(LIMEN_KIND_REWRITER, "jq",
	              "{\"script\":[\".\",\"# done\"],\"args\":{\"a\":1},"
	              "\"timeout\":\"PT2S\"}", "");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_REWRITER, "jq");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the answer is what the script made of the task", test_random },
		{ "what is in a large object is found in one walk", test_many },
		{ "several threads, one script", test_threads },
		{ "what the data has to be", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("rewriter/jq", tests);
}
