/* SPDX-License-Identifier: Apache-2.0 */
#include "option_case.h"

typedef struct fields {
	const char *name;
	int64_t max;
	bool on;
	double share;
	limen_strings words;
	limen_duration wait;
	const limen_path *path;
	int colour;
	limen_value any;
	limen_value inner;
	const limen_string_match *match;
} fields;

#define NAME_HELP " (write a string in quotes; name: what it is called)"

static const char *const colours[] = { "red", "green", NULL };

static const limen_option rows[] = {
	LIMEN_OPT_STRING(fields, name, .key = "name", .required = true, .help = "what it is called"),
	LIMEN_OPT_INT(fields, max, .key = "max", .minimum = 1, .maximum = 9, .fallback = "3",
	              .help = "at most"),
	LIMEN_OPT_BOOL(fields, on, .key = "on", .fallback = "true"),
	LIMEN_OPT_REAL(fields, share, .key = "share", .fallback = "0.5"),
	LIMEN_OPT_STRINGS(fields, words, .key = "words", .fallback = "[\"a\", \"b\"]"),
	LIMEN_OPT_DURATION(fields, wait, .key = "wait", .fallback = "PT1M"),
	LIMEN_OPT_PATH(fields, path, .key = "path", .fallback = "/a/b"),
	LIMEN_OPT_ENUM(fields, colour, .key = "colour", .choices = colours, .fallback = "green"),
	LIMEN_OPT_JSON(fields, any, .key = "any"),
	LIMEN_OPT_OBJECT(fields, inner, .key = "inner"),
	LIMEN_OPT_MATCH(fields, match, .key = "match"),
	LIMEN_OPT_END
};

static void
test_all_given(void)
{
	fields got = { .max = 0 };

	CU_ASSERT_STRING_EQUAL(
		fill_options(rows,
	                     "{\"colour\": \"red\", \"name\": \"n\", \"max\": 9, \"on\": false,"
	                     " \"share\": 2, \"words\": [\"x\"], \"wait\": \"PT2S\","
	                     " \"path\": \"\", \"any\": [1], \"inner\": {\"k\": 1}}",
	                     &got, NULL),
		"");
	CU_ASSERT_STRING_EQUAL(got.name, "n");
	CU_ASSERT_EQUAL(got.max, 9);
	CU_ASSERT_FALSE(got.on);
	CU_ASSERT_EQUAL(got.share, 2.0);
	CU_ASSERT_EQUAL(got.words.count, 1);
	CU_ASSERT_EQUAL(got.wait, 2 * LIMEN_SECOND);
	CU_ASSERT_STRING_EQUAL(limen_path_text(got.path), "");
	CU_ASSERT_EQUAL(got.colour, 0);
	CU_ASSERT_EQUAL(limen_value_count(got.any), 1);
	CU_ASSERT_EQUAL(limen_value_type(got.inner), LIMEN_TYPE_OBJECT);
}

static void
test_fallbacks(void)
{
	fields got = { .max = 0 };

	CU_ASSERT_STRING_EQUAL(fill_options(rows, "{\"name\": \"n\"}", &got, NULL), "");
	CU_ASSERT_EQUAL(got.max, 3);
	CU_ASSERT_TRUE(got.on);
	CU_ASSERT_EQUAL(got.share, 0.5);
	CU_ASSERT_EQUAL_FATAL(got.words.count, 2);
	CU_ASSERT_STRING_EQUAL(got.words.items[1], "b");
	CU_ASSERT_EQUAL(got.wait, 60 * LIMEN_SECOND);
	CU_ASSERT_STRING_EQUAL(limen_path_text(got.path), "/a/b");
	CU_ASSERT_EQUAL(got.colour, 1);
	/* Without a value and without a fallback a field keeps its zeros. */
	CU_ASSERT_FALSE(limen_value_exists(got.any));
	CU_ASSERT_PTR_NULL(got.match);
}

static const option_case wrong[] = {
	{ "{}", "problem  1:1 'name' is a required property (name: what it is called)" },
	{ "[]", "problem  1:1 [] is not of type 'object'" },
	{ "7", "problem  1:1 7 is not of type 'object'" },
	{ "{\"name\": \"n\", \"maxx\": 1}",
	  "problem  1:15 Additional properties are not allowed ('maxx' was unexpected)"
	  " (did you mean 'max'?)" },
	{ "{\"name\": \"n\", \"zzzzzz\": 1}",
	  "problem  1:15 Additional properties are not allowed ('zzzzzz' was unexpected)" },
	/* A key with a NUL is not the key before it. */
	{ "{\"name\": \"n\", \"max\\u0000\": 1}",
	  "problem  1:15 Additional properties are not allowed ('max\\x00' was unexpected)"
	  " (did you mean 'max'?)" },
	/* null is a value, not the absence of one. */
	{ "{\"name\": null}", "problem /name 1:10 None is not of type 'string'" NAME_HELP },
	{ "{\"name\": 3}", "problem /name 1:10 3 is not of type 'string'" NAME_HELP },
	{ "{\"name\": [\"n\"]}", "problem /name 1:10 ['n'] is not of type 'string'" NAME_HELP },
	{ "{\"name\": \"\\u0000\"}", "problem /name 1:10 '\\x00' holds a NUL character" },
	/* All of it is reported at once: keys in the order of the text, then rows in theirs. */
	{ "{\n  \"on\": 1,\n  \"nam\": \"n\",\n  \"max\": 10\n}",
	  "problem  3:3 Additional properties are not allowed ('nam' was unexpected)"
	  " (did you mean 'name'?)\n"
	  "problem  1:1 'name' is a required property (name: what it is called)\n"
	  "problem /max 4:10 10 is greater than the maximum of 9\n"
	  "problem /on 2:9 1 is not of type 'boolean'" },
	{ NULL, NULL },
};

