/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_defaults.c - the values containers are given, the annotation
 * about them, and the options that change either.
 */
#include "ranger_case.h"

/* The table of the limit-ranger document, "Example". */
#define EXAMPLE                                                                        \
	RANGE("limits",                                                                \
	      "{\"type\":\"Container\",\"min\":{\"cpu\":\".1\",\"memory\":\"250Mi\"}," \
	      "\"max\":{\"cpu\":\"1\",\"memory\":\"1Gi\"},"                            \
	      "\"default\":{\"cpu\":\"500m\",\"memory\":\"500Mi\"},"                   \
	      "\"defaultRequest\":{\"cpu\":\"250m\",\"memory\":\"250Mi\"},"            \
	      "\"maxLimitRequestRatio\":{\"cpu\":\"4\"}}")

/* As limen_value_to_json() sorts it. */
#define ANNOTATED(text)                                                               \
	"{\"op\":\"add\",\"path\":\"/metadata/annotations\",\"value\":"               \
	"{\"kubernetes.io/limit-ranger\":\"LimitRanger plugin set: " text "\"}}"
#define ADD(path, value) "{\"op\":\"add\",\"path\":\"" path "\",\"value\":" value "}"

struct default_case {
	const char *about;
	const char *pod;
	const char *patch; /* "": none */
};

static void
check_cases(limen_engine *engine, const struct default_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ranger_check_patch(engine, cases[i].about, cases[i].pod, cases[i].patch);
	limen_engine_free(engine);
}

/* "The incoming container cpu would request 250m with a limit of 500m" and so on. */
static void
test_example(void)
{
	static const struct default_case cases[] = {
		{ "no resources", POD("{\"name\":\"c\"}"),
		  "[" ANNOTATED("cpu, memory request for container c; "
		                "cpu, memory limit for container c") ","
		  ADD("/spec/containers/0/resources",
		      "{\"limits\":{\"cpu\":\"500m\",\"memory\":\"500Mi\"},"
		      "\"requests\":{\"cpu\":\"250m\",\"memory\":\"250Mi\"}}") "]" },
		{ "empty resources", POD(CONTAINER("c", "{}")),
		  "[" ANNOTATED("cpu, memory request for container c; "
		                "cpu, memory limit for container c") ","
		  ADD("/spec/containers/0/resources/requests",
		      "{\"cpu\":\"250m\",\"memory\":\"250Mi\"}") ","
		  ADD("/spec/containers/0/resources/limits",
		      "{\"cpu\":\"500m\",\"memory\":\"500Mi\"}") "]" },
		{ "some of it is given",
		  POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"300m\",\"memory\":\"300Mi\"},"
		                     "\"limits\":{\"cpu\":\"300m\"}}")),
		  "[" ANNOTATED("memory limit for container c") ","
		  ADD("/spec/containers/0/resources/limits/memory", "\"500Mi\"") "]" },
		{ "all of it is given, zeros too",
		  POD(CONTAINER("c", "{\"requests\":{\"cpu\":0,\"memory\":\"0\"},"
		                     "\"limits\":{\"cpu\":\"0\",\"memory\":0}}")),
		  "" },
		{ "null is nothing",
		  POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"200m\",\"memory\":\"300Mi\"},"
		                     "\"limits\":null}")),
		  "[" ANNOTATED("cpu, memory limit for container c") ","
		  "{\"op\":\"replace\",\"path\":\"/spec/containers/0/resources/limits\","
		  "\"value\":{\"cpu\":\"500m\",\"memory\":\"500Mi\"}}]" },
	};

	check_cases(ranger_open("", EXAMPLE), cases, sizeof cases / sizeof cases[0]);
}

/* "it's cpu would be constrained to between .1 and 1 and the ratio ... 4" */
static void
test_example_bounds(void)
{
	limen_engine *engine = ranger_open("", EXAMPLE);
	const struct ranger_envelope resize = {
		.operation = "UPDATE",
		.kind = "Pod",
		.subresource = "resize",
		.old = POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"250m\",\"memory\":\"250Mi\"},"
		                          "\"limits\":{\"cpu\":\"500m\",\"memory\":\"500Mi\"}}")),
	};

#define RESIZED(request, limit)                                                        \
	POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"" request "\",\"memory\":\"250Mi\"}," \
	                   "\"limits\":{\"cpu\":\"" limit "\",\"memory\":\"500Mi\"}}"))
	ranger_check(engine, "within", RESIZED("250m", "1"), &resize, "");
	ranger_check(engine, "too little", RESIZED("99m", "100m"), &resize,
	             "minimum cpu usage per Container is 100m, but request is 99m");
	ranger_check(engine, "too much", RESIZED("1", "1001m"), &resize,
	             "maximum cpu usage per Container is 1, but limit is 1001m");
	ranger_check(engine, "too wide", RESIZED("200m", "900m"), &resize,
	             "cpu max limit to request ratio per Container is 4, but provided ratio is "
	             "4.500000");
	limen_engine_free(engine);
}

