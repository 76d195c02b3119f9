/* SPDX-License-Identifier: Apache-2.0 */
/* test_pass_fail.c - the limit "pass-fail" through the real engine. */
#include "plugin.h"
#include "suite.h"

static void
test_pass(void)
{
	static const struct plugin_case cases[] = {
		{ "an empty task", NULL, NULL, LIMEN_PASS, NULL },
		{ "a run", "{\"run_schedule\":{}}", NULL, LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	plugin_check(LIMEN_KIND_LIMIT, "pass-fail", "{\"pass\":true}", cases);
}

static void
test_fail(void)
{
	static const struct plugin_case cases[] = {
		{ "an empty task", NULL, NULL, LIMEN_FAIL, "Forced failure" },
		{ "a run", "{\"run_schedule\":{}}", NULL, LIMEN_FAIL, "Forced failure" },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	plugin_check(LIMEN_KIND_LIMIT, "pass-fail", "{\"pass\":false}", cases);
}

static void
test_data(void)
{
	static const char *const wrong[] = {
		"{}", "[]", "true", "{\"pass\":1}", "{\"pass\":\"true\"}", "{\"pass\":null}",
		"{\"pass\":true,\"fail\":false}"
	};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		plugin_refuse(LIMEN_KIND_LIMIT, "pass-fail", wrong[i], "/limits/0/data");
	plugin_remark(LIMEN_KIND_LIMIT, "pass-fail", "{\"pass\":true}", "");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_LIMIT, "pass-fail");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "true passes", test_pass },
		{ "false fails, with its reason", test_fail },
		{ "what the data has to be", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("limit/pass-fail", tests);
}
