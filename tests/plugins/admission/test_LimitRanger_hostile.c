/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_hostile.c - objects that no API server would send: wrong
 * types everywhere, numbers of thousands of digits, thousands of containers.
 * Nothing of that may be admitted as if it were not there, or take long.
 */
#include "ranger_pod.h"

#define POLICY                                                                           \
	RANGE("r", "{\"type\":\"Container\",\"min\":{\"cpu\":\"100m\"},\"max\":"         \
	           "{\"cpu\":\"2\"},\"default\":{\"cpu\":\"1\"},\"maxLimitRequestRatio\":" \
	           "{\"cpu\":\"4\"}},{\"type\":\"Pod\",\"max\":{\"cpu\":\"1M\"}}")
#define MALFORMED                                                                        \
	"quantities must match the regular expression "                                  \
	"'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
#define SPEC(members) "{\"kind\":\"Pod\",\"spec\":{" members "}}"

struct hostile_case {
	const char *object;
	const char *message; /* without "Invalid value: " */
};

/* Each is refused as invalid, with the place and what is wrong there. */
static void
check_invalid(limen_engine *engine, const struct hostile_case *question)
{
	limen_decision *decision = ranger_decide(engine, question->object, NULL);
	char found[RANGER_TEXT];

	ranger_messages(decision, found);
	ASSERT(strcmp(found, question->message) == 0, "%s: '%s', want '%s'", question->object,
	       found, question->message);
	ASSERT(limen_decision_code(decision) == 422, "%s: code %d", question->object,
	       limen_decision_code(decision));
	limen_decision_free(decision);
}

static void
test_types(void)
{
	static const struct hostile_case cases[] = {
		{ "{\"kind\":\"Pod\"}", "spec: Invalid value: must be an object" },
		{ "{\"kind\":\"Pod\",\"spec\":null}", "spec: Invalid value: must be an object" },
		{ "{\"kind\":\"Pod\",\"spec\":[]}", "spec: Invalid value: must be an object" },
		{ SPEC(""), "spec.containers: Invalid value: a pod must have a container" },
		{ SPEC("\"containers\":[]"),
		  "spec.containers: Invalid value: a pod must have a container" },
		{ SPEC("\"containers\":{}"), "spec.containers: Invalid value: must be an array" },
		{ SPEC("\"containers\":[{}],\"initContainers\":\"x\""),
		  "spec.initContainers: Invalid value: must be an array" },
		{ SPEC("\"containers\":[\"x\"]"),
		  "spec.containers[0]: Invalid value: must be an object" },
		{ SPEC("\"containers\":[{},null]"),
		  "spec.containers[1]: Invalid value: must be an object" },
		{ SPEC("\"containers\":[{\"name\":1}]"),
		  "spec.containers[0].name: Invalid value: must be a string" },
		{ SPEC("\"containers\":[{}],\"initContainers\":[{\"restartPolicy\":true}]"),
		  "spec.initContainers[0].restartPolicy: Invalid value: must be a string" },
		{ SPEC("\"containers\":[{\"resources\":[]}]"),
		  "spec.containers[0].resources: Invalid value: must be an object" },
		{ SPEC("\"containers\":[{\"resources\":{\"limits\":\"1\"}}]"),
		  "spec.containers[0].resources.limits: Invalid value: must be an object" },
		{ SPEC("\"containers\":[{\"resources\":{\"requests\":{\"cpu\":{}}}}]"),
		  "spec.containers[0].resources.requests[cpu]: Invalid value: " MALFORMED },
		{ SPEC("\"containers\":[{\"resources\":{\"requests\":{\"cpu\":\"x\"}}}]"),
		  "spec.containers[0].resources.requests[cpu]: Invalid value: " MALFORMED },
		{ SPEC("\"containers\":[{\"resources\":{\"requests\":"
		       "{\"cpu\":\"1e4294967297\"}}}]"),
		  "spec.containers[0].resources.requests[cpu]: Invalid value: unable to parse "
		  "quantity's suffix" },
		/* Also of resources that nothing is said about. */
		{ SPEC("\"containers\":[{\"resources\":{\"limits\":{\"a/b\":[]}}}]"),
		  "spec.containers[0].resources.limits[a/b]: Invalid value: " MALFORMED },
		{ SPEC("\"containers\":[{}],\"resources\":1"),
		  "spec.resources: Invalid value: must be an object" },
		{ "{\"kind\":\"Pod\",\"metadata\":{\"annotations\":1},\"spec\":"
		  "{\"containers\":[{}]}}",
		  "metadata.annotations: Invalid value: must be an object" },
		{ "{\"kind\":\"PersistentVolumeClaim\",\"spec\":7}",
		  "spec: Invalid value: must be an object" },
		{ "{\"kind\":\"PersistentVolumeClaim\",\"spec\":{\"resources\":{\"requests\":"
		  "{\"storage\":true}}}}",
		  "spec.resources.requests[storage]: Invalid value: " MALFORMED },
	};
	limen_engine *engine = ranger_open("", POLICY);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check_invalid(engine, &cases[i]);
	limen_engine_free(engine);
}

