/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decisions that wait for lookups: on the thread of their caller, or without a thread.  The identifier
 * "await" does not identify if its lookup ends, and identifies if it does not end in time.
 */
#include <dirent.h>
#include <limen/host.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "fail_malloc.h"
#include "policy_case.h"

#define SECOND INT64_C(1000000000)
#define LATE "no answer in time: identifiers have half of the decision's time"

#define AWAIT(name, options)                                                        \
	"{\"name\": \"" name "\", \"description\": \"\", \"type\": \"await\","      \
	" \"data\": {" options "}}"

static void
load(limen_engine *engine, const char *settings, const char *identifiers)
{
	char *text;

	CU_ASSERT_FATAL(asprintf(&text,
	                         "{\"schema\": 4, \"settings\": {%s}, \"identifiers\": [%s],"
	                         " \"classifiers\": [{\"name\": \"c\", \"description\": \"\","
	                         " \"identifiers\": [\"a\"], \"require\": \"all\"}], \"limits\": [],"
	                         " \"applications\": [{\"classifier\": \"c\", \"apply\": []}]}",
	                         settings, identifiers) > 0);
	policy_case_load(engine, text);
	free(text);
}

static void
expect(limen_decision *decision, bool admitted, const char *reason)
{
	const limen_trace *trace = limen_decision_trace(decision, 0);

	CU_ASSERT_EQUAL(limen_decision_admitted(decision), admitted);
	CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
	CU_ASSERT_STRING_EQUAL(trace->reason, reason);
	limen_decision_free(decision);
}

/* Three lookups of 200 ms take as long as one. */
static void
test_caller_waits(void)
{
	limen_engine *engine = policy_case_engine(0);
	int64_t start = limen_host_monotonic();

	load(engine, "",
	     AWAIT("a", "\"delay\": \"PT0.2S\"") "," AWAIT("b", "\"delay\": \"PT0.2S\"") ","
	     AWAIT("c", "\"delay\": \"PT0.2S\""));
	expect(policy_case_decide(engine, 0, false), false, "found");
	CU_ASSERT(limen_host_monotonic() - start >= SECOND / 5);
	CU_ASSERT(limen_host_monotonic() - start < 30 * SECOND);
	limen_engine_free(engine);
}

/* Its own timeout, or half of that in the settings, is the world's: the module says what then. */
static void
test_not_in_time(void)
{
	limen_engine *engine = policy_case_engine(0);

	load(engine, "", AWAIT("a", "\"timeout\": \"PT0.1S\""));
	expect(policy_case_decide(engine, 0, false), true, "not in time");
	load(engine, "\"timeout\": \"PT0.4S\"", AWAIT("a", ""));
	expect(policy_case_decide(engine, 0, false), true, "not in time");
	limen_engine_free(engine);
}

/* A deadline of the request never makes the result of a lookup that did not end. */
static void
test_cut(void)
{
	static const limen_duration timeouts[] = { 1, 1000, LIMEN_SECOND / 10 };
	limen_engine *engine = policy_case_engine(0);

	load(engine, "", AWAIT("a", ""));
	for (size_t i = 0; i < sizeof(timeouts) / sizeof(timeouts[0]); i++) {
		limen_decision *decision = policy_case_decide(engine, timeouts[i], false);

		CU_ASSERT_FALSE(limen_decision_admitted(decision));
		CU_ASSERT_EQUAL(limen_decision_code(decision), 500);
		limen_decision_free(decision);
	}
	expect(policy_case_decide(engine, LIMEN_SECOND / 10, false), false, LATE);
	limen_engine_free(engine);
}

/* ---- without a thread ---- */

struct waiting {
	limen_request *request;
	limen_pending *pending;
	limen_decision *decision;
	atomic_int ended;
};

static void
note_end(void *data)
{
	struct waiting *one = data;

	atomic_fetch_add(&one->ended, 1);
}

static void
begin(limen_engine *engine, struct waiting *one, limen_duration host, limen_duration asked)
{
	const limen_decide_options options = { .size = sizeof(options), .trace = true,
		                               .timeout = host,
		                               .since = limen_host_monotonic() };

	one->request = limen_request_new(LIMEN_SUBJECT_TASK);
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(one->request, "{}", 2, NULL), LIMEN_OK);
	limen_request_set_timeout(one->request, asked);
	CU_ASSERT_EQUAL_FATAL(limen_engine_begin(engine, one->request, &options, note_end, one,
	                                         &one->pending, &one->decision),
	                      LIMEN_OK);
}

