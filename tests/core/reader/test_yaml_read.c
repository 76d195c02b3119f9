/* SPDX-License-Identifier: Apache-2.0 */
/* YAML texts as a whole: which documents they give, and how they are refused. */
#include "suite.h"
#include "yaml_case.h"
#include "reader/reader.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
test_documents(void)
{
	static const yaml_case cases[] = {
		{ "", 0, "", NULL },
		{ "# nothing\n", 0, "", NULL },
		{ "---\n---\n# nothing\n...\n", 0, "", NULL },
		{ "null\n", 0, "null", NULL },
		{ "--- ~\n--- \"\"\n--- a\n", 0, "null\n\"\"\n\"a\"", NULL },
		{ "a: 1\n---\nb: 2\n", 0, "{\"a\":1}\n{\"b\":2}", NULL },
		{ "%YAML 1.2\n---\na\n...\n%YAML 1.1\n---\nb\n", 0, "\"a\"\n\"b\"", NULL },
		{ "\xEF\xBB\xBF" "a: 1\n", 0, "{\"a\":1}", NULL },
		{ "a: 1\r\nb: 2\r\n", 0, "{\"a\":1,\"b\":2}", NULL },
		{ "- a\n-\n- [b, {c: d}]\n", 0, "[\"a\",null,[\"b\",{\"c\":\"d\"}]]", NULL },
		{ "{\"a\":1,\"b\":[true,null,\"x\"]}", 0,
		  "{\"a\":1,\"b\":[true,null,\"x\"]}", NULL },
		{ "a: |\n  x\n  y\nb: >-\n  x\n  y\n", 0,
		  "{\"a\":\"x\\ny\\n\",\"b\":\"x y\"}", NULL },
		{ "a: 'it''s'\nb: \"\\u00e9\\t\\x41\"\n", 0,
		  "{\"a\":\"it's\",\"b\":\"\xC3\xA9\\tA\"}", NULL },
		{ "a: x\n  y\n", 0, "{\"a\":\"x y\"}", NULL },
		{ "? a\n: b\n", 0, "{\"a\":\"b\"}", NULL },
		{ "{a, b: }", 0, "{\"a\":null,\"b\":null}", NULL },
		{ "\xC3\xBC: \xE2\x82\xAC\n", 0, "{\"\xC3\xBC\":\"\xE2\x82\xAC\"}", NULL },
	};

	check_yaml_cases(cases, COUNT(cases));
}

static void
test_refused(void)
{
	static const yaml_case cases[] = {
		{ "a: [1, 2", 0, NULL,
		  "1:9 Invalid YAML: did not find expected ',' or ']' (while parsing a flow"
		  " sequence that begins in line 1)" },
		{ "a: b: c\n", 0, NULL,
		  "1:5 Invalid YAML: mapping values are not allowed in this context" },
		{ "a:\n\tb: 1\n", 0, NULL,
		  "2:1 Invalid YAML: found character that cannot start any token"
		  " (a tab; indent with blanks)" },
		{ "\xC3\xBC: @x\n", 0, NULL,
		  "1:4 Invalid YAML: found character that cannot start any token" },
		{ "a: \"\\q\"\n", 0, NULL, "1:5 Invalid YAML: found unknown escape character" },
		{ "a: \"x\n", 0, NULL,
		  "2:1 Invalid YAML: found unexpected end of stream (while scanning"
		  " a quoted scalar that begins in line 1)" },
		{ "a: 1\rb: \"x\r\rc: 2\r", 0, NULL,
		  "1:18 Invalid YAML: found unexpected end of stream (while scanning"
		  " a quoted scalar that begins in line 1)" },
		{ "- \xC2\x85\xE2\x80\xA8\n- \"x\n\n", 0, NULL,
		  "4:1 Invalid YAML: found unexpected end of stream (while scanning"
		  " a quoted scalar that begins in line 2)" },
		{ "a: \xFF\n", 0, NULL, "1:4 Invalid YAML: the text is not UTF-8" },
		{ "a: b\n\x01\n", 0, NULL, "2:1 Invalid YAML: control characters are not allowed" },
		{ "a: \x7F\n", 0, NULL, "1:4 Invalid YAML: control characters are not allowed" },
		{ "%YAML 3.0\n---\na\n", 0, NULL,
		  "1:1 Invalid YAML: found incompatible YAML document" },
		{ "good: 1\n---\na: *x\n---\nb: !y 1\n", 0, NULL,
		  "3:4 no anchor 'x' precedes this alias\n5:4 the tag '!y' is not known" },
		{ "a: <<\n---\nb: {<<: 1}\n---\nc: {<<: [2]}\n", 0, NULL,
		  "3:9 a merge key takes a map or a list of maps\n5:10 only maps can be merged" },
	};

	check_yaml_cases(cases, COUNT(cases));
}

static void
test_bytes(void)
{
	static const yaml_case nul = { "a\0b", 0, NULL,
		                       "1:2 Invalid YAML: control characters are not allowed" };
	static const yaml_case escaped = { "\"a\\0b\"", 0, "\"a\\u0000b\"", NULL };

	check_yaml_bytes(&nul, 3);
	check_yaml_bytes(&escaped, 6);
}

