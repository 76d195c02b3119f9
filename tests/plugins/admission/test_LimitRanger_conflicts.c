/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What LimitRanges of one namespace do to each other, which Kubernetes accepts
 * without a word (what operators asked for).
 */
#include "ranger_case.h"

#define OF(type, maps) "{\"type\":\"" type "\"," maps "}"
#define IN_SHOP(name, items)                                                            \
	"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"" name \
	"\",\"namespace\":\"shop\"},\"spec\":{\"limits\":[" items "]}}"
#define GIVES(limit, request) \
	"\"default\":{\"cpu\":" limit "},\"defaultRequest\":{\"cpu\":" request "}"

struct conflict {
	const char *manifests;
	const char *warnings; /* one a line */
};

static const struct conflict conflicts[] = {
	/* Bounds that leave no room: on both sides of equal. */
	{ RANGE("a", OF("Pod", "\"min\":{\"cpu\":2}")) "," RANGE("b", OF("Pod", "\"max\":{\"cpu\":1}")),
	  "spec.limits[0].min[cpu]: 2 is above the max 1 of LimitRange \"b\" in the same namespace, so "
	  "nothing can be admitted" },
	{ RANGE("a", OF("Pod", "\"min\":{\"cpu\":1}")) "," RANGE("b", OF("Pod", "\"max\":{\"cpu\":1}")),
	  "" },
	{ RANGE("a", OF("Pod", "\"min\":{\"cpu\":2}")) ","
	  IN_SHOP("b", OF("Pod", "\"max\":{\"cpu\":1}")), "" },
	{ RANGE("a", OF("PersistentVolumeClaim", "\"min\":{\"storage\":2}")) ","
	  RANGE("b", OF("PersistentVolumeClaim", "\"max\":{\"storage\":1}")),
	  "spec.limits[0].min[storage]: 2 is above the max 1 of LimitRange \"b\" in the same "
	  "namespace, so nothing can be admitted" },
	/* A container is part of a pod. */
	{ RANGE("a", OF("Container", "\"min\":{\"cpu\":2}") "," OF("Pod", "\"max\":{\"cpu\":1}")),
	  "spec.limits[0].min[cpu]: 2 is above the max 1 of pods of LimitRange \"a\" in the same "
	  "namespace, so nothing can be admitted" },
	{ RANGE("a", OF("Container", "\"min\":{\"cpu\":1}") "," OF("Pod", "\"max\":{\"cpu\":1}")), "" },
	{ RANGE("a", OF("Container", "\"max\":{\"cpu\":1}," GIVES("1", "1")) ","
	  OF("Pod", "\"min\":{\"cpu\":2}")), "" },
	/* Defaults that another LimitRange refuses. */
	{ RANGE("a", OF("Container", GIVES("2", "1"))) ","
	  RANGE("b", OF("Pod", "\"max\":{\"cpu\":1}")),
	  "spec.limits[0].default[cpu]: 2 is above the max 1 of pods of LimitRange \"b\" in the same "
	  "namespace, so a container without resources is refused" },
	{ RANGE("a", OF("Container", GIVES("1", "1"))) ","
	  RANGE("b", OF("Pod", "\"max\":{\"cpu\":1}")), "" },
	{ RANGE("a", OF("Container", GIVES("2", "1"))) ","
	  RANGE("b", OF("Container", "\"max\":{\"cpu\":1}," GIVES("1", "1"))),
	  "spec.limits[0].default[cpu]: 2 is above the max 1 of LimitRange \"b\" in the same "
	  "namespace, so a container without resources is refused\n"
	  "spec.limits[0].default[cpu]: 1 is never used, because LimitRange \"a\" in the same "
	  "namespace comes first and says 2" },
	/* What is never used refuses nothing. */
	{ RANGE("a", OF("Container", "\"max\":{\"cpu\":1}," GIVES("1", "1"))) ","
	  RANGE("b", OF("Container", GIVES("2", "1"))),
	  "spec.limits[0].default[cpu]: 2 is never used, because LimitRange \"a\" in the same "
	  "namespace comes first and says 1" },
	{ RANGE("a", OF("Container", GIVES("2", "1"))) ","
	  RANGE("b", OF("Container", "\"min\":{\"cpu\":\"1500m\"}," GIVES("2", "2"))),
	  "spec.limits[0].defaultRequest[cpu]: 1 is below the min 1500m of LimitRange \"b\" in the "
	  "same namespace, so a container without resources is refused\n"
	  "spec.limits[0].defaultRequest[cpu]: 2 is never used, because LimitRange \"a\" in the same "
	  "namespace comes first and says 1" },
	{ RANGE("a", OF("Container", GIVES("4", "1"))) ","
	  RANGE("b", OF("Container", "\"maxLimitRequestRatio\":{\"cpu\":2}")),
	  "spec.limits[0].maxLimitRequestRatio[cpu]: the default limit 4 and the default request 1 of "
	  "LimitRange \"a\" in the same namespace break the ratio 2" },
	{ RANGE("a", OF("Container", GIVES("4", "1"))) ","
	  RANGE("b", OF("Container", "\"maxLimitRequestRatio\":{\"cpu\":4}")), "" },
	/* Types that are only stored. */
	{ RANGE("a", OF("a.io/b", "\"min\":{\"cpu\":2}")) ","
	  RANGE("b", OF("a.io/b", "\"max\":{\"cpu\":1}")), "" },
};

static void
check_one(const char *options, const char *manifests, const char *wanted)
{
	limen_diag *diag = limen_diag_new();
	limen_engine *engine = ranger_load(options, manifests, diag);
	char found[RANGER_TEXT];

	ASSERT(engine != NULL, "%s does not load", manifests);
	ranger_problems(diag, LIMEN_SEVERITY_WARNING, found);
	ASSERT(strcmp(found, wanted) == 0, "%s: '%s', want '%s'", manifests, found, wanted);
	limen_engine_free(engine);
	limen_diag_free(diag);
}

static void
test_conflicts(void)
{
	for (size_t i = 0; i < sizeof conflicts / sizeof conflicts[0]; i++)
		check_one("", conflicts[i].manifests, conflicts[i].warnings);
}

/* Without defaulting nothing is given that could be refused. */
static void
test_no_defaulting(void)
{
	check_one("\"defaulting\":\"none\"",
	          RANGE("a", OF("Container", GIVES("2", "1"))) ","
	          RANGE("b", OF("Pod", "\"max\":{\"cpu\":1}")),
	          "");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "pairs", test_conflicts },
		{ "without defaulting", test_no_defaulting },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_conflicts", tests);
}
