/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test-at-most.c - runs the module through the real engine, one case a line.
 */
#include <stdio.h>
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
	return limen_kit_open(kit, LIMEN_KIND_LIMIT, "at-most", options) == LIMEN_OK;
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
	expect(opens("{\"path\": \"/n\", \"max\": 3}"), "valid options open");
	expect(says("{\"n\": 3}", NULL) == LIMEN_PASS, "3 passes");
	expect(says("{\"n\": 4}", NULL) == LIMEN_FAIL, "4 does not");
	expect(strcmp(limen_kit_reason(kit), "4 is above 3") == 0, "with a reason");
	expect(says("{}", NULL) == LIMEN_SKIP, "no attribute, no opinion");
	expect(says("{\"n\": \"3\"}", NULL) == LIMEN_ERROR, "a string is an error");
	expect(!opens("{\"path\": \"/n\", \"max\": -1}"), "with a max below 1 it does not open");
	limen_kit_free(kit);
	printf("1..%d\n", cases);
	return failed == 0 ? 0 : 1;
}
