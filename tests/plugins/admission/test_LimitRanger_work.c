/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_work.c - what a tenant's own LimitRanges and pods can multiply takes no
 * longer than the decision may, and no more than so much where nobody says how long.
 */
#include "ranger_pod.h"
#include "set_clock.h"

#define MORE "a pod and its LimitRanges take at most 100 million comparisons"
#define LATE "the deadline of the decision has passed"

/* LimitRanges with one item each, and the pod they are about. */
struct work_case {
	const char *about;
	const char *options;
	int ranges;
	const char *type;
	const char *list;    /* of the item */
	int resources;       /* in it: other ones in each LimitRange */
	const char *annotation; /* a format of a number, or NULL */
	int patterns;           /* how many of these */
	int containers;
	int init;
	int code;        /* with no deadline */
	const char *why; /* with no deadline, or NULL */
	bool partial;    /* refused by the first LimitRange, which has no annotation */
};

static void
write_annotation(FILE *out, const struct work_case *one)
{
	struct text all;

	if (one->annotation == NULL)
		return;
	all.out = open_memstream(&all.at, &all.length);
	fputs(strcmp(one->type, "Pod") == 0 ? "[{\\\"fields\\\":{\\\"metadata.name\\\":["
	                                    : "[{\\\"containers\\\":[",
	      all.out);
	for (int i = 0; i < one->patterns; i++)
		fprintf(all.out, "%s\\\"%s%d\\\"", i == 0 ? "" : ",", one->annotation, i);
	fputs(strcmp(one->type, "Pod") == 0 ? "]}}]" : "]}]", all.out);
	fclose(all.out);
	fprintf(out, ",\"annotations\":{\"limen.policy/items\":\"%s\"}", all.at);
	free(all.at);
}

static struct text
write_ranges(const struct work_case *one)
{
	struct text ranges;

	ranges.out = open_memstream(&ranges.at, &ranges.length);
	for (int i = 0; i < one->ranges; i++) {
		fprintf(ranges.out, "%s{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":"
		                    "{\"name\":\"r%02d\"",
		        i == 0 ? "" : ",", i);
		if (i > 0 || !one->partial)
			write_annotation(ranges.out, one);
		fprintf(ranges.out, "},\"spec\":{\"limits\":[{\"type\":\"%s\",\"%s\":{", one->type,
		        one->list);
		for (int j = 0; j < one->resources; j++)
			fprintf(ranges.out, "%s\"a/%d-%d\":\"2\"", j == 0 ? "" : ",", i, j);
		fputs("}}]}}", ranges.out);
	}
	fclose(ranges.out);
	return ranges;
}

/* Names as long as names may be, of a pod whose own is as long as a request. */
static void
write_pod(struct text *pod, const struct work_case *one)
{
	pod->out = open_memstream(&pod->at, &pod->length);
	fprintf(pod->out, "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"%0*d\"},\"spec\":"
	                  "{\"containers\":[",
	        strcmp(one->type, "Pod") == 0 && one->patterns > 0 ? 1000000 : 10, 0);
	for (int i = 0; i < one->containers + one->init; i++)
		fprintf(pod->out, "%s{\"name\":\"%063d\"}",
		        i == 0                 ? ""
		        : i == one->containers ? "],\"initContainers\":["
		                               : ",",
		        i);
	finish_pod(pod);
}

static const struct work_case cases[] = {
	{ "an ordinary pod", "", 3, "Container", "default", 5, NULL, 0, 2, 1, 200, NULL, false },
	{ "names in mutate", "", 1, "Container", "default", 1, "*a*b", 5000, 10000, 0, 500, MORE, false },
	{ "names in validate", "\"defaulting\":\"none\"", 1, "Container", "max", 1, "*a*b", 5000,
	  10000, 0, 500, MORE, false },
	{ "long names of pods", "", 1, "Pod", "max", 1, "*a*b", 5000, 1, 0, 500, MORE, false },
	{ "long names of pods, fewer patterns", "", 1, "Pod", "max", 1, "*a*b", 200, 1, 0, 500, MORE,
	  false },
	{ "many defaults of one container", "", 12, "Container", "default", 2000, NULL, 0, 1, 0,
	  500, MORE, false },
	{ "sums of a pod", "", 3, "Pod", "max", 900, NULL, 0, 9000, 1000,
	  403, NULL, false },
	{ "sums of a pod, all", "\"report\":\"all\"", 9, "Pod", "max", 900, NULL, 0, 9000, 1000,
	  403, NULL, false },
	{ "bounds that are not kept", "\"report\":\"all\",\"defaulting\":\"none\"", 3,
	  "Container", "max", 3000, NULL, 0, 10000, 0, 403, NULL, false },
	{ "one that is broken before", "\"report\":\"all\"", 2, "Pod", "max", 1, "*a*b", 5000, 1, 0,
	  403, NULL, true },
};

static limen_decision *
decide(const struct work_case *one, limen_duration timeout, time_t step)
{
	const limen_decide_options options = { .size = sizeof options, .trace = true };
	limen_request *req = limen_request_new(LIMEN_OBJECT);
	struct text ranges = write_ranges(one);
	limen_engine *engine = ranger_open(one->options, ranges.at);
	limen_decision *decision = NULL;
	struct text pod;

	write_pod(&pod, one);
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, pod.at, pod.length, NULL), LIMEN_OK);
	limen_request_set_timeout(req, timeout);
	set_clock_step(step);
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, &options, &decision), LIMEN_OK);
	set_clock_step(0);
	limen_request_free(req);
	limen_engine_free(engine);
	free(ranges.at);
	free(pod.at);
	return decision;
}

