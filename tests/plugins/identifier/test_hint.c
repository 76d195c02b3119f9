/* SPDX-License-Identifier: Apache-2.0 */
/* test_hint.c - the identifier "hint" through the real engine. */
#include "plugin.h"
#include "suite.h"

#define MATCH(members) "{\"hint\":\"h\",\"match\":{" members "}}"
#define NOT_A_STRING   "Hint 'h' is not a string"

static void
check_hint(const char *data, const struct plugin_case *cases)
{
	plugin_check(LIMEN_KIND_IDENTIFIER, "hint", data, cases);
}

static void
test_exact(void)
{
	static const struct plugin_case cases[] = {
		{ "equal", NULL, "{\"h\":\"abc\"}", LIMEN_PASS, NULL },
		{ "longer", NULL, "{\"h\":\"abcd\"}", LIMEN_FAIL, NULL },
		{ "shorter", NULL, "{\"h\":\"ab\"}", LIMEN_FAIL, NULL },
		{ "other case", NULL, "{\"h\":\"Abc\"}", LIMEN_FAIL, NULL },
		{ "empty", NULL, "{\"h\":\"\"}", LIMEN_FAIL, NULL },
		{ "a NUL after it", NULL, "{\"h\":\"abc\\u0000\"}", LIMEN_FAIL, NULL },
		{ "a NUL and more", NULL, "{\"h\":\"abc\\u0000d\"}", LIMEN_FAIL, NULL },
		{ "a newline after it", NULL, "{\"h\":\"abc\\n\"}", LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_hint(MATCH("\"style\":\"exact\",\"match\":\"abc\""), cases);
}

static void
test_empty_text(void)
{
	static const struct plugin_case exact[] = {
		{ "empty", NULL, "{\"h\":\"\"}", LIMEN_PASS, NULL },
		{ "not empty", NULL, "{\"h\":\" \"}", LIMEN_FAIL, NULL },
		{ "missing is not empty", NULL, "{}", LIMEN_SKIP, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const struct plugin_case contains[] = {
		{ "empty", NULL, "{\"h\":\"\"}", LIMEN_PASS, NULL },
		{ "anything", NULL, "{\"h\":\"x\"}", LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_hint(MATCH("\"style\":\"exact\",\"match\":\"\""), exact);
	check_hint(MATCH("\"style\":\"contains\",\"match\":\"\""), contains);
}

static void
test_contains_and_regex(void)
{
	static const struct plugin_case contains[] = {
		{ "within", NULL, "{\"h\":\"xabcx\"}", LIMEN_PASS, NULL },
		{ "after a NUL", NULL, "{\"h\":\"\\u0000abc\"}", LIMEN_PASS, NULL },
		{ "with a gap", NULL, "{\"h\":\"ab c\"}", LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const struct plugin_case regex[] = {
		{ "anywhere", NULL, "{\"h\":\"host.example.org\"}", LIMEN_PASS, NULL },
		{ "not at the end", NULL, "{\"h\":\"host.example.org.net\"}", LIMEN_FAIL, NULL },
		{ "a NUL after the end", NULL, "{\"h\":\"host.example.org\\u0000\"}", LIMEN_FAIL,
		  NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const struct plugin_case caseless[] = {
		{ "other case", NULL, "{\"h\":\"xABCx\"}", LIMEN_PASS, NULL },
		{ "at the start", NULL, "{\"h\":\"Abc\"}", LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_hint(MATCH("\"style\":\"contains\",\"match\":\"abc\""), contains);
	check_hint(MATCH("\"style\":\"regex\",\"match\":\"\\\\.example\\\\.org$\""), regex);
	check_hint(MATCH("\"style\":\"contains\",\"match\":\"aBc\",\"case-insensitive\":true"),
	           caseless);
	check_hint(MATCH("\"style\":\"regex\",\"match\":\"aBc\",\"case-insensitive\":true"),
	           caseless);
}

/* limits.rst says nothing of the kind, but pScheduler does it: absent is never identified. */
static void
test_missing(void)
{
	static const struct plugin_case cases[] = {
		{ "no hints", NULL, NULL, LIMEN_SKIP, NULL },
		{ "others", NULL, "{\"H\":\"abc\",\"hh\":\"abc\"}", LIMEN_SKIP, NULL },
		{ "a name with a NUL", NULL, "{\"h\\u0000\":\"abc\"}", LIMEN_SKIP, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_hint(MATCH("\"style\":\"exact\",\"match\":\"abc\""), cases);
	check_hint(MATCH("\"style\":\"exact\",\"match\":\"abc\",\"invert\":true"), cases);
}

static void
test_not_a_string(void)
{
	static const struct plugin_case exact[] = {
		{ "a number", NULL, "{\"h\":1}", LIMEN_FAIL, NULL },
		{ "null", NULL, "{\"h\":null}", LIMEN_FAIL, NULL },
		{ "a list", NULL, "{\"h\":[\"1\"]}", LIMEN_FAIL, NULL },
		{ "a boolean", NULL, "{\"h\":true}", LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const struct plugin_case inverted[] = {
		{ "a number", NULL, "{\"h\":1}", LIMEN_PASS, NULL },
		{ "the text", NULL, "{\"h\":\"1\"}", LIMEN_FAIL, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	static const struct plugin_case others[] = {
		{ "a number", NULL, "{\"h\":1}", LIMEN_ERROR, NOT_A_STRING },
		{ "null", NULL, "{\"h\":null}", LIMEN_ERROR, NOT_A_STRING },
		{ "an object", NULL, "{\"h\":{\"1\":1}}", LIMEN_ERROR, NOT_A_STRING },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_hint(MATCH("\"style\":\"exact\",\"match\":\"1\""), exact);
	check_hint(MATCH("\"style\":\"exact\",\"match\":\"1\",\"case-insensitive\":true"), exact);
	check_hint(MATCH("\"style\":\"exact\",\"match\":\"1\",\"invert\":true"), inverted);
	check_hint(MATCH("\"style\":\"contains\",\"match\":\"1\""), others);
	check_hint(MATCH("\"style\":\"contains\",\"match\":\"1\",\"invert\":true"), others);
	check_hint(MATCH("\"style\":\"regex\",\"match\":\"1\""), others);
}

static void
test_invert(void)
{
	static const struct plugin_case cases[] = {
		{ "equal", NULL, "{\"h\":\"abc\"}", LIMEN_FAIL, NULL },
		{ "unequal", NULL, "{\"h\":\"abd\"}", LIMEN_PASS, NULL },
		{ "empty", NULL, "{\"h\":\"\"}", LIMEN_PASS, NULL },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};

	check_hint(MATCH("\"style\":\"exact\",\"match\":\"abc\",\"invert\":true"), cases);
}

/* (a+)+$ takes exponential time on this text unless someone counts. */
static void
test_runaway(void)
{
	static const char hints[] =
		"{\"h\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"}";
	limen_kit *kit = plugin_open(LIMEN_KIND_IDENTIFIER, "hint",
	                             MATCH("\"style\":\"regex\",\"match\":\"(a+)+$\""));

	if (kit == NULL)
		return;
	CU_ASSERT_NOT_EQUAL(limen_kit_run(kit, NULL, hints), LIMEN_PASS);
	limen_kit_free(kit);
}

static void
test_data(void)
{
	static const char *const wrong[] = {
		"{}", "[]", "{\"hint\":\"h\"}", "{\"match\":{\"style\":\"exact\",\"match\":\"\"}}",
		"{\"hint\":1,\"match\":{\"style\":\"exact\",\"match\":\"\"}}",
		"{\"hint\":\"h\\u0000\",\"match\":{\"style\":\"exact\",\"match\":\"\"}}",
		MATCH("\"style\":\"exact\""), MATCH("\"style\":\"Exact\",\"match\":\"\""),
		MATCH("\"style\":\"regex\",\"match\":\"(\""),
		MATCH("\"style\":\"exact\",\"match\":\"\",\"invert\":1"),
		MATCH("\"style\":\"exact\",\"match\":\"\",\"inverted\":true")
	};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		plugin_refuse(LIMEN_KIND_IDENTIFIER, "hint", wrong[i], "/identifiers/0/data");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_IDENTIFIER, "hint");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "exact compares the whole value to the byte", test_exact },
		{ "the empty text", test_empty_text },
		{ "contains and regex look anywhere in the value", test_contains_and_regex },
		{ "a hint that is missing is never identified", test_missing },
		{ "a hint that is no string", test_not_a_string },
		{ "the match's own invert", test_invert },
		{ "a regular expression cannot run away", test_runaway },
		{ "what the data has to be", test_data },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	return suite_run("identifier/hint", tests);
}
