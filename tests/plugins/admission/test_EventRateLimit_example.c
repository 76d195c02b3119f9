/* SPDX-License-Identifier: Apache-2.0 */
/* The example of the event-rate-limit document, to the digit, and buckets against a model. */
#include "event_case.h"

#define EXAMPLE                                                            \
	"\"limits\": [{\"type\": \"server\", \"burst\": 1000, \"qps\": 100}," \
	"{\"type\": \"namespace\", \"burst\": 100, \"qps\": 10, \"cacheSize\": 50}]"

static limen_engine *engine;

/* Sends 'count' events from 'namespaces' namespaces in turn; returns how many were admitted. */
static size_t
send(limen_time at, size_t count, size_t namespaces)
{
	size_t admitted = 0;

	for (size_t i = 0; i < count; i++) {
		char namespace[32];
		struct event_request event = { .namespace = namespace, .at = at };

		snprintf(namespace, sizeof namespace, "ns%zu", i % namespaces);
		admitted += event_admitted(engine, &event, 1);
	}
	return admitted;
}

/*
 * "At time t, the API Server receives 1500 event requests.  The first 1000 to be
 * handled are accepted. [...] At time t + 1 second [...] another 500 event
 * requests.  The first 100 to be handled are accepted."
 */
static void
test_server(void)
{
	engine = event_open(EXAMPLE);
	CU_ASSERT_EQUAL(send(0, 1000, 50), 1000);
	CU_ASSERT_EQUAL(send(0, 500, 50), 0);
	CU_ASSERT_EQUAL(send(LIMEN_SECOND, 100, 50), 100);
	CU_ASSERT_EQUAL(send(LIMEN_SECOND, 400, 50), 0);
	limen_engine_free(engine);
}

/* "a full allowance to accept 100 event requests from each namespace", then 10 a second. */
static void
test_namespace(void)
{
	struct event_request noisy = { .namespace = "noisy" };
	struct event_request quiet = { .namespace = "quiet" };

	engine = event_open(EXAMPLE);
	CU_ASSERT_EQUAL(event_admitted(engine, &noisy, 150), 100);
	CU_ASSERT_EQUAL(event_admitted(engine, &quiet, 150), 100);
	noisy.at = LIMEN_SECOND;
	CU_ASSERT_EQUAL(event_admitted(engine, &noisy, 50), 10);
	noisy.at = 100 * LIMEN_SECOND;
	CU_ASSERT_EQUAL(event_admitted(engine, &noisy, 150), 100);
	limen_engine_free(engine);
}

/*
 * "An event request rejected by the server-side allowance will still count against
 * the per-namespace allowance, and vice versa."
 */
static void
test_both_are_charged(void)
{
	struct event_request one = { .namespace = "one" };
	struct event_request two = { .namespace = "two" };
	limen_time now = LIMEN_SECOND;

	engine = event_open("\"limits\": [{\"type\": \"Server\", \"burst\": 10, \"qps\": 1},"
	                    "{\"type\": \"Namespace\", \"burst\": 8, \"qps\": 1}]");
	/* 8 are accepted, 2 more are refused by the namespace and empty the server's bucket. */
	CU_ASSERT_EQUAL(event_admitted(engine, &one, 10), 8);
	CU_ASSERT_EQUAL(event_admitted(engine, &two, 5), 0);
	/* Those 5 were charged to "two": 3 are left, and 10 s later it is full again. */
	one.at = two.at = 3 * now;
	CU_ASSERT_EQUAL(event_admitted(engine, &two, 8), 3);
	two.at = 100 * now;
	CU_ASSERT_EQUAL(event_admitted(engine, &two, 20), 8);
	limen_engine_free(engine);
}

/*
 * "The API Server tracks the allowances for at most 50 namespaces. [...] a new, full
 * allowance will be created for namespace N."
 */
static void
test_eviction(void)
{
	struct event_request first = { .namespace = "ns0" };
	struct event_request second = { .namespace = "ns1" };
	struct event_request fresh = { .namespace = "new" };

	engine = event_open("\"limits\": [{\"type\": \"Namespace\", \"burst\": 3, \"qps\": 1,"
	                    "\"cacheSize\": 50}]");
	CU_ASSERT_EQUAL(send(0, 150, 50), 150);
	CU_ASSERT_EQUAL(send(0, 50, 50), 0);
	/* All 50 are kept; asking for the first makes the second the oldest. */
	CU_ASSERT_EQUAL(event_admitted(engine, &first, 1), 0);
	CU_ASSERT_EQUAL(event_admitted(engine, &fresh, 1), 1);
	CU_ASSERT_EQUAL(event_admitted(engine, &first, 1), 0);
	CU_ASSERT_EQUAL(event_admitted(engine, &second, 5), 3);
	limen_engine_free(engine);
}

