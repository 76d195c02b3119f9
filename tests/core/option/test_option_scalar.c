/* SPDX-License-Identifier: Apache-2.0 */
#include "option_case.h"

typedef struct fields {
	const char *text;
	int64_t number;
	double real;
	bool flag;
	int colour;
	const limen_path *path;
	limen_value value;
	limen_store *store;
} fields;

static const char *const colours[] = { "red", "green", "", NULL };

#define ROWS(row) (const limen_option[]){ row, LIMEN_OPT_END }

static void
test_string(void)
{
	static const option_case cases[] = {
		{ "{\"k\": \"\"}", "" },
		{ "{\"k\": \"é\\n\"}", "" },
		{ "{\"k\": 1}", "problem /k 1:7 1 is not of type 'string' (write it in quotes)" },
		{ "{\"k\": [\"a\"]}", "problem /k 1:7 ['a'] is not of type 'string'" },
		{ "{\"k\": \"a\\u0000b\"}", "problem /k 1:7 'a\\x00b' holds a NUL character" },
		{ NULL, NULL },
	};
	fields got = { .text = NULL };

	check_options(ROWS(LIMEN_OPT_STRING(fields, text, .key = "k")), &got, cases);
}

static void
test_integer_shapes(void)
{
	static const option_case cases[] = {
		{ "{\"k\": 0}", "" },
		{ "{\"k\": 1.0}", "" },
		{ "{\"k\": 1e3}", "" },
		{ "{\"k\": -0}", "" },
		{ "{\"k\": 9223372036854775807}", "" },
		{ "{\"k\": -9223372036854775808}", "" },
		{ "{\"k\": 9223372036854775808}",
		  "problem /k 1:7 9223372036854775808 is not of type 'integer'" },
		{ "{\"k\": -9223372036854775809}",
		  "problem /k 1:7 -9223372036854775809 is not of type 'integer'" },
		{ "{\"k\": 1.5}", "problem /k 1:7 1.5 is not of type 'integer'" },
		{ "{\"k\": NaN}", "problem /k 1:7 nan is not of type 'integer'" },
		{ "{\"k\": \"1\"}", "problem /k 1:7 '1' is not of type 'integer'" },
		{ "{\"k\": true}", "problem /k 1:7 True is not of type 'integer'" },
		{ NULL, NULL },
	};
	fields got = { .number = 0 };

	check_options(ROWS(LIMEN_OPT_INT(fields, number, .key = "k")), &got, cases);
}

static void
test_hours(void)
{
	static const option_case cases[] = {
		{ "{\"k\": 23}", "" },
		{ "{\"k\": 24}", "problem /k 1:7 24 is greater than the maximum of 23"
		                 " (hours are 0 to 23; hour 23 lasts until 24:00)" },
		{ "{\"k\": 25}", "problem /k 1:7 25 is greater than the maximum of 23" },
		{ NULL, NULL },
	};
	fields got = { .number = 0 };

	check_options(ROWS(LIMEN_OPT_INT(fields, number, .key = "k", .maximum = 23)), &got, cases);
}

typedef struct bound_case {
	int64_t minimum;
	int64_t maximum;
	int64_t value;
	const char *problem; /* without its place; NULL: good */
} bound_case;

static const bound_case bounds[] = {
	{ 0, 0, INT64_MIN, NULL },
	{ 0, 0, INT64_MAX, NULL },
	{ 1, 9, 0, "0 is less than the minimum of 1" },
	{ 1, 9, 1, NULL },
	{ 1, 9, 9, NULL },
	{ 1, 9, 10, "10 is greater than the maximum of 9" },
	{ 0, 9, -1, "-1 is less than the minimum of 0" },
	{ 0, 9, 0, NULL },
	{ -5, 0, -6, "-6 is less than the minimum of -5" },
	{ -5, 0, -5, NULL },
	{ -5, 0, 0, NULL },
	{ -5, 0, 1, "1 is greater than the maximum of 0" },
	/* A minimum alone. */
	{ 1, 0, 0, "0 is less than the minimum of 1" },
	{ 1, 0, INT64_MAX, NULL },
	{ -5, -2, -1, "-1 is greater than the maximum of -2" },
	{ -5, -2, -2, NULL },
	{ 7, 7, 7, NULL },
	{ 7, 7, 8, "8 is greater than the maximum of 7" },
};

static void
check_bound(const bound_case *bound)
{
	const limen_option *integer = ROWS(LIMEN_OPT_INT(fields, number, .key = "k",
	                                                 .minimum = bound->minimum,
	                                                 .maximum = bound->maximum));
	const limen_option *real = ROWS(LIMEN_OPT_REAL(fields, real, .key = "k",
	                                               .minimum = bound->minimum,
	                                               .maximum = bound->maximum));
	fields got = { .number = 0 };
	char json[64];
	char wanted[128] = "";

	snprintf(json, sizeof(json), "{\"k\": %lld}", (long long)bound->value);
	if (bound->problem != NULL)
		snprintf(wanted, sizeof(wanted), "problem /k 1:7 %s", bound->problem);
	CU_ASSERT_STRING_EQUAL(fill_options(integer, json, &got, NULL), wanted);
	CU_ASSERT_STRING_EQUAL(fill_options(real, json, &got, NULL), wanted);
	CU_ASSERT_EQUAL(got.number, bound->problem == NULL ? bound->value : 0);
	CU_ASSERT_EQUAL(got.real, bound->problem == NULL ? (double)bound->value : 0);
}

