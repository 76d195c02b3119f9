/* SPDX-License-Identifier: Apache-2.0 */
#include "option_case.h"

typedef struct fields {
	limen_strings strings;
	limen_ints ints;
	limen_ranges ranges;
	const limen_cidr_set *cidrs;
	limen_rows rows;
	const char *string;
} fields;

#define LIST " (write an array: [ ... ])"
#define ROWS(row) (const limen_option[]){ row, LIMEN_OPT_END }

static void
test_strings(void)
{
	#define ANY_RANGE " (write a number, or a range such as {\"lower\": 8, \"upper\": 17})"

static const option_case cases[] = {
		{ "{\"k\": []}", "" },
		{ "{\"k\": [\"\"]}", "" },
		{ "{\"k\": \"a\"}", "problem /k 1:7 'a' is not of type 'array'" LIST },
		{ "{\"k\": {\"0\": \"a\"}}", "problem /k 1:7 {'0': 'a'} is not of type 'array'" LIST },
		{ "{\"k\": [\"a\", null, \"b\\u0000\"]}",
		  "problem /k/1 1:13 None is not of type 'string'\n"
		  "problem /k/2 1:19 'b\\x00' holds a NUL character" },
		{ NULL, NULL },
	};
	const limen_option *rows = ROWS(LIMEN_OPT_STRINGS(fields, strings, .key = "k"));
	fields got = { .strings = { NULL, 0 } };

	check_options(rows, &got, cases);
	fill_options(rows, "{\"k\": [\"a\", \"b\", \"c\"]}", &got, NULL);
	CU_ASSERT_EQUAL_FATAL(got.strings.count, 3);
	CU_ASSERT_STRING_EQUAL(got.strings.items[2], "c");
}

static void
test_ints(void)
{
	static const option_case cases[] = {
		{ "{\"k\": []}", "" },
		{ "{\"k\": [0, 7]}", "" },
		{ "{\"k\": [-1, 3, 8, 1.5]}",
		  "problem /k/0 1:8 -1 is less than the minimum of 0\n"
		  "problem /k/2 1:15 8 is greater than the maximum of 7\n"
		  "problem /k/3 1:18 1.5 is not of type 'integer'" },
		{ "{\"k\": 1}", "problem /k 1:7 1 is not of type 'array'" LIST },
		{ NULL, NULL },
	};
	const limen_option *rows = ROWS(
		LIMEN_OPT_INTS(fields, ints, .key = "k", .minimum = 0, .maximum = 7));
	fields got = { .ints = { NULL, 0 } };

	check_options(rows, &got, cases);
	fill_options(rows, "{\"k\": [5, 6]}", &got, NULL);
	CU_ASSERT_EQUAL_FATAL(got.ints.count, 2);
	CU_ASSERT_EQUAL(got.ints.items[1], 6);
}

#define NO_ARRAY " (write an array of numbers and ranges, such as [6, {\"lower\": 8, \"upper\": 17}])"
#define NO_RANGE(text, hint) \
	{ "{\"k\": [\"" text "\"]}", \
	  "problem /k/0 1:8 '" text "' is not valid under any of the given schemas" hint }

