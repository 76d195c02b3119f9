/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_ranges.c - reading LimitRanges: every rule of core/v1
 * validation.ValidateLimitRange with its text, and the lists they come in.
 */
#include "ranger_case.h"

#define QUALIFIED                                                                            \
	"name part must consist of alphanumeric characters, '-', '_' or '.', and must start " \
	"and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or "          \
	"'123-abc', regex used for validation is "                                            \
	"'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define MALFORMED                                                                            \
	"LimitRange in version \"v1\" cannot be handled as a LimitRange: quantities must "   \
	"match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
#define SIXTY "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

struct range_case {
	const char *items;    /* of spec.limits */
	const char *problems; /* one a line; "": none */
};


static void
check_one(const char *manifests, limen_severity severity, const char *expected)
{
	limen_diag *diag = limen_diag_new();
	limen_engine *engine = ranger_load("", manifests, diag);
	bool refused = severity == LIMEN_SEVERITY_PROBLEM && *expected != '\0';
	char found[RANGER_TEXT];

	ranger_problems(diag, severity, found);
	ASSERT(strcmp(found, expected) == 0, "%s: '%s', want '%s'", manifests, found, expected);
	ASSERT((engine == NULL) == refused, "%s: %s", manifests,
	       engine == NULL ? "refused" : "accepted");
	limen_engine_free(engine);
	limen_diag_free(diag);
}

static void
check_items(const struct range_case *cases, size_t count, limen_severity severity)
{
	for (size_t i = 0; i < count; i++) {
		char manifest[4096];

		snprintf(manifest, sizeof manifest, RANGE("r", "%s"), cases[i].items);
		check_one(manifest, severity, cases[i].problems);
	}
}

#define CHECK(cases, severity) check_items(cases, sizeof cases / sizeof cases[0], severity)

static void
test_types(void)
{
	static const struct range_case cases[] = {
		{ "{\"type\":\"Pod\"},{\"type\":\"Container\"},{\"type\":\"thirdparty.com/foo\"}",
		  "" },
		{ "{\"type\":\"\"}",
		  "spec.limits[0].type: Invalid value: \"\": name part must be non-empty\n"
		  "spec.limits[0].type: Invalid value: \"\": " QUALIFIED },
		{ "{}", "spec.limits[0].type: Invalid value: \"\": name part must be non-empty\n"
		        "spec.limits[0].type: Invalid value: \"\": " QUALIFIED },
		{ "{\"type\":\"foo\"}", "spec.limits[0].type: Invalid value: \"foo\": must be a "
		                        "standard limit type or fully qualified" },
		{ "{\"type\":\"pod\"}", "spec.limits[0].type: Invalid value: \"pod\": must be a "
		                        "standard limit type or fully qualified" },
		{ "{\"type\":\"a b\"}", "spec.limits[0].type: Invalid value: \"a b\": " QUALIFIED },
		{ "{\"type\":\"/foo\"}",
		  "spec.limits[0].type: Invalid value: \"/foo\": prefix part must be non-empty" },
		{ "{\"type\":\"Pod\"},{\"type\":\"Pod\"}",
		  "spec.limits[1].type: Duplicate value: \"Pod\"" },
		{ "{\"type\":\"a.com/b\"},{\"type\":\"Pod\"},{\"type\":\"a.com/b\"}",
		  "spec.limits[2].type: Duplicate value: \"a.com/b\"" },
	};

	CHECK(cases, LIMEN_SEVERITY_PROBLEM);
}

#define BARE "must be a standard resource type or fully qualified"
#define CONTAINER_ONLY "must be a standard resource for containers"
#define EXTENDED "doesn't follow extended resource name standard"
#define POD_MIN(name) "{\"type\":\"Pod\",\"min\":{\"" name "\":1}}"
#define OF_MIN(name, text) "spec.limits[0].min[" name "]: Invalid value: \"" name "\": " text