/* Waits for the end, for ten seconds at most, and decides. */
static limen_decision *
end(struct waiting *one)
{
	for (int i = 0; i < 1000 && one->pending != NULL && atomic_load(&one->ended) == 0; i++)
		usleep(10000);
	if (one->pending != NULL) {
		CU_ASSERT_EQUAL_FATAL(atomic_load(&one->ended), 1);
		CU_ASSERT_EQUAL(limen_pending_decide(one->pending, &one->decision), LIMEN_OK);
	}
	limen_request_free(one->request);
	return one->decision;
}

static size_t
count_threads(void)
{
	DIR *directory = opendir("/proc/self/task");
	size_t count = 0;

	while (directory != NULL && readdir(directory) != NULL)
		count++;
	if (directory != NULL)
		closedir(directory);
	return count;
}

enum { MANY = 2000 };

/* Decides every other one of MANY, beside a thread that decides the others; checks nothing. */
static void *
decide_half(void *data)
{
	struct waiting *all = data;

	for (size_t i = 0; i < MANY; i += 2) {
		for (int j = 0; j < 1000 && atomic_load(&all[i].ended) == 0; j++)
			usleep(10000);
		limen_pending_decide(all[i].pending, &all[i].decision);
		all[i].pending = NULL;
	}
	return NULL;
}

/* Thousands wait at once, with lookups that end and with one that does not. */
static void
test_many(void)
{
	limen_engine *engine = policy_case_engine(0);
	struct waiting *all = calloc(MANY, sizeof(*all));
	pthread_t other;
	size_t threads;

	CU_ASSERT_PTR_NOT_NULL_FATAL(all);
	load(engine, "",
	     AWAIT("a", "\"timeout\": \"PT0.3S\"") "," AWAIT("b", "\"delay\": \"PT0.2S\""));
	begin(engine, &all[0], 0, 0);
	threads = count_threads();
	for (size_t i = 1; i < MANY; i++)
		begin(engine, &all[i], 0, 0);
	CU_ASSERT(count_threads() <= threads);
	for (size_t i = 0; i < MANY; i++)
		CU_ASSERT_PTR_NOT_NULL_FATAL(all[i].pending);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&other, NULL, decide_half, all + 1), 0);
	decide_half(all);
	pthread_join(other, NULL);
	for (size_t i = 0; i < MANY; i++)
		expect(end(&all[i]), true, "not in time");
	free(all);
	limen_engine_free(engine);
}

/* Bounds of the host and of the client, and what they make of a lookup that does not end. */
static void
test_bounds(void)
{
	static const struct {
		limen_duration host, asked;
		bool admitted;
		const char *reason;
	} cases[] = {
		{ LIMEN_SECOND, 0, true, "not in time" },
		{ LIMEN_SECOND, LIMEN_SECOND * 60, true, "not in time" },
		{ LIMEN_SECOND * 60, LIMEN_SECOND / 5, false, LATE },
	};
	limen_engine *engine = policy_case_engine(0);

	load(engine, "", AWAIT("a", ""));
	CU_ASSERT_TRUE(limen_engine_may_block(engine));
	CU_ASSERT_FALSE(limen_engine_begin_may_block(engine));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct waiting one = { .request = NULL };

		begin(engine, &one, cases[i].host, cases[i].asked);
		expect(end(&one), cases[i].admitted, cases[i].reason);
	}
	limen_engine_free(engine);
}

/* The end of a lookup asks nobody again but who waits for it. */
static void
test_asked(void)
{
	limen_engine *engine = policy_case_engine(0);
	struct waiting one = { .request = NULL };
	limen_decision *decision;
	const char *const *warnings;
	size_t count;

	load(engine, "",
	     AWAIT("a", "\"delay\": \"PT0.1S\"") "," AWAIT("b", "\"delay\": \"PT0.2S\"") ","
	     AWAIT("c", "\"delay\": \"PT0.3S\""));
	begin(engine, &one, 0, 0);
	decision = end(&one);
	warnings = limen_decision_warnings(decision, &count);
	/* Equal warnings are one. */
	CU_ASSERT_EQUAL_FATAL(count, 1);
	CU_ASSERT_STRING_EQUAL(warnings[0], "asked 2 times");
	expect(decision, false, "found");
	limen_engine_free(engine);
}