static void
test_flags(void)
{
	static const yaml_case cases[] = {
		{ "\"#c\": 1\na: {\"# x\": 2, b: 3}\n", 0,
		  "{\"#c\":1,\"a\":{\"# x\":2,\"b\":3}}", NULL },
		{ "\"#c\": 1\na: {\"# x\": 2, b: 3}\n", READ_COMMENTS, "{\"a\":{\"b\":3}}", NULL },
		{ "[.inf, -.Inf, .NAN, +.INF]", READ_NAN, "[null,null,null,null]", NULL },
		{ "[.inf, -.Inf]", 0, NULL,
		  "1:2 '.inf' is not a number that JSON can hold\n"
		  "1:8 '-.Inf' is not a number that JSON can hold" },
		{ "a: 1\nb: {c: 1, c: 2}\na: 3\n", 0, "{\"b\":{\"c\":2},\"a\":3}", NULL },
		{ "a: 1\nb: {c: 1, \"c\": 2}\na: 3\n\"#\": 1\n\"#\": 2\n", READ_NOTE_DUPLICATES,
		  "{\"b\":{\"c\":2},\"a\":3,\"#\":2}",
		  "1:1 key is repeated further down; the last one counts\n"
		  "2:5 key is repeated further down; the last one counts" },
		{ "a: &a {x: 1}\nb: {<<: *a, x: 2}\nc: {x: 3, <<: *a, <<: *a}\n",
		  READ_NOTE_DUPLICATES,
		  "{\"a\":{\"x\":1},\"b\":{\"x\":2},\"c\":{\"x\":3}}",
		  "3:11 Kubernetes lets this override the keys before it; here those count" },
	};

	check_yaml_cases(cases, COUNT(cases));
}

static char *
repeat(const char *head, const char *unit, size_t count, const char *tail)
{
	size_t head_length = strlen(head);
	size_t unit_length = strlen(unit);
	char *text = malloc(head_length + count * unit_length + strlen(tail) + 1);
	char *end = text;

	if (text == NULL)
		abort();
	end = mempcpy(end, head, head_length);
	for (size_t i = 0; i < count; i++)
		end = mempcpy(end, unit, unit_length);
	strcpy(end, tail);
	return text;
}

#define ALIASES_16 "*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,"