static void
test_names(void)
{
	static const struct range_case cases[] = {
		{ POD_MIN("ephemeral-storage"), "" },
		{ POD_MIN("hugepages-anything"), "" },
		{ POD_MIN("kubernetes.io/x"), "" },
		{ POD_MIN("a.kubernetes.io/x"), "" },
		{ POD_MIN("example.com/gpu"), "" },
		{ POD_MIN("requests.example.com/gpu"),
		  OF_MIN("requests.example.com/gpu", EXTENDED) },
		{ POD_MIN("storage"), OF_MIN("storage", CONTAINER_ONLY) },
		{ POD_MIN("requests.hugepages-2Mi"),
		  OF_MIN("requests.hugepages-2Mi", CONTAINER_ONLY) },
		{ POD_MIN("foo"), OF_MIN("foo", BARE) "\n" OF_MIN("foo", CONTAINER_ONLY) },
		{ POD_MIN("CPU"), OF_MIN("CPU", BARE) "\n" OF_MIN("CPU", CONTAINER_ONLY) },
		{ POD_MIN("-cpu"), OF_MIN("-cpu", QUALIFIED) "\n" OF_MIN("-cpu", CONTAINER_ONLY) },
		{ POD_MIN("a/b/c"),
		  OF_MIN("a/b/c", "a valid label key must consist of alphanumeric characters, '-', "
		                  "'_' "
		                  "or '.', and must start and end with an alphanumeric character "
		                  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
		                  "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with "
		                  "an "
		                  "optional DNS subdomain prefix and '/' (e.g. "
		                  "'example.com/MyName')") "\n"
		  OF_MIN("a/b/c", EXTENDED) },
		{ POD_MIN("example.com/" SIXTY "aaa"), "" },
		{ POD_MIN("example.com/" SIXTY "aaaa"),
		  OF_MIN("example.com/" SIXTY "aaaa", "name part must be no more than 63 "
		                                      "bytes") "\n"
		  OF_MIN("example.com/" SIXTY "aaaa", EXTENDED) },
		{ POD_MIN("Example.com/x"),
		  OF_MIN("Example.com/x",
		         "prefix part a lowercase RFC 1123 subdomain must consist of lower case "
		         "alphanumeric characters, '-' or '.', and must start and end with an "
		         "alphanumeric character (e.g. 'example.com', regex used for validation is "
		         "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')") "\n"
		  OF_MIN("Example.com/x", EXTENDED) },
		{ "{\"type\":\"PersistentVolumeClaim\",\"min\":{\"storage\":1,\"pods\":1,"
		  "\"requests.cpu\":1,\"limits.memory\":1,\"requests.hugepages-1Gi\":1,"
		  "\"requests.example.com/x\":1,\"services.nodeports\":1}}", "" },
		{ "{\"type\":\"PersistentVolumeClaim\",\"max\":{\"storage\":1,\"disk\":1}}",
		  "spec.limits[0].max[disk]: Invalid value: \"disk\": " BARE },
		{ "{\"type\":\"a.com/b\",\"maxLimitRequestRatio\":{\"disk\":1}}",
		  "spec.limits[0].maxLimitRequestRatio[disk]: Invalid value: \"disk\": " BARE },
	};

	CHECK(cases, LIMEN_SEVERITY_PROBLEM);
}

static void
test_items(void)
{
	static const struct range_case cases[] = {
		{ "{\"type\":\"Pod\",\"default\":{\"foo\":1},\"defaultRequest\":{\"cpu\":1}}",
		  "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'\n"
		  "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is "
		  "'Pod'" },
		{ "{\"type\":\"Pod\",\"default\":{},\"defaultRequest\":null}", "" },
		{ "{\"type\":\"PersistentVolumeClaim\"}",
		  "spec.limits[0].limits: Required value: either minimum or maximum storage value "
		  "is "
		  "required, but neither was provided" },
		{ "{\"type\":\"PersistentVolumeClaim\",\"max\":{\"storage\":\"1Gi\"}}", "" },
		{ "{\"type\":\"Pod\",\"max\":{\"foo\":1},\"min\":{\"bar\":1}}",
		  "spec.limits[0].max[foo]: Invalid value: \"foo\": " BARE "\n"
		  "spec.limits[0].max[foo]: Invalid value: \"foo\": " CONTAINER_ONLY "\n"
		  OF_MIN("bar", BARE) "\n" OF_MIN("bar", CONTAINER_ONLY) },
	};

	CHECK(cases, LIMEN_SEVERITY_PROBLEM);
}

#define OF_CONTAINER(members) "{\"type\":\"Container\"," members "}"
#define FIELD(list) "spec.limits[0]." list "[cpu]: Invalid value: "

