/* SPDX-License-Identifier: Apache-2.0 */
#include "option_case.h"

typedef struct fields {
	limen_strings strings;
	limen_ints ints;
	limen_ranges ranges;
	const limen_cidr_set *cidrs;
} fields;

#define ROWS(row) (const limen_option[]){ row, LIMEN_OPT_END }

static void
test_strings(void)
{
	#define ANY_RANGE " (write a number, or a range such as {\"lower\": 8, \"upper\": 17})"

static const option_case cases[] = {
		{ "{\"k\": []}", "" },
		{ "{\"k\": [\"\"]}", "" },
		{ "{\"k\": \"a\"}", "problem /k 1:7 'a' is not of type 'array'" },
		{ "{\"k\": {\"0\": \"a\"}}", "problem /k 1:7 {'0': 'a'} is not of type 'array'" },
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
		{ "{\"k\": 1}", "problem /k 1:7 1 is not of type 'array'" },
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
	  "problem /k/0 1:8 'upper' is a required property (upper: the upper end of the range)" },
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
	{ "{\"k\": \"10.0.0.0/8\"}", "problem /k 1:7 '10.0.0.0/8' is not of type 'array'" },
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

SUITE()
{
	static const struct suite_test tests[] = {
		{ "lists of strings", test_strings },
		{ "lists of integers", test_ints },
		{ "lists of integers and ranges", test_ranges },
		{ "lists of addresses and networks", test_cidrs },
		{ NULL, NULL },
	};
	int status = suite_run("core/option_list", tests);

	option_run_free();
	return status;
}
