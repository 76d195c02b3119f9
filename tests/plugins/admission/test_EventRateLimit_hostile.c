/* SPDX-License-Identifier: Apache-2.0 */
/* Events that are made to harm: huge, with NULs, no UTF-8, many at once. */
#include <pthread.h>

#include "event_case.h"

#define ALL                                                            \
	"\"limits\": [{\"type\": \"SourceAndObject\", \"burst\": 1, \"qps\": 1}," \
	"{\"type\": \"Namespace\", \"burst\": 1, \"qps\": 1},"         \
	"{\"type\": \"User\", \"burst\": 1, \"qps\": 1}]"

enum { HUGE = 10 * 1024 * 1024 };

static char *
make_text(size_t length, char last)
{
	char *text = malloc(length + 1);

	if (text == NULL)
		abort();
	memset(text, 'a', length);
	text[length] = '\0';
	if (length > 0)
		text[length - 1] = last;
	return text;
}

/* An event whose involvedObject has the name 'name', which is JSON already. */
static char *
make_event(const char *name)
{
	char *text;

	if (asprintf(&text, "{\"involvedObject\": {\"name\": \"%s\"}}", name) < 0)
		abort();
	return text;
}

static size_t
message_length(const limen_decision *decision)
{
	const limen_violation *violation = limen_decision_violation(decision, 0);

	return violation == NULL ? 0 : strlen(violation->message);
}

/* Names of 10 MB neither fill the store nor the answer. */
static void
test_huge_names(void)
{
	static const char *const types[] = { "SourceAndObject", "Namespace", "User" };

	for (size_t i = 0; i < 3; i++) {
		char *name = make_text(HUGE, 'x');
		char *object = i == 0 ? make_event(name) : NULL;
		struct event_request event = {
			.namespace = i == 1 ? name : "n",
			.user = i == 2 ? name : "u",
			.object = object,
		};
		char data[128];
		limen_engine *engine;
		limen_decision *decision;

		snprintf(data, sizeof data,
		         "\"limits\": [{\"type\": \"%s\", \"burst\": 1, \"qps\": 1}]", types[i]);
		engine = event_open(data);
		CU_ASSERT_EQUAL(event_code(engine, &event), 200);
		decision = event_decide(engine, &event);
		CU_ASSERT_EQUAL(limen_decision_code(decision), 429);
		CU_ASSERT_TRUE(message_length(decision) > 200);
		CU_ASSERT_TRUE(message_length(decision) < 5000);
		limen_decision_free(decision);
		limen_engine_free(engine);
		free(object);
		free(name);
	}
}

/* Names as long as Kubernetes has them are told apart; beyond, the beginning counts. */
static void
test_long_names(void)
{
	static const struct {
		size_t length;
		int code; /* of a name that differs in its last character only */
	} names[] = { { 253, 200 }, { 256, 200 }, { 257, 429 }, { 100000, 429 } };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		limen_engine *engine = event_open(
			"\"limits\": [{\"type\": \"SourceAndObject\", \"burst\": 1, \"qps\": 1}]");
		int codes[2];

		for (size_t j = 0; j < 2; j++) {
			char *name = make_text(names[i].length, j == 0 ? 'x' : 'y');
			char *object = make_event(name);
			struct event_request event = { .object = object };

			codes[j] = event_code(engine, &event);
			free(object);
			free(name);
		}
		ASSERT(codes[0] == 200 && codes[1] == names[i].code, "%zu: %d, %d",
		       names[i].length, codes[0], codes[1]);
		limen_engine_free(engine);
	}
}

