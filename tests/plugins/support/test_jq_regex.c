/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq_regex.c - regular expressions in scripts, which limen matches itself:
 * as the manual of jq 1.7 says, beyond ASCII and with empty matches too.
 */
#include <limen/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jq_rows.h"
#include "plugin.h"
#include "suite.h"

static void
test_functions(void)
{
	static const struct jq_row rows[] = {
		{ "test(\"b\")", "\"abc\"", "true" },
		{ "test(\"B\")", "\"abc\"", "false" },
		{ "test(\"B\"; \"i\"), 1", "\"abc\"", "true" },
		{ "test([\"B\", \"i\"])", "\"abc\"", "true" },
		{ "test([\"b\"])", "\"abc\"", "true" },
		{ "test(\"a b c # spaces\"; \"ix\")", "\"ABC\"", "true" },
		{ "[match(\"(abc)+\"; \"g\") | [.offset, .length, .string, (.captures | length)]]",
		  "\"abc abc\"", "[[0,3,\"abc\",1],[4,3,\"abc\",1]]" },
		{ "match(\"foo (?<n>bar)? foo\").captures", "\"foo  foo\"",
		  "[{\"offset\":-1,\"length\":0,\"string\":null,\"name\":\"n\"}]" },
		{ "match(\"(a)|(b)\").captures | map(.name)", "\"b\"", "[null,null]" },
		{ "[match([\"(?<a>x)\", \"gi\"]).captures[0].name]", "\"xX\"", "[\"a\",\"a\"]" },
		{ "capture(\"(?<a>[a-z]+)-(?<n>[0-9]+)\")", "\"xyzzy-14\"",
		  "{\"a\":\"xyzzy\",\"n\":\"14\"}" },
		{ "capture(\"(?<n>[a-z])(?<m>z)?\")", "\"abc\"", "{\"n\":\"a\",\"m\":null}" },
		{ "capture(\"(?<N>A)\"; \"i\")", "\"abc\"", "{\"N\":\"a\"}" },
		{ "[scan(\"c\")]", "\"abcdefabc\"", "[\"c\",\"c\"]" },
		{ "[scan(\"(a)(b)\")]", "\"abxab\"", "[[\"a\",\"b\"],[\"a\",\"b\"]]" },
		{ "[scan(\"B\"; \"i\")]", "\"abB\"", "[\"b\",\"B\"]" },
		{ "split(\", *\"; null)", "\"ab,cd,   ef\"", "[\"ab\",\"cd\",\"ef\"]" },
		{ "split(\",\")", "\"a,b\"", "[\"a\",\"b\"]" },
		{ "[splits(\", *\")]", "\"ab,cd\"", "[\"ab\",\"cd\"]" },
		{ "[splits(\"X\"; \"i\")]", "\"aXbxc\"", "[\"a\",\"b\",\"c\"]" },
		{ "sub(\"(?<x>b)\"; \"<\\(.x)>\")", "\"abcb\"", "\"a<b>cb\"" },
		{ "gsub(\"(?<x>b)\"; \"<\\(.x)>\")", "\"abcb\"", "\"a<b>c<b>\"" },
		{ "sub(\"B\"; \"-\"; \"gi\")", "\"abcB\"", "\"a-c-\"" },
		{ "gsub(\"B\"; \"-\"; \"i\")", "\"abcB\"", "\"a-c-\"" },
		{ "[sub(\"b\"; \"1\", \"2\")]", "\"abc\"", "[\"a1c\",\"a2c\"]" },
		{ "sub(\"x\"; \"y\")", "\"abc\"", "\"abc\"" },
		{ "[match(\".\"; \"gn\").string]", "\"ab\"", "[\"a\",\"b\"]" },
		{ "[match(\"a*\"; \"gn\").string]", "\"baac\"", "[\"aa\"]" },
		{ NULL, NULL, NULL }
	};

	jq_rows_check(rows);
}

/* jq 1.6 reads past the end of these strings, or never ends. */
static void
test_empty_matches(void)
{
	static const struct jq_row rows[] = {
		{ "[match(\"\"; \"g\").offset]", "\"\\u00e9\"", "[0,1]" },
		{ "[match(\"\"; \"g\").offset]", "\"\"", "[0]" },
		{ "[scan(\"[a-z]*\")]", "\"\\u65e5\\u672c\\u8a9exyz\"",
		  "[\"\",\"\",\"\",\"xyz\",\"\"]" },
		{ "[scan(\"\")] | length", "\"\\u00e9\\u0000x\"", "4" },
		{ "gsub(\"[a-z]*\"; \"-\")", "\"\\u65e5\\u672c\\u8a9e\"",
		  "\"-\xe6\x97\xa5-\xe6\x9c\xac-\xe8\xaa\x9e-\"" },
		{ "gsub(\"\"; \"-\")", "\"ab\"", "\"-a-b-\"" },
		{ "gsub(\"^\"; \">\")", "\"ab\"", "\">ab\"" },
		{ "gsub(\"$\"; \"<\")", "\"ab\"", "\"ab<\"" },
		{ "[match(\"\\u672c\"; \"g\") | [.offset, .length]]",
		  "\"\\u65e5\\u672c\\ud83d\\ude00\\u672c\"", "[[1,1],[3,1]]" },
		{ "[match(\"(?<=\\u65e5)\").offset]", "\"\\u65e5\\u672c\"", "[1]" },
		{ NULL, NULL, NULL }
	};

	jq_rows_check(rows);
}