/* The document's own run-time configuration has a misspelt key. */
static void
test_example_misspelt(void)
{
	limen_diag *diag = limen_diag_new();
	limen_engine *engine = ranger_load(
		"", RANGE("limits", "{\"type\":\"Container\",\"defaultRequests\":"
	                            "{\"cpu\":\"100m\"}}"), diag);

	CU_ASSERT_PTR_NOT_NULL(engine);
	CU_ASSERT_EQUAL_FATAL(limen_diag_count(diag, LIMEN_SEVERITY_WARNING), 2);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->text,
	                       "unknown field \"spec.limits[0].defaultRequests\"");
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->hint, "did you mean \"defaultRequest\"?");
	ranger_check_patch(engine, "nothing is given", POD("{\"name\":\"c\"}"), "");
	limen_diag_free(diag);
	limen_engine_free(engine);
}

/* What is filled into a LimitRange of only one value (the documents, "Default Value Behavior"). */
static void
test_filling_in(void)
{
	static const struct {
		const char *item;
		const char *given; /* resources of an empty container */
	} cases[] = {
		{ "\"max\":{\"cpu\":\"1\"}",
		  "{\"limits\":{\"cpu\":\"1\"},\"requests\":{\"cpu\":\"1\"}}" },
		{ "\"min\":{\"cpu\":\"1\"}", "{\"requests\":{\"cpu\":\"1\"}}" },
		{ "\"default\":{\"cpu\":\"1\"}",
		  "{\"limits\":{\"cpu\":\"1\"},\"requests\":{\"cpu\":\"1\"}}" },
		{ "\"defaultRequest\":{\"cpu\":\"1\"}", "{\"requests\":{\"cpu\":\"1\"}}" },
		{ "\"max\":{\"cpu\":\"2\"},\"min\":{\"cpu\":\"1\"}",
		  "{\"limits\":{\"cpu\":\"2\"},\"requests\":{\"cpu\":\"2\"}}" },
		{ "\"max\":{\"cpu\":\"2\"},\"default\":{\"cpu\":\"1\"}",
		  "{\"limits\":{\"cpu\":\"1\"},\"requests\":{\"cpu\":\"1\"}}" },
		{ "\"max\":{\"cpu\":\"2\"},\"min\":{\"memory\":\"1Mi\"}",
		  "{\"limits\":{\"cpu\":\"2\"},\"requests\":{\"cpu\":\"2\",\"memory\":\"1Mi\"}}" },
		{ "\"default\":{\"cpu\":\"0.9999\"}",
		  "{\"limits\":{\"cpu\":\"1\"},\"requests\":{\"cpu\":\"1\"}}" },
		{ "\"default\":{\"memory\":\"0.5Gi\"}",
		  "{\"limits\":{\"memory\":\"512Mi\"},\"requests\":{\"memory\":\"512Mi\"}}" },
		{ "\"maxLimitRequestRatio\":{\"cpu\":\"2\"}", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char range[1024];
		limen_engine *engine;
		limen_decision *decision;
		limen_path *path;
		limen_value given;
		char *found;

		snprintf(range, sizeof range, RANGE("r", "{\"type\":\"Container\",%s}"),
		         cases[i].item);
		engine = ranger_open("", range);
		decision = ranger_decide(engine, POD("{\"name\":\"c\"}"), NULL);
		CU_ASSERT_EQUAL(limen_path_new("/spec/containers/0/resources", 28, &path),
		                LIMEN_OK);
		given = limen_value_find(limen_decision_rewritten(decision), path);
		found = limen_value_to_json(given, LIMEN_JSON_SORTED, NULL);
		ASSERT((found == NULL) == (cases[i].given == NULL) &&
		               (found == NULL || strcmp(found, cases[i].given) == 0),
		       "%s gives %s", cases[i].item, found == NULL ? "nothing" : found);
		free(found);
		limen_path_free(path);
		limen_decision_free(decision);
		limen_engine_free(engine);
	}
}

#define GIVES(name, value) \
	RANGE(name, "{\"type\":\"Container\",\"defaultRequest\":{" value "}}")

/* The first by name wins for each key; the annotation is that of the last that gave anything. */
static void
test_several(void)
{
	static const struct default_case cases[] = {
		{ "disjoint parts", POD("{\"name\":\"c\"}"),
		  "[" ANNOTATED("memory request for container c") ","
		  ADD("/spec/containers/0/resources",
		      "{\"requests\":{\"cpu\":\"1\",\"memory\":\"2\"}}") "]" },
		{ "the last gives nothing",
		  POD(CONTAINER("c", "{\"requests\":{\"memory\":\"1\"}}")),
		  "[" ANNOTATED("cpu request for container c") ","
		  ADD("/spec/containers/0/resources/requests/cpu", "\"1\"") "]" },
	};

	check_cases(ranger_open("", GIVES("b", "\"cpu\":\"2\",\"memory\":\"2\"") ","
	                            GIVES("a", "\"cpu\":\"1\"")),
	            cases, sizeof cases / sizeof cases[0]);
}

static void
test_annotation(void)
{
	static const struct default_case cases[] = {
		{ "containers, then init containers",
		  "{\"kind\":\"Pod\",\"metadata\":{},\"spec\":{\"initContainers\":["
		  "{\"name\":\"i\"},{\"name\":\"s\",\"restartPolicy\":\"Always\"}],"
		  "\"containers\":[{\"name\":\"a\"},"
		  "{\"name\":\"b\",\"resources\":{\"requests\":{\"cpu\":\"1\"}}}]}}",
		  "[" ANNOTATED("cpu request for container a; cpu request for init container i; "
		                "cpu request for init container s") ","
		  ADD("/spec/initContainers/0/resources", "{\"requests\":{\"cpu\":\"1\"}}") ","
		  ADD("/spec/initContainers/1/resources", "{\"requests\":{\"cpu\":\"1\"}}") ","
		  ADD("/spec/containers/0/resources", "{\"requests\":{\"cpu\":\"1\"}}") "]" },
		{ "beside others",
		  "{\"kind\":\"Pod\",\"metadata\":{\"annotations\":{\"a\":\"b\"}},\"spec\":"
		  "{\"containers\":[{\"name\":\"c\"}]}}",
		  "[" ADD("/metadata/annotations/kubernetes.io~1limit-ranger",
		          "\"LimitRanger plugin set: cpu request for container c\"") ","
		  ADD("/spec/containers/0/resources", "{\"requests\":{\"cpu\":\"1\"}}") "]" },
		{ "an old one is overwritten",
		  "{\"kind\":\"Pod\",\"metadata\":{\"annotations\":{\"kubernetes.io/limit-ranger\":"
		  "\"x\"}},\"spec\":{\"containers\":[{\"name\":\"c\"}]}}",
		  "[{\"op\":\"replace\","
		  "\"path\":\"/metadata/annotations/kubernetes.io~1limit-ranger\","
		  "\"value\":\"LimitRanger plugin set: cpu request for container c\"},"
		  ADD("/spec/containers/0/resources", "{\"requests\":{\"cpu\":\"1\"}}") "]" },
		{ "no metadata, and names that need escapes",
		  "{\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"name\":\"a\\\"b\\n\"},{}]}}",
		  "[" ADD("/spec/containers/0/resources", "{\"requests\":{\"cpu\":\"1\"}}") ","
		  ADD("/spec/containers/1/resources", "{\"requests\":{\"cpu\":\"1\"}}") ","
		  ADD("/metadata", "{\"annotations\":{\"kubernetes.io/limit-ranger\":"
		                   "\"LimitRanger plugin set: cpu request for container a\\\"b\\n; "
		                   "cpu request for container \"}}") "]" },
	};

	check_cases(ranger_open("", GIVES("a", "\"cpu\":\"1\"")), cases,
	            sizeof cases / sizeof cases[0]);
}

/* The names of extended resources have slashes. */
static void
test_extended(void)
{
	static const struct default_case cases[] = {
		{ "a member", POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"1\"}}")),
		  "[" ANNOTATED("example.com/gpu request for container c; "
		                "example.com/gpu limit for container c") ","
		  ADD("/spec/containers/0/resources/requests/example.com~1gpu", "\"2\"") ","
		  ADD("/spec/containers/0/resources/limits", "{\"example.com/gpu\":\"2\"}") "]" },
	};

	check_cases(ranger_open("", RANGE("r", "{\"type\":\"Container\",\"max\":"
	                                       "{\"example.com/gpu\":2}}")),
	            cases, sizeof cases / sizeof cases[0]);
}