/* What is cut is cut between characters: answers are UTF-8. */
static void
test_cut_characters(void)
{
	limen_engine *engine = event_open(
		"\"limits\": [{\"type\": \"SourceAndObject\", \"burst\": 1, \"qps\": 1}]");
	char *name = make_text(400, 'x');
	struct event_request event = { .namespace = "n" };
	limen_decision *decision;
	char *object;
	char *printed;

	memcpy(name + 255, "\xc3\xa9", 2);
	object = make_event(name);
	event.object = object;
	CU_ASSERT_EQUAL(event_code(engine, &event), 200);
	decision = event_decide(engine, &event);
	CU_ASSERT_EQUAL(message_length(decision),
	                strlen("limit reached on type SourceAndObject for key ") + 255);
	printed = limen_decision_to_json(decision, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL(printed);
	free(printed);
	limen_decision_free(decision);
	free(object);
	free(name);
	limen_engine_free(engine);
}

/* Fields full of what has to be escaped still make a key that a store takes. */
static void
test_escaped_names(void)
{
	limen_engine *engine = event_open(ALL);
	char *name = make_text(600, '|');
	struct event_request event = { .namespace = "n", .user = "u" };
	char *object;

	memset(name, '|', 600);
	if (asprintf(&object, "{\"source\": {\"component\": \"%s\", \"host\": \"%s\"},"
	                      "\"involvedObject\": {\"kind\": \"%s\", \"namespace\": \"%s\","
	                      "\"name\": \"%s\", \"uid\": \"%s\", \"apiVersion\": \"%s\"}}",
	             name, name, name, name, name, name, name) < 0)
		abort();
	event.object = object;
	CU_ASSERT_EQUAL(event_code(engine, &event), 200);
	CU_ASSERT_EQUAL(event_code(engine, &event), 429);
	free(object);
	free(name);
	limen_engine_free(engine);
}

/* Text that is no UTF-8 does not become a request at all. */
static void
test_bad_utf8(void)
{
	static const char *const names[] = { "\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
		char *object = make_event(names[i]);

		CU_ASSERT_EQUAL(limen_request_parse(req, object, strlen(object), NULL),
		                LIMEN_EINVAL);
		free(object);
		limen_request_free(req);
	}
}

/* Patterns full of stars cost what the text is long. */
static void
test_patterns(void)
{
	char data[512];
	char *reason = make_text(HUGE, 'b');
	char *object;
	limen_engine *engine;

	snprintf(data, sizeof data,
	         "\"limits\": [{\"type\": \"Server\", \"burst\": 1, \"qps\": 1}],"
	         "\"exempt\": [{\"reason\": \"*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*c\"},"
	         "{\"reason\": [\"**\"], \"type\": \"*x*\"}]");
	engine = event_open(data);
	if (asprintf(&object, "{\"reason\": \"%s\", \"type\": \"Normal\"}", reason) < 0)
		abort();
	CU_ASSERT_EQUAL(event_admitted(engine, &(struct event_request){ .object = object }, 3), 1);
	free(object);
	free(reason);
	limen_engine_free(engine);
}

enum { THREADS = 4, EACH = 500 };

static void *
flood(void *engine)
{
	struct event_request event = { .namespace = "shop", .user = "ann" };

	return (void *)event_admitted(engine, &event, EACH);
}

/* However many ask at once, the bucket gives what it has. */
static void
test_threads(void)
{
	limen_engine *engine = event_open(
		"\"limits\": [{\"type\": \"Server\", \"burst\": 700, \"qps\": 1},"
		"{\"type\": \"User\", \"burst\": 2000, \"qps\": 1},"
		"{\"type\": \"SourceAndObject\", \"burst\": 2000, \"qps\": 1}]");
	pthread_t threads[THREADS];
	size_t admitted = 0;

	for (size_t i = 0; i < THREADS; i++)
		CU_ASSERT_FATAL(pthread_create(&threads[i], NULL, flood, engine) == 0);
	for (size_t i = 0; i < THREADS; i++) {
		void *one;

		pthread_join(threads[i], &one);
		admitted += (size_t)one;
	}
	CU_ASSERT_EQUAL(admitted, 700);
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "names of 10 MB", test_huge_names },
		{ "long names are told apart up to 256 bytes", test_long_names },
		{ "they are cut between characters", test_cut_characters },
		{ "names that have to be escaped", test_escaped_names },
		{ "no UTF-8", test_bad_utf8 },
		{ "patterns full of stars", test_patterns },
		{ "several threads", test_threads },
		{ NULL, NULL }
	};

	return suite_run("EventRateLimit_hostile", tests);
}