static void
write_digits(FILE *out, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fputc('9', out);
}

static limen_decision *
decide_timed(const char *about, struct text *pod, bool admitted)
{
	return decide_by("", POLICY, about, pod, admitted);
}

static void
test_many_containers(void)
{
	static const struct {
		int regular;
		int init;
		int code;
	} cases[] = { { 10000, 0, 200 }, { 7999, 2001, 200 }, { 10001, 0, 422 }, { 8000, 2001, 422 } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		bool admitted = cases[i].code == 200;
		struct text pod;
		limen_decision *decision;

		write_containers(&pod, cases[i].regular, cases[i].init);
		decision = decide_timed("10,000 containers", &pod, admitted);
		CU_ASSERT_EQUAL(limen_decision_code(decision), cases[i].code);
		/* One operation each, and the annotation. */
		CU_ASSERT_EQUAL(limen_value_count(limen_decision_patch(decision)),
		                admitted ? 10001 : 0);
		if (!admitted)
			CU_ASSERT_STRING_EQUAL(limen_decision_violation(decision, 0)->message,
			                       "spec.containers: Invalid value: a pod must have "
			                       "at most 10000 containers");
		limen_decision_free(decision);
	}
}

static void
test_many_violations(void)
{
	struct text pod;
	limen_decision *decision;
	size_t count = 0;

	start_pod(&pod);
	for (int i = 0; i < 5000; i++)
		fprintf(pod.out, "%s{\"resources\":{\"limits\":{\"cpu\":\"%d\"},\"requests\":"
		                 "{\"cpu\":\"1\"}}}", i == 0 ? "" : ",", i + 100);
	finish_pod(&pod);
	decision = decide_timed("10,001 violations", &pod, false);
	/* A thousand, and that there are no more of them. */
	CU_ASSERT_PTR_NOT_NULL(limen_decision_violation(decision, 1000));
	CU_ASSERT_PTR_NULL(limen_decision_violation(decision, 1001));
	limen_decision_warnings(decision, &count);
	CU_ASSERT_EQUAL(count, 10);
	limen_decision_free(decision);
}

static void
test_many_resources(void)
{
	struct text pod;

	start_pod(&pod);
	fputs("{\"resources\":{\"requests\":{\"cpu\":\"1\"", pod.out);
	for (int i = 0; i < 100000; i++)
		fprintf(pod.out, ",\"a/%d\":\"1\"", i);
	fputs("}}}", pod.out);
	finish_pod(&pod);
	limen_decision_free(decide_timed("100,000 resources", &pod, true));
}

/* Far more digits than a quantity has are refused, and nothing is computed with them. */
static void
test_long_quantities(void)
{
	struct text pod;
	limen_decision *decision;

	start_pod(&pod);
	for (int i = 0; i < 300; i++) {
		fprintf(pod.out, "%s{\"resources\":{\"requests\":{\"cpu\":\"", i == 0 ? "" : ",");
		write_digits(pod.out, 10000);
		fprintf(pod.out, "\"},\"limits\":{\"cpu\":\"1e%d\"}}}", 1000000000 - i);
	}
	finish_pod(&pod);
	decision = decide_timed("10,000 digits", &pod, false);
	CU_ASSERT_EQUAL(limen_decision_code(decision), 422);
	ASSERT(strstr(limen_decision_reason(decision),
	              "quantities may have at most 64 significant digits") != NULL, "%s",
	       limen_decision_reason(decision));
	limen_decision_free(decision);
}

/* The longest values there are on both sides of a ratio. */
static void
test_long_ratio(void)
{
	struct text pod;

	start_pod(&pod);
	fputs("{\"resources\":{\"requests\":{\"cpu\":\"0.", pod.out);
	write_digits(pod.out, 64);
	fputs("\"},\"limits\":{\"cpu\":\"1", pod.out);
	write_digits(pod.out, 63);
	fputs("\"}}}", pod.out);
	finish_pod(&pod);
	limen_decision_free(decide_timed("64 digits", &pod, false));
}

/* Keys may repeat; the last one counts, as in Go. */
static void
test_repeated_keys(void)
{
	limen_engine *engine = ranger_open("", POLICY);

	ranger_check(engine, "the last counts",
	             SPEC("\"containers\":[{\"resources\":{\"requests\":{\"cpu\":\"9\",\"cpu\":"
	                  "\"500m\"},\"limits\":{\"cpu\":\"9\",\"cpu\":\"1\"}}}]"),
	             NULL, "");
	ranger_check(engine, "the last is too much",
	             SPEC("\"containers\":[{\"resources\":{\"requests\":{\"cpu\":\"1\"},"
	                  "\"limits\":{\"cpu\":\"1\",\"cpu\":\"3\"}}}]"),
	             NULL, "maximum cpu usage per Container is 2, but limit is 3");
	limen_engine_free(engine);
}

/* A place in a LimitRange, and the types that may stand there. */
struct range_place {
	const char *before;
	const char *after;
	const char *allowed; /* letters of 'values' */
};