static void
test_errors(void)
{
	static const struct jq_row rows[] = {
		{ "test(\"a\")", "1", "! number (1) cannot be matched, as it is not a string" },
		{ "test(1)", "\"a\"", "! number not a string or array" },
		{ "test([])", "\"a\"", "! array not a string or array" },
		{ "test(1; null)", "\"a\"",
		  "! string (\"a\") and number (1) cannot be matched, as it is not a string" },
		{ "test(\"a\"; \"gq\")", "\"a\"", "! gq is not a valid modifier string" },
		{ "test(\"a\"; 1)", "\"a\"", "! number (1) is not a string" },
		{ "test(\"(\")", "\"a\"",
		  "! Regex failure: end pattern with unmatched parenthesis" },
		{ "try test(\"(\") catch \"caught\"", "\"a\"", "\"caught\"" },
		{ NULL, NULL, NULL }
	};

	jq_rows_check(rows);
}

/* Expressions that turn back for ever end soon, and not the process. */
static void
test_backtracking(void)
{
	static const char *const patterns[] = { "^(a+)+$", "(a*)*b", "(a|aa)+$", "(.*)*x" };
	int64_t start = limen_host_monotonic();

	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
		char text[128];
		jq_script *script;
		char *found;

		snprintf(text, sizeof text, "\"%%\" as $x | (\"a\" * 40 + \"!\") | test(\"%s\")",
		         patterns[i]);
		script = jq_rows_open(text, 60 * LIMEN_SECOND);
		found = jq_rows_run(script, NULL);
		plugin_assert(strcmp(found, "false") == 0 || strstr(found, "retry-limit") != NULL,
		              __FILE__, __LINE__, "%s: %s", patterns[i], found);
		free(found);
		jq_script_close(script);
	}
	CU_ASSERT(limen_host_monotonic() - start < INT64_C(20000000000));
}

/* More expressions than are kept, again and again: each gives its own answer. */
static void
test_many_expressions(void)
{
	jq_script *script = jq_rows_open("[range(10) | tostring] as $all | . as $text"
	                                 " | [$all[] as $re | $text | test($re)] | map(select(.))"
	                                 " | length", 60 * LIMEN_SECOND);

	for (int i = 0; i < 20; i++) {
		char *found = jq_rows_run(script, i % 2 == 0 ? "\"0369\"" : "\"a5\"");

		CU_ASSERT_STRING_EQUAL(found, i % 2 == 0 ? "4" : "1");
		free(found);
	}
	jq_script_close(script);
}

/* The characters of a random text, by which the runs of "b"s are counted independently. */
static size_t
make_text(char *json, unsigned seed, size_t *runs)
{
	static const char *const pieces[] = { "a", "b", "\xc3\xa9", "\xe6\x97\xa5", "\xf0\x9f\x98\x80" };
	size_t length = 1 + seed % 23;
	bool inside = false;

	*runs = 0;
	strcpy(json, "\"");
	for (size_t i = 0; i < length; i++) {
		seed = seed * 1103515245U + 12345U;
		size_t piece = (seed >> 16) % 5;

		strcat(json, pieces[piece]);
		if (piece == 1 && !inside)
			(*runs)++;
		inside = piece == 1;
	}
	strcat(json, "\"");
	return length;
}

/*
 * "b*" matches each run of "b"s, nothing at each other character that does not
 * follow such a run, and nothing at the end: one match more than there are
 * characters outside of runs, and the runs.
 */
static void
test_property(void)
{
	jq_script *joined = jq_rows_open("([match(\"b*\"; \"g\").string] | add) == gsub(\"[^b]\"; \"\")"
	                                 " and (gsub(\"b*\"; \"\") == gsub(\"b\"; \"\"))"
	                                 " and ([scan(\".\")] | add) == ."
	                                 " and ([scan(\"b+\")] == [scan(\"b*\") | select(. != \"\")])",
	                                 60 * LIMEN_SECOND);
	jq_script *count = jq_rows_open("[scan(\"b+\")] | length", 60 * LIMEN_SECOND);

	for (unsigned seed = 1; seed < 400; seed++) {
		char json[128];
		char expected[16];
		size_t runs;
		char *found;

		make_text(json, seed * 7919U, &runs);
		found = jq_rows_run(joined, json);
		plugin_assert(strcmp(found, "true") == 0 || strstr(json, "b") == NULL, __FILE__,
		              __LINE__, "%s: %s", json, found);
		free(found);
		found = jq_rows_run(count, json);
		snprintf(expected, sizeof expected, "%zu", runs);
		plugin_assert(strcmp(found, expected) == 0, __FILE__, __LINE__, "%s: %s, not %s",
		              json, found, expected);
		free(found);
	}
	jq_script_close(joined);
	jq_script_close(count);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "the functions", test_functions },
		{ "empty matches", test_empty_matches },
		{ "errors", test_errors },
		{ "expressions that turn back", test_backtracking },
		{ "many expressions", test_many_expressions },
		{ "random texts", test_property },
		{ NULL, NULL }
	};

	return suite_run("support/jq: regular expressions", tests);
}
