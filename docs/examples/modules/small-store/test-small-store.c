/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test-small-store.c - runs the module through the real engine, one case a line.
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
	return limen_kit_open(kit, LIMEN_KIND_STORE, "small-store", options) == LIMEN_OK;
}

static limen_verdict
says(const char *document, const char *hints)
{
	return limen_kit_run(kit, document, hints);
}

int
main(void)
{
	kit = limen_kit_new(NULL);
	if (kit == NULL)
		return 2;
	expect(opens("{\"keys\": 2}"), "valid options open");
	expect(says(NULL, "{\"user\": \"ann\"}") == LIMEN_PASS, "ann's first is granted");
	expect(says(NULL, "{\"user\": \"ann\"}") == LIMEN_PASS, "so is her second");
	expect(says(NULL, "{\"user\": \"ann\"}") == LIMEN_FAIL, "her third is not");
	expect(says(NULL, "{\"user\": \"bob\"}") == LIMEN_PASS, "bob has a bucket of his own");
	expect(says(NULL, "{\"user\": \"eve\"}") == LIMEN_ERROR, "eve finds no free bucket");
	limen_kit_advance(kit, 59 * LIMEN_SECOND);
	expect(says(NULL, "{\"user\": \"ann\"}") == LIMEN_FAIL, "59 seconds later none is back");
	limen_kit_advance(kit, LIMEN_SECOND);
	expect(says(NULL, "{\"user\": \"ann\"}") == LIMEN_PASS, "after 60 seconds one is");
	expect(says(NULL, "{\"user\": \"eve\"}") == LIMEN_PASS, "eve gets the place of bob's full bucket");
	expect(!opens("{\"keys\": 0}"), "without room for a key it does not open");
	limen_kit_free(kit);
	printf("1..%d\n", cases);
	return failed == 0 ? 0 : 1;
}
