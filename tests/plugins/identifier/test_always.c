/* SPDX-License-Identifier: Apache-2.0 */
/* test_always.c - the identifier "always" through the real engine. */
#include "plugin.h"
#include "suite.h"

static void
test_identifies(void)
{
	static const struct plugin_case cases[] = {
		{ "no hints", NULL, NULL, LIMEN_PASS, NULL },
		{ "empty hints", NULL, "{}", LIMEN_PASS, NULL },
		{ "a requester", NULL, "{\"requester\":\"192.0.2.1\"}", LIMEN_PASS, NULL },
		{ "a requester that is none", NULL, "{\"requester\":[]}", LIMEN_PASS, NULL },
		{ "a run", "{\"run_schedule\":null}", NULL, LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	plugin_check(LIMEN_KIND_IDENTIFIER, "always", "{}", cases);
}

static void
test_data(void)
{
	plugin_remark(LIMEN_KIND_IDENTIFIER, "always", "{\"#\":\"a comment\"}", "");
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "always", "{\"cidrs\":[]}", "/identifiers/0/data");
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "always", "[]", "/identifiers/0/data");
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "always", "null", "/identifiers/0/data");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_IDENTIFIER, "always");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "everyone is identified, whatever the hints", test_identifies },
		{ "the data is an empty object", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("identifier/always", tests);
}
