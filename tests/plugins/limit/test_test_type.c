/* SPDX-License-Identifier: Apache-2.0 */
/* test_test_type.c - the limit "test-type" through the real engine. */
#include "plugin.h"
#include "suite.h"

#define TYPE(json)    "{\"test\":{\"type\":" json "}}"
#define NOT_IN_LIST   "Test type not in list"
#define NO_TYPE       "No type in task"
#define NOT_AN_OBJECT "The test in the task is not an object"

static void
test_types(void)
{
	static const struct plugin_case cases[] = {
		{ "first", TYPE("\"idle\""), NULL, LIMEN_PASS, NULL },
		{ "last", TYPE("\"trace\""), NULL, LIMEN_PASS, NULL },
		{ "empty", TYPE("\"\""), NULL, LIMEN_FAIL, NOT_IN_LIST },
		{ "shorter", TYPE("\"idl\""), NULL, LIMEN_FAIL, NOT_IN_LIST },
		{ "longer", TYPE("\"idlebgm\""), NULL, LIMEN_FAIL, NOT_IN_LIST },
		{ "other case", TYPE("\"Idle\""), NULL, LIMEN_FAIL, NOT_IN_LIST },
		{ "a NUL", TYPE("\"idle\\u0000\""), NULL, LIMEN_FAIL, NOT_IN_LIST },
		{ "a number", TYPE("1"), NULL, LIMEN_FAIL, NOT_IN_LIST },
		{ "null", TYPE("null"), NULL, LIMEN_FAIL, NOT_IN_LIST },
		{ "a list", TYPE("[\"idle\"]"), NULL, LIMEN_FAIL, NOT_IN_LIST },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	plugin_check(LIMEN_KIND_LIMIT, "test-type", "{\"types\":[\"idle\",\"rtt\",\"trace\"]}",
	             cases);
}

static void
test_no_type(void)
{
	static const struct plugin_case cases[] = {
		{ "no test", "{}", NULL, LIMEN_FAIL, NO_TYPE },
		{ "no type", "{\"test\":{\"spec\":{}}}", NULL, LIMEN_FAIL, NO_TYPE },
		{ "a type elsewhere", "{\"type\":\"idle\"}", NULL, LIMEN_FAIL, NO_TYPE },
		{ "a commented type", "{\"test\":{\"#type\":\"idle\"}}", NULL, LIMEN_FAIL,
		  NO_TYPE },
		{ "null", "{\"test\":null}", NULL, LIMEN_ERROR, NOT_AN_OBJECT },
		{ "a string", "{\"test\":\"idle\"}", NULL, LIMEN_ERROR, NOT_AN_OBJECT },
		{ "a list", "{\"test\":[{\"type\":\"idle\"}]}", NULL, LIMEN_ERROR, NOT_AN_OBJECT },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	plugin_check(LIMEN_KIND_LIMIT, "test-type", "{\"types\":[\"idle\"]}", cases);
}

static void
test_unusual_lists(void)
{
	static const struct plugin_case none[] = {
		{ "a type", TYPE("\"idle\""), NULL, LIMEN_FAIL, NOT_IN_LIST },
		{ "the empty type", TYPE("\"\""), NULL, LIMEN_FAIL, NOT_IN_LIST },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const struct plugin_case empty[] = {
		{ "the empty type", TYPE("\"\""), NULL, LIMEN_PASS, NULL },
		{ "a type", TYPE("\"idle\""), NULL, LIMEN_FAIL, NOT_IN_LIST },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	plugin_check(LIMEN_KIND_LIMIT, "test-type", "{\"types\":[]}", none);
	plugin_check(LIMEN_KIND_LIMIT, "test-type", "{\"types\":[\"\",\"\"]}", empty);
}

static void
test_data(void)
{
	static const char *const wrong[] = {
		"{}", "[]", "{\"types\":\"idle\"}", "{\"types\":[1]}", "{\"types\":null}",
		"{\"types\":{\"idle\":true}}", "{\"types\":[],\"type\":\"idle\"}"
	};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		plugin_refuse(LIMEN_KIND_LIMIT, "test-type", wrong[i], "/limits/0/data");
	plugin_remark(LIMEN_KIND_LIMIT, "test-type", "{\"types\":[\"bandwidth\"]}",
	              "pScheduler has no test 'bandwidth'");
	plugin_remark(LIMEN_KIND_LIMIT, "test-type", "{\"types\":[\"dhcp\",\"wifibssid\"]}", "");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_LIMIT, "test-type");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "types are compared to the byte", test_types },
		{ "a task without a type", test_no_type },
		{ "empty lists and empty names", test_unusual_lists },
		{ "what the data has to be", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("limit/test-type", tests);
}
