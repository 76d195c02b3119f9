/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Manifests as their authors write them: what the API server does to them before
 * it asks LimitRanger (kubernetes 1.8 and 2.9), where each value comes from, and
 * what the API server says afterwards.
 */
#include "ranger_case.h"

#define LIMITS RANGE("limits", "{\"type\":\"Container\",\"default\":{\"cpu\":\"500m\"},"    \
	                       "\"defaultRequest\":{\"cpu\":\"250m\"},\"max\":{\"cpu\":2}}")
#define BOUNDS RANGE("bounds", "{\"type\":\"Pod\",\"max\":{\"cpu\":4}}")
#define CLAIMS RANGE("claims", "{\"type\":\"PersistentVolumeClaim\",\"max\":{\"storage\":\"1\"}}")
#define CLAIM(requests)                                                                   \
	"{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{},\"spec\":"  \
	"{\"resources\":{\"requests\":" requests "}}}"
#define ANNOTATION "{\"op\":\"add\",\"path\":\"/metadata/annotations\",\"value\":{"       \
	           "\"kubernetes.io/limit-ranger\":\"LimitRanger plugin set: "
#define WHOLE(resources, containers)                                                      \
	"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{},\"spec\":{\"resources\":{"        \
	resources "},\"containers\":[" containers "]}}"
#define LIST "/spec/containers/0/resources/"

struct manifest_case {
	const char *ranges;
	const char *object;
	const char *patch;    /* "": none */
	const char *origins;  /* "POINTER: TEXT", one a line */
	const char *warnings; /* one a line */
};