/* Pairs of bounds; what is filled in takes part. */
static void
test_bounds(void)
{
	static const struct range_case cases[] = {
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":\"1001m\"},\"max\":{\"cpu\":1}}",
		  FIELD("min") "\"1001m\": min value 1001m is greater than max value 1" },
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":\"1000m\"},\"max\":{\"cpu\":1}}", "" },
		{ OF_CONTAINER("\"min\":{\"cpu\":2},\"defaultRequest\":{\"cpu\":1}"),
		  FIELD("defaultRequest") "\"1\": min value 2 is greater than default request "
		                          "value 1" },
		{ OF_CONTAINER("\"max\":{\"cpu\":1},\"defaultRequest\":{\"cpu\":2}"),
		  FIELD("defaultRequest") "\"2\": default request value 2 is greater than max "
		                          "value 1\n"
		  FIELD("defaultRequest") "\"2\": default request value 2 is greater than default "
		                          "limit "
		                          "value 1" },
		{ OF_CONTAINER("\"default\":{\"cpu\":1},\"defaultRequest\":{\"cpu\":2}"),
		  FIELD("defaultRequest") "\"2\": default request value 2 is greater than default "
		                          "limit "
		                          "value 1" },
		{ OF_CONTAINER("\"min\":{\"cpu\":2},\"default\":{\"cpu\":1}"),
		  FIELD("defaultRequest") "\"1\": min value 2 is greater than default request "
		                          "value 1\n"
		  FIELD("default") "\"2\": min value 2 is greater than default value 1" },
		{ OF_CONTAINER("\"max\":{\"cpu\":1},\"default\":{\"cpu\":2},"
		               "\"defaultRequest\":{\"cpu\":1}"),
		  FIELD("default") "\"1\": default value 2 is greater than max value 1" },
		{ OF_CONTAINER("\"maxLimitRequestRatio\":{\"cpu\":\"999m\"}"),
		  FIELD("maxLimitRequestRatio") "\"999m\": ratio 999m is less than 1" },
		{ OF_CONTAINER("\"maxLimitRequestRatio\":{\"cpu\":1}"), "" },
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":\"250m\"},\"max\":{\"cpu\":1},"
		  "\"maxLimitRequestRatio\":{\"cpu\":\"4001m\"}}",
		  FIELD("maxLimitRequestRatio") "\"4001m\": ratio 4001m is greater than max/min = "
		                                "4.000000" },
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":\"250m\"},\"max\":{\"cpu\":1},"
		  "\"maxLimitRequestRatio\":{\"cpu\":4}}", "" },
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":0},\"max\":{\"cpu\":1},"
		  "\"maxLimitRequestRatio\":{\"cpu\":4}}", "" },
		{ OF_CONTAINER("\"default\":{\"example.com/x\":2},"
		               "\"defaultRequest\":{\"example.com/x\":1}"),
		  "spec.limits[0].defaultRequest[example.com/x]: Invalid value: \"1\": default "
		  "value 2 "
		  "must equal to defaultRequest value 1 in example.com/x" },
		{ OF_CONTAINER("\"default\":{\"hugepages-2Mi\":\"4Mi\"},"
		               "\"defaultRequest\":{\"hugepages-2Mi\":\"4Mi\"}"), "" },
		{ OF_CONTAINER("\"default\":{\"kubernetes.io/x\":2},"
		               "\"defaultRequest\":{\"kubernetes.io/x\":1}"), "" },
		{ OF_CONTAINER("\"min\":{\"cpu\":2},\"max\":{\"memory\":1,\"cpu\":1},"
		               "\"default\":{\"memory\":2,\"cpu\":2}"),
		  FIELD("min") "\"2\": min value 2 is greater than max value 1\n"
		  FIELD("defaultRequest") "\"2\": default request value 2 is greater than max "
		                          "value 1\n"
		  FIELD("default") "\"1\": default value 2 is greater than max value 1\n"
		  "spec.limits[0].defaultRequest[memory]: Invalid value: \"2\": default request "
		  "value 2 "
		  "is greater than max value 1\n"
		  "spec.limits[0].default[memory]: Invalid value: \"1\": default value 2 is "
		  "greater "
		  "than max value 1" },
	};

	CHECK(cases, LIMEN_SEVERITY_PROBLEM);
}

