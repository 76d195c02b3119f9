/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_work.c - the largest pods against the largest LimitRanges that a namespace
 * may have, 256 KiB of text: a decision ends near its deadline, and none is an admission
 * because time was up.
 */
#include "ranger_pod.h"
#include <limen/host.h>

#include "set_clock.h"

#define LATE "the deadline of the decision has passed"

enum { NAMESPACE = 256 << 10, REQUEST = 3 << 20 };

/* LimitRanges of one item each, and the object they are about. */
struct work_case {
	const char *about;
	const char *options;
	const char *type;
	const char *list;    /* of the item */
	int ranges;
	int resources;       /* in each: other ones in each LimitRange */
	const char *narrow;  /* the annotation: what stands before and behind names, or NULL */
	const char *end;
	int names;           /* how many of them */
	int containers;
	int init;
	int labels;
	bool resize;
	int code; /* in time; without it an error, or what was found refuses */
};

/* Its quotes are those of a text in JSON. */
static void
write_annotation(FILE *out, const struct work_case *one)
{
	if (one->narrow == NULL)
		return;
	fprintf(out, ",\"annotations\":{\"limen.policy/items\":\"[{%s", one->narrow);
	for (int i = 0; i < one->names; i++)
		fprintf(out, "%s\\\"%s%d%s\\\"%s", i == 0 ? "" : ",", *one->end == '}' ? "" : "*aa*b",
		        i, *one->end == '}' ? "" : "*", *one->end == '}' ? ":\\\"\\\"" : "");
	fprintf(out, "%s}]\"}", one->end);
}

static struct text
write_ranges(const struct work_case *one)
{
	struct text ranges;

	ranges.out = open_memstream(&ranges.at, &ranges.length);
	for (int i = 0; i < one->ranges; i++) {
		fprintf(ranges.out, "%s{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":"
		                    "{\"name\":\"r%04d\"",
		        i == 0 ? "" : ",", i);
		write_annotation(ranges.out, one);
		fprintf(ranges.out, "},\"spec\":{\"limits\":[{\"type\":\"%s\",\"%s\":{", one->type,
		        one->list);
		for (int j = 0; j < one->resources; j++)
			fprintf(ranges.out, "%s\"a/%d-%d\":\"2\"", j == 0 ? "" : ",", i, j);
		fputs("}}]}}", ranges.out);
	}
	fclose(ranges.out);
	ASSERT(ranges.length <= NAMESPACE, "%s: %zu bytes", one->about, ranges.length);
	return ranges;
}

/* Names as long as they may be, of what no pattern finds but at their end. */
static void
write_pod(struct text *pod, const struct work_case *one)
{
	static const char letters[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	                              "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	                              "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

	pod->out = open_memstream(&pod->at, &pod->length);
	fprintf(pod->out, "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"%sx\",\"labels\":{", letters);
	for (int i = one->labels; i-- > 0;)
		fprintf(pod->out, "\"%d\":\"\"%s", i, i == 0 ? "" : ",");
	fputs("}},\"spec\":{\"containers\":[", pod->out);
	for (int i = 0; i < one->containers + one->init; i++)
		fprintf(pod->out, "%s{\"name\":\"%s%d\"}",
		        i == 0                 ? ""
		        : i == one->containers ? "],\"initContainers\":["
		                               : ",",
		        letters, i);
	finish_pod(pod);
	ASSERT(pod->length <= REQUEST, "%s: %zu bytes", one->about, pod->length);
}

#define PATTERNS "\\\"containers\\\":[", "]"
#define FIELDS   "\\\"fields\\\":{\\\"metadata.name\\\":[", "]}"
#define LABELS   "\\\"selector\\\":{\\\"matchLabels\\\":{", "}}"
#define ALL      "\"report\":\"all\""
#define CHANGED  "\"updates\":\"changed\","
#define NONE     "\"report\":\"all\",\"defaulting\":\"none\""

static const struct work_case cases[] = {
	{ "an ordinary pod", "", "Container", "default", 3, 5, NULL, NULL, 0, 2, 1, 3, false, 200 },
	{ "patterns", "", "Container", "default", 1, 1, PATTERNS, 13000, 10000, 0, 0, false, 200 },
	{ "patterns and no defaults", NONE, "Container", "max", 1, 1, PATTERNS, 13000, 10000, 0, 0,
	  false, 200 },
	{ "patterns of fields", "", "Pod", "min", 200, 1, FIELDS, 50, 1, 0, 0, false, 200 },
	{ "labels", "", "Pod", "min", 150, 1, LABELS, 100, 1, 0, 250000, false, 403 },
	{ "defaults", "", "Container", "default", 1500, 1, NULL, NULL, 0, 33, 0, 0, false, 500 },
	{ "defaults of one item", "", "Container", "default", 1, 15000, NULL, NULL, 0, 3, 0, 0, false,
	  500 },
	{ "bounds", NONE, "Container", "max", 1, 14000, NULL, NULL, 0, 10000, 0, 0, false, 403 },
	{ "LimitRanges", NONE, "Container", "max", 2000, 0, NULL, NULL, 0, 10000, 0, 0, false, 200 },
	{ "a resize", CHANGED NONE, "Container", "max", 1500, 1, NULL, NULL, 0, 10000, 0, 0, true, 200 },
	{ "sums", ALL, "Pod", "max", 1, 14000, NULL, NULL, 0, 9000, 1000, 0, false, 403 },
	{ "sums of a resize", CHANGED ALL, "Pod", "max", 1, 14000, NULL, NULL, 0, 9000, 1000, 0, true, 200 },
};

static limen_decision *
decide(const struct work_case *one, limen_duration timeout, time_t step)
{
	const limen_decide_options options = { .size = sizeof options, .trace = true };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	struct text ranges = write_ranges(one);
	limen_engine *engine = ranger_open(one->options, ranges.at);
	limen_decision *decision = NULL;
	struct text pod;

	write_pod(&pod, one);
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, pod.at, pod.length, NULL), LIMEN_OK);
	if (one->resize)
		set_envelope(req, &(struct ranger_envelope){ .operation = "UPDATE",
		                                             .subresource = "resize",
		                                             .old = pod.at });
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

/* Each look at the clock moves it on by a minute: an ordinary pod is not looked at often. */
static void
test_looks(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct work_case *one = &cases[i];
		limen_decision *decision = decide(one, 20 * 60 * LIMEN_SECOND, 60);
		int code = limen_decision_code(decision);

		ASSERT(i == 0 ? code == 200 : code == 403 || code == 500, "%s: code %d, %.200s",
		       one->about, code, limen_decision_reason(decision));
		ASSERT(code != 500 || one->code == 500 ||
		               strstr(limen_decision_reason(decision), LATE) != NULL,
		       "%s: %.200s", one->about, limen_decision_reason(decision));
		limen_decision_free(decision);
	}
}

static void
test_time(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct work_case *one = &cases[i];
		int64_t start = limen_host_monotonic();
		limen_decision *decision = decide(one, LIMEN_SECOND / 2, 0);
		int code = limen_decision_code(decision);

		printf("# %s: code %d after %lld ms, %.100s\n", one->about, code,
		       (long long)(limen_host_monotonic() - start) / 1000000, limen_decision_reason(decision));
		ASSERT(code == one->code || code == 500, "%s: code %d, %.200s", one->about, code,
		       limen_decision_reason(decision));
		ASSERT(limen_host_monotonic() - start < INT64_C(10) * 1000000000, "%s takes too long",
		       one->about);
		limen_decision_free(decision);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the largest pods against the largest LimitRanges", test_time },
		{ "how often the clock is looked at", test_looks },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_work", tests);
}
