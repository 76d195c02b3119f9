/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_annotations.c - annotations that say nothing limen can follow:
 * each is a problem with its place, never left out.  And LimitRanges for several
 * namespaces.
 */
#include "ranger_annotation.h"

#define CONTAINERS "{\"type\":\"Container\",\"max\":{\"cpu\":1}}"
#define PODS "{\"type\":\"Pod\",\"max\":{\"cpu\":1}}"
#define CLAIMS "{\"type\":\"PersistentVolumeClaim\",\"max\":{\"storage\":1}}"
#define ITEMS "metadata.annotations[limen.policy/items]"
#define NAMESPACES "metadata.annotations[limen.policy/namespaces]"

struct annotation_case {
	const char *key;
	const char *text;
	const char *items;
	const char *problems;
};

static const struct annotation_case annotations[] = {
	{ "items", "", CONTAINERS,
	  ITEMS ": Invalid JSON: Expecting value: line 1 column 1 (char 0)" },
	{ "items", "[", CONTAINERS, ITEMS ": Invalid JSON: Expecting value: line 1 column 2 (char 1)" },
	{ "items", "[] []", CONTAINERS, ITEMS ": Invalid JSON: Extra data: line 1 column 4 (char 3)" },
	{ "items", "{}", CONTAINERS, ITEMS ": must be an array" },
	{ "items", "null", CONTAINERS, ITEMS ": must be an array" },
	{ "items", "[1]", CONTAINERS, ITEMS "/0: must be an object or null" },
	{ "items", "[[]]", CONTAINERS, ITEMS "/0: must be an object or null" },
	{ "items", "[null,null]", CONTAINERS, ITEMS "/1: spec.limits has no such item" },
	{ "items", "[{'selectors':{}}]", CONTAINERS,
	  ITEMS "/0: 'selectors' is not one of selector, fields, containers, defaulting, report" },
	{ "items", "[{'selector':1}]", CONTAINERS,
	  ITEMS "/0/selector: 1 is not of type 'object'" },
	{ "items", "[{'selector':{'matchLabels':{'a':1}}}]", CONTAINERS,
	  ITEMS "/0/selector/matchLabels/a: 1 is not of type 'string'" },
	{ "items", "[{'fields':{'metadata.name':7}}]", CONTAINERS,
	  ITEMS "/0/fields/metadata.name: 7 is not of type 'string'" },
	{ "items", "[{'fields':{'spec.nodeName':'x'}}]", CLAIMS,
	  ITEMS "/0/fields/spec.nodeName: claims have no such field" },
	{ "items", "[{'containers':'c'}]", CONTAINERS,
	  ITEMS "/0/containers: must be an array of names" },
	{ "items", "[{'containers':[]}]", CONTAINERS,
	  ITEMS "/0/containers: must be an array of names" },
	{ "items", "[{'containers':['a',1]}]", CONTAINERS,
	  ITEMS "/0/containers/1: must be a name" },
	{ "items", "[{'containers':['']}]", CONTAINERS, ITEMS "/0/containers/0: must be a name" },
	{ "items", "[{'containers':['a\\\\u0000b']}]", CONTAINERS,
	  ITEMS "/0/containers/0: must be a name" },
	{ "items", "[{'containers':['a']}]", PODS,
	  ITEMS "/0/containers: is for items of type Container only" },
	{ "items", "[{'defaulting':'none'}]", CLAIMS,
	  ITEMS "/0/defaulting: is for items of type Container only" },
	{ "items", "[{'defaulting':'never'}]", CONTAINERS,
	  ITEMS "/0/defaulting: must be upstream, none or require" },
	{ "items", "[{'defaulting':null}]", CONTAINERS,
	  ITEMS "/0/defaulting: must be upstream, none or require" },
	{ "items", "[{'report':'none'}]", PODS, ITEMS "/0/report: must be first or all" },
	/* All of them at once. */
	{ "items", "[{'report':1,'containers':1,'defaulting':1}]", CONTAINERS,
	  ITEMS "/0/containers: must be an array of names\n"
	  ITEMS "/0/defaulting: must be upstream, none or require\n"
	  ITEMS "/0/report: must be first or all" },
	{ "namespaces", "'*'", PODS, NAMESPACES ": must be an array" },
	{ "namespaces", "{'matchLabels':{'team':'a'}}", PODS, NAMESPACES ": must be an array" },
	{ "namespaces", "[]", PODS, NAMESPACES ": must be an array of names" },
	{ "namespaces", "[1]", PODS, NAMESPACES "/0: must be a name" },
	{ "namespaces", "['!']", PODS, NAMESPACES "/0: must be a name" },
	{ "namespaces", "['!kube-system']", PODS,
	  NAMESPACES ": only exceptions are given: name a namespace, or \"*\", too" },
	{ "items", "[{'containers':['!istio-*']}]", CONTAINERS,
	  ITEMS "/0/containers: only exceptions are given: name a container, or \"*\", too" },
};