static const struct manifest_case cases[] = {
	/* The limit is the request, so that the default request does not count. */
	{ BOUNDS "," LIMITS, POD(CONTAINER("c", "{\"limits\":{\"cpu\":1}}")),
	  "[{\"op\":\"add\",\"path\":\"" LIST "requests\",\"value\":{\"cpu\":\"1\"}}]",
	  LIST "requests/cpu: copied from the limit", "" },
	{ LIMITS, POD(CONTAINER("c", "{\"limits\":{\"cpu\":0}}")),
	  "[{\"op\":\"add\",\"path\":\"" LIST "requests\",\"value\":{\"cpu\":\"0\"}}]",
	  LIST "requests/cpu: copied from the limit", "" },
	{ LIMITS, POD(CONTAINER("c", "{}")),
	  "[" ANNOTATION "cpu request for container c; cpu limit for container c\"}},"
	  "{\"op\":\"add\",\"path\":\"" LIST "requests\",\"value\":{\"cpu\":\"250m\"}},"
	  "{\"op\":\"add\",\"path\":\"" LIST "limits\",\"value\":{\"cpu\":\"500m\"}}]",
	  LIST "requests/cpu: defaultRequest of LimitRange \"limits\"\n"
	  LIST "limits/cpu: default of LimitRange \"limits\"", "" },
	/* The most reported surprise: admitted here, refused by the API server. */
	{ LIMITS, POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"700m\"}}")),
	  "[" ANNOTATION "cpu limit for container c\"}},"
	  "{\"op\":\"add\",\"path\":\"" LIST "limits\",\"value\":{\"cpu\":\"500m\"}}]",
	  LIST "limits/cpu: default of LimitRange \"limits\"",
	  "container \"c\": cpu request above limit after LimitRange \"limits\"; the API server "
	  "will answer 422" },
	{ LIMITS, POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"2\"},\"limits\":{\"cpu\":1}}")),
	  "", "", "container \"c\": cpu request above limit; the API server will answer 422" },
	{ BOUNDS, POD(CONTAINER("c", "{\"requests\":{\"a.io/b\":1},\"limits\":{\"cpu\":1}}")),
	  "[{\"op\":\"add\",\"path\":\"" LIST "requests/cpu\",\"value\":\"1\"}]",
	  LIST "requests/cpu: copied from the limit",
	  "container \"c\": a.io/b request without limit; the API server will answer 422" },
	/* Names with a slash in a pointer. */
	{ BOUNDS, POD(CONTAINER("c", "{\"limits\":{\"a.io/b\":1,\"cpu\":1}}")),
	  "[{\"op\":\"add\",\"path\":\"" LIST "requests\",\"value\":{\"a.io/b\":\"1\",\"cpu\":"
	  "\"1\"}}]",
	  LIST "requests/a.io~1b: copied from the limit\n"
	  LIST "requests/cpu: copied from the limit", "" },
	/* What is not the name of a resource is not copied. */
	{ BOUNDS, POD(CONTAINER("c", "{\"limits\":{\"a\\\"b\":1,\"\":1,\"cpu\":1}}")),
	  "[{\"op\":\"add\",\"path\":\"" LIST "requests\",\"value\":{\"cpu\":\"1\"}}]",
	  LIST "requests/cpu: copied from the limit", "" },
	/* Thousandths. */
	{ LIMITS, POD(CONTAINER("c", "{\"requests\":{\"cpu\":\"100u\"},\"limits\":{\"cpu\":0.9999}}")),
	  "[{\"op\":\"replace\",\"path\":\"" LIST "requests/cpu\",\"value\":\"1m\"},"
	  "{\"op\":\"replace\",\"path\":\"" LIST "limits/cpu\",\"value\":\"1\"}]",
	  LIST "requests/cpu: rounded up\n" LIST "limits/cpu: rounded up", "" },
	{ CLAIMS, CLAIM("{\"storage\":\"0.0001\"}"),
	  "[{\"op\":\"replace\",\"path\":\"/spec/resources/requests/storage\",\"value\":\"1m\"}]",
	  "/spec/resources/requests/storage: rounded up", "" },
	{ CLAIMS, CLAIM("{\"storage\":\"0.001\"}"), "", "", "" },
	/* The pod as a whole. */
	{ BOUNDS,
	  "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{},\"spec\":{\"resources\":{"
	  "\"limits\":{\"cpu\":4,\"memory\":1}},\"containers\":["
	  CONTAINER("a", "{\"limits\":{\"cpu\":1}}") "," CONTAINER("b", "{\"requests\":{\"cpu\":"
	  "\"500m\"}}") "]}}",
	  "[{\"op\":\"add\",\"path\":\"/spec/resources/requests\",\"value\":{\"cpu\":\"1500m\","
	  "\"memory\":\"1\"}},{\"op\":\"add\",\"path\":\"" LIST "requests\",\"value\":{\"cpu\":"
	  "\"1\"}}]",
	  "/spec/resources/requests/cpu: sum of the containers\n"
	  "/spec/resources/requests/memory: copied from the limit\n"
	  LIST "requests/cpu: copied from the limit", "" },
	/* Hugepages turn on the requests of the pod as a whole. */
	{ CLAIMS,
	  WHOLE("\"requests\":{\"cpu\":1}",
	        CONTAINER("a", "{\"requests\":{\"memory\":1}}") ","
	        CONTAINER("b", "{\"limits\":{\"hugepages-2Mi\":\"2Mi\"}}") ","
	        CONTAINER("c", "{\"limits\":{\"hugepages-1Gi\":\"1Gi\",\"hugepages-2Mi\":"
	                       "\"4Mi\",\"hugepages-\\\"\":1}}")),
	  "[{\"op\":\"add\",\"path\":\"/spec/resources/requests/memory\",\"value\":\"1\"},"
	  "{\"op\":\"add\",\"path\":\"/spec/resources/requests/hugepages-1Gi\",\"value\":\"1Gi\"},"
	  "{\"op\":\"add\",\"path\":\"/spec/resources/requests/hugepages-2Mi\",\"value\":\"6Mi\"},"
	  "{\"op\":\"add\",\"path\":\"/spec/resources/limits\",\"value\":{\"hugepages-1Gi\":"
	  "\"1Gi\",\"hugepages-2Mi\":\"6Mi\"}},"
	  "{\"op\":\"add\",\"path\":\"/spec/containers/1/resources/requests\",\"value\":{"
	  "\"hugepages-2Mi\":\"2Mi\"}},"
	  "{\"op\":\"add\",\"path\":\"/spec/containers/2/resources/requests\",\"value\":{"
	  "\"hugepages-1Gi\":\"1Gi\",\"hugepages-2Mi\":\"4Mi\"}}]",
	  "/spec/resources/requests/memory: sum of the containers\n"
	  "/spec/resources/requests/hugepages-1Gi: copied from the limit\n"
	  "/spec/resources/requests/hugepages-2Mi: copied from the limit\n"
	  "/spec/resources/limits/hugepages-1Gi: sum of the containers\n"
	  "/spec/resources/limits/hugepages-2Mi: sum of the containers\n"
	  "/spec/containers/1/resources/requests/hugepages-2Mi: copied from the limit\n"
	  "/spec/containers/2/resources/requests/hugepages-1Gi: copied from the limit\n"
	  "/spec/containers/2/resources/requests/hugepages-2Mi: copied from the limit", "" },
	/* Those that the pod has of its own stay as they are. */
	{ CLAIMS,
	  WHOLE("\"requests\":{\"hugepages-2Mi\":\"8Mi\"},\"limits\":{\"hugepages-2Mi\":\"8Mi\","
	        "\"hugepages-1Gi\":\"2Gi\"}",
	        CONTAINER("a", "{\"requests\":{\"hugepages-2Mi\":\"2Mi\"},\"limits\":{"
	                       "\"hugepages-2Mi\":\"2Mi\"}}")),
	  "[{\"op\":\"add\",\"path\":\"/spec/resources/requests/hugepages-1Gi\",\"value\":"
	  "\"2Gi\"}]",
	  "/spec/resources/requests/hugepages-1Gi: copied from the limit", "" },
	/* Without resources of its own a pod gets none. */
	{ CLAIMS,
	  WHOLE("", CONTAINER("a", "{\"requests\":{\"hugepages-2Mi\":\"2Mi\"},\"limits\":{"
	                           "\"hugepages-2Mi\":\"2Mi\"}}")),
	  "", "", "" },
};