/* Is it said of a refusal that there may be more to be said? */
static bool
is_partial(const limen_decision *decision)
{
	const limen_violation *one;

	for (size_t i = 0; (one = limen_decision_violation(decision, i)) != NULL; i++) {
		if (strncmp(one->message, "not everything was looked at: ", 30) == 0)
			return true;
	}
	return false;
}

static void
test_bound(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct work_case *one = &cases[i];
		limen_decision *decision = decide(one, 0, 0);

		ASSERT(limen_decision_code(decision) == one->code &&
		               (one->why == NULL ||
		                strstr(limen_decision_reason(decision), one->why) != NULL),
		       "%s: code %d, %.200s", one->about, limen_decision_code(decision),
		       limen_decision_reason(decision));
		CU_ASSERT_EQUAL(is_partial(decision), one->partial);
		limen_decision_free(decision);
	}
}

/*
 * A clock that each look moves on by a minute: ordinary pods are not looked at often, nor is
 * what is too much at once.
 */
static void
test_deadline(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct work_case *one = &cases[i];
		limen_decision *decision = decide(one, 20 * 60 * LIMEN_SECOND, 60);
		int code = limen_decision_code(decision);

		ASSERT(code == one->code, "%s: code %d, %.200s", one->about, code,
		       limen_decision_reason(decision));
		ASSERT(code != 500 || strstr(limen_decision_reason(decision),
		                             one->containers == 1 ? MORE : LATE) != NULL,
		       "%s: %.200s", one->about, limen_decision_reason(decision));
		limen_decision_free(decision);
	}
}

/* Decides about a pod of texts, which are freed; one that is resized was the same before. */
static void
check_texts(const char *about, struct text *ranges, struct text *pod, bool resized, int code)
{
	const struct ranger_envelope resize = { .operation = "UPDATE", .subresource = "resize",
		.old = pod->at };
	limen_request *req = limen_request_new(LIMEN_OBJECT);
	limen_engine *engine = ranger_open("\"defaulting\":\"none\"", ranges->at);
	limen_decision *decision = NULL;

	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, pod->at, pod->length, NULL), LIMEN_OK);
	if (resized)
		set_envelope(req, &resize);
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
	ASSERT(limen_decision_code(decision) == code, "%s: code %d, %.200s", about,
	       limen_decision_code(decision), limen_decision_reason(decision));
	ASSERT(code != 500 || strstr(limen_decision_reason(decision), MORE) != NULL, "%s: %.200s",
	       about, limen_decision_reason(decision));
	limen_decision_free(decision);
	limen_request_free(req);
	limen_engine_free(engine);
	free(ranges->at);
	free(pod->at);
}

/* A selector looks each of its labels up among those of the pod. */
static void
check_labels(int wanted, int given, int code)
{
	struct text ranges;
	struct text pod;

	ranges.out = open_memstream(&ranges.at, &ranges.length);
	fputs("{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"r\","
	      "\"annotations\":{\"limen.policy/items\":\"[{\\\"selector\\\":{\\\"matchLabels\\\":{",
	      ranges.out);
	for (int i = 0; i < wanted; i++)
		fprintf(ranges.out, "%s\\\"l%d\\\":\\\"\\\"", i == 0 ? "" : ",", i);
	fputs("}}}]\"}},\"spec\":{\"limits\":[{\"type\":\"Pod\",\"max\":{\"cpu\":\"2\"}}]}}",
	      ranges.out);
	fclose(ranges.out);
	pod.out = open_memstream(&pod.at, &pod.length);
	fputs("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"labels\":{", pod.out);
	for (int i = given - 1; i >= 0; i--)
		fprintf(pod.out, "\"l%d\":\"\"%s", i, i == 0 ? "" : ",");
	fputs("}},\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"cpu\":\"1\"}}}",
	      pod.out);
	finish_pod(&pod);
	check_texts("labels", &ranges, &pod, false, code);
}

/* LimitRanges of one bound of memory, or of storage, each. */
static struct text
write_bounds(int count, const char *type, const char *list, const char *bound)
{
	struct text ranges;

	ranges.out = open_memstream(&ranges.at, &ranges.length);
	for (int i = 0; i < count; i++)
		fprintf(ranges.out, "%s{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":"
		                    "{\"name\":\"r%d\"},\"spec\":{\"limits\":[{\"type\":\"%s\","
		                    "\"%s\":{\"%s\":\"%s\"}}]}}",
		        i == 0 ? "" : ",", i, type, list,
		        strcmp(type, "PersistentVolumeClaim") == 0 ? "storage" : "memory", bound);
	fclose(ranges.out);
	return ranges;
}

/* A resize looks each container up among those before, by a name of so many digits. */
static void
check_former(int digits, int code)
{
	struct text ranges = write_bounds(1000, "Container", "max", "2");
	struct text pod;

	start_pod(&pod);
	for (int i = 0; i < 1000; i++)
		fprintf(pod.out, "%s{\"name\":\"%0*d\"}", i == 0 ? "" : ",", digits, i);
	finish_pod(&pod);
	check_texts("names", &ranges, &pod, true, code);
}

static void
test_products(void)
{
	check_labels(50, 50, 200);
	check_labels(5000, 30000, 500);
	check_former(63, 200);
	check_former(3000, 500);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "100 million comparisons", test_bound },
		{ "the end of the decision while it is at work", test_deadline },
		{ "labels and names of containers", test_products },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_work", tests);
}
