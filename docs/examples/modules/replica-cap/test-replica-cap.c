/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test-replica-cap.c - runs the module through the real engine, one case a line.
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
	return limen_kit_open(kit, LIMEN_KIND_ADMISSION, "replica-cap", options) == LIMEN_OK;
}

static limen_verdict
says(const char *document, const char *hints)
{
	return limen_kit_run(kit, document, hints);
}

int
main(void)
{
	limen_value spec;
	int64_t count = 0;

	kit = limen_kit_new(NULL);
	if (kit == NULL)
		return 2;
	expect(opens("{\"max\": 3}"), "valid options open");
	expect(says("{\"spec\": {\"replicas\": 3}}", NULL) == LIMEN_PASS, "3 replicas pass");
	expect(says("{\"spec\": {\"replicas\": 4}}", NULL) == LIMEN_FAIL, "4 do not");
	expect(limen_decision_code(limen_kit_decision(kit)) == 403, "they are forbidden");
	expect(says("{\"spec\": {\"replicas\": \"3\"}}", NULL) == LIMEN_FAIL, "a string is refused");
	expect(limen_decision_code(limen_kit_decision(kit)) == 422, "as invalid");
	expect(says("{\"spec\": {}}", NULL) == LIMEN_PASS, "without replicas it passes");
	spec = limen_value_get(limen_decision_rewritten(limen_kit_decision(kit)), "spec");
	expect(limen_value_int(limen_value_get(spec, "replicas"), &count) && count == 1,
	       "with one");
	expect(says("{}", NULL) == LIMEN_SKIP, "another object is skipped");
	expect(!opens("{\"max\": 3, \"default\": 4}"), "with a default above it does not open");
	limen_kit_free(kit);
	printf("1..%d\n", cases);
	return failed == 0 ? 0 : 1;
}