static limen_decision *
decide(limen_engine *engine, const char *object, bool manifest)
{
	const limen_decide_options options = { .size = sizeof options, .origins = true };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_decision *decision = NULL;

	if (req == NULL || limen_request_parse(req, object, strlen(object), NULL) != LIMEN_OK)
		abort();
	CU_ASSERT_FALSE(limen_request_is_manifest(req));
	limen_request_set_manifest(req, manifest);
	CU_ASSERT_EQUAL(limen_request_is_manifest(req), manifest);
	if (limen_engine_decide(engine, req, &options, &decision) != LIMEN_OK)
		abort();
	limen_request_free(req);
	return decision;
}

static void
list_origins(const limen_decision *decision, char out[RANGER_TEXT])
{
	const limen_origin *one;

	out[0] = '\0';
	for (size_t i = 0; (one = limen_decision_origin(decision, i)) != NULL; i++) {
		char line[512];

		snprintf(line, sizeof line, "%s: %s", one->pointer, one->text);
		append_text(out, line);
	}
}

static void
list_warnings(const limen_decision *decision, char out[RANGER_TEXT])
{
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);

	out[0] = '\0';
	for (size_t i = 0; i < count; i++)
		append_text(out, warnings[i]);
}

static void
check_case(const struct manifest_case *one)
{
	limen_engine *engine = ranger_open("", one->ranges);
	limen_decision *decision = decide(engine, one->object, true);
	char *patch = limen_value_to_json(limen_decision_patch(decision), 0, NULL);
	char found[RANGER_TEXT];

	ASSERT(limen_decision_admitted(decision), "%s: %s", one->object,
	       limen_decision_reason(decision));
	ASSERT(strcmp(patch == NULL ? "" : patch, one->patch) == 0, "%s: %s, want %s",
	       one->object, patch == NULL ? "no patch" : patch, one->patch);
	list_origins(decision, found);
	ASSERT(strcmp(found, one->origins) == 0, "%s: '%s', want '%s'", one->object, found,
	       one->origins);
	list_warnings(decision, found);
	ASSERT(strcmp(found, one->warnings) == 0, "%s: '%s', want '%s'", one->object, found,
	       one->warnings);
	free(patch);
	limen_decision_free(decision);
	limen_engine_free(engine);
}

