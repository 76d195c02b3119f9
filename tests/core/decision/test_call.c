/* SPDX-License-Identifier: Apache-2.0 */
/* Around every call of a module: deadlines, locking, odd answers, the trace. */
#include "decision/pipeline.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "policy_case.h"

/* One identifier, and one application over one limit. */
static void
load(limen_engine *engine, const char *identifier, const char *limit)
{
	char *text;

	CU_ASSERT_FATAL(asprintf(&text,
	                         "{\"schema\": 4, \"identifiers\": [{\"name\": \"i\","
	                         " \"description\": \"\", %s}], \"classifiers\": [{\"name\": \"c\","
	                         " \"description\": \"\", \"identifiers\": [\"i\"]}],"
	                         " \"limits\": [{\"name\": \"l\", %s}],"
	                         " \"applications\": [{\"description\": \"a\", \"apply\": [{"
	                         "\"require\": \"all\", \"limits\": [\"l\"]}]}]}",
	                         identifier, limit) > 0);
	policy_case_load(engine, text);
	free(text);
}

#define ALWAYS "\"type\": \"always\", \"data\": {}"
#define PASS "\"type\": \"pass-fail\", \"data\": {\"pass\": true}"
#define VERDICT(word) "\"type\": \"verdict\", \"data\": {\"verdict\": \"" word "\"}"
#define SLEEPY "\"type\": \"verdict\", \"data\": {\"verdict\": \"pass\", \"sleep\": \"PT0.05S\"}"

static void
expect(limen_engine *engine, limen_duration timeout, int code, const char *reason)
{
	limen_decision *decision = policy_case_decide(engine, timeout, false);

	CU_ASSERT_EQUAL(limen_decision_code(decision), code);
	CU_ASSERT_EQUAL(limen_decision_admitted(decision), code == 200);
	if (strcmp(limen_decision_reason(decision), reason) != 0)
		printf("# wanted: %s\n# found:  %s\n", reason, limen_decision_reason(decision));
	CU_ASSERT_STRING_EQUAL(limen_decision_reason(decision), reason);
	limen_decision_free(decision);
}

#define LATE "the deadline of the decision has passed"

/* The module that is late is asked to the end; those after it are not asked at all. */
static void
test_deadline(void)
{
	limen_engine *engine = policy_case_engine(0);

	load(engine, SLEEPY, PASS);
	expect(engine, 60 * LIMEN_SECOND, 200, "application 'a' passes");
	expect(engine, LIMEN_SECOND / 100, 500,
	       "application 'a' fails: limit 'l' failed: " LATE);
	limen_engine_free(engine);
}

/* Nor does a late identifier that is inverted identify anybody. */
static void
test_deadline_is_not_inverted(void)
{
	static const char text[] =
		"{\"schema\": 4, \"identifiers\": ["
		"{\"name\": \"i\", \"description\": \"\", \"invert\": true, " SLEEPY "},"
		"{\"name\": \"j\", \"description\": \"\", \"invert\": true, " VERDICT("fail") "}],"
		" \"classifiers\": [], \"limits\": [], \"applications\": []}";
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;
	size_t count;

	policy_case_load(engine, text);
	expect(engine, 60 * LIMEN_SECOND, 403, "Made no classifications");
	decision = policy_case_decide(engine, LIMEN_SECOND / 100, false);
	limen_decision_identifiers(decision, &count);
	CU_ASSERT_EQUAL(count, 0);
	CU_ASSERT_EQUAL(limen_decision_code(decision), 500);
	CU_ASSERT_STRING_EQUAL(limen_decision_trace(decision, 1)->reason, LATE);
	limen_decision_free(decision);
	limen_engine_free(engine);
}