static void
test_bounds(void)
{
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		check_bound(&bounds[i]);
}

static void
test_real_bounds(void)
{
	static const option_case cases[] = {
		{ "{\"k\": -0.0}", "" },
		{ "{\"k\": 1.0}", "" },
		{ "{\"k\": -1e-300}", "problem /k 1:7 -1e-300 is less than the minimum of 0" },
		{ "{\"k\": 1.0000000000000002}",
		  "problem /k 1:7 1.0000000000000002 is greater than the maximum of 1" },
		{ "{\"k\": Infinity}", "problem /k 1:7 inf is greater than the maximum of 1" },
		{ "{\"k\": -Infinity}", "problem /k 1:7 -inf is less than the minimum of 0" },
		{ "{\"k\": NaN}", "problem /k 1:7 nan is less than the minimum of 0" },
		{ NULL, NULL },
	};
	fields got = { .real = 0 };

	check_options(ROWS(LIMEN_OPT_REAL(fields, real, .key = "k", .maximum = 1)), &got, cases);
}

static void
test_real_and_bool(void)
{
	static const option_case reals[] = {
		{ "{\"k\": 1}", "" },
		{ "{\"k\": -2.5e-3}", "" },
		{ "{\"k\": Infinity}", "" },
		{ "{\"k\": \"1\"}", "problem /k 1:7 '1' is not of type 'number'" },
		{ "{\"k\": false}", "problem /k 1:7 False is not of type 'number'" },
		{ NULL, NULL },
	};
	static const option_case flags[] = {
		{ "{\"k\": true}", "" },
		{ "{\"k\": false}", "" },
		{ "{\"k\": 0}", "problem /k 1:7 0 is not of type 'boolean'" },
		{ "{\"k\": \"true\"}", "problem /k 1:7 'true' is not of type 'boolean'" },
		{ "{\"k\": null}", "problem /k 1:7 None is not of type 'boolean'" },
		{ NULL, NULL },
	};
	fields got = { .real = 0 };

	check_options(ROWS(LIMEN_OPT_REAL(fields, real, .key = "k")), &got, reals);
	check_options(ROWS(LIMEN_OPT_BOOL(fields, flag, .key = "k")), &got, flags);
}

static void
test_enum(void)
{
	static const option_case cases[] = {
		{ "{\"k\": \"red\"}", "" },
		{ "{\"k\": \"\"}", "" },
		{ "{\"k\": \"Red\"}", "problem /k 1:7 'Red' is not one of ['red', 'green', ''] (did you mean 'red'?)" },
		{ "{\"k\": \"red\\u0000\"}",
		  "problem /k 1:7 'red\\x00' is not one of ['red', 'green', ''] (did you mean 'red'?)" },
		{ "{\"k\": 0}", "problem /k 1:7 0 is not one of ['red', 'green', '']" },
		{ NULL, NULL },
	};
	const limen_option *rows = ROWS(LIMEN_OPT_ENUM(fields, colour, .key = "k",
	                                               .choices = colours));
	fields got = { .colour = 7 };

	check_options(rows, &got, cases);
	fill_options(rows, "{\"k\": \"green\"}", &got, NULL);
	CU_ASSERT_EQUAL(got.colour, 1);
}

static void
test_path(void)
{
	static const option_case cases[] = {
		{ "{\"k\": \"\"}", "" },
		{ "{\"k\": \"/\"}", "" },
		{ "{\"k\": \"/a~1b/0/~0\"}", "" },
		{ "{\"k\": \"/a\\u0000b\"}", "" },
		{ "{\"k\": \"a\"}", "problem /k 1:7 'a' is not a JSON pointer"
		  " (a JSON pointer begins with '/', as in '/test/spec')" },
		{ "{\"k\": \"/~2\"}", "problem /k 1:7 '/~2' is not a JSON pointer" },
		{ "{\"k\": \"/~\"}", "problem /k 1:7 '/~' is not a JSON pointer" },
		{ "{\"k\": 1}", "problem /k 1:7 1 is not of type 'string'" },
		{ NULL, NULL },
	};
	fields got = { .path = NULL };

	check_options(ROWS(LIMEN_OPT_PATH(fields, path, .key = "k")), &got, cases);
}

