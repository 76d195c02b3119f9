/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test-hint-list.c - runs the module through the real engine, one case a line.
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
	return limen_kit_open(kit, LIMEN_KIND_IDENTIFIER, "hint-list", options) == LIMEN_OK;
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
	expect(opens("{\"hint\": \"user\", \"values\": [\"ann\", \"bob\"]}"), "valid options open");
	expect(says(NULL, "{\"user\": \"bob\"}") == LIMEN_PASS, "bob is identified");
	expect(says(NULL, "{\"user\": \"eve\"}") == LIMEN_FAIL, "eve is not");
	expect(says(NULL, "{}") == LIMEN_SKIP, "a request without a user is skipped");
	expect(says(NULL, "{\"user\": 7}") == LIMEN_ERROR, "a number is an error");
	expect(!opens("{\"hint\": \"user\"}"), "without values it does not open");
	limen_kit_free(kit);
	printf("1..%d\n", cases);
	return failed == 0 ? 0 : 1;
}