/* "If there is no item in Limits for a particular limit type, then no limits" of that type. */
static void
test_other_types(void)
{
	struct event_request event = { .namespace = "a", .user = "ann" };

	engine = event_open("\"limits\": [{\"type\": \"User\", \"burst\": 2, \"qps\": 1}]");
	CU_ASSERT_EQUAL(event_admitted(engine, &event, 3), 2);
	event.namespace = "b";
	CU_ASSERT_EQUAL(event_admitted(engine, &event, 1), 0);
	event.user = "bob";
	CU_ASSERT_EQUAL(event_admitted(engine, &event, 3), 2);
	limen_engine_free(engine);
}

/* 4096 buckets are kept where the configuration does not say. */
static void
test_default_cache(void)
{
	struct event_request first = { .namespace = "ns0" };
	struct event_request fresh = { .namespace = "new" };

	engine = event_open("\"limits\": [{\"type\": \"Namespace\", \"burst\": 1, \"qps\": 1}]");
	CU_ASSERT_EQUAL(send(0, 4096, 4096), 4096);
	CU_ASSERT_EQUAL(send(0, 4096, 4096), 0);
	CU_ASSERT_EQUAL(event_admitted(engine, &fresh, 1), 1);
	CU_ASSERT_EQUAL(event_admitted(engine, &first, 1), 1);
	limen_engine_free(engine);
}

/* What the engine says of the entry holds 'wanted'? */
static void
check_status(const char *wanted)
{
	char *text = limen_engine_describe(engine, 0, NULL);

	ASSERT(text != NULL && strstr(text, wanted) != NULL, "no %s in %s", wanted, text);
	free(text);
}

/* Each limit counts what it says itself, also where another one refuses the event. */
static void
test_status(void)
{
	struct event_request event = { .namespace = "a", .user = "ann" };

	engine = event_open("\"limits\": [{\"type\": \"User\", \"burst\": 2, \"qps\": 1},"
	                    "{\"type\": \"Namespace\", \"burst\": 3, \"qps\": 1}]");
	CU_ASSERT_EQUAL(event_admitted(engine, &event, 5), 2);
	event.namespace = "b";
	CU_ASSERT_EQUAL(event_admitted(engine, &event, 1), 0);
	check_status("\"accepted\":2");
	check_status("\"admitted_by_user\":2");
	check_status("\"refused_by_user\":4");
	check_status("\"admitted_by_namespace\":4");
	check_status("\"refused_by_namespace\":2");
	check_status("\"Namespace\":{\"store\":\"default\",\"buckets\":2");
	check_status("\"User\":{\"store\":\"default\",\"buckets\":1");
	limen_engine_free(engine);
}

/* One bucket as upstream has it, in exact integers: microtokens. */
struct model {
	int64_t burst;
	int64_t qps;
	int64_t left;
	limen_time last;
};

static bool
model_take(struct model *model, limen_time now)
{
	int64_t most = model->burst * LIMEN_SECOND;
	int64_t left = model->left + (now - model->last) * model->qps;

	left = left > most ? most : left;
	model->left = left;
	model->last = now;
	if (left < LIMEN_SECOND)
		return false;
	model->left -= LIMEN_SECOND;
	return true;
}

/* A generator of its own, so that a failure can be had again. */
static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void
compare_with_model(int64_t qps, int64_t burst, uint64_t seed)
{
	struct model server = { burst, qps, burst * LIMEN_SECOND, 0 };
	struct model user = { 3, 7, 3 * LIMEN_SECOND, 0 };
	struct event_request event = { .user = "ann" };
	char data[256];
	size_t wrong = 0;

	snprintf(data, sizeof data,
	         "\"limits\": [{\"type\": \"Server\", \"burst\": %d, \"qps\": %d},"
	         "{\"type\": \"User\", \"burst\": 3, \"qps\": 7}]", (int)burst, (int)qps);
	engine = event_open(data);
	for (int i = 0; i < 3000; i++) {
		bool by_server, by_user;

		event.at += (limen_time)(next_random(&seed) % (uint64_t)(400000 / qps + 1));
		by_server = model_take(&server, event.at);
		by_user = model_take(&user, event.at);
		wrong += (event_code(engine, &event) == 200) == (by_server && by_user) ? 0 : 1;
	}
	ASSERT(wrong == 0, "qps %d, burst %d: %zu differ", (int)qps, (int)burst, wrong);
	limen_engine_free(engine);
}

static void
test_model(void)
{
	static const int64_t rates[] = { 1, 2, 3, 7, 11, 100 };

	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
		compare_with_model(rates[i], (int64_t)(1 + 3 * i), 88172645463325252U + i);
}

static void
test_example_loads(void)
{
	plugin_load_example(LIMEN_KIND_ADMISSION, "EventRateLimit");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "1500 events at once, and 500 a second later", test_server },
		{ "100 of each namespace, then 10 a second", test_namespace },
		{ "who is refused by one is charged by the other", test_both_are_charged },
		{ "50 namespaces are tracked, and who returns starts full", test_eviction },
		{ "types without a limit are not limited", test_other_types },
		{ "4096 are tracked by default", test_default_cache },
		{ "the status tells what each limit granted and refused", test_status },
		{ "the same events as an exact model admits", test_model },
		{ "example.json", test_example_loads },
		{ NULL, NULL }
	};

	return suite_run("EventRateLimit_example", tests);
}