static void
test_rules(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check_case(&cases[i]);
}

/* Of an AdmissionReview's object all that has been done, and none of it is done again. */
static void
test_reviews(void)
{
	limen_engine *engine = ranger_open("", BOUNDS);
	limen_decision *decision =
		decide(engine, POD(CONTAINER("c", "{\"limits\":{\"cpu\":\"100u\"}}")), false);

	CU_ASSERT_TRUE(limen_decision_admitted(decision));
	CU_ASSERT_FALSE(limen_value_exists(limen_decision_patch(decision)));
	CU_ASSERT_PTR_NULL(limen_decision_origin(decision, 0));
	limen_decision_free(decision);
	limen_engine_free(engine);
}

/* Nobody pays for origins that nobody asked for. */
static void
test_origins_unasked(void)
{
	limen_engine *engine = ranger_open("", LIMITS);
	limen_decision *decision = ranger_decide(engine, POD(CONTAINER("c", "{}")), NULL);
	char *text = limen_decision_to_json(decision, 0, NULL);

	CU_ASSERT_TRUE(limen_value_exists(limen_decision_patch(decision)));
	CU_ASSERT_PTR_NULL(limen_decision_origin(decision, 0));
	CU_ASSERT_PTR_NULL(strstr(text, "origins"));
	free(text);
	limen_decision_free(decision);
	limen_engine_free(engine);
}

static void
test_conflict(void)
{
	limen_engine *engine = ranger_open("\"default-conflict\":\"raise\"", LIMITS);
	limen_decision *decision =
		decide(engine, POD(CONTAINER("c", "{\"requests\":{\"cpu\":1}}")), true);
	char found[RANGER_TEXT];

	list_origins(decision, found);
	CU_ASSERT_STRING_EQUAL(found, LIST "limits/cpu: the request, in place of the default of "
	                                   "LimitRange \"limits\"");
	limen_decision_free(decision);
	limen_engine_free(engine);
}

/* What the API server would show: with defaults, by namespace and name. */
static void
test_status(void)
{
	static const char manifests[] =
		RANGE("b", "{\"type\":\"Container\",\"max\":{\"cpu\":\"1000m\"}}") ","
		"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"a\","
		"\"namespace\":\"shop\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\"},\"spec\":{\"limits\":[]}},"
		RANGE("a", "{\"type\":\"Pod\",\"min\":{\"cpu\":1}},{\"type\":\"PersistentVolumeClaim\","
		           "\"max\":{\"storage\":\"1Gi\"}}");
	static const char wanted[] =
		"\"status\":{\"limitRanges\":["
		"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"a\","
		"\"namespace\":\"default\"},\"spec\":{\"limits\":[{\"min\":{\"cpu\":\"1\"},"
		"\"type\":\"Pod\"},{\"max\":{\"storage\":\"1Gi\"},\"type\":\"PersistentVolumeClaim\"}"
		"]}},"
		"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"b\","
		"\"namespace\":\"default\"},\"spec\":{\"limits\":[{\"default\":{\"cpu\":\"1\"},"
		"\"defaultRequest\":{\"cpu\":\"1\"},\"max\":{\"cpu\":\"1\"},\"type\":\"Container\"}"
		"]}},"
		"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"creationTimestamp\":"
		"\"2026-01-01T00:00:00Z\",\"name\":\"a\",\"namespace\":\"shop\"},\"spec\":{"
		"\"limits\":[]}}]}";
	limen_engine *engine = ranger_open("", manifests);
	char *text = limen_engine_describe(engine, 0, NULL);

	ASSERT(strstr(text, wanted) != NULL, "%s", text);
	free(text);
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what the API server does first", test_rules },
		{ "objects of reviews", test_reviews },
		{ "origins nobody asked for", test_origins_unasked },
		{ "origins of values that were raised", test_conflict },
		{ "the LimitRanges in force", test_status },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_manifests", tests);
}
