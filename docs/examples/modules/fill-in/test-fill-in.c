/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test-fill-in.c - runs the module through the real engine, one case a line.
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
	return limen_kit_open(kit, LIMEN_KIND_REWRITER, "fill-in", options) == LIMEN_OK;
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
	expect(opens("{\"object\": \"/spec\", \"key\": \"n\", \"value\": 5}"), "valid options open");
	expect(says("{\"spec\": {}}", NULL) == LIMEN_PASS, "a task without n passes");
	spec = limen_value_get(limen_decision_rewritten(limen_kit_decision(kit)), "spec");
	expect(limen_value_int(limen_value_get(spec, "n"), &count) && count == 5, "with 5");
	expect(says("{\"spec\": {\"n\": 1}}", NULL) == LIMEN_PASS, "a task with n passes, too");
	spec = limen_value_get(limen_decision_rewritten(limen_kit_decision(kit)), "spec");
	expect(!limen_value_int(limen_value_get(spec, "n"), &count) || count == 1, "unchanged");
	expect(!opens("{\"object\": \"spec\", \"key\": \"n\", \"value\": 5}"),
	       "without a JSON pointer it does not open");
	limen_kit_free(kit);
	printf("1..%d\n", cases);
	return failed == 0 ? 0 : 1;
}