/* The entry that waits, for a program that watches. */
static void
test_activity(void)
{
	limen_engine *engine = policy_case_engine(0);
	struct waiting one = { .request = NULL };
	char *text;

	load(engine, "",
	     AWAIT("a", "\"timeout\": \"PT0.2S\"") ","
	     "{\"name\": \"b\", \"description\": \"\", \"type\": \"always\", \"data\": {}}");
	begin(engine, &one, 0, 0);
	text = limen_activity_text(limen_pending_activity(one.pending));
	CU_ASSERT_STRING_EQUAL(text, "identifier 'a' (module identifier/await)");
	free(text);
	expect(end(&one), true, "not in time");
	limen_engine_free(engine);
}

/* Deadlines are looked at while memory is short, too. */
static void
test_short_memory(void)
{
	limen_engine *engine = policy_case_engine(0);
	struct waiting one = { .request = NULL };

	load(engine, "", AWAIT("a", "\"timeout\": \"PT0.2S\""));
	begin(engine, &one, 0, 0);
	fail_malloc_from(1);
	for (int i = 0; i < 1000 && atomic_load(&one.ended) == 0; i++)
		usleep(10000);
	fail_malloc_stop();
	limen_decision_free(end(&one));
	limen_engine_free(engine);
}

/* A decision ends, without a leak, and identifies or cannot tell. */
static void
test_short_begin(void)
{
	limen_engine *engine = policy_case_engine(0);
	bool failed = true;

	load(engine, "", AWAIT("a", "\"timeout\": \"PT0.03S\""));
	for (unsigned long i = 1; failed; i++) {
		struct waiting one = { .request = limen_request_new(LIMEN_SUBJECT_TASK) };
		limen_decision *other = NULL;
		int code;

		limen_request_parse(one.request, "{}", 2, NULL);
		fail_malloc_once(i);
		limen_engine_decide(engine, one.request, NULL, &other);
		failed = fail_malloc_stop();
		fail_malloc_once(i);
		limen_engine_begin(engine, one.request, NULL, note_end, &one, &one.pending,
		                   &one.decision);
		failed |= fail_malloc_stop();
		code = limen_decision_code(end(&one));
		CU_ASSERT(one.decision == NULL || code == 200 || code == 500);
		limen_decision_free(one.decision);
		limen_decision_free(other);
	}
	limen_engine_free(engine);
}

/* A decision that waits keeps its policy, and one that is not wanted any more is dropped. */
static void
test_reload(void)
{
	limen_engine *engine = policy_case_engine(0);
	struct waiting one = { .request = NULL }, other = { .request = NULL };

	load(engine, "", AWAIT("a", "\"timeout\": \"PT0.2S\""));
	begin(engine, &one, 0, 0);
	begin(engine, &other, 0, 0);
	load(engine, "", AWAIT("a", "\"delay\": \"PT0.001S\""));
	expect(end(&one), true, "not in time");
	for (int i = 0; i < 1000 && atomic_load(&other.ended) == 0; i++)
		usleep(10000);
	CU_ASSERT_EQUAL(limen_pending_decide(other.pending, NULL), LIMEN_OK);
	limen_request_free(other.request);
	expect(policy_case_decide(engine, 0, false), false, "found");
	limen_engine_free(engine);
}

/* Nothing to wait for: the decision is made at once. */
static void
test_at_once(void)
{
	limen_engine *engine = policy_case_engine(0);
	struct waiting one = { .request = NULL };

	load(engine, "", "{\"name\": \"a\", \"description\": \"\", \"type\": \"always\", \"data\": {}}");
	begin(engine, &one, 0, 0);
	CU_ASSERT_PTR_NULL(one.pending);
	CU_ASSERT_TRUE(limen_decision_admitted(one.decision));
	limen_decision_free(end(&one));
	limen_engine_free(engine);
}

static int
begin_apart(limen_engine *engine, struct waiting *one)
{
	*one = (struct waiting){ .request = limen_request_new(LIMEN_SUBJECT_TASK) };
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(one->request, "{}", 2, NULL), LIMEN_OK);
	return limen_engine_begin(engine, one->request, NULL, note_end, one, &one->pending, NULL);
}

