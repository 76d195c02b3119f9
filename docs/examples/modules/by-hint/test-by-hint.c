/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test-by-hint.c - runs the module through the real engine, one case a line.
 */
#include <stdio.h>

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
	return limen_kit_open(kit, LIMEN_KIND_PRIORITIZER, "by-hint", options) == LIMEN_OK;
}

static limen_verdict
says(const char *document, const char *hints)
{
	return limen_kit_run(kit, document, hints);
}

int
main(void)
{
	double priority = 0;

	kit = limen_kit_new(NULL);
	if (kit == NULL)
		return 2;
	expect(opens("{\"hint\": \"user\", \"steps\": [{\"value\": \"ann\", \"add\": 10},"
	             " {\"value\": \"eve\", \"add\": -1.5}]}"),
	       "valid options open");
	expect(says(NULL, "{\"user\": \"ann\"}") == LIMEN_PASS, "ann gets a priority");
	expect(limen_decision_priority(limen_kit_decision(kit), &priority) && priority == 10,
	       "which is 10");
	expect(says(NULL, "{\"user\": \"eve\"}") == LIMEN_PASS, "so does eve");
	expect(limen_decision_priority(limen_kit_decision(kit), &priority) && priority == -1.5,
	       "which is less");
	expect(says(NULL, NULL) == LIMEN_PASS, "so does a request without a user");
	expect(limen_decision_priority(limen_kit_decision(kit), &priority) && priority == 0,
	       "the initial one");
	expect(!opens("{\"hint\": \"user\", \"steps\": [{\"value\": \"ann\", \"add\": \"10\"}]}"),
	       "with a text for a step it does not open");
	expect(!opens("{\"hint\": \"user\", \"steps\": []}"), "nor without a step");
	limen_kit_free(kit);
	printf("1..%d\n", cases);
	return failed == 0 ? 0 : 1;
}