static const option_case range_cases[] = {
	NO_RANGE("2-10", " (write {\"lower\": 2, \"upper\": 10})"),
	NO_RANGE("12-1", " (write two ranges: {\"lower\": 12, \"upper\": 12}, "
	                 "{\"lower\": 1, \"upper\": 1})"),
	NO_RANGE("0-5", ANY_RANGE),
	NO_RANGE("5-13", ANY_RANGE),
	NO_RANGE("-5", ANY_RANGE),
	NO_RANGE("5-", ANY_RANGE),
	NO_RANGE("5-6x", ANY_RANGE),
	NO_RANGE("mon-fri", ANY_RANGE),
	{ "{\"k\": []}", "" },
	{ "{\"k\": [1, {\"lower\": 1, \"upper\": 12}]}", "" },
	/* Empty, but well formed. */
	{ "{\"k\": [{\"lower\": 5, \"upper\": 4}]}", "" },
	{ "{\"k\": [0, 13]}",
	  "problem /k/0 1:8 0 is less than the minimum of 1\n"
	  "problem /k/1 1:11 13 is greater than the maximum of 12" },
	{ "{\"k\": [{\"lower\": 0, \"upper\": 13}]}",
	  "problem /k/0/lower 1:18 0 is less than the minimum of 1\n"
	  "problem /k/0/upper 1:30 13 is greater than the maximum of 12" },
	{ "{\"k\": [{\"lower\": 1}]}",
	  "problem /k/0 1:8 'upper' is a required property (upper: The upper end of the range)" },
	{ "{\"k\": [{\"lower\": 1, \"upper\": 2, \"step\": 2}]}",
	  "problem /k/0 1:33 Additional properties are not allowed ('step' was unexpected)" },
	{ "{\"k\": [\"1\", [1]]}",
	  "problem /k/0 1:8 '1' is not valid under any of the given schemas" ANY_RANGE "\n"
	  "problem /k/1 1:13 [1] is not valid under any of the given schemas" ANY_RANGE },
	{ "{\"k\": {\"lower\": 1, \"upper\": 2}}",
	  "problem /k 1:7 {'lower': 1, 'upper': 2} is not of type 'array'" NO_ARRAY },
	{ "{\"k\": \"1-2\"}", "problem /k 1:7 '1-2' is not of type 'array'" NO_ARRAY },
	{ NULL, NULL },
};

static void
test_ranges(void)
{
	const limen_option *rows = ROWS(
		LIMEN_OPT_RANGES(fields, ranges, .key = "k", .minimum = 1, .maximum = 12));
	fields got = { .ranges = { NULL, 0 } };

	check_options(rows, &got, range_cases);
	fill_options(rows, "{\"k\": [3, {\"lower\": 5, \"upper\": 7}]}", &got, NULL);
	CU_ASSERT_EQUAL_FATAL(got.ranges.count, 2);
	CU_ASSERT_EQUAL(got.ranges.items[0].lower, 3);
	CU_ASSERT_EQUAL(got.ranges.items[0].upper, 3);
	CU_ASSERT_EQUAL(got.ranges.items[1].lower, 5);
	CU_ASSERT_EQUAL(got.ranges.items[1].upper, 7);
}

#define ANY_CIDR "an IPv4 or IPv6 address or CIDR, such as 192.0.2.0/24"
#define NO_IPV4 " is not valid under any of the given schemas (an IPv4 address is four numbers from " \
	        "0 to 255, and a prefix at most /32, such as 192.0.2.0/24)"
#define NO_SCHEMA " is not valid under any of the given schemas (" ANY_CIDR ")"

static const option_case cidr_cases[] = {
	{ "{\"k\": []}", "" },
	{ "{\"k\": [\"192.0.2.7\", \"10.0.0.0/8\", \"2001:db8::/32\", \"::1\"]}", "" },
	{ "{\"k\": [\"192.0.2.7/24\"]}",
	  "problem /k/0 1:8 192.0.2.7/24 has host bits set"
	  " (clear the bits after the prefix, or drop the prefix)" },
	{ "{\"k\": [\"10.0.0.0/33\"]}", "problem /k/0 1:8 '10.0.0.0/33'" NO_IPV4 },
	{ "{\"k\": [\"10.0.0.0/255.0.0.0\"]}",
	  "problem /k/0 1:8 '10.0.0.0/255.0.0.0'" NO_IPV4 },
	{ "{\"k\": [\"fe80::1%eth0\"]}", "problem /k/0 1:8 'fe80::1%eth0'" NO_SCHEMA },
	{ "{\"k\": [\"\", \" 10.0.0.1\", \"10.0.0.1\\u0000\"]}",
	  "problem /k/0 1:8 ''" NO_SCHEMA "\n"
	  "problem /k/1 1:12 ' 10.0.0.1'" NO_SCHEMA "\n"
	  "problem /k/2 1:25 '10.0.0.1\\x00'" NO_SCHEMA },
	{ "{\"k\": [1]}", "problem /k/0 1:8 1 is not valid under any of the given schemas" },
	{ "{\"k\": \"10.0.0.0/8\"}", "problem /k 1:7 '10.0.0.0/8' is not of type 'array'" LIST },
	{ NULL, NULL },
};

