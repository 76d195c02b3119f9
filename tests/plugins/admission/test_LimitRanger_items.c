/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_items.c - the annotation limen.policy/items: which objects and
 * containers an item is about, what it gives and what it reports.
 */
#include "ranger_annotation.h"

#define CONTAINERS "{\"type\":\"Container\",\"max\":{\"cpu\":1}}"
#define PODS "{\"type\":\"Pod\",\"max\":{\"cpu\":1}}"
#define CLAIMS "{\"type\":\"PersistentVolumeClaim\",\"max\":{\"storage\":1}}"
#define LIMIT(value) "{\"limits\":{\"cpu\":" value "},\"requests\":{\"cpu\":0}}"
#define OBJECT(metadata, spec, containers)                                                  \
	"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{" metadata "},\"spec\":{" spec    \
	"\"containers\":[" containers "]}}"
#define LABELLED(label) OBJECT("\"labels\":{\"app\":\"" label "\"}", "",                    \
	                       CONTAINER("c", LIMIT("2")))
#define CLAIM(metadata, storage)                                                            \
	"{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{" metadata      \
	"},\"spec\":{\"resources\":{\"requests\":{\"storage\":" storage "}}}}"
#define TOO_MUCH "maximum cpu usage per Container is 1, but limit is 2"
#define TOO_MUCH_OF_POD "maximum cpu usage per Pod is 1, but limit is 2"
#define TOO_LARGE "maximum storage usage per PersistentVolumeClaim is 1, but request is 2"

struct item_case {
	const char *annotation;
	const char *items;
	const char *object;
	const char *expected;
};

static const struct item_case selections[] = {
	{ "[]", CONTAINERS, LABELLED("web"), TOO_MUCH },
	{ "[null]", CONTAINERS, LABELLED("web"), TOO_MUCH },
	{ "[{}]", CONTAINERS, LABELLED("web"), TOO_MUCH },
	{ "[{'selector':{}}]", CONTAINERS, LABELLED("web"), TOO_MUCH },
	{ "[{'selector':{'matchLabels':{'app':'web'}}}]", CONTAINERS, LABELLED("web"), TOO_MUCH },
	{ "[{'selector':{'matchLabels':{'app':'web'}}}]", CONTAINERS, LABELLED("db"), "" },
	{ "[{'selector':{'matchLabels':{'app':'web'}}}]", CONTAINERS,
	  OBJECT("", "", CONTAINER("c", LIMIT("2"))), "" },
	{ "[{'selector':{'matchExpressions':[{'key':'app','operator':'NotIn','values':['db']}]}}]",
	  CONTAINERS, LABELLED("web"), TOO_MUCH },
	/* By index: the first item is for everybody. */
	{ "[null,{'selector':{'matchLabels':{'app':'web'}}}]", CONTAINERS "," PODS, LABELLED("db"),
	  TOO_MUCH },
	{ "[null,{'selector':{'matchLabels':{'app':'web'}}}]", CONTAINERS "," PODS,
	  LABELLED("web"), TOO_MUCH "\n" TOO_MUCH_OF_POD },
	{ "[{'selector':{'matchLabels':{'app':'web'}}}]", CONTAINERS "," PODS, LABELLED("db"),
	  TOO_MUCH_OF_POD },
	{ "[{'fields':{'spec.priorityClassName':'high'}}]", PODS,
	  OBJECT("", "\"priorityClassName\":\"high\",", CONTAINER("c", LIMIT("2"))),
	  TOO_MUCH_OF_POD },
	{ "[{'fields':{'spec.priorityClassName':'high'}}]", PODS,
	  OBJECT("", "", CONTAINER("c", LIMIT("2"))), "" },
	{ "[{'fields':{'metadata.name':['a-*','web-*']}}]", PODS,
	  OBJECT("\"generateName\":\"web-\"", "", CONTAINER("c", LIMIT("2"))), TOO_MUCH_OF_POD },
	{ "[{'fields':{'metadata.namespace':'default'}}]", PODS, LABELLED("web"),
	  TOO_MUCH_OF_POD },
	{ "[{'fields':{'metadata.namespace':'other'}}]", PODS, LABELLED("web"), "" },
	/* Containers. */
	{ "[{'containers':['c']}]", CONTAINERS, LABELLED("web"), TOO_MUCH },
	{ "[{'containers':['cc','d*']}]", CONTAINERS, LABELLED("web"), "" },
	{ "[{'containers':['*-proxy']}]", CONTAINERS,
	  OBJECT("", "\"initContainers\":[" CONTAINER("x-proxy", LIMIT("3")) "],",
	         CONTAINER("c", LIMIT("2")) "," CONTAINER("y-proxy", LIMIT("1"))),
	  "maximum cpu usage per Container is 1, but limit is 3" },
	{ "[{'containers':['*']}]", CONTAINERS,
	  OBJECT("", "", "{\"resources\":" LIMIT("2") "}"), TOO_MUCH },
	{ "[{'containers':['c']}]", CONTAINERS,
	  OBJECT("", "", "{\"resources\":" LIMIT("2") "}"), "" },
	{ "[{'containers':['c'],'selector':{'matchLabels':{'app':'db'}}}]", CONTAINERS,
	  LABELLED("web"), "" },
	/* Claims. */
	{ "[{'selector':{'matchLabels':{'tier':'gold'}}}]", CLAIMS,
	  CLAIM("\"labels\":{\"tier\":\"gold\"}", "2"), TOO_LARGE },
	{ "[{'selector':{'matchLabels':{'tier':'gold'}}}]", CLAIMS, CLAIM("", "2"), "" },
	{ "[{'fields':{'metadata.name':'data-*'}}]", CLAIMS, CLAIM("\"name\":\"data-0\"", "2"),
	  TOO_LARGE },
};

