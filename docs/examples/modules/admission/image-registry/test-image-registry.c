/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test-image-registry.c - runs the module through the real engine, one case a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limen/testkit.h>

static limen_kit *kit;
static int cases, failed;

static void
expect(bool good, const char *title)
{
	cases++;
	failed += !good;
	printf("%sok %d - %s\n", good ? "" : "not ", cases, title);
	if (!good)
		printf("# the module said: %s\n# limen said: %s\n", limen_kit_reason(kit),
		       limen_kit_problems(kit));
}

static bool
opens(const char *options)
{
	return limen_kit_open(kit, LIMEN_KIND_ADMISSION, "image-registry", options) == LIMEN_OK;
}

static limen_verdict
says(const char *document)
{
	return limen_kit_run(kit, document, NULL);
}

/* Is the metadata of the changed object 'json'? */
static bool
makes(const char *json)
{
	limen_value object = limen_decision_rewritten(limen_kit_decision(kit));
	char *text = limen_value_to_json(limen_value_get(object, "metadata"), 0, NULL);
	bool same = text != NULL && strcmp(text, json) == 0;

	free(text);
	return same;
}

/* Is there one violation, about 'field'? */
static bool
blames(const char *field)
{
	const limen_violation *first = limen_decision_violation(limen_kit_decision(kit), 0);

	return first != NULL && first->field != NULL && strcmp(first->field, field) == 0 &&
	       limen_decision_violation(limen_kit_decision(kit), 1) == NULL;
}

#define CHECKED "\"annotations\":{\"example.com/image-registry\":\"checked\"}"

int
main(void)
{
	kit = limen_kit_new(NULL);
	if (kit == NULL)
		return 2;
	expect(opens("{\"registries\": [\"quay.io/team\", \"localhost:5000\"]}"), "options open");
	expect(says("{\"spec\": {\"containers\": [{\"image\": \"quay.io/team/web:1\"},"
	            " {\"image\": \"localhost:5000/web\"}]}}") == LIMEN_PASS, "listed ones pass");
	expect(makes("{" CHECKED "}"), "with an annotation, which needs metadata");
	says("{\"metadata\": {\"name\": \"web\", \"annotations\": null}}");
	expect(makes("{\"name\":\"web\"," CHECKED "}"), "or only annotations");
	says("{\"metadata\": {\"annotations\": {\"example.com/image-registry\": \"no\"}}}");
	expect(makes("{" CHECKED "}"), "or replaces what is there");
	expect(says("{\"spec\": {\"containers\": [{\"image\": \"quay.io/team/a\"}, {},"
	            " {\"image\": \"quay.io/teams/b\"}]}}") == LIMEN_FAIL, "a longer name fails");
	expect(blames("spec.containers[2].image"), "with its place");
	expect(says("{\"spec\": {\"initContainers\": [{\"image\": \"nginx\"}]}}") == LIMEN_FAIL,
	       "so does a name without a registry");
	expect(blames("spec.initContainers[0].image"), "also of an init container");
	expect(!opens("{}"), "without registries it does not open");
	limen_kit_free(kit);
	printf("1..%d\n", cases);
	return failed == 0 ? 0 : 1;
}