static void
test_policy_timeout(void)
{
	static const char *const timeouts[] = { "PT0.01S", "P100000000D" };
	limen_engine *engine = policy_case_engine(0);

	for (size_t i = 0; i < 2; i++) {
		char text[600];

		snprintf(text, sizeof(text),
		         "{\"schema\": 4, \"settings\": {\"timeout\": \"%s\"}, \"identifiers\": [{"
		         "\"name\": \"i\", \"description\": \"\", " SLEEPY "}], \"classifiers\": [{"
		         "\"name\": \"c\", \"description\": \"\", \"identifiers\": [\"i\"]}],"
		         " \"limits\": [{\"name\": \"l\", " PASS "}], \"applications\": [{"
		         "\"description\": \"a\", \"apply\": [{\"require\": \"all\","
		         " \"limits\": [\"l\"]}]}]}",
		         timeouts[i]);
		policy_case_load(engine, text);
		CU_ASSERT_EQUAL(policy_case_admits(engine), i == 1);
	}
	/* The request's own deadline goes first. */
	expect(engine, LIMEN_SECOND / 100, 500,
	       "application 'a' fails: limit 'l' failed: " LATE);
	limen_engine_free(engine);
}

#define THREW "application 'a' fails: limit 'l' failed: Limit l threw an exception: "

static void
test_answers(void)
{
	limen_engine *engine = policy_case_engine(0);

	load(engine, ALWAYS, VERDICT("odd"));
	expect(engine, 0, 500, THREW "the module returned an unknown verdict");
	load(engine, ALWAYS, VERDICT("error"));
	expect(engine, 0, 500, THREW "the module failed and gave no reason");
	load(engine, ALWAYS, VERDICT("odd") ", \"invert\": true");
	expect(engine, 0, 500, THREW "the module returned an unknown verdict");
	load(engine, ALWAYS, VERDICT("skip"));
	expect(engine, 0, 200, "application 'a' passes");
	load(engine, ALWAYS, VERDICT("fail"));
	expect(engine, 0, 403, "application 'a' fails: limit 'l' failed");
	load(engine, VERDICT("odd"), PASS);
	expect(engine, 0, 500, "Made no identifications");
	limen_engine_free(engine);
}

#define CHANGES "only a rewriter, or 'mutate' of an admission module, changes the document"

/* What a limit does that only other kinds of modules may is an error, whatever it returns. */
static void
test_misuse(void)
{
	static const struct {
		const char *what;
		const char *reason;
	} cases[] = {
		{ "violate", "limen_reply_violation: only an admission module reports violations; "
		             "other modules give a reason" },
		{ "prioritize", "limen_reply_priority: only a prioritizer sets a priority" },
		{ "set", "limen_reply_set: " CHANGES },
		{ "insert", "limen_reply_insert: " CHANGES },
		{ "remove", "limen_reply_remove: " CHANGES },
		{ "replace", "limen_reply_replace: " CHANGES },
		{ "change", "limen_reply_changed: " CHANGES },
		{ "attach", "limen_reply_attach: " CHANGES },
		{ "set-at", "limen_reply_set_string_at: " CHANGES },
	};
	limen_engine *engine = policy_case_engine(0);

	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		char limit[200], reason[200];

		snprintf(limit, sizeof(limit),
		         "\"type\": \"verdict\", \"invert\": true, \"data\": {\"verdict\": \"%s\","
		         " \"misuse\": \"%s\", \"reason\": \"other\"}",
		         i % 2 == 0 ? "pass" : "fail", cases[i / 2].what);
		snprintf(reason, sizeof(reason), THREW "%s", cases[i / 2].reason);
		load(engine, ALWAYS, limit);
		expect(engine, 0, 500, reason);
	}
	limen_engine_free(engine);
}

