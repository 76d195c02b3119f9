/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_patterns.c - patterns of containers that are held against names as long as a
 * request: a tenant has both, and memmem() may take nanoseconds for each byte.
 */
#include "ranger_pod.h"
#include "set_clock.h"

#define LONG "must be no more than 253 bytes"

#define MINUTE (60 * LIMEN_SECOND)

struct pattern_case {
	const char *about;
	int patterns;
	int length;  /* of the name that none of them fits */
	time_t step; /* how far each look at the clock moves it on, in seconds */
	int code;
	const char *why; /* NULL: admitted */
};

static struct text
write_range(int patterns)
{
	struct text range;

	range.out = open_memstream(&range.at, &range.length);
	fputs("{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"r\","
	      "\"annotations\":{\"limen.policy/items\":\"[{\\\"containers\\\":[", range.out);
	for (int i = 0; i < patterns; i++)
		fprintf(range.out, "%s\\\"*aab%d*\\\"", i == 0 ? "" : ",", i);
	fputs("]}]\"}},\"spec\":{\"limits\":[{\"type\":\"Container\",\"max\":{\"cpu\":\"1\"}}]}}",
	      range.out);
	fclose(range.out);
	return range;
}

static struct text
write_pod(int length)
{
	struct text pod;

	start_pod(&pod);
	fputs("{\"name\":\"", pod.out);
	for (int i = 0; i < length; i++)
		fputc('a', pod.out);
	fputs("\"}", pod.out);
	finish_pod(&pod);
	return pod;
}

static limen_decision *
decide(const struct pattern_case *one)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	struct text range = write_range(one->patterns);
	limen_engine *engine = ranger_open("", range.at);
	limen_decision *decision = NULL;
	struct text pod = write_pod(one->length);

	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, pod.at, pod.length, NULL), LIMEN_OK);
	limen_request_set_timeout(req, one->step == 0 ? 0 : 20 * MINUTE);
	set_clock_step(one->step);
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
	set_clock_step(0);
	limen_request_free(req);
	limen_engine_free(engine);
	free(range.at);
	free(pod.at);
	return decision;
}

static void
test_names(void)
{
	static const struct pattern_case cases[] = {
		{ "few patterns", 200, 63, 60, 200, NULL },
		{ "the clock is read for every thousand", 5000, 253, 60, 200, NULL },
		{ "so many that the clock is read often", 40000, 253, 0, 200, NULL },
		{ "a long name", 2, 254, 0, 422, LONG },
		{ "a name as long as a request", 13000, 3000000, 60, 422, LONG },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct pattern_case *one = &cases[i];
		limen_decision *decision = decide(one);
		const char *reason = limen_decision_reason(decision);

		ASSERT(limen_decision_code(decision) == one->code &&
		               (one->why == NULL || strstr(reason, one->why) != NULL),
		       "%s: code %d, %.200s", one->about, limen_decision_code(decision), reason);
		limen_decision_free(decision);
	}
}

/* The API server would tell the same of the name of an object. */
static void
test_objects(void)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_engine *engine = ranger_open(
		"", RANGE("r", "{\"type\":\"Pod\",\"max\":{\"cpu\":\"1\"}}"));
	limen_decision *decision = NULL;
	char name[300];
	char *pod = NULL;

	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	if (asprintf(&pod, "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\"},\"spec\":"
	                   "{\"containers\":[{}]}}", name) < 0)
		abort();
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, pod, strlen(pod), NULL), LIMEN_OK);
	limen_request_set_field(req, LIMEN_FIELD_NAME, name);
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_decision_code(decision), 422);
	CU_ASSERT_STRING_EQUAL(limen_decision_violation(decision, 0)->message,
	                       "metadata.name: Invalid value: " LONG);
	limen_decision_free(decision);
	/* A namespace with such a name is an error, not a violation. */
	limen_request_set_field(req, LIMEN_FIELD_NAMESPACE, name);
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_decision_code(decision), 500);
	limen_decision_free(decision);
	limen_request_free(req);
	limen_engine_free(engine);
	free(pod);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "patterns and long names", test_names },
		{ "long names of objects and namespaces", test_objects },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_patterns", tests);
}