/* RFC 3986: scheme ":" and then something, of the characters section 2 allows. */
static void
test_url(void)
{
	static const option_case cases[] = {
		{ "{\"k\": \"https://example.org/a?b=c#d\"}", "" },
		{ "{\"k\": \"urn:x\"}", "" },
		{ "{\"k\": \"a+.-9:x\"}", "" },
		{ "{\"k\": \"http://[2001:db8::1]/%20\"}", "" },
		{ "{\"k\": \"\"}", "problem /k 1:7 '' is not a 'uri'" },
		{ "{\"k\": \"/path\"}", "problem /k 1:7 '/path' is not a 'uri'" },
		{ "{\"k\": \"http\"}", "problem /k 1:7 'http' is not a 'uri'" },
		{ "{\"k\": \"http:\"}", "problem /k 1:7 'http:' is not a 'uri'" },
		{ "{\"k\": \"9p://x\"}", "problem /k 1:7 '9p://x' is not a 'uri'" },
		{ "{\"k\": \"http://a b\"}", "problem /k 1:7 'http://a b' is not a 'uri'" },
		{ "{\"k\": \"http://é\"}", "problem /k 1:7 'http://é' is not a 'uri'" },
		{ "{\"k\": \"http://a\\n\"}", "problem /k 1:7 'http://a\\n' is not a 'uri'" },
		{ "{\"k\": \"//u:pass@h/\"}",
		  "problem /k 1:7 the value (not shown, it may hold a password) is not a 'uri'" },
		{ "{\"k\": \"//h/?key=s3cret\"}",
		  "problem /k 1:7 the value (not shown, it may hold a password) is not a 'uri'" },
		{ "{\"k\": \"//h/#s3cret\"}",
		  "problem /k 1:7 the value (not shown, it may hold a password) is not a 'uri'" },
		{ "{\"k\": \"http://a|b\"}", "problem /k 1:7 'http://a|b' is not a 'uri'" },
		{ "{\"k\": \"http://a\\u0000\"}",
		  "problem /k 1:7 'http://a\\x00' holds a NUL character" },
		{ "{\"k\": {}}", "problem /k 1:7 {} is not of type 'string'" },
		{ "{\"k\": [\"http://u:pass@h/\"]}",
		  "problem /k 1:7 (secret) is not of type 'string'" },
		{ NULL, NULL },
	};
	fields got = { .text = NULL };

	check_options(ROWS(LIMEN_OPT_URL(fields, text, .key = "k")), &got, cases);
}

static void
test_raw(void)
{
	static const option_case objects[] = {
		{ "{\"k\": {}}", "" },
		{ "{\"k\": []}", "problem /k 1:7 [] is not of type 'object'" },
		{ "{\"k\": null}", "problem /k 1:7 None is not of type 'object'" },
		{ NULL, NULL },
	};
	fields got = { .text = NULL };

	CU_ASSERT_STRING_EQUAL(fill_options(ROWS(LIMEN_OPT_JSON(fields, value, .key = "k")),
	                                    "{\"k\": null}", &got, NULL),
	                       "");
	CU_ASSERT_EQUAL(limen_value_type(got.value), LIMEN_TYPE_NULL);
	check_options(ROWS(LIMEN_OPT_OBJECT(fields, value, .key = "k")), &got, objects);
}

static const char *asked;

/* Knows the stores "there" and, without a name, the default one. */
static limen_store *
find_store(void *data, const char *name, limen_value where)
{
	(void)where;
	asked = name == NULL ? "(default)" : name;
	return name == NULL || strcmp(name, "there") == 0 ? data : NULL;
}

static void
test_store(void)
{
	static char something;
	const limen_option *rows = ROWS(LIMEN_OPT_STORE(fields, store, .key = "k"));
	const limen_option *named = ROWS(LIMEN_OPT_STORE(fields, store, .key = "k",
	                                                 .fallback = "there"));
	options_context context = { .find_store = find_store, .find_data = &something };
	fields got = { .store = NULL };

	CU_ASSERT_STRING_EQUAL(fill_options(rows, "{}", &got, &context), "");
	CU_ASSERT_STRING_EQUAL(asked, "(default)");
	CU_ASSERT_PTR_EQUAL((void *)got.store, &something);
	CU_ASSERT_STRING_EQUAL(fill_options(rows, "{\"k\": \"there\"}", &got, &context), "");
	CU_ASSERT_STRING_EQUAL(asked, "there");
	CU_ASSERT_STRING_EQUAL(fill_options(named, "{}", &got, &context), "");
	CU_ASSERT_STRING_EQUAL(asked, "there");
	CU_ASSERT_STRING_EQUAL(fill_options(rows, "{\"k\": 1}", &got, &context),
	                       "problem /k 1:7 1 is not of type 'string' (write it in quotes)");
	CU_ASSERT_STRING_EQUAL(fill_options(rows, "{\"k\": \"x\"}", &got, NULL),
	                       "problem /k 1:7 a store cannot be used here");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "strings", test_string },
		{ "integers are whole numbers of 64 bits", test_integer_shapes },
		{ "hour 24 has a hint", test_hours },
		{ "integers and numbers have bounds, or none", test_bounds },
		{ "a number that is none is within no bounds", test_real_bounds },
		{ "real numbers and booleans", test_real_and_bool },
		{ "words of a choice", test_enum },
		{ "JSON pointers", test_path },
		{ "absolute URIs", test_url },
		{ "raw values and objects", test_raw },
		{ "names of stores", test_store },
		{ NULL, NULL },
	};
	int status = suite_run("core/option_scalar", tests);

	option_run_free();
	return status;
}
