/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_messages.c - every row of the table of messages (LimitRanger,
 * minConstraint and the others), on both sides of its bound.
 */
#include "ranger_case.h"

/* One bound and one container, pod or claim that is held against it. */
struct row {
	const char *type;
	const char *constraint;
	const char *name;
	const char *enforced;
	const char *request; /* NULL: none */
	const char *limit;
	const char *message; /* "": admitted */
};

#define C "Container"
#define P "Pod"
#define V "PersistentVolumeClaim"

static const struct row min_rows[] = {
	{ C, "min", "cpu", "100m", NULL, NULL,
	  "minimum cpu usage per Container is 100m.  No request is specified" },
	{ C, "min", "cpu", "100m", NULL, "200m",
	  "minimum cpu usage per Container is 100m.  No request is specified" },
	{ C, "min", "cpu", "100m", "99m", NULL,
	  "minimum cpu usage per Container is 100m, but request is 99m" },
	{ C, "min", "cpu", "100m", "100m", NULL, "" },
	{ C, "min", "cpu", "100m", "0.1", NULL, "" },
	{ C, "min", "cpu", "100m", "101m", NULL, "" },
	{ C, "min", "cpu", "100m", "100m", "99m",
	  "minimum cpu usage per Container is 100m, but limit is 99m" },
	{ C, "min", "cpu", "100m", "99m", "98m",
	  "minimum cpu usage per Container is 100m, but request is 99m" },
	{ C, "min", "cpu", "100m", "100m", "100m", "" },
	{ C, "min", "memory", "1Mi", "1048575", NULL,
	  "minimum memory usage per Container is 1Mi, but request is 1048575" },
	{ C, "min", "memory", "1Mi", "1048576", NULL, "" },
	{ C, "min", "cpu", "0", NULL, NULL,
	  "minimum cpu usage per Container is 0.  No request is specified" },
	{ C, "min", "cpu", "0", "0", NULL, "" },
	{ P, "min", "cpu", "100m", NULL, NULL,
	  "minimum cpu usage per Pod is 100m.  No request is specified" },
	{ P, "min", "cpu", "100m", "99m", NULL,
	  "minimum cpu usage per Pod is 100m, but request is 99m" },
	{ P, "min", "cpu", "100m", "100m", "99m",
	  "minimum cpu usage per Pod is 100m, but limit is 99m" },
	{ P, "min", "cpu", "100m", "100m", NULL, "" },
	{ V, "min", "storage", "1Gi", NULL, NULL,
	  "minimum storage usage per PersistentVolumeClaim is 1Gi.  No request is specified" },
	{ V, "min", "storage", "1Gi", "1023Mi", NULL,
	  "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1023Mi" },
	{ V, "min", "storage", "1Gi", "1Gi", "1", "" },
};

static const struct row max_rows[] = {
	{ C, "max", "cpu", "1", NULL, NULL,
	  "maximum cpu usage per Container is 1.  No limit is specified" },
	{ C, "max", "cpu", "1", "500m", NULL,
	  "maximum cpu usage per Container is 1.  No limit is specified" },
	{ C, "max", "cpu", "1", NULL, "1001m",
	  "maximum cpu usage per Container is 1, but limit is 1001m" },
	{ C, "max", "cpu", "1", NULL, "1", "" },
	{ C, "max", "cpu", "1", NULL, "999m", "" },
	{ C, "max", "cpu", "1", "1001m", "1",
	  "maximum cpu usage per Container is 1, but request is 1001m" },
	{ C, "max", "cpu", "1", "2", "3",
	  "maximum cpu usage per Container is 1, but limit is 3" },
	{ C, "max", "cpu", "1", "1", "1000m", "" },
	{ C, "max", "memory", "9223372036854775807", NULL, "9223372036854775807", "" },
	/* Beyond 64 bits, where Kubernetes before 1.38 wraps around. */
	{ C, "max", "memory", "1Gi", NULL, "18446744073709551616",
	  "maximum memory usage per Container is 1Gi, but limit is 18446744073709551616" },
	{ C, "max", "memory", "1Gi", NULL, "1e1000000000",
	  "maximum memory usage per Container is 1Gi, but limit is 10e999999999" },
	{ C, "max", "memory", "1Gi", NULL, "1e-1000000000", "" },
	{ P, "max", "cpu", "2", NULL, NULL,
	  "maximum cpu usage per Pod is 2.  No limit is specified" },
	{ P, "max", "cpu", "2", "1", "2001m",
	  "maximum cpu usage per Pod is 2, but limit is 2001m" },
	{ P, "max", "cpu", "2", "2001m", "2",
	  "maximum cpu usage per Pod is 2, but request is 2001m" },
	{ P, "max", "cpu", "2", "2", "2", "" },
	{ V, "max", "storage", "2Gi", NULL, NULL,
	  "maximum storage usage per PersistentVolumeClaim is 2Gi.  No request is specified" },
	{ V, "max", "storage", "2Gi", "2049Mi", NULL,
	  "maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 2049Mi" },
	{ V, "max", "storage", "2Gi", "2Gi", "9Gi", "" },
};

