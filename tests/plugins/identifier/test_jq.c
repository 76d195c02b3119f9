/* SPDX-License-Identifier: Apache-2.0 */
/* test_jq.c - the identifier that asks a jq script about the hints. */
#include <string.h>

#include "plugin.h"
#include "suite.h"

static void
check(const char *data, const struct plugin_case *cases)
{
	plugin_check(LIMEN_KIND_IDENTIFIER, "jq", data, cases);
}

/* "Return of any other type will be treated the same as a value false." */
static void
test_values(void)
{
	static const struct plugin_case cases[] = {
		{ "true", NULL, "{\"v\":true}", LIMEN_PASS, NULL },
		{ "false", NULL, "{\"v\":false}", LIMEN_FAIL, NULL },
		{ "null", NULL, "{\"v\":null}", LIMEN_FAIL, NULL },
		{ "a hint that is not there", NULL, "{}", LIMEN_FAIL, NULL },
		{ "no hints at all", NULL, NULL, LIMEN_FAIL, NULL },
		{ "the text \"true\"", NULL, "{\"v\":\"true\"}", LIMEN_FAIL, NULL },
		{ "1", NULL, "{\"v\":1}", LIMEN_FAIL, NULL },
		{ "an array", NULL, "{\"v\":[true]}", LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};

	check("{\"script\":\".v\"}", cases);
}

static void
test_outputs(void)
{
	static const struct plugin_case first[] = {
		{ "the first output counts", NULL, "{\"v\":[true,false]}", LIMEN_PASS, NULL },
		{ "the first output counts", NULL, "{\"v\":[false,true]}", LIMEN_FAIL, NULL },
		{ "no output", NULL, "{\"v\":[]}", LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};
	static const struct plugin_case late[] = {
		{ "an error after a true", NULL, "{}", LIMEN_ERROR, "late" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};
	static const struct plugin_case raw[] = {
		{ "text is not true", NULL, "{}", LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};

	check("{\"script\":\".v[]\"}", first);
	check("{\"script\":\"true, error(\\\"late\\\")\"}", late);
	check("{\"script\":\"true\",\"output-raw\":true}", raw);
}

static void
test_errors(void)
{
	static const struct plugin_case endless[] = {
		{ "too slow", NULL, "{}", LIMEN_ERROR,
		  "The script was stopped: it took longer than PT0.1S" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};
	static const struct plugin_case wrong[] = {
		{ "an error", NULL, "{\"requester\":1}", LIMEN_ERROR,
		  "{'requester': 1}" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};

	check("{\"script\":\"def f: f; f\",\"timeout\":\"PT0.1S\"}", endless);
	check("{\"script\":\"error\"}", wrong);
}

static void
test_args(void)
{
	static const struct plugin_case cases[] = {
		{ "one of them", NULL, "{\"server\":\"127.0.0.1\"}", LIMEN_FAIL, NULL },
		{ "none of them", NULL, "{\"server\":\"127.0.0.2\"}", LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};
	static const struct plugin_case odd[] = {
		{ "any value", NULL, "{}", LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};

	check("{\"script\":[\"[.server == $ips[]]\",\"| any | not\"],"
	      "\"args\":{\"ips\":[\"127.0.0.1\",\"::1\"]}}", cases);
	check("{\"script\":\"$a == \\\"\\\\u0000\\\\\\\\(1)\\\\n\\\\u00e9\\\" and $_b1 == null\","
	      "\"args\":{\"a\":\"\\u0000\\\\(1)\\n\\u00e9\",\"_b1\":null,\"#\":\"a comment\"}}", odd);
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "jq", "{\"script\":\".\",\"args\":{\"a-b\":1}}",
	              "/args/a-b: 'a-b' cannot be the name of a jq variable");
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "jq", "{\"script\":\".\",\"args\":{\"if\":1}}",
	              "'if' cannot be the name of a jq variable");
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "jq", "{\"script\":\".\",\"args\":{\"\":1}}",
	              "'' cannot be the name of a jq variable");
	plugin_refuse(LIMEN_KIND_IDENTIFIER, "jq", "{\"script\":\".\",\"args\":[]}",
	              "is not of type 'object'");
}

static void
test_data(void)
{
	static const char *const wrong[] = {
		"{}", "[]", "{\"script\":1}", "{\"script\":[1]}", "{\"script\":\".\",\"output-raw\":1}",
		"{\"script\":\".\",\"x\":1}", "{\"script\":\"\"}", "{\"script\":\"a\\u0000b\"}",
		"{\"script\":\".\",\"timeout\":\"PT0S\"}", "{\"script\":\".\",\"timeout\":\"PT61M\"}",
		"{\"script\":\".\",\"sandbox\":\"jail\"}", "{\"script\":\".\",\"args\":null}"
	};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		plugin_refuse(LIMEN_KIND_IDENTIFIER, "jq", wrong[i], "/identifiers/0/data");
	plugin_remark(LIMEN_KIND_IDENTIFIER, "jq", "{\"script\":[]}", "");
	plugin_remark(LIMEN_KIND_IDENTIFIER, "jq", "{\"script\":\".\",\"timeout\":\"PT1H\"}", "");
	plugin_remark(LIMEN_KIND_IDENTIFIER, "jq", "{\"script\":\".hints.requester\"}",
	              "The script looks at .hints, but its input is the hints themselves");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_IDENTIFIER, "jq");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what counts as true", test_values },
		{ "one output, several, none", test_outputs },
		{ "scripts that fail", test_errors },
		{ "arguments", test_args },
		{ "what the data has to be", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("identifier/jq", tests);
}