static bool
holds(const limen_cidr_set *set, const char *text)
{
	limen_address address;

	CU_ASSERT_EQUAL_FATAL(limen_address_parse(text, strlen(text), &address), LIMEN_OK);
	return limen_cidr_set_contains(set, &address);
}

static void
test_cidrs(void)
{
	const limen_option *rows = ROWS(LIMEN_OPT_CIDRS(fields, cidrs, .key = "k"));
	fields got = { .cidrs = NULL };

	check_options(rows, &got, cidr_cases);
	fill_options(rows, "{\"k\": []}", &got, NULL);
	CU_ASSERT_TRUE(limen_cidr_set_is_empty(got.cidrs));
	fill_options(rows, "{\"k\": [\"192.0.2.0/25\", \"::1\"]}", &got, NULL);
	CU_ASSERT_TRUE(holds(got.cidrs, "192.0.2.127"));
	CU_ASSERT_FALSE(holds(got.cidrs, "192.0.2.128"));
	CU_ASSERT_TRUE(holds(got.cidrs, "::1"));
}

/* The fewest items of each sort of list, below and at the bound. */
static void
test_counts(void)
{
	static const limen_option inner[] = { LIMEN_OPT_END };
	const limen_option rows[] = {
		LIMEN_OPT_STRINGS(fields, strings, .key = "strings", .minimum_count = 1),
		LIMEN_OPT_INTS(fields, ints, .key = "ints", .minimum_count = 2),
		LIMEN_OPT_RANGES(fields, ranges, .key = "ranges", .minimum_count = 2),
		LIMEN_OPT_CIDRS(fields, cidrs, .key = "cidrs", .minimum_count = 2),
		LIMEN_OPT_ROWS(fields, rows, char, inner, .key = "rows", .minimum_count = 2),
		LIMEN_OPT_END
	};
	static const option_case cases[] = {
		{ "{}", "" },
		{ "{\"strings\": []}",
		  "problem /strings 1:13 [] is too short (give 1 or more)" },
		{ "{\"strings\": [\"\"]}", "" },
		{ "{\"ints\": [1]}", "problem /ints 1:10 [1] is too short (give 2 or more)" },
		{ "{\"ints\": [1, 2]}", "" },
		{ "{\"ranges\": [1]}", "problem /ranges 1:12 [1] is too short (give 2 or more)" },
		{ "{\"ranges\": [1, {\"lower\": 1, \"upper\": 2}]}", "" },
		{ "{\"cidrs\": [\"::1\"]}",
		  "problem /cidrs 1:11 ['::1'] is too short (give 2 or more)" },
		{ "{\"cidrs\": [\"::1\", \"::2\"]}", "" },
		{ "{\"rows\": [{}]}", "problem /rows 1:10 [{}] is too short (give 2 or more)" },
		{ "{\"rows\": [{}, {}]}", "" },
		{ NULL, NULL },
	};
	fields got = { .string = NULL };

	check_options(rows, &got, cases);
}

static void
test_patterns(void)
{
	static const limen_option rows[] = {
		LIMEN_OPT_STRING(fields, string, .key = "s", .pattern = "[a-z]+|%"),
		LIMEN_OPT_STRINGS(fields, strings, .key = "l", .pattern = "a?", .secret = true),
		LIMEN_OPT_END
	};
	static const option_case cases[] = {
		{ "{\"s\": \"abc\", \"l\": [\"a\", \"\"]}", "" },
		{ "{\"s\": \"%\"}", "" },
		{ "{\"s\": \"\"}", "problem /s 1:7 '' does not match '[a-z]+|%'" },
		{ "{\"s\": \"abc1\"}", "problem /s 1:7 'abc1' does not match '[a-z]+|%'" },
		{ "{\"s\": \"1abc\"}", "problem /s 1:7 '1abc' does not match '[a-z]+|%'" },
		{ "{\"s\": \"a\\n\"}", "problem /s 1:7 'a\\n' does not match '[a-z]+|%'" },
		{ "{\"s\": 1}", "problem /s 1:7 1 is not of type 'string' (write it in quotes)" },
		{ "{\"l\": [\"a\", \"b\"]}", "problem /l/1 1:13 (secret) does not match 'a?'" },
		{ NULL, NULL },
	};
	fields got = { .string = NULL };

	check_options(rows, &got, cases);
}