static const struct row ratio_rows[] = {
	{ C, "maxLimitRequestRatio", "cpu", "4", NULL, "1",
	  "cpu max limit to request ratio per Container is 4, but no request is specified or "
	  "request is 0" },
	{ C, "maxLimitRequestRatio", "cpu", "4", "0", "1",
	  "cpu max limit to request ratio per Container is 4, but no request is specified or "
	  "request is 0" },
	{ C, "maxLimitRequestRatio", "cpu", "4", NULL, NULL,
	  "cpu max limit to request ratio per Container is 4, but no request is specified or "
	  "request is 0" },
	{ C, "maxLimitRequestRatio", "cpu", "4", "1", NULL,
	  "cpu max limit to request ratio per Container is 4, but no limit is specified or "
	  "limit is 0" },
	{ C, "maxLimitRequestRatio", "cpu", "4", "1", "0",
	  "cpu max limit to request ratio per Container is 4, but no limit is specified or "
	  "limit is 0" },
	{ C, "maxLimitRequestRatio", "cpu", "4", "250m", "1001m",
	  "cpu max limit to request ratio per Container is 4, but provided ratio is 4.004000" },
	{ C, "maxLimitRequestRatio", "cpu", "4", "250m", "1", "" },
	{ C, "maxLimitRequestRatio", "cpu", "4", "250m", "999m", "" },
	{ C, "maxLimitRequestRatio", "cpu", "1.5", "100m", "200m",
	  "cpu max limit to request ratio per Container is 1500m, but provided ratio is 2.000000" },
	/* Kubernetes before 1.38 divides in floating point and refuses this. */
	{ C, "maxLimitRequestRatio", "cpu", "2.007", "1", "2007m", "" },
	{ C, "maxLimitRequestRatio", "cpu", "2.007", "1", "2008m",
	  "cpu max limit to request ratio per Container is 2007m, but provided ratio is "
	  "2.008000" },
	{ C, "maxLimitRequestRatio", "memory", "2", "1000000000000", "2000000000001",
	  "memory max limit to request ratio per Container is 2, but provided ratio is "
	  "2.000000" },
	{ P, "maxLimitRequestRatio", "memory", "2", "1Gi", "3Gi",
	  "memory max limit to request ratio per Pod is 2, but provided ratio is 3.000000" },
	{ P, "maxLimitRequestRatio", "memory", "2", "1Gi", "2Gi", "" },
	{ P, "maxLimitRequestRatio", "memory", "2", NULL, "2Gi",
	  "memory max limit to request ratio per Pod is 2, but no request is specified or "
	  "request is 0" },
};

/* Writes "resources" with what is given. */
static void
write_resources(const struct row *row, char out[512])
{
	char request[128] = "";
	char limit[128] = "";

	if (row->request != NULL)
		snprintf(request, sizeof request, "\"requests\":{\"%s\":\"%s\"}", row->name,
		         row->request);
	if (row->limit != NULL)
		snprintf(limit, sizeof limit, "\"limits\":{\"%s\":\"%s\"}", row->name,
		         row->limit);
	snprintf(out, 512, "{%s%s%s}", request, *request != '\0' && *limit != '\0' ? "," : "",
	         limit);
}