static void
test_trace(void)
{
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;
	const limen_trace *trace;

	load(engine, ALWAYS,
	     "\"type\": \"verdict\", \"invert\": true, \"data\": {\"verdict\": \"fail\","
	     " \"reason\": \"one\", \"reasons\": [\"two\"], \"sleep\": \"PT0.002S\"}");
	decision = policy_case_decide(engine, 0, false);
	CU_ASSERT_TRUE(limen_decision_admitted(decision));
	trace = limen_decision_trace(decision, 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
	CU_ASSERT_EQUAL(trace->kind, LIMEN_KIND_LIMIT);
	CU_ASSERT_STRING_EQUAL(trace->type, "verdict");
	CU_ASSERT_STRING_EQUAL(trace->name, "l");
	CU_ASSERT_EQUAL(trace->verdict, LIMEN_FAIL);
	CU_ASSERT_TRUE(trace->inverted);
	CU_ASSERT_STRING_EQUAL(trace->reason, "one; two");
	CU_ASSERT(trace->nanoseconds >= 2000000);
	CU_ASSERT_STRING_EQUAL(trace->file, "policy");
	CU_ASSERT_EQUAL(trace->line, 1);
	CU_ASSERT_PTR_NULL(limen_decision_trace(decision, 2));
	/* A decision outlives the engine. */
	limen_engine_free(engine);
	CU_ASSERT_STRING_EQUAL(trace->name, "l");
	limen_decision_free(decision);
}

typedef struct meeting {
	limen_engine *engine;
	bool met;
} meeting;

static void *
attend(void *data)
{
	meeting *one = data;

	one->met = policy_case_admits(one->engine);
	return NULL;
}

/* Do two decisions at once meet inside the identifier that 'options' describe? */
static bool
two_meet(const char *options)
{
	meeting both[2];
	pthread_t threads[2];
	limen_engine *engine = policy_case_engine(0);
	char identifier[200];

	snprintf(identifier, sizeof(identifier),
	         "\"type\": \"crowd\", \"data\": {\"party\": 2, %s}", options);
	load(engine, identifier, PASS);
	for (size_t i = 0; i < 2; i++) {
		both[i] = (meeting){ .engine = engine };
		pthread_create(&threads[i], NULL, attend, &both[i]);
	}
	for (size_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	limen_engine_free(engine);
	CU_ASSERT_EQUAL(both[0].met, both[1].met);
	return both[0].met;
}

static void
test_serialize(void)
{
	CU_ASSERT_TRUE(two_meet("\"patience\": \"PT30S\""));
	CU_ASSERT_FALSE(two_meet("\"patience\": \"PT0.1S\", \"serialize\": true"));
}

/* A decision that waits in a module, watched from another thread. */
typedef struct watched {
	meeting meeting;
	_Atomic(limen_activity *) activity;
	bool ended_in_module;
} watched;

static void *
attend_watched(void *data)
{
	watched *decision = data;
	char *last;

	atomic_store(&decision->activity, limen_activity_here());
	attend(&decision->meeting);
	last = limen_activity_text(limen_activity_here());
	decision->ended_in_module = last != NULL;
	free(last);
	return NULL;
}

static void
test_activity(void)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	limen_engine *engine = policy_case_engine(0);
	watched first = { .meeting = { .engine = engine } };
	char *text = NULL;
	pthread_t thread;

	load(engine, "\"type\": \"crowd\", \"data\": {\"party\": 2, \"patience\": \"PT60S\"}", PASS);
	pthread_create(&thread, NULL, attend_watched, &first);
	while (text == NULL) {
		nanosleep(&pause, NULL);
		text = limen_activity_text(atomic_load(&first.activity));
	}
	CU_ASSERT_STRING_EQUAL(text, "identifier 'i' (module identifier/crowd)");
	CU_ASSERT_TRUE(policy_case_admits(engine));
	pthread_join(thread, NULL);
	CU_ASSERT_TRUE(first.meeting.met);
	CU_ASSERT_FALSE(first.ended_in_module);
	free(text);
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "past the deadline modules are not asked, which is an error", test_deadline },
		{ "an error for being late is not inverted", test_deadline_is_not_inverted },
		{ "the policy's timeout holds where the request has none", test_policy_timeout },
		{ "odd and missing answers are errors with a reason", test_answers },
		{ "what only other modules may do is an error that says so", test_misuse },
		{ "the trace tells what the module said", test_trace },
		{ "calls of one instance meet, unless it asks for one at a time", test_serialize },
		{ "another thread sees the entry and module that a decision waits in", test_activity },
		{ NULL, NULL },
	};

	return suite_run("core/call", tests);
}