static void
test_problems(void)
{
	for (size_t i = 0; i < sizeof annotations / sizeof annotations[0]; i++) {
		const struct annotation_case *one = &annotations[i];
		char *range = ranger_annotated("r", "default", one->key, one->text, one->items);
		limen_diag *diag = limen_diag_new();
		limen_engine *engine = ranger_load("", range, diag);
		char found[RANGER_TEXT];

		ranger_problems(diag, LIMEN_SEVERITY_PROBLEM, found);
		ASSERT(engine == NULL, "%s loads", one->text);
		ASSERT(strcmp(found, one->problems) == 0, "%s: '%s', want '%s'", one->text, found,
		       one->problems);
		limen_engine_free(engine);
		limen_diag_free(diag);
		free(range);
	}
}

/* Looking each label up takes long where an object has very many. */
static void
test_labels(void)
{
	for (int count = 100; count <= 101; count++) {
		limen_diag *diag = limen_diag_new();
		char *text = NULL;
		size_t length = 0;
		FILE *out = open_memstream(&text, &length);
		char found[RANGER_TEXT];
		limen_engine *engine;
		char *range;

		fputs("[{'selector':{'matchExpressions':[{'key':'k','operator':'Exists'}],"
		      "'matchLabels':{'l':''", out);
		for (int i = 2; i < count; i++)
			fprintf(out, ",'l%d':''", i);
		fputs("}}}]", out);
		fclose(out);
		range = ranger_annotated("r", "default", "items", text, PODS);
		engine = ranger_load("", range, diag);
		ranger_problems(diag, LIMEN_SEVERITY_PROBLEM, found);
		CU_ASSERT_EQUAL(engine != NULL, count == 100);
		CU_ASSERT_STRING_EQUAL(found, count == 100 ? "" : ITEMS "/0/selector: asks for more "
		                                                      "than 100 labels");
		limen_engine_free(engine);
		limen_diag_free(diag);
		free(range);
		free(text);
	}
}

static void
test_types(void)
{
	static const char *const values[] = { "1", "true", "[]", "{}", "null" };

	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		limen_diag *diag = limen_diag_new();
		char *range = NULL;
		const limen_problem *found;

		if (asprintf(&range,
		             "{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":"
		             "\"r\",\"annotations\":{\"limen.policy/items\":%s}},\"spec\":"
		             "{\"limits\":[]}}",
		             values[i]) < 0)
			abort();
		CU_ASSERT_PTR_NULL(ranger_load("", range, diag));
		found = limen_diag_get(diag, 0);
		CU_ASSERT_PTR_NOT_NULL_FATAL(found);
		CU_ASSERT_STRING_EQUAL(found->text, ITEMS ": must be a string");
		CU_ASSERT_STRING_EQUAL(found->pointer, "/admission/0/data/manifests/0/metadata/"
		                                       "annotations/limen.policy~1items");
		free(range);
		limen_diag_free(diag);
	}
}

struct namespace_case {
	const char *patterns;
	const char *namespace;
	bool refused;
};