/* What was given once is there the next time. */
static void
test_again(void)
{
	limen_engine *engine = ranger_open("", EXAMPLE);
	limen_decision *decision = ranger_decide(engine, POD("{\"name\":\"c\"}"), NULL);
	char *again = limen_value_to_json(limen_decision_rewritten(decision), 0, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(again);
	ranger_check_patch(engine, "the result", again, "");
	free(again);
	limen_decision_free(decision);
	limen_engine_free(engine);
}

#define HALF RANGE("r", "{\"type\":\"Container\",\"default\":{\"cpu\":\"500m\"}}")

/* What suits is given as Kubernetes gives it. */
static void
check_suitable(limen_engine *engine, const char *option)
{
	ranger_check_patch(engine, option, POD("{\"name\":\"c\"}"),
	                   "[" ANNOTATED("cpu request for container c; cpu limit for container c") ","
	                   ADD("/spec/containers/0/resources",
	                       "{\"limits\":{\"cpu\":\"500m\"},\"requests\":{\"cpu\":\"500m\"}}") "]");
	ranger_check_patch(engine, option, POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"0.5\"}}")),
	                   "[" ANNOTATED("cpu limit for container c") ","
	                   ADD("/spec/containers/0/resources/limits", "{\"cpu\":\"500m\"}") "]");
}