static void
write_object(const struct row *row, char out[1024])
{
	char resources[512];

	write_resources(row, resources);
	if (strcmp(row->type, V) == 0)
		snprintf(out, 1024,
		         "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\","
		         "\"metadata\":{\"name\":\"v\"},\"spec\":{\"resources\":%s}}",
		         resources);
	else
		snprintf(out, 1024,
		         "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},"
		         "\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":%s}]}}",
		         resources);
}

/* Without defaults, so that each row meets its bound as it is written. */
static limen_engine *
open_row(const struct row *row)
{
	char range[1024];

	snprintf(range, sizeof range,
	         RANGE("r", "{\"type\":\"%s\",\"%s\":{\"%s\":\"%s\"}}"), row->type,
	         row->constraint, row->name, row->enforced);
	return ranger_open("\"defaulting\":\"none\"", range);
}

static void
check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		limen_engine *engine = open_row(&rows[i]);
		char object[1024];
		char about[256];

		write_object(&rows[i], object);
		snprintf(about, sizeof about, "%s %s %s, request %s, limit %s", rows[i].type,
		         rows[i].constraint, rows[i].enforced,
		         rows[i].request == NULL ? "none" : rows[i].request,
		         rows[i].limit == NULL ? "none" : rows[i].limit);
		ranger_check(engine, about, object, NULL, rows[i].message);
		limen_engine_free(engine);
	}
}

static void
test_min(void)
{
	check_rows(min_rows, sizeof min_rows / sizeof min_rows[0]);
}

static void
test_max(void)
{
	check_rows(max_rows, sizeof max_rows / sizeof max_rows[0]);
}

static void
test_ratio(void)
{
	check_rows(ratio_rows, sizeof ratio_rows / sizeof ratio_rows[0]);
}

/* The same row for an init container, in its place and with its field. */
/* A pod that breaks another bound is looked at once more, with its ratio just as allowed. */
static void
test_ratio_beside_another(void)
{
	limen_engine *engine = ranger_open(
		"", RANGE("r", "{\"type\":\"Container\",\"max\":{\"cpu\":\"3\"},"
	                       "\"maxLimitRequestRatio\":{\"cpu\":\"4\"}}"));

	ranger_check(engine, "a ratio of 4",
	             POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"1\"},\"limits\":{\"cpu\":\"4\"}}")),
	             NULL, "maximum cpu usage per Container is 3, but limit is 4");
	limen_engine_free(engine);
}

/* The sum of the requests has more than 64 digits, and the product of it and the ratio over 128. */
static void
test_ratio_too_long(void)
{
	char digits[65] = "";
	char *range = NULL;
	char *pod = NULL;
	limen_engine *engine;

	memset(digits, '3', 64);
	if (asprintf(&range,
	             RANGE("r", "{\"type\":\"Pod\",\"maxLimitRequestRatio\":{\"cpu\":\"%s\"}}"),
	             digits) < 0 ||
	    asprintf(&pod, POD("{\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"%s\"},"
	                       "\"limits\":{\"cpu\":\"1e127\"}}},{\"name\":\"d\",\"resources\":"
	                       "{\"requests\":{\"cpu\":\"3e64\"},\"limits\":{\"cpu\":\"1\"}}}"),
	             digits) < 0)
		abort();
	engine = ranger_open("", range);
	ranger_check(engine, "digits", pod, NULL,
	             "spec.containers: Invalid value: the cpu limit cannot "
	             "be computed, because its quantities are too far apart or too long");
	limen_engine_free(engine);
	free(pod);
	free(range);
}