/* Without room for the decision, limits are asked in the second call, or never. */
static void
test_apart(void)
{
	static const char *const identifiers[] = {
		"\"type\": \"always\", \"data\": {}",
		"\"type\": \"await\", \"data\": {\"timeout\": \"PT0.1S\"}",
	};
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;
	struct waiting one;

	CU_ASSERT_EQUAL(begin_apart(engine, &one), LIMEN_ENOPOLICY);
	limen_request_free(one.request);
	for (size_t i = 0; i < 2; i++) {
		char text[1000];

		snprintf(text, sizeof(text),
		         "{\"schema\": 4, \"identifiers\": [{\"name\": \"a%zu\", \"description\": \"\", %s}],"
		         " \"classifiers\": [{\"name\": \"c\", \"description\": \"\","
		         " \"identifiers\": [\"a%zu\"]}], \"limits\": [{\"name\": \"l%zu\","
		         " \"description\": \"\", \"type\": \"rate\", \"data\": {\"rate\": \"1/PT1H\"}}],"
		         " \"applications\": [{\"classifier\": \"c\","
		         " \"apply\": [{\"require\": \"all\", \"limits\": [\"l%zu\"]}]}]}",
		         i, identifiers[i], i, i, i);
		policy_case_load(engine, text);
		CU_ASSERT_EQUAL_FATAL(begin_apart(engine, &one), LIMEN_OK);
		CU_ASSERT_EQUAL(atomic_load(&one.ended), i == 0);
		for (int j = 0; j < 1000 && atomic_load(&one.ended) == 0; j++)
			usleep(10000);
		CU_ASSERT_EQUAL(limen_pending_decide(one.pending, NULL), LIMEN_OK);
		limen_request_free(one.request);
		for (int j = 0; j < 2; j++) {
			CU_ASSERT_EQUAL_FATAL(begin_apart(engine, &one), LIMEN_OK);
			decision = end(&one);
			CU_ASSERT_EQUAL(limen_decision_code(decision), j == 0 ? 200 : 429);
			limen_decision_free(decision);
		}
	}
	limen_engine_free(engine);
	engine = policy_case_engine(LIMEN_ENGINE_PASSIVE);
	CU_ASSERT_EQUAL(begin_apart(engine, &one), LIMEN_EINVAL);
	limen_request_free(one.request);
	limen_engine_free(engine);
}

/* Without background work the caller waits. */
static void
test_passive(void)
{
	limen_engine *engine = policy_case_engine(LIMEN_ENGINE_PASSIVE);
	struct waiting one = { .request = NULL };

	load(engine, "", AWAIT("a", "\"timeout\": \"PT0.1S\""));
	begin(engine, &one, 0, 0);
	CU_ASSERT_PTR_NULL(one.pending);
	expect(end(&one), true, "not in time");
	limen_engine_free(engine);
}

/* ---- admission ---- */

static void
decide_object(limen_engine *engine, limen_duration timeout, int code)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_decision *decision = NULL;

	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, "{}", 2, NULL), LIMEN_OK);
	limen_request_set_field(req, LIMEN_FIELD_NAMESPACE, "shop");
	limen_request_set_timeout(req, timeout);
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_decision_code(decision), code);
	limen_decision_free(decision);
	limen_request_free(req);
}

/* Only entries that may be about the object wait. */
static void
test_admission(void)
{
	static const char template[] =
		"{\"admission\": ["
		"{\"name\": \"a\", \"plugin\": \"await\", \"data\": {\"delay\": \"%s\","
		" \"timeout\": \"%s\"}},"
		"{\"name\": \"b\", \"plugin\": \"await\", \"match\": {\"namespaces\": [\"other\"]}}]}";
	static const struct {
		const char *delay, *timeout;
		limen_duration asked;
		int code;
	} cases[] = {
		{ "PT0.1S", "PT60S", 0, 200 },
		{ "PT0S", "PT0.1S", 0, 403 },
		{ "PT0S", "PT60S", LIMEN_SECOND / 5, 403 },
	};
	limen_engine *engine = policy_case_engine(0);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[500];

		snprintf(text, sizeof(text), template, cases[i].delay, cases[i].timeout);
		policy_case_load(engine, text);
		decide_object(engine, cases[i].asked, cases[i].code);
	}
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the caller waits for all lookups at once", test_caller_waits },
		{ "the module says what a lookup without an answer means", test_not_in_time },
		{ "a deadline of the request does not", test_cut },
		{ "thousands wait without threads", test_many },
		{ "bounds of the host and of the client", test_bounds },
		{ "the end of a lookup asks the entry that waits for it", test_asked },
		{ "the activity of a decision that waits", test_activity },
		{ "deadlines hold while memory is short", test_short_memory },
		{ "a decision that memory is too short for ends", test_short_begin },
		{ "a load does not change what waits", test_reload },
		{ "what need not wait is decided at once", test_at_once },
		{ "a decision apart from its lookups", test_apart },
		{ "an engine without background work", test_passive },
		{ "admission entries wait before they are asked", test_admission },
		{ NULL, NULL }
	};

	return suite_run("decision/wait", tests);
}