static void
check_case(const struct item_case *one, const char *options, const struct ranger_envelope *envelope)
{
	char *range = ranger_annotated("r", "default", "items", one->annotation, one->items);
	limen_engine *engine = ranger_open(options, range);

	ranger_check(engine, one->annotation, one->object, envelope, one->expected);
	limen_engine_free(engine);
	free(range);
}

static void
test_selections(void)
{
	for (size_t i = 0; i < sizeof selections / sizeof selections[0]; i++)
		check_case(&selections[i], "", NULL);
}

/* A label that is taken off, or put on, is no way out. */
static void
test_updates(void)
{
	static const struct item_case off = {
		"[{'selector':{'matchLabels':{'tier':'gold'}}}]", CLAIMS, CLAIM("", "2"), TOO_LARGE
	};
	static const struct item_case never = {
		"[{'selector':{'matchLabels':{'tier':'gold'}}}]", CLAIMS, CLAIM("", "2"), ""
	};

	check_case(&off, "",
	           &(struct ranger_envelope){ .operation = "UPDATE",
	                                      .kind = "PersistentVolumeClaim",
	                                      .old = CLAIM("\"labels\":{\"tier\":\"gold\"}", "1") });
	check_case(&never, "",
	           &(struct ranger_envelope){ .operation = "UPDATE",
	                                      .kind = "PersistentVolumeClaim",
	                                      .old = CLAIM("", "1") });
}