static void
test_wrong(void)
{
	fields got = { .max = 0 };

	check_options(rows, &got, wrong);
}

static void
test_lax(void)
{
	options_context lax = { .lax = true };
	fields got = { .max = 0 };

	CU_ASSERT_STRING_EQUAL(
		fill_options(rows, "{\"name\": \"n\", \"maxx\": 1}", &got, &lax),
		"warning  1:15 Additional properties are not allowed ('maxx' was unexpected)"
		" (did you mean 'max'?)");
	/* What has a table of its own is strict all the same. */
	CU_ASSERT_STRING_EQUAL(
		fill_options(rows,
	                     "{\"name\": \"n\", \"match\": {\"style\": \"exact\","
	                     " \"match\": \"m\", \"invrt\": true}}",
	                     &got, &lax),
		"problem /match 1:57 Additional properties are not allowed ('invrt' was unexpected)"
		" (did you mean 'invert'?)");
}

/* Places deep in a file, with keys that a pointer escapes, and columns in characters. */
static void
test_nested_places(void)
{
	static const option_case cases[] = {
		{ "{\"name\": \"n\",\n\"words\": [\"é\", 7, \"ok\", {}]}",
		  "problem /words/1 2:16 7 is not of type 'string' (write it in quotes)\n"
		  "problem /words/3 2:25 {} is not of type 'string'" },
		{ "{\"name\": \"n\",\n \"match\": {\"style\": \"near\",\n  \"match\": \"m\"}}",
		  "problem /match/style 2:21 'near' is not one of ['exact', 'contains', 'regex']" },
		{ "{\"name\": \"n\", \"match\": {}}",
		  "problem /match 1:24 'style' is a required property (style: How to compare)\n"
		  "problem /match 1:24 'match' is a required property (match: The text or regular "
		  "expression to compare with)" },
		{ NULL, NULL },
	};
	fields got = { .max = 0 };

	check_options(rows, &got, cases);
}

/* A value in a message is cut, never within a character. */
static void
test_long_values(void)
{
	char json[1000];
	fields got = { .max = 0 };
	const char *text;

	for (size_t shift = 0; shift < 2; shift++) {
		strcpy(json, shift == 0 ? "{\"name\": \"n\", \"on\": \"" : "{\"name\": \"n\", \"on\": \"x");
		for (int i = 0; i < 200; i++)
			strcat(json, "é");
		strcat(json, "\"}");
		text = fill_options(rows, json, &got, NULL);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "é... is not of type 'boolean'"));
		CU_ASSERT(strlen(text) < 260);
	}
}

/* What is wrong is said, and where; never what stands there. */
static void
test_secret(void)
{
	static const limen_option secrets[] = {
		LIMEN_OPT_STRING(fields, name, .key = "name", .secret = true),
		LIMEN_OPT_INT(fields, max, .key = "max", .minimum = 1, .maximum = 9, .secret = true),
		LIMEN_OPT_STRINGS(fields, words, .key = "words", .secret = true),
		LIMEN_OPT_OBJECT(fields, inner, .key = "inner", .secret = true),
		LIMEN_OPT_MATCH(fields, match, .key = "match", .secret = true),
		LIMEN_OPT_BOOL(fields, on, .key = "on"),
		LIMEN_OPT_END
	};
	static const option_case cases[] = {
		{ "{\"name\": [\"hunter2\"]}", "problem /name 1:10 (secret) is not of type 'string'" },
		{ "{\"name\": \"hunter2\\u0000\"}", "problem /name 1:10 (secret) holds a NUL character" },
		{ "{\"max\": 1234}",
		  "problem /max 1:9 (secret) is greater than the maximum of 9" },
		{ "{\"words\": [\"hunter2\", [\"hunter3\"]]}",
		  "problem /words/1 1:23 (secret) is not of type 'string'" },
		{ "{\"inner\": \"hunter2\"}",
		  "problem /inner 1:11 (secret) is not of type 'object'" },
		{ "{\"match\": {\"style\": \"exact\", \"match\": [\"hunter2\"]}}",
		  "problem /match/match 1:39 (secret) is not of type 'string'" },
		/* It may have been meant for any of the options. */
		{ "\"hunter2\"", "problem  1:1 (secret) is not of type 'object'" },
		{ "{\"on\": \"open\"}", "problem /on 1:8 'open' is not of type 'boolean'" },
		{ "{\"name\": \"hunter2\", \"max\": 9}", "" },
		{ NULL, NULL },
	};
	fields got = { .max = 0 };

	check_options(secrets, &got, cases);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "values given fill their fields", test_all_given },
		{ "absent values fall back, or leave zeros", test_fallbacks },
		{ "every problem is reported at its place, all in one pass", test_wrong },
		{ "where unknown keys are tolerated they are warnings", test_lax },
		{ "places of nested problems are exact", test_nested_places },
		{ "a long value is cut between characters", test_long_values },
		{ "what is wrong with a secret is said without it", test_secret },
		{ NULL, NULL },
	};
	int status = suite_run("core/options", tests);

	option_run_free();
	return status;
}