static void
test_malformed(void)
{
	static const struct range_case cases[] = {
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":\"1 \"}}", "" },
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":0.5}}", "" },
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":\"a\"}}", MALFORMED },
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":{}}}", MALFORMED },
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":true}}", MALFORMED },
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":\"1ki\"}}",
		  "LimitRange in version \"v1\" cannot be handled as a LimitRange: unable to parse "
		  "quantity's suffix" },
		{ "{\"type\":\"Pod\",\"min\":[]}", "spec.limits[0].min: must be an object" },
		{ "{\"type\":1}", "spec.limits[0].type: must be a string" },
		{ "1", "spec.limits[0]: must be an object" },
		{ "null,{\"type\":\"Pod\",\"max\":\"x\"}",
		  "spec.limits[0]: must be an object\nspec.limits[1].max: must be an object" },
	};

	CHECK(cases, LIMEN_SEVERITY_PROBLEM);
}

#define NAMED(metadata) "{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":" metadata \
	",\"spec\":{\"limits\":[{\"type\":\"Pod\"}]}}"

static void
test_metadata(void)
{
	static const struct range_case cases[] = {
		{ NAMED("{\"name\":\"a.b-c\"}"), "" },
		{ NAMED("{\"generateName\":\"a-\"}"), "" },
		{ NAMED("{}"), "metadata.name: Required value: name or generateName is required" },
		{ NAMED("null"), "metadata.name: Required value: name or generateName is "
		                 "required" },
		{ NAMED("[]"), "metadata: must be an object" },
		{ NAMED("{\"name\":1}"), "metadata.name: must be a string" },
		{ NAMED("{\"name\":\"A\"}"),
		  "metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must "
		  "consist of "
		  "lower case alphanumeric characters, '-' or '.', and must start and end with an "
		  "alphanumeric character (e.g. 'example.com', regex used for validation is "
		  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')" },
		{ NAMED("{\"name\":\"a\",\"namespace\":\"a.b\"}"),
		  "metadata.namespace: Invalid value: \"a.b\": a lowercase RFC 1123 label must "
		  "consist "
		  "of lower case alphanumeric characters or '-', and must start and end with an "
		  "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for "
		  "validation is "
		  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')" },
		{ NAMED("{\"name\":\"a\",\"namespace\":\"\\u0000\"}"),
		  "metadata.namespace: Invalid value: \"\\u0000\": a lowercase RFC 1123 label must "
		  "consist of lower case alphanumeric characters or '-', and must start and end "
		  "with "
		  "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for "
		  "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')" },
		{ NAMED("{\"name\":\"a\",\"creationTimestamp\":\"soon\"}"),
		  "metadata.creationTimestamp: must be a timestamp" },
		{ NAMED("{\"name\":\"a\",\"creationTimestamp\":null}"), "" },
		{ NAMED("{\"name\":\"a\"}") "," NAMED("{\"name\":\"a\",\"namespace\":\"default\"}"),
		  "there are two LimitRanges \"a\" in the namespace \"default\"" },
		{ NAMED("{\"name\":\"a\"}") "," NAMED("{\"name\":\"a\",\"namespace\":\"b\"}"), "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check_one(cases[i].items, LIMEN_SEVERITY_PROBLEM, cases[i].problems);
}

#define FIELDS(metadata, others)                                                          \
	"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"a\"" metadata      \
	"}," others "}"
#define LIST(kind, elements) \
	"{\"apiVersion\":\"v1\",\"kind\":\"" kind "\",\"items\":[" elements "]}"

static void
test_lists(void)
{
	static const struct range_case cases[] = {
		{ LIST("LimitRangeList", "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"limits\":[]}}"), "" },
		{ LIST("List", NAMED("{\"name\":\"a\"}")), "" },
		{ LIST("List", "{\"metadata\":{\"name\":\"a\"}}"),
		  "must be a LimitRange of apiVersion \"v1\"" },
		{ LIST("LimitRangeList", "1"), "must be a LimitRange of apiVersion \"v1\"" },
		{ LIST("LimitRangeList", "{\"apiVersion\":\"v2\"}"),
		  "must be a LimitRange of apiVersion \"v1\"" },
		{ LIST("LimitRangeList", "{\"kind\":\"Pod\"}"),
		  "must be a LimitRange of apiVersion \"v1\"" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}",
		  "the kind must be LimitRange, LimitRangeList or List" },
		{ "{\"apiVersion\":\"v2\",\"kind\":\"LimitRange\"}",
		  "the apiVersion of a LimitRange must be \"v1\"" },
		{ "1", "must be a LimitRange or a list of them" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check_one(cases[i].items, LIMEN_SEVERITY_PROBLEM, cases[i].problems);
}

/* As kubectl's own validation says it; a file that was cut off limits nothing either. */
static void
test_fields(void)
{
	static const struct range_case cases[] = {
		{ FIELDS("", "\"spce\":{\"limits\":[]}"),
		  "unknown field \"spce\" (did you mean \"spec\"?)\nspec.limits: Required value" },
		{ FIELDS(",\"namespaces\":\"shop\"", "\"spec\":{\"limits\":[]}"),
		  "unknown field \"metadata.namespaces\" (did you mean \"namespace\"?)" },
		{ FIELDS("", "\"spec\":{\"Limits\":[],\"limits\":[]}"),
		  "unknown field \"spec.Limits\" (did you mean \"limits\"?)" },
		{ FIELDS("", "\"spec\":{\"limits\":[{\"type\":\"Pod\",\"Max\":{}},{\"type\":"
		             "\"Container\",\"maxx\":{},\"description\":1}]}"),
		  "unknown field \"spec.limits[0].Max\" (did you mean \"max\"?)\n"
		  "unknown field \"spec.limits[1].maxx\" (did you mean \"max\"?)\n"
		  "unknown field \"spec.limits[1].description\"" },
		{ FIELDS("", "\"spec\":{\"limits\":[]},\"status\":{}"), "unknown field \"status\"" },
		{ FIELDS("", "\"spec\":{\"limits\":null}"), "spec.limits: Required value" },
		{ FIELDS("", "\"spec\":{}"), "spec.limits: Required value" },
		{ FIELDS("", "\"spec\":null"), "spec.limits: Required value" },
		{ FIELDS("", "\"enabled\":true"), "spec.limits: Required value" },
		/* Problems of values are told, too. */
		{ FIELDS("", "\"spec\":{\"limits\":[{\"type\":\"x\",\"maxx\":{}}]}"),
		  "spec.limits[0].type: Invalid value: \"x\": must be a standard limit type or fully "
		  "qualified\nunknown field \"spec.limits[0].maxx\" (did you mean \"max\"?)" },
		/* Fields of older servers. */
		{ FIELDS(",\"selfLink\":\"\",\"clusterName\":\"\",\"managedFields\":[{\"x\":1}],"
		         "\"initializers\":{},\"labels\":{\"x\":\"\"}", "\"spec\":{\"limits\":[]}"),
		  "" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"LimitRangeList\",\"metadata\":{\"selfLink\":\"\","
		  "\"resourceVersion\":\"1\"},\"items\":[]}", "" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"LimitRangeList\",\"itmes\":[]}",
		  "unknown field \"itmes\" (did you mean \"items\"?)\nitems: Required value" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{\"name\":\"\"},"
		  "\"items\":null}",
		  "unknown field \"metadata.name\"\nitems: Required value" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_diag *diag = limen_diag_new();
		limen_engine *engine = ranger_load("", cases[i].items, diag);
		char found[RANGER_TEXT];

		found[0] = '\0';
		for (size_t j = 0; j < limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM); j++) {
			const limen_problem *problem = limen_diag_get(diag, j);
			bool meant = problem->hint != NULL && strncmp(problem->hint, "did", 3) == 0;
			char line[512];

			snprintf(line, sizeof line, meant ? "%s (%s)" : "%s", problem->text,
			         problem->hint);
			append_text(found, line);
		}
		ASSERT(strcmp(found, cases[i].problems) == 0, "%s: '%s', want '%s'", cases[i].items,
		       found, cases[i].problems);
		ASSERT((engine == NULL) == (*cases[i].problems != '\0'), "%s", cases[i].items);
		limen_engine_free(engine);
		limen_diag_free(diag);
	}
}

static void
test_warnings(void)
{
	static const struct range_case cases[] = {
		{ OF_CONTAINER("\"defaultRequests\":{\"cpu\":2}"),
		  "unknown field \"spec.limits[0].defaultRequests\"\n"
		  "spec.limits[0] limits nothing, because it has no values" },
		{ OF_CONTAINER("\"max\":{\"cpu\":2},\"default\":{\"cpu\":1}"), "" },
		{ OF_CONTAINER("\"max\":{\"cpu\":2}"),
		  "spec.limits[0].max[cpu]: a container without a value is given 2, because there "
		  "is no default" },
		{ OF_CONTAINER("\"max\":{\"example.com/gpu\":2}"),
		  "spec.limits[0].max[example.com/gpu]: every container without a value is given "
		  "2, because there is no default" },
		{ OF_CONTAINER("\"default\":{\"cpu\":5},\"defaultRequest\":{\"cpu\":1},"
		               "\"maxLimitRequestRatio\":{\"cpu\":4}"),
		  "spec.limits[0].maxLimitRequestRatio[cpu]: the default limit 5 and the default "
		  "request 1 break the ratio 4" },
		{ "{\"type\":\"Pod\",\"min\":{\"cpu\":null}}",
		  "spec.limits[0].min[cpu]: no value, which counts as 0" },
		{ "{\"type\":\"Pod\",\"max\":null}",
		  "spec.limits[0] limits nothing, because it has no values" },
		{ "{\"type\":\"Pod\",\"max\":{}}",
		  "spec.limits[0] limits nothing, because it has no values" },
		{ "", "LimitRange \"r\" limits nothing, because its spec.limits is empty" },
	};
	static const char pair[] =
		RANGE("a", OF_CONTAINER("\"max\":{\"cpu\":1},\"default\":{\"cpu\":1}")) ","
		RANGE("b", "{\"type\":\"Container\",\"min\":{\"cpu\":2}}");

	CHECK(cases, LIMEN_SEVERITY_WARNING);
	check_one(pair, LIMEN_SEVERITY_WARNING,
	          "spec.limits[0].min[cpu]: 2 is above the max 1 of LimitRange \"a\" in the same "
	          "namespace, so nothing can be admitted\n"
	          "spec.limits[0].defaultRequest[cpu]: 2 is never used, because LimitRange \"a\" "
	          "in "
	          "the same namespace comes first and says 1");
}

/* A problem is at the very node that is wrong. */
static void
test_places(void)
{
	limen_diag *diag = limen_diag_new();
	limen_engine *engine = ranger_load(
		"", RANGE("r", "{\"type\":\"Pod\",\"min\":{\"cpu\":2},\"max\":{\"cpu\":1}}"), diag);

	CU_ASSERT_PTR_NULL(engine);
	CU_ASSERT_EQUAL_FATAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 1);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->pointer,
	                       "/admission/0/data/manifests/0/spec/limits/0/min/cpu");
	limen_diag_free(diag);
}

#define CREATED(name, time, value)                                                       \
	"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"" name  \
	"\",\"creationTimestamp\":" time "},\"spec\":{\"limits\":[{\"type\":\"Pod\","    \
	"\"min\":{\"cpu\":\"" value "\"}}]}}"

static void
test_order(void)
{
	static const char ranges[] = CREATED("a", "null", "1") ","
	                             CREATED("b", "\"2024-01-01T00:00:00Z\"", "2") ","
	                             CREATED("c", "\"2024-01-01T00:00:00+01:00\"", "3") ","
	                             CREATED("d", "\"2024-01-01T00:00:00Z\"", "4");
	static const char pod[] = POD(CONTAINER("c", "{\"requests\":{\"cpu\":0}}"));
	limen_engine *name = ranger_open("\"report\":\"all\"", ranges);
	limen_engine *creation = ranger_open("\"report\":\"all\",\"order\":\"creation\"", ranges);

#define BELOW(value) "minimum cpu usage per Pod is " value ", but request is 0"
	ranger_check(name, "name", pod, NULL,
	             BELOW("1") "\n" BELOW("2") "\n" BELOW("3") "\n" BELOW("4"));
	ranger_check(creation, "creation", pod, NULL,
	             BELOW("3") "\n" BELOW("2") "\n" BELOW("4") "\n" BELOW("1"));
	limen_engine_free(name);
	limen_engine_free(creation);
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_ADMISSION, "LimitRanger");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "types of items", test_types },
		{ "names of resources", test_names },
		{ "what items may and must have", test_items },
		{ "bounds that contradict each other", test_bounds },
		{ "what cannot be decoded", test_malformed },
		{ "names and namespaces", test_metadata },
		{ "lists", test_lists },
		{ "unknown and missing fields", test_fields },
		{ "warnings", test_warnings },
		{ "places of problems", test_places },
		{ "the order of LimitRanges", test_order },
		{ "the shipped example", test_example },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_ranges", tests);
}