static void
test_init_containers(void)
{
	static const char pod[] =
		"{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":["
		CONTAINER("a", "{\"requests\":{\"cpu\":\"1\"}}") "],\"initContainers\":["
		CONTAINER("i", "{}") ",{\"name\":\"s\",\"restartPolicy\":\"Always\"}]}}";
	limen_engine *engine = ranger_open(
		"\"defaulting\":\"none\"",
		RANGE("r", "{\"type\":\"Container\",\"min\":{\"cpu\":\"1\"}}"));
	limen_decision *decision = ranger_decide(engine, pod, NULL);

	CU_ASSERT_STRING_EQUAL(limen_decision_violation(decision, 0)->field,
	                       "spec.initContainers[0].resources.requests[cpu]");
	CU_ASSERT_STRING_EQUAL(limen_decision_violation(decision, 1)->field,
	                       "spec.initContainers[1].resources.requests[cpu]");
	CU_ASSERT_PTR_NULL(limen_decision_violation(decision, 2));
	limen_decision_free(decision);
	limen_engine_free(engine);
}

/* Constraints in the order min, max, ratio; their keys in byte order; items as written. */
static void
test_order(void)
{
	limen_engine *engine = ranger_open(
		"\"defaulting\":\"none\"",
		RANGE("r", "{\"type\":\"Pod\",\"max\":{\"memory\":\"1\",\"cpu\":\"1\"}},"
		           "{\"type\":\"Container\",\"maxLimitRequestRatio\":{\"cpu\":\"1\"},"
		           "\"max\":{\"memory\":\"4\",\"cpu\":\"4\"},"
		           "\"min\":{\"memory\":\"3\",\"cpu\":\"3\"}}"));

	ranger_check(engine, "order",
	             POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"2\",\"memory\":\"2\"},"
	                                "\"limits\":{\"cpu\":\"5\",\"memory\":\"5\"}}")),
	             NULL,
	             "maximum cpu usage per Pod is 1, but limit is 5\n"
	             "maximum memory usage per Pod is 1, but limit is 5\n"
	             "minimum cpu usage per Container is 3, but request is 2\n"
	             "minimum memory usage per Container is 3, but request is 2\n"
	             "maximum cpu usage per Container is 4, but limit is 5\n"
	             "maximum memory usage per Container is 4, but limit is 5\n"
	             "cpu max limit to request ratio per Container is 1, but provided ratio is "
	             "2.500000");
	limen_engine_free(engine);
}

#define TWO_RANGES                                                                    \
	RANGE("b", "{\"type\":\"Container\",\"min\":{\"cpu\":\"2\"}}") ","            \
	RANGE("a", "{\"type\":\"Container\",\"min\":{\"cpu\":\"1\"}}")

static void
test_report(void)
{
	static const char pod[] = POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"500m\"}}"));
	limen_engine *first = ranger_open("", TWO_RANGES);
	limen_engine *all = ranger_open("\"report\":\"all\"", TWO_RANGES);

	ranger_check(first, "the first by name", pod, NULL,
	             "minimum cpu usage per Container is 1, but request is 500m");
	ranger_check(all, "all", pod, NULL,
	             "minimum cpu usage per Container is 1, but request is 500m\n"
	             "minimum cpu usage per Container is 2, but request is 500m");
	ranger_check(first, "one that only the second refuses",
	             POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"1\"}}")), NULL,
	             "minimum cpu usage per Container is 2, but request is 1");
	limen_engine_free(first);
	limen_engine_free(all);
}

/* Beside the message: which container, what it has, and which LimitRange. */
static void
test_explanation(void)
{
	limen_engine *engine = ranger_open(
		"", RANGE("r", "{\"type\":\"Container\",\"max\":{\"cpu\":\"1\"},"
	                       "\"default\":{\"cpu\":\"500m\"}}"));
	limen_decision *decision = ranger_decide(
		engine, POD(CONTAINER("web", "{\"requests\":{\"cpu\":\"2\"}}")), NULL);
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);
	const limen_trace *trace = limen_decision_trace(decision, 1);

	CU_ASSERT_EQUAL_FATAL(count, 2);
	CU_ASSERT_STRING_EQUAL(warnings[0], "container \"web\": cpu request above limit after "
	                                    "LimitRange \"r\"; the API server will answer 422");
	CU_ASSERT_STRING_EQUAL(warnings[1], "container \"web\": cpu request 2, limit 500m "
	                                    "(filled in); LimitRange \"r\" has max 1");
	CU_ASSERT_EQUAL_FATAL(trace->note_count, 1);
	CU_ASSERT_STRING_EQUAL(trace->notes[0],
	                       "container \"web\": cpu request 2 (given), limit 500m (default of "
	                       "LimitRange \"r\"); "
	                       "LimitRange \"r\" spec.limits[0].max is 1");
	CU_ASSERT_EQUAL(limen_decision_code(decision), 403);
	limen_decision_free(decision);
	limen_engine_free(engine);
}

