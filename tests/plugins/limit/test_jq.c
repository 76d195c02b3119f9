/* SPDX-License-Identifier: Apache-2.0 */
/* test_jq.c - the limit that asks a jq script about the task, and what is said of scripts. */
#include <stdio.h>
#include <string.h>

#include "plugin.h"
#include "suite.h"

static void
check(const char *data, const struct plugin_case *cases)
{
	plugin_check(LIMEN_KIND_LIMIT, "jq", data, cases);
}

static void
refuse(const char *data, const char *text)
{
	plugin_refuse(LIMEN_KIND_LIMIT, "jq", data, text);
}

static void
remark(const char *data, const char *text)
{
	plugin_remark(LIMEN_KIND_LIMIT, "jq", data, text);
}

static void
test_values(void)
{
	static const struct plugin_case cases[] = {
		{ "true", "{\"v\":true}", NULL, LIMEN_PASS, NULL },
		{ "false", "{\"v\":false}", NULL, LIMEN_FAIL, "Unspecified reason" },
		{ "a text", "{\"v\":\"No\"}", NULL, LIMEN_FAIL, "No" },
		{ "an empty text", "{\"v\":\"\"}", NULL, LIMEN_FAIL, "" },
		{ "null", "{\"v\":null}", NULL, LIMEN_FAIL, "Script returned unusable data" },
		{ "a number", "{\"v\":1}", NULL, LIMEN_FAIL, "Script returned unusable data" },
		{ "an array", "{\"v\":[]}", NULL, LIMEN_FAIL, "Script returned unusable data" },
		{ "an object", "{\"v\":{}}", NULL, LIMEN_FAIL, "Script returned unusable data" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};

	check("{\"script\":\".v\"}", cases);
}

static void
test_failures(void)
{
	static const struct plugin_case outputs[] = {
		{ "no output", "{\"v\":[]}", NULL, LIMEN_ERROR,
		  "Failed to process task: list index out of range" },
		{ "the first counts", "{\"v\":[true,false]}", NULL, LIMEN_PASS, NULL },
		{ "nothing to go through", "{}", NULL, LIMEN_ERROR,
		  "Failed to process task: Cannot iterate over null (null)" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};
	static const struct plugin_case errors[] = {
		{ "a text", "{\"v\":\"no\"}", NULL, LIMEN_ERROR, "Failed to process task: no" },
		{ "an object", "{\"v\":{\"a\":[1,null,true]}}", NULL, LIMEN_ERROR,
		  "Failed to process task: {'a': [1, None, True]}" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};
	static const struct plugin_case endless[] = {
		{ "too slow", "{}", NULL, LIMEN_ERROR,
		  "Failed to process task: The script was stopped: it took longer than PT0.05S" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};

	check("{\"script\":\".v[]\"}", outputs);
	check("{\"script\":\"true, error(.v)\"}", errors);
	check("{\"script\":\"last(repeat(true))\",\"timeout\":\"PT0.05S\"}", endless);
}

/* pScheduler takes no notice of output-raw in limits. */
static void
test_raw(void)
{
	static const struct plugin_case cases[] = {
		{ "true", "{\"v\":true}", NULL, LIMEN_PASS, NULL },
		{ "a text", "{\"v\":\"No\"}", NULL, LIMEN_FAIL, "No" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};

	check("{\"script\":\".v\",\"output-raw\":true}", cases);
}

static void
test_hints(void)
{
	static const struct plugin_case cases[] = {
		{ "the hint", "{\"a\":{}}", "{\"requester\":\"192.0.2.1\"}", LIMEN_PASS, NULL },
		{ "another", "{\"a\":{}}", "{\"requester\":\"192.0.2.2\"}", LIMEN_FAIL,
		  "192.0.2.2 may not" },
		{ "none", "{\"a\":{}}", NULL, LIMEN_FAIL, "null may not" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};
	static const struct plugin_case own[] = {
		{ "its own function", "{}", "{\"requester\":\"192.0.2.2\"}", LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};

	check("{\"script\":\".a | if hint(\\\"requester\\\") == \\\"192.0.2.1\\\" then true"
	      " else \\\"\\\\(hint(\\\"requester\\\")) may not\\\" end\"}", cases);
	check("{\"script\":\"def hint(f): true; hint(\\\"requester\\\")\"}", own);
}

/* Where in the file a script is wrong, in jq's words. */
static void
test_compile_errors(void)
{
	refuse("{\"script\":[\".a\",\"| nonesuch(1)\",\"| .b\"],\"args\":{\"x\":1}}",
	       "/limits/0/data/script/1: jq: error: nonesuch/1 is not defined at <top-level>, "
	       "line 2: | nonesuch(1)");
	refuse("{\"script\":[\".a\",\"| $nonesuch\"]}",
	       "/script/1: jq: error: $nonesuch is not defined at <top-level>, line 2: "
	       "| $nonesuch");
	refuse("{\"script\":[\"import \\\"nonesuch\\\" as n;\",\"1\"]}",
	       "/script/0: jq: error: module not found: nonesuch");
	refuse("{\"script\":[\"1\",\"| import \\\"nonesuch\\\" as n;\",\"2\"]}",
	       "/script/1: jq: error: module not found: nonesuch");
	refuse("{\"script\":[\".a\",\"| [\"],\"args\":{\"x\":{\"y\":[1,2,3]}}}",
	       "/script/1: jq: error: syntax error");
	refuse("{\"script\":\".a\\n| nonesuch\"}",
	       "/script: jq: error: nonesuch/0 is not defined at <top-level>, line 2: | nonesuch");
	refuse("{\"script\":\"nonesuch | \\\"import \\\\\\\"a\\\\\\\";\\\"\"}", "nonesuch/0");
}

/* The words of an import in a string or a comment are none. */
static void
test_imports(void)
{
	static const struct plugin_case cases[] = {
		{ "kept", "{\"import\":1}", NULL, LIMEN_FAIL, "import \"x\" as y; # include \"z\";" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};

	check("{\"script\":[\"# import \\\"nonesuch\\\" as n; in a comment\",\"{import: .import} as {import: $x}\","
	      "\"| \\\"import \\\\\\\"x\\\\\\\" as y; # include \\\\\\\"z\\\\\\\";\\\"\"]}", cases);
}

/* Notes on keys the input never has; none where something else may be meant. */
static void
test_strangers(void)
{
	static const char *const noted[] = {
		".type == \\\"x\\\"",
		"256 as $m | if .spec.length > $m then \\\"no\\\" else true end",
		"true and (.type == \\\"x\\\")",
		"[.type]",
		"\\\"\\\\(.type)\\\"",
		"select(.type)",
		".task.test",
		".a // .type",
	};
	static const char *const quiet[] = {
		".test.type", ".test | .type", ".x.type", ".types", ".type_of", "$x.type",
		"\\\".type\\\"", "true # .type", ".a[0].type", "map(.type)", "any(.[]; .type)",
		"{type: 1}", "(.test).type", "def f: .type; .test | f", "reduce .a as $x (0; .type)",
		".archives[] | select(.spec)", "try error({}) catch .type", ".a |= .type",
		".a?.type", ".\\\"type\\\""
	};
	char data[256];

	for (size_t i = 0; i < sizeof noted / sizeof noted[0]; i++) {
		snprintf(data, sizeof data, "{\"script\":\"%s\"}", noted[i]);
		remark(data, "The script looks at .");
	}
	for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++) {
		snprintf(data, sizeof data, "{\"script\":\"%s\",\"args\":{\"x\":{}}}", quiet[i]);
		remark(data, "");
	}
	remark("{\"script\":[\"20 as $m\",\"| if .type == \\\"trace\\\" then true else false end\"]}",
	       "/limits/0/data/script/1: The script looks at .type, which no task has; the type of the "
	       "test is .test.type");
}

#ifdef LIMEN_SECCOMP

/* In a process of its own a script sees, says and may do the same. */
static void
test_sandbox(void)
{
	static const struct plugin_case cases[] = {
		{ "the hint", "{\"a\":1}", "{\"requester\":\"192.0.2.1\"}", LIMEN_PASS, NULL },
		{ "another", "{\"a\":2}", "{\"requester\":\"192.0.2.2\"}", LIMEN_FAIL,
		  "2: 192.0.2.2 may not" },
		{ "none", "{\"a\":3}", NULL, LIMEN_FAIL, "3: null may not" },
		{ "an error", "{\"a\":{}}", "{\"requester\":\"192.0.2.1\"}", LIMEN_ERROR,
		  "Failed to process task: no number" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};
	static const struct plugin_case endless[] = {
		{ "too slow", "{}", NULL, LIMEN_ERROR,
		  "Failed to process task: The script was stopped: it took longer than PT0.05S" },
		{ "once more", "{}", NULL, LIMEN_ERROR,
		  "Failed to process task: The script was stopped: it took longer than PT0.05S" },
		{ NULL, NULL, NULL, LIMEN_FAIL, NULL }
	};

	check("{\"sandbox\":\"process\",\"script\":\"if (.a | type) != \\\"number\\\" then error(\\\"no number\\\")"
	      " elif hint(\\\"requester\\\") == \\\"192.0.2.1\\\" then true"
	      " else \\\"\\\\(.a): \\\\(hint(\\\"requester\\\")) may not\\\" end\"}", cases);
	check("{\"script\":\"last(repeat(true))\",\"timeout\":\"PT0.05S\",\"sandbox\":\"process\"}",
	      endless);
	refuse("{\"script\":[\".a\",\"| nonesuch(1)\",\"| .b\"],\"args\":{\"x\":1},"
	       "\"sandbox\":\"process\"}",
	       "/limits/0/data/script/1: jq: error: nonesuch/1 is not defined at <top-level>, "
	       "line 2: | nonesuch(1)");
	remark("{\"script\":\".\",\"sandbox\":\"process\"}", "");
	remark("{\"script\":\".\",\"sandbox\":\"none\"}", "");
}

#else

/* Nothing runs half protected. */
static void
test_sandbox(void)
{
	refuse("{\"script\":\".\",\"sandbox\":\"process\"}", "limen was built without seccomp");
	remark("{\"script\":\".\",\"sandbox\":\"none\"}", "");
}

#endif

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_LIMIT, "jq");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what each value means", test_values },
		{ "no value, errors, time", test_failures },
		{ "output-raw", test_raw },
		{ "hint()", test_hints },
		{ "compile errors", test_compile_errors },
		{ "imports", test_imports },
		{ "keys the task never has", test_strangers },
		{ "the sandbox", test_sandbox },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("limit/jq", tests);
}