static void
test_conflict(void)
{
	static const char pod[] = POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"700m\"}}"));
	static const char over[] = POD(CONTAINER("c", "{\"limits\":{\"cpu\":\"300m\"}}"));
	static const struct {
		const char *option;
		const char *patch;      /* of 'pod' */
		const char *other;      /* of 'over' */
		size_t warnings;
	} cases[] = {
		{ "upstream",
		  "[" ANNOTATED("cpu limit for container c") ","
		  ADD("/spec/containers/0/resources/limits", "{\"cpu\":\"500m\"}") "]",
		  "[" ANNOTATED("cpu request for container c") ","
		  ADD("/spec/containers/0/resources/requests", "{\"cpu\":\"500m\"}") "]", 1 },
		{ "raise",
		  "[" ANNOTATED("cpu limit for container c") ","
		  ADD("/spec/containers/0/resources/limits", "{\"cpu\":\"700m\"}") "]",
		  "[" ANNOTATED("cpu request for container c") ","
		  ADD("/spec/containers/0/resources/requests", "{\"cpu\":\"300m\"}") "]", 0 },
		{ "skip", "", "", 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char option[64];
		size_t count = 0;
		limen_engine *engine;
		limen_decision *decision;

		snprintf(option, sizeof option, "\"default-conflict\":\"%s\"", cases[i].option);
		engine = ranger_open(option, HALF);
		ranger_check_patch(engine, cases[i].option, pod, cases[i].patch);
		ranger_check_patch(engine, cases[i].option, over, cases[i].other);
		check_suitable(engine, cases[i].option);
		decision = ranger_decide(engine, pod, NULL);
		CU_ASSERT_TRUE(limen_decision_admitted(decision));
		limen_decision_warnings(decision, &count);
		CU_ASSERT_EQUAL(count, cases[i].warnings);
		limen_decision_free(decision);
		limen_engine_free(engine);
	}
}

static void
test_defaulting(void)
{
	limen_engine *none = ranger_open("\"defaulting\":\"none\"", HALF);
	limen_engine *require = ranger_open("\"defaulting\":\"require\"", HALF);

	ranger_check_patch(none, "none", POD("{\"name\":\"c\"}"), "");
	ranger_check(none, "none", POD("{\"name\":\"c\"}"), NULL, "");
	ranger_check_patch(require, "require", POD("{\"name\":\"c\"}"), "");
	ranger_check(require, "require, nothing", POD("{\"name\":\"c\"}"), NULL,
	             "cpu request per Container is required.  No request is specified\n"
	             "cpu limit per Container is required.  No limit is specified");
	ranger_check(require, "require, a request",
	             POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"1\"}}")), NULL,
	             "cpu limit per Container is required.  No limit is specified");
	ranger_check(require, "require, both",
	             POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"1\"},\"limits\":{\"cpu\":1}}")),
	             NULL, "");
	limen_engine_free(none);
	limen_engine_free(require);
}

/* Of what the API server will not accept (core/v1 validation) somebody should hear in time. */
static void
test_warnings(void)
{
	limen_engine *engine = ranger_open(
		"", RANGE("r", "{\"type\":\"Container\",\"defaultRequest\":"
	                       "{\"example.com/gpu\":\"1\"}}"));
	limen_decision *decision = ranger_decide(engine, POD("{\"name\":\"Not a label\"}"), NULL);
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);

	CU_ASSERT_TRUE(limen_decision_admitted(decision));
	CU_ASSERT_EQUAL_FATAL(count, 1);
	CU_ASSERT_STRING_EQUAL(warnings[0],
	                       "container 0: example.com/gpu request and limit differ after "
	                       "LimitRange \"r\"; the API server will answer 422");
	limen_decision_free(decision);
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the document's example", test_example },
		{ "the document's example, resized", test_example_bounds },
		{ "the document's misspelt key", test_example_misspelt },
		{ "what is filled into a LimitRange", test_filling_in },
		{ "several LimitRanges", test_several },
		{ "the annotation", test_annotation },
		{ "extended resources", test_extended },
		{ "a second time", test_again },
		{ "defaults that do not suit what is given", test_conflict },
		{ "defaults that are not given, or required", test_defaulting },
		{ "warnings of a refusal to come", test_warnings },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_defaults", tests);
}