struct detail_case {
	const char *ranges;
	const char *object;
	const char *detail;
};

#define MAX_ONE RANGE("r", "{\"type\":\"Container\",\"max\":{\"cpu\":1},\"default\":{\"cpu\":1},"    \
	                   "\"defaultRequest\":{\"cpu\":1}}")
#define OF_R(request, limit)                                                                \
	"container \"web\": cpu request " request ", limit " limit "; LimitRange \"r\" "        \
	"spec.limits[0].max is 1"

static const struct detail_case details[] = {
	{ MAX_ONE, POD(CONTAINER("web", "{\"limits\":{\"cpu\":2},\"requests\":{\"cpu\":0}}")),
	  OF_R("0 (given)", "2 (given)") },
	{ MAX_ONE, POD(CONTAINER("web", "{\"limits\":{\"cpu\":2}}")),
	  OF_R("1 (defaultRequest of LimitRange \"r\")", "2 (given)") },
	{ RANGE("r", "{\"type\":\"Pod\",\"max\":{\"cpu\":1}}"),
	  POD(CONTAINER("web", "{\"limits\":{\"cpu\":2}}")),
	  "pod: cpu request none, limit 2 (of the pod); LimitRange \"r\" spec.limits[0].max is 1" },
	{ RANGE("r", "{\"type\":\"PersistentVolumeClaim\",\"max\":{\"storage\":1}}"),
	  "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{},\"spec\":"
	  "{\"resources\":{\"requests\":{\"storage\":2}}}}",
	  "claim: storage request 2 (given), limit none; LimitRange \"r\" spec.limits[0].max is 1" },
};

/* With each cause, behind the exact message. */
static void
test_details(void)
{
	for (size_t i = 0; i < sizeof details / sizeof details[0]; i++) {
		limen_engine *engine = ranger_open("", details[i].ranges);
		limen_decision *decision = ranger_decide(engine, details[i].object, NULL);
		const limen_violation *violation = limen_decision_violation(decision, 0);
		limen_value causes = limen_value_get(limen_decision_details(decision), "causes");
		const char *cause = limen_value_string(
			limen_value_get(limen_value_at(causes, 0), "message"), NULL);
		size_t length;

		CU_ASSERT_PTR_NOT_NULL_FATAL(violation);
		CU_ASSERT_PTR_NOT_NULL_FATAL(cause);
		length = strlen(violation->message);
		ASSERT(violation->detail != NULL &&
		               strcmp(violation->detail, details[i].detail) == 0,
		       "'%s', want '%s'", violation->detail, details[i].detail);
		CU_ASSERT_EQUAL(strncmp(cause, violation->message, length), 0);
		CU_ASSERT_EQUAL(strncmp(cause + length, "; ", 2), 0);
		CU_ASSERT_STRING_EQUAL(cause + length + 2, details[i].detail);
		limen_decision_free(decision);
		limen_engine_free(engine);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "min, row by row", test_min },
		{ "max, row by row", test_max },
		{ "the ratio of limit to request, row by row", test_ratio },
		{ "a ratio beside another bound", test_ratio_beside_another },
		{ "a ratio that nobody could work out", test_ratio_too_long },
		{ "init containers and sidecars", test_init_containers },
		{ "the order of messages", test_order },
		{ "the first of several LimitRanges, or all", test_report },
		{ "what is said beside the message", test_explanation },
		{ "where values come from", test_details },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_messages", tests);
}