static const struct namespace_case namespaces[] = {
	{ "['*']", "shop", true },
	{ "['*']", "default", true },
	{ "['shop']", "shop", true },
	{ "['shop']", "shops", false },
	{ "['shop']", "sho", false },
	/* Its own namespace is one like the others. */
	{ "['shop']", "home", false },
	{ "['home']", "home", true },
	{ "['team-*','x']", "team-a", true },
	{ "['team-*','x']", "x", true },
	{ "['team-*','x']", "team", false },
	{ "['*','!kube-*']", "kube-system", false },
	{ "['!kube-*','*']", "kube-system", false },
	{ "['*','!kube-*']", "kube", true },
};

static void
test_namespaces(void)
{
	for (size_t i = 0; i < sizeof namespaces / sizeof namespaces[0]; i++) {
		const struct namespace_case *one = &namespaces[i];
		char *range = ranger_annotated("r", "home", "namespaces", one->patterns, PODS);
		limen_engine *engine = ranger_open("", range);
		const struct ranger_envelope envelope = { .namespace = one->namespace };

		ranger_check(engine, one->patterns,
		             POD(CONTAINER("c", "{\"limits\":{\"cpu\":2}}")), &envelope,
		             one->refused ? "maximum cpu usage per Pod is 1, but limit is 2" : "");
		limen_engine_free(engine);
		free(range);
	}
}

#define DEFAULT(value) "{\"type\":\"Container\",\"default\":{\"cpu\":\"" value "\"}}"
#define SHOP(name, value)                                                                   \
	"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"" name         \
	"\",\"namespace\":\"shop\"},\"spec\":{\"limits\":[" DEFAULT(value) "]}}"

/* Among those of a namespace they have the place of their name; of one name, the own is first. */
static void
test_order(void)
{
	static const struct {
		const char *name;
		const char *namespace;
		const char *limit;
	} cases[] = {
		{ "a", "home", "1" }, { "m", "home", "2" }, { "z", "home", "2" }, { "m", "a", "2" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *wide = ranger_annotated(cases[i].name, cases[i].namespace, "namespaces",
		                              "['*']", DEFAULT("1"));
		const struct ranger_envelope envelope = { .namespace = "shop" };
		char *both = NULL;
		limen_engine *engine;
		limen_decision *decision;
		char *patch;
		char want[32];

		if (asprintf(&both, "%s," SHOP("m", "2"), wide) < 0)
			abort();
		engine = ranger_open("", both);
		decision = ranger_decide(engine, POD(CONTAINER("c", "{}")), &envelope);
		patch = limen_value_to_json(limen_decision_patch(decision), 0, NULL);
		snprintf(want, sizeof want, "{\"cpu\":\"%s\"}", cases[i].limit);
		ASSERT(patch != NULL && strstr(patch, want) != NULL, "%s: %s", cases[i].name,
		       patch == NULL ? "nothing" : patch);
		free(patch);
		limen_decision_free(decision);
		limen_engine_free(engine);
		free(both);
		free(wide);
	}
}

/* Two of one name in one namespace are two, whomever they are for. */
static void
test_names(void)
{
	char *wide = ranger_annotated("m", "shop", "namespaces", "['*']", DEFAULT("1"));
	limen_diag *diag = limen_diag_new();
	char *both = NULL;
	char found[RANGER_TEXT];

	if (asprintf(&both, "%s," SHOP("m", "2"), wide) < 0)
		abort();
	CU_ASSERT_PTR_NULL(ranger_load("", both, diag));
	ranger_problems(diag, LIMEN_SEVERITY_PROBLEM, found);
	CU_ASSERT_STRING_EQUAL(found, "there are two LimitRanges \"m\" in the namespace \"shop\"");
	limen_diag_free(diag);
	free(both);
	free(wide);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "annotations that say nothing", test_problems },
		{ "annotations that are no texts", test_types },
		{ "several namespaces", test_namespaces },
		{ "order", test_order },
		{ "names", test_names },
		{ "at most 100 labels", test_labels },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_annotations", tests);
}
