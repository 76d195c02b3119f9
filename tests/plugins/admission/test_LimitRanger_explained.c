/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_explained.c - what goes wrong while a refusal is explained leaves a refusal:
 * "failurePolicy": "Ignore" is for what cannot be told.
 */
#include <limits.h>

#include "ranger_pod.h"
#include "short_memory.h"

#define ITEM(NAME, LISTS)                                                                  \
	"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"" NAME "\"}," \
	"\"spec\":{\"limits\":[{\"type\":\"Container\"," LISTS "}]}}"
#define DEFAULTS(CPU) "\"cpu\":\"" CPU "\",\"memory\":\"1Gi\",\"a.b/1\":\"1\",\"a.b/2\":\"1\""

/*
 * The second entry gives few values after the first, and many to the pod as it came, which
 * is what it looks at to explain: more than a pod is given.
 */
static const char two_entries[] =
	"{\"admission\":[{\"name\":\"a\",\"plugin\":\"LimitRanger\",\"data\":{\"manifests\":["
	ITEM("a", "\"default\":{" DEFAULTS("2") "}") "]}},"
	"{\"name\":\"b\",\"plugin\":\"LimitRanger\",\"failurePolicy\":\"Ignore\",\"data\":"
	"{\"manifests\":[" ITEM("b", "\"default\":{" DEFAULTS("1") ",\"a.b/3\":\"1\"},"
	                             "\"max\":{\"cpu\":\"1\"}") "]}}]}";

static const char one_entry[] =
	"{\"admission\":[{\"name\":\"a\",\"plugin\":\"LimitRanger\",\"failurePolicy\":"
	"\"Ignore\",\"data\":{\"manifests\":[" ITEM("a", "\"maxLimitRequestRatio\":{"
	"\"cpu\":\"2\"},\"max\":{\"memory\":\"1\"},\"min\":{\"a.b/1\":\"3\"}") "]}}]}";

static limen_engine *
open_policy(const char *text)
{
	limen_engine_options settings = { .size = sizeof settings,
		                          .module_path = getenv("LIMEN_MODULE_PATH") };
	limen_engine *engine = limen_engine_new(&settings);

	CU_ASSERT_EQUAL_FATAL(limen_engine_load_text(engine, "policy", text, strlen(text), NULL),
	                      LIMEN_OK);
	return engine;
}

static void
test_many_additions(void)
{
	limen_engine *engine = open_policy(two_entries);
	limen_decision *decision;
	struct text pod;

	write_containers(&pod, 5001, 0);
	decision = ranger_decide(engine, pod.at, NULL);
	ASSERT(limen_decision_code(decision) == 403, "code %d: %s",
	       limen_decision_code(decision), limen_decision_reason(decision));
	limen_decision_free(decision);
	limen_engine_free(engine);
	free(pod.at);
}

/* Some containers break each bound, some none. */
static void
write_breaking(struct text *pod)
{
	start_pod(pod);
	for (int i = 0; i < 60; i++)
		fprintf(pod->out, "%s{\"name\":\"c%d\",\"resources\":{\"requests\":{\"cpu\":\"%d\","
		                  "\"memory\":\"1\",\"a.b/1\":\"%d\"},\"limits\":{\"cpu\":\"21\","
		                  "\"memory\":\"%d\",\"a.b/1\":\"9\"}}}",
		        i == 0 ? "" : ",", i, i % 20 + 1, i % 4, i % 3);
	finish_pod(pod);
}

static bool
has_refusal(const limen_decision *decision)
{
	const limen_trace *asked;

	for (size_t i = 0; (asked = limen_decision_trace(decision, i)) != NULL; i++) {
		if (asked->verdict == LIMEN_ERROR && asked->note_count > 0)
			return true;
	}
	return false;
}

/* Notes are made of violations: with one the answer is not that nobody can tell. */
static void
check_decision(limen_engine *engine, const limen_request *req, unsigned long nth)
{
	limen_decide_options options = { .size = sizeof options, .trace = true };
	limen_decision *decision = NULL;
	int result;

	short_memory_start(nth, false);
	result = limen_engine_decide(engine, req, &options, &decision);
	short_memory_stop();
	if (result != LIMEN_OK)
		return;
	ASSERT(!has_refusal(decision), "allocation %lu: code %d: %s", nth,
	       limen_decision_code(decision), limen_decision_reason(decision));
	limen_decision_free(decision);
}

static void
test_short_memory(void)
{
	limen_engine *engine = open_policy(one_entry);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	unsigned long count;
	struct text pod;

	if (short_memory_unavailable() != NULL) {
		suite_skip(short_memory_unavailable());
	} else {
		write_breaking(&pod);
		CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, pod.at, pod.length, NULL), LIMEN_OK);
		check_decision(engine, req, ULONG_MAX - 1);
		count = short_memory_made();
		for (unsigned long n = 1; n <= count; n++)
			check_decision(engine, req, n);
		ASSERT(count > 10, "%lu allocations", count);
		free(pod.at);
	}
	limen_request_free(req);
	limen_engine_free(engine);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "a refusal whose values cannot all be traced is one", test_many_additions },
		{ "no shortage of memory makes a refusal something else", test_short_memory },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_explained", tests);
}