/* What would tell whether an item is about an object must be readable. */
static void
test_hostile_objects(void)
{
	static const struct item_case cases[] = {
		{ "", CONTAINERS, OBJECT("\"labels\":1", "", "{}"),
		  "metadata.labels: Invalid value: must be an object" },
		{ "", CONTAINERS, OBJECT("\"labels\":{\"a\":1}", "", "{}"),
		  "metadata.labels: Invalid value: must be a string" },
		{ "", CONTAINERS, OBJECT("\"name\":1", "", "{}"),
		  "metadata.name: Invalid value: must be a string" },
		{ "", CONTAINERS, OBJECT("\"generateName\":[]", "", "{}"),
		  "metadata.generateName: Invalid value: must be a string" },
		{ "", CONTAINERS, OBJECT("\"uid\":{}", "", "{}"),
		  "metadata.uid: Invalid value: must be a string" },
		{ "", CONTAINERS, OBJECT("", "\"nodeName\":1,", "{}"),
		  "spec.nodeName: Invalid value: must be a string" },
		{ "", CONTAINERS, OBJECT("", "\"serviceAccountName\":1,", "{}"),
		  "spec.serviceAccountName: Invalid value: must be a string" },
		{ "", CONTAINERS, OBJECT("", "\"priorityClassName\":true,", "{}"),
		  "spec.priorityClassName: Invalid value: must be a string" },
		{ "", CLAIMS, CLAIM("\"labels\":[]", "1"),
		  "metadata.labels: Invalid value: must be an object" },
		{ "", CLAIMS, CLAIM("\"uid\":1", "1"),
		  "metadata.uid: Invalid value: must be a string" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct item_case one = cases[i];

		one.annotation = "[{'selector':{'matchLabels':{'a':'b'}}}]";
		check_case(&one, "", NULL);
	}
}

#define DEFAULTS "{\"type\":\"Container\",\"default\":{\"cpu\":2},\"defaultRequest\":{\"cpu\":1}}"
#define EMPTY POD(CONTAINER("c", "{}"))
#define REQUIRED "cpu request per Container is required.  No request is specified\n"        \
	         "cpu limit per Container is required.  No limit is specified"
#define GIVEN(name)                                                                         \
	"[{\"op\":\"add\",\"path\":\"/metadata/annotations\",\"value\":{\"kubernetes.io/"      \
	"limit-ranger\":\"LimitRanger plugin set: cpu request for container " name "; cpu "    \
	"limit for container " name "\"}},"

struct defaulting_case {
	const char *options;
	const char *annotation;
	const char *expected; /* violations */
	bool given;
};

/* The item's word counts more than the entry's. */
static void
test_defaulting(void)
{
	static const struct defaulting_case cases[] = {
		{ "", "[]", "", true },
		{ "", "[{'defaulting':'upstream'}]", "", true },
		{ "", "[{'defaulting':'none'}]", "", false },
		{ "", "[{'defaulting':'require'}]", REQUIRED, false },
		{ "\"defaulting\":\"none\"", "[]", "", false },
		{ "\"defaulting\":\"none\"", "[{'defaulting':'upstream'}]", "", true },
		{ "\"defaulting\":\"none\"", "[{'defaulting':'require'}]", REQUIRED, false },
		{ "\"defaulting\":\"require\"", "[{'defaulting':'none'}]", "", false },
		{ "\"defaulting\":\"require\"", "[{}]", REQUIRED, false },
		/* What is not selected is given nothing, and need not have anything. */
		{ "", "[{'containers':['d']}]", "", false },
		{ "", "[{'selector':{'matchLabels':{'a':'b'}}}]", "", false },
		{ "\"defaulting\":\"require\"", "[{'containers':['d']}]", "", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *range = ranger_annotated("r", "default", "items", cases[i].annotation,
		                               DEFAULTS);
		limen_engine *engine = ranger_open(cases[i].options, range);

		ranger_check(engine, cases[i].annotation, EMPTY, NULL, cases[i].expected);
		ranger_check_patch(engine, cases[i].annotation, EMPTY,
		                   cases[i].given
		                           ? GIVEN("c") "{\"op\":\"add\",\"path\":\"/spec/"
		                             "containers/0/resources/requests\",\"value\":{\"cpu\":"
		                             "\"1\"}},{\"op\":\"add\",\"path\":\"/spec/containers/0/"
		                             "resources/limits\",\"value\":{\"cpu\":\"2\"}}]"
		                           : "");
		limen_engine_free(engine);
		free(range);
	}
}

#define OVER(value) "{\"type\":\"Container\",\"max\":{\"cpu\":" value "}}"
#define THREE POD(CONTAINER("c", LIMIT("3")))
#define SAID(value) "maximum cpu usage per Container is " value ", but limit is 3"

/* An item may be reported though an earlier LimitRange has been violated already. */
static void
test_report(void)
{
	static const struct {
		const char *options;
		const char *a;
		const char *b;
		const char *expected;
	} cases[] = {
		{ "", "[]", "[]", SAID("1") },
		{ "", "[{'report':'all'}]", "[]", SAID("1") },
		{ "", "[]", "[{'report':'all'}]", SAID("1") "\n" SAID("2") },
		{ "", "[]", "[{'report':'first'}]", SAID("1") },
		{ "\"report\":\"all\"", "[]", "[]", SAID("1") "\n" SAID("2") },
		{ "\"report\":\"all\"", "[]", "[{'report':'first'}]", SAID("1") },
		{ "\"report\":\"all\"", "[{'report':'first'}]", "[]", SAID("1") "\n" SAID("2") },
		/* A LimitRange that is not violated, or not about the pod, counts for nothing. */
		{ "", "[{'containers':['d']}]", "[]", SAID("2") },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *a = ranger_annotated("a", "default", "items", cases[i].a, OVER("1"));
		char *b = ranger_annotated("b", "default", "items", cases[i].b, OVER("2"));
		char *both = NULL;
		limen_engine *engine;

		if (asprintf(&both, "%s,%s", b, a) < 0)
			abort();
		engine = ranger_open(cases[i].options, both);
		ranger_check(engine, cases[i].b, THREE, NULL, cases[i].expected);
		limen_engine_free(engine);
		free(both);
		free(b);
		free(a);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "selectors, fields, containers", test_selections },
		{ "updates", test_updates },
		{ "objects that cannot be read", test_hostile_objects },
		{ "defaulting", test_defaulting },
		{ "report", test_report },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_items", tests);
}