typedef struct step {
	const char *name;
	int64_t add;
	limen_strings words;
	limen_rows steps;
} step;

static const limen_option inner_rows[] = {
	LIMEN_OPT_INT(step, add, .key = "add", .required = true),
	LIMEN_OPT_END
};

static const limen_option step_rows[] = {
	LIMEN_OPT_STRING(step, name, .key = "name", .required = true, .pattern = "[a-z]*"),
	LIMEN_OPT_INT(step, add, .key = "add", .fallback = "7", .maximum = 9),
	LIMEN_OPT_STRINGS(step, words, .key = "words"),
	LIMEN_OPT_ROWS(step, steps, step, inner_rows, .key = "steps"),
	LIMEN_OPT_END
};

static void
test_rows(void)
{
	static const option_case cases[] = {
		{ "{\"k\": []}", "" },
		{ "{\"k\": {}}", "problem /k 1:7 {} is not of type 'array'" LIST },
		{ "{\"k\": [1]}", "problem /k/0 1:8 1 is not of type 'object'" },
		{ "{\"k\": [{\"name\": \"A\"}, {\"nam\": \"a\", \"add\": 10}]}",
		  "problem /k/0/name 1:17 'A' does not match '[a-z]*'\n"
		  "problem /k/1 1:24 Additional properties are not allowed ('nam' was unexpected)"
		  " (did you mean 'name'?)\n"
		  "problem /k/1 1:23 'name' is a required property\n"
		  "problem /k/1/add 1:43 10 is greater than the maximum of 9" },
		{ "{\"k\": [{\"name\": \"a\", \"steps\": [{}]}]}",
		  "problem /k/0/steps/0 1:32 'add' is a required property" },
		{ NULL, NULL },
	};
	const limen_option *rows = ROWS(LIMEN_OPT_ROWS(fields, rows, step, step_rows, .key = "k"));
	const limen_option *secret = ROWS(LIMEN_OPT_ROWS(fields, rows, step, step_rows, .key = "k",
	                                                 .secret = true));
	fields got = { .rows = { NULL, 0 } };
	const step *steps;

	check_options(rows, &got, cases);
	CU_ASSERT_STRING_EQUAL(fill_options(secret, "{\"k\": [{\"name\": \"A\"}]}", &got, NULL),
	                       "problem /k/0/name 1:17 (secret) does not match '[a-z]*'");
	CU_ASSERT_STRING_EQUAL(
		fill_options(rows, "{\"k\": [{\"name\": \"a\", \"words\": [\"w\"]}, {\"name\": \"b\","
	                     " \"add\": 1, \"steps\": [{\"add\": 1}, {\"add\": 2}]}]}",
		             &got, NULL),
		"");
	CU_ASSERT_EQUAL_FATAL(got.rows.count, 2);
	steps = got.rows.items;
	CU_ASSERT_STRING_EQUAL(steps[0].name, "a");
	CU_ASSERT_EQUAL(steps[0].add, 7);
	CU_ASSERT_EQUAL_FATAL(steps[0].words.count, 1);
	CU_ASSERT_STRING_EQUAL(steps[0].words.items[0], "w");
	CU_ASSERT_EQUAL(steps[0].steps.count, 0);
	CU_ASSERT_STRING_EQUAL(steps[1].name, "b");
	CU_ASSERT_EQUAL(steps[1].add, 1);
	CU_ASSERT_EQUAL_FATAL(steps[1].steps.count, 2);
	CU_ASSERT_EQUAL(((const step *)steps[1].steps.items)[1].add, 2);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "lists of strings", test_strings },
		{ "lists of integers", test_ints },
		{ "lists of integers and ranges", test_ranges },
		{ "lists of addresses and networks", test_cidrs },
		{ "lists have a least length", test_counts },
		{ "strings match a pattern from end to end", test_patterns },
		{ "lists of objects fill arrays of structs", test_rows },
		{ NULL, NULL },
	};
	int status = suite_run("core/option_list", tests);

	option_run_free();
	return status;
}