#define HEAD "{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":"
#define META HEAD "{\"name\":\"a\","
#define ITEM "},\"spec\":{\"limits\":["
#define NO_ITEM "},\"spec\":{\"limits\":[]}}"
#define MAP(name) META "\"uid\":\"\"" ITEM "{\"type\":\"Container\",\"" name "\":"
#define VALUE(name) MAP(name) "{\"cpu\":"

static const struct range_place places[] = {
	{ "", "", "" },
	{ "{\"kind\":\"LimitRange\",\"apiVersion\":", "}", "" },
	{ "{\"apiVersion\":\"v1\",\"kind\":", "}", "" },
	{ HEAD, ",\"spec\":{\"limits\":[]}}", "" },
	{ HEAD "{\"name\":", NO_ITEM, "s" },
	{ HEAD "{\"generateName\":", NO_ITEM, "s" },
	{ META "\"namespace\":", NO_ITEM, "sn" },
	{ META "\"creationTimestamp\":", NO_ITEM, "n" },
	{ META "\"annotations\":{\"limen.policy/items\":", "}" NO_ITEM, "" },
	{ META "\"annotations\":{\"limen.policy/namespaces\":", "}" NO_ITEM, "" },
	{ META "\"uid\":\"\"},\"spec\":", "}", "" },
	{ META "\"uid\":\"\"},\"spec\":{\"limits\":", "}}", "l" },
	{ META "\"uid\":\"\"" ITEM, "]}}", "" },
	{ META "\"uid\":\"\"" ITEM "{\"type\":", "}]}}", "" },
	{ MAP("max"), "}]}}", "on" },
	{ MAP("min"), "}]}}", "on" },
	{ MAP("default"), "}]}}", "on" },
	{ MAP("defaultRequest"), "}]}}", "on" },
	{ MAP("maxLimitRequestRatio"), "}]}}", "on" },
	{ VALUE("max"), "}}]}}", "in" },
	{ VALUE("min"), "}}]}}", "in" },
	{ VALUE("default"), "}}]}}", "in" },
	{ VALUE("defaultRequest"), "}}]}}", "in" },
	{ VALUE("maxLimitRequestRatio"), "}}]}}", "i" },
};

static const struct {
	char letter;
	const char *text;
} values[] = {
	{ 'i', "7" }, { 'b', "true" }, { 's', "\"x\"" }, { 'l', "[]" }, { 'o', "{}" },
	{ 'n', "null" }, { 'd', "[[{}]]" },
};

/* Whatever stands where in a LimitRange: what is of a wrong type is told with its place. */
static void
test_range_types(void)
{
	for (size_t i = 0; i < sizeof places / sizeof places[0] * (sizeof values / sizeof values[0]);
	     i++) {
		const struct range_place *place = &places[i / (sizeof values / sizeof values[0])];
		size_t which = i % (sizeof values / sizeof values[0]);
		bool allowed = strchr(place->allowed, values[which].letter) != NULL;
		limen_diag *diag = limen_diag_new();
		limen_engine *engine;
		char *range = NULL;

		if (asprintf(&range, "%s%s%s", place->before, values[which].text, place->after) < 0)
			abort();
		engine = ranger_load("", range, diag);
		ASSERT((engine != NULL) == allowed, "%s %s", range,
		       engine == NULL ? "does not load" : "loads");
		ASSERT(engine != NULL || (limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0 &&
		                          limen_diag_get(diag, 0)->pointer != NULL),
		       "%s: no place", range);
		limen_engine_free(engine);
		limen_diag_free(diag);
		free(range);
	}
}

/* Bounds of 64 digits and exponents of a billion are numbers like others. */
static void
test_long_bounds(void)
{
	char *range = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&range, &length);
	limen_engine *engine;

	fputs(RANGE("a", "{\"type\":\"Pod\",\"min\":{\"cpu\":\"1e-1000000000\"},"
	                 "\"max\":{\"memory\":\"1e1000000000\",\"cpu\":\""), out);
	fseek(out, -3, SEEK_CUR);
	write_digits(out, 64);
	fputs("\"}}]}}", out);
	fclose(out);
	engine = ranger_open("", range);
	ranger_check(engine, "within",
	             POD(CONTAINER("c", "{\"limits\":{\"cpu\":\"1e63\",\"memory\":"
	                                "\"1e999999999\"},\"requests\":{\"cpu\":1}}")), NULL, "");
	ranger_check(engine, "above",
	             POD(CONTAINER("c", "{\"limits\":{\"cpu\":\"1\",\"memory\":"
	                                "\"1e1000000001\"},\"requests\":{\"cpu\":1}}")), NULL,
	             "maximum memory usage per Pod is 10e999999999, but limit is 100e999999999");
	limen_engine_free(engine);
	free(range);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "wrong types at every field", test_types },
		{ "at most 10,000 containers", test_many_containers },
		{ "10,000 violations", test_many_violations },
		{ "100,000 resources", test_many_resources },
		{ "quantities of 10,000 digits", test_long_quantities },
		{ "a ratio of 64 digits", test_long_ratio },
		{ "repeated keys", test_repeated_keys },
		{ "wrong types at every field of a LimitRange", test_range_types },
		{ "bounds of 64 digits", test_long_bounds },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_hostile", tests);
}