/* What is refused must be refused fast, so these texts are large. */
static void
test_bounds(void)
{
	static const struct {
		const char *head, *unit;
		size_t count;
		const char *tail, *problem;
	} cases[] = {
		{ "", "[", 1000, "x", "did not find expected" },
		{ "", "[", 1001, "", "nested more than 1000 deep" },
		{ "", "[", 30000000, "", "nested more than 1000 deep" },
		{ "", "- ", 10000000, "", "nested more than 1000 deep" },
		{ "", "{a: ", 1001, "", "nested more than 1000 deep" },
		{ "", "%TAG !a! x\n", 1000000, "", "tag directives" },
		{ "", "- \n", 1000001, "", "more than 1000000 values" },
		{ "", "--- 1\n", 100001, "", "more than 100000 documents" },
		{ "", "- !x y\n", 1000, "", "the tag '!x' is not known" },
		{ "", "x", (64u << 20) + 1, "", "longer than 67108864 bytes" },
		{ "a: &a \"", "x", 1u << 20,
		  "\"\nb: [" ALIASES_16 ALIASES_16 ALIASES_16 ALIASES_16 "*a]\n",
		  "more than 67108864 bytes of text" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char *text = repeat(cases[i].head, cases[i].unit, cases[i].count, cases[i].tail);
		limen_diag *diag = limen_diag_new();
		document **list = NULL;
		size_t count = 0;
		const limen_problem *entry;

		CU_ASSERT_EQUAL(yaml_read(NULL, text, strlen(text), 0, &list, &count, diag),
		                LIMEN_EINVAL);
		entry = limen_diag_get(diag, 0);
		CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
		CU_ASSERT_PTR_NOT_NULL(strstr(entry->text, cases[i].problem));
		CU_ASSERT_TRUE(limen_diag_count(diag, LIMEN_SEVERITY_NOTE) <= 100);
		CU_ASSERT_PTR_NULL(list);
		limen_diag_free(diag);
		free(text);
	}
}

typedef struct gap_case {
	const char *head, *unit;
	size_t count; /* so many units are taken, and not one more */
	const char *tail, *place;
} gap_case;

static void
check_gap(const gap_case *test, size_t count, const char *problem)
{
	char *text = repeat(test->head, test->unit, count, test->tail);
	limen_diag *diag = limen_diag_new();
	strbuf expected = STRBUF_INIT;
	document **list = NULL;
	size_t found = 0;
	int result = yaml_read(NULL, text, strlen(text), 0, &list, &found, diag);
	char *entries = print_entries(diag);

	CU_ASSERT_EQUAL(result, problem == NULL ? LIMEN_OK : LIMEN_EINVAL);
	if (problem != NULL)
		strbuf_addf(&expected, "%s %s", test->place, problem);
	check_same(test->head, "entries", problem == NULL ? "" : expected.text, entries);
	free(print_documents(list, found));
	free(entries);
	strbuf_free(&expected);
	limen_diag_free(diag);
	free(text);
}

/* Gaps between words and between lines, in scalars of all kinds and outside of them. */
static void
test_gaps(void)
{
	static const gap_case cases[] = {
		{ "#\na: \"x", " ", 4096, "y\"\n", "2:6" },
		{ "#\na: \"x", "\n", 4096, "y\"\n", "2:6" },
		{ "#\na: 'x", "\t", 4096, "y'\n", "2:6" },
		{ "#\na: 'x", "\r\n", 2048, "y'\n", "2:6" },
		{ "#\na: 'x", "\r", 4096, "y'\n", "2:6" },
		{ "#\na: 'x", "\xC2\x85", 2048, "y'\n", "2:6" },
		{ "#\na: 'x", "\xE2\x80\xA8", 1365, "y'\n", "2:6" },
		{ "#\na: 'x", "\xE2\x80\xA9", 1365, "y'\n", "2:6" },
		{ "#\na: 'x", " \n\t\r", 1024, "y'\n", "2:6" },
		{ "#\na: x", " ", 4096, "y z\n", "2:5" },
		{ "#\na: x", "\n", 4095, " y\n", "2:5" },
		{ "#\na: |\n x", "\n", 4095, " y\n", "3:3" },
		{ "#\na: >", "\n", 4095, " x\n y\n", "2:5" },
		{ "#\n{a: 1", " ", 4096, "}", "2:6" },
		{ "#\na: 1", "\n", 4096, "", "2:5" },
		{ "", "\n", 4096, "a: 1\n", "1:1" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		check_gap(&cases[i], cases[i].count, NULL);
		check_gap(&cases[i], cases[i].count + 1,
		          "Invalid YAML: more than 4096 bytes of blanks and line ends in a row");
	}
}

/* Just inside of the bounds. */
static void
test_within_bounds(void)
{
	char *deep = repeat("", "[", 1000, "");
	char *nested = repeat(deep, "]", 1000, "");
	char *wide = repeat("", "- \n", 999999, "");
	document **list = NULL;
	size_t count = 0;

	CU_ASSERT_EQUAL(yaml_read(NULL, nested, strlen(nested), 0, &list, &count, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL_FATAL(count, 1);
	document_unref(list[0]);
	free(list);
	CU_ASSERT_EQUAL(yaml_read(NULL, wide, strlen(wide), 0, &list, &count, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL_FATAL(count, 1);
	CU_ASSERT_EQUAL(limen_value_count(document_root(list[0])), 999999);
	document_unref(list[0]);
	free(list);
	free(deep);
	free(nested);
	free(wide);
}

static void
check_node_place(limen_value value, unsigned line, unsigned column, const char *pointer)
{
	place where = value_place(value);
	char *found = value_pointer(value);

	CU_ASSERT_STRING_EQUAL(where.file, "dir/a.yaml");
	CU_ASSERT_EQUAL(where.line, line);
	CU_ASSERT_EQUAL(where.column, column);
	CU_ASSERT_STRING_EQUAL(found, pointer);
	free(found);
}

static void
test_places(void)
{
	static const char text[] = "\xC3\xBC: [1, \"x\"]\n---\na:\n  b: |\n    t\n"
	                           "  c: &x {d: ~}\n  e:\n";
	document **list = NULL;
	size_t count = 0;
	limen_value a, second;

	CU_ASSERT_EQUAL(yaml_read("dir/a.yaml", text, strlen(text), 0, &list, &count, NULL),
	                LIMEN_OK);
	CU_ASSERT_EQUAL_FATAL(count, 2);
	second = limen_value_at(limen_value_get(document_root(list[0]), "\xC3\xBC"), 1);
	check_node_place(second, 1, 8, "/\xC3\xBC/1");
	a = limen_value_get(document_root(list[1]), "a");
	check_node_place(document_root(list[1]), 3, 1, "");
	check_node_place(a, 4, 3, "/a");
	check_node_place(limen_value_get(a, "b"), 4, 6, "/a/b");
	check_node_place(limen_value_get(a, "c"), 6, 6, "/a/c");
	check_node_place(limen_value_get(limen_value_get(a, "c"), "d"), 6, 13, "/a/c/d");
	document_unref(list[0]);
	document_unref(list[1]);
	free(list);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "texts and their documents", test_documents },
		{ "texts that are refused, and where", test_refused },
		{ "NUL bytes", test_bytes },
		{ "what the flags change", test_flags },
		{ "large and deep texts are refused", test_bounds },
		{ "the largest texts that are accepted", test_within_bounds },
		{ "the longest gaps that are accepted", test_gaps },
		{ "nodes know where they stand", test_places },
		{ NULL, NULL },
	};

	return suite_run("core/yaml_read", tests);
}
