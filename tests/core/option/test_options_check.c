/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes of authors in the rows of their table, found when the module is loaded. */
#include "option_case.h"

typedef struct fields {
	int64_t number;
	double real;
	limen_ints numbers;
	limen_store *store;
	const char *text;
	limen_transform transform;
} fields;

static const char *const colours[] = { "red", "green", NULL };
static const char *const no_words[] = { NULL };

typedef struct check_case {
	limen_option row;
	const char *problem; /* about option 1; NULL: it is good */
} check_case;

/* A row of a type, its key and the address of a field that is large enough for any. */
#define ROW(kind) .type = LIMEN_OPTION_##kind, .key = "k"

static const limen_option inner[] = {
	{ .type = LIMEN_OPTION_INT, .key = "inner" },
	LIMEN_OPT_END
};

static const limen_option bad_inner[] = {
	{ .type = LIMEN_OPTION_INT, .key = "inner" },
	{ .type = LIMEN_OPTION_INT, .key = "inner" },
	LIMEN_OPT_END
};

#define NO_JSON \
	" 'k': 'fallback': Invalid JSON: Expecting value: line 1 column 1 (char 0)"

static const check_case cases[] = {
	{ { ROW(INT) }, NULL },
	{ { .type = LIMEN_OPTION_INT }, ": 'key' is missing" },
	{ { .type = LIMEN_OPTION_INT, .key = "" }, " '': 'key' is missing" },
	{ { .type = LIMEN_OPTION_SCRIPT, .key = "k" }, NULL },
	{ { .type = LIMEN_OPTION_DATE + 1, .key = "k" }, " 'k': 'type' 23 does not exist" },
	{ { .type = UINT32_MAX, .key = "k" }, " 'k': 'type' 4294967295 does not exist" },
	/* The instance has 64 bytes. */
	{ { ROW(INT), .offset = 56 }, NULL },
	{ { ROW(INT), .offset = 57 }, " 'k': 'offset' 57 is outside of the instance of 64 bytes"
	                              " (does the descriptor say '.instance_size'?)" },
	{ { ROW(INT), .offset = 4 }, " 'k': 'offset' 4 is not a multiple of 8" },
	{ { ROW(ENUM), .choices = colours, .offset = 4 }, NULL },
	{ { ROW(ENUM), .choices = colours, .offset = 2 }, " 'k': 'offset' 2 is not a multiple of 4" },
	{ { ROW(STRING), .offset = 1 }, " 'k': 'offset' 1 is not a multiple of 8" },
	{ { ROW(BOOL), .offset = 63 }, NULL },
	{ { ROW(BOOL), .offset = 64 }, " 'k': 'offset' 64 is outside of the instance of 64 bytes"
	                               " (does the descriptor say '.instance_size'?)" },
	{ { ROW(BOOL), .offset = UINT32_MAX },
	  " 'k': 'offset' 4294967295 is outside of the instance of 64 bytes"
	  " (does the descriptor say '.instance_size'?)" },
	{ { ROW(INT), .minimum = 3, .maximum = 3 }, NULL },
	{ { ROW(INT), .minimum = 4, .maximum = 3 }, " 'k': 'minimum' 4 is above 'maximum' 3" },
	{ { ROW(INT), .minimum = 4 }, NULL },
	{ { ROW(INT), .minimum = -4 }, NULL },
	{ { ROW(INT), .maximum = -4 }, " 'k': 'minimum' 0 is above 'maximum' -4" },
	{ { ROW(INTS), .minimum = 1 }, NULL },
	{ { ROW(RANGES), .maximum = 1 }, NULL },
	{ { ROW(REAL), .maximum = 1 }, NULL },
	{ { ROW(DURATION), .minimum = 1 }, NULL },
	{ { ROW(STRING), .minimum = 1 }, " 'k': 'minimum' is for numbers and durations" },
	{ { ROW(BOOL), .maximum = 1 }, " 'k': 'maximum' is for numbers and durations" },
	{ { ROW(ENUM), .choices = colours }, NULL },
	{ { ROW(ENUM) }, " 'k': 'choices' is missing" },
	{ { ROW(ENUM), .choices = no_words }, " 'k': 'choices' is missing" },
	{ { ROW(STRING), .choices = colours }, " 'k': 'choices' is for LIMEN_OPT_ENUM" },
	{ { ROW(INT), .minimum = 1, .fallback = "1" }, NULL },
	{ { ROW(INT), .minimum = 1, .fallback = "0" },
	  " 'k': 'fallback': 0 is less than the minimum of 1" },
	{ { ROW(INT), .required = true, .fallback = "1" },
	  " 'k': 'fallback' is never used: the option is required" },
	{ { ROW(INT), .fallback = "ten" }, NO_JSON },
	{ { ROW(STRING), .fallback = "\xff\xfe" }, " 'k': 'fallback' is not UTF-8" },
	{ { ROW(INT), .fallback = "" }, NO_JSON },
	{ { ROW(INTS), .fallback = "[1, 2]" }, NULL },
	{ { ROW(INTS), .fallback = "[1, true]" },
	  " 'k': 'fallback': True is not of type 'integer'" },
	{ { ROW(BOOL), .fallback = "True" }, NO_JSON },
	{ { ROW(STRING), .fallback = "" }, NULL },
	{ { ROW(DURATION), .fallback = "PT5M" }, NULL },
	{ { ROW(DURATION), .fallback = "5m5" },
	  " 'k': 'fallback': '5m5' is not a valid ISO 8601 duration." },
	{ { ROW(ENUM), .choices = colours, .fallback = "green" }, NULL },
	{ { ROW(ENUM), .choices = colours, .fallback = "blue" },
	  " 'k': 'fallback': 'blue' is not one of ['red', 'green']" },
	{ { ROW(CIDRS), .fallback = "[\"::/0\"]" }, NULL },
	{ { ROW(TRANSFORM), .fallback = "{\"script\": \".\"}" }, NULL },
	{ { ROW(URL), .fallback = "a b", .secret = true },
	  " 'k': 'fallback': (secret) is not a 'uri'" },
	{ { ROW(STRING), .pattern = "a+" }, NULL },
	{ { ROW(STRINGS), .pattern = "a+", .minimum_count = 1 }, NULL },
	{ { ROW(URL), .pattern = "a+" },
	  " 'k': 'pattern' is for LIMEN_OPT_STRING and LIMEN_OPT_STRINGS" },
	{ { ROW(STRING), .pattern = "a(" },
	  " 'k': 'pattern': Invalid regular expression: missing closing parenthesis at position 2" },
	{ { ROW(STRING), .pattern = "a+", .fallback = "a" }, NULL },
	{ { ROW(STRING), .pattern = "a+", .fallback = "b" },
	  " 'k': 'fallback': 'b' does not match 'a+'" },
	{ { ROW(INTS), .minimum_count = 1 }, NULL },
	{ { ROW(INTS), .minimum_count = 1, .fallback = "[]" },
	  " 'k': 'fallback': [] is too short" },
	{ { ROW(RANGES), .minimum_count = 1 }, NULL },
	{ { ROW(CIDRS), .minimum_count = 1 }, NULL },
	{ { ROW(JSON), .minimum_count = 1 }, " 'k': 'minimum_count' is for lists" },
	{ { ROW(JSON), .reserved = { [6] = 1 } }, " 'k': 'reserved' is not 0" },
	{ { ROW(ROWS), .rows = inner, .row_size = 8, .minimum_count = 1 }, NULL },
	{ { ROW(ROWS), .rows = inner, .row_size = 7 },
	  " 'k': option 1 'inner': 'offset' 0 is outside of the struct of 7 bytes" },
	{ { ROW(ROWS), .row_size = 8 }, " 'k': 'rows' is missing" },
	{ { ROW(ROWS), .rows = inner }, " 'k': 'row_size' is missing" },
	{ { ROW(STRINGS), .rows = inner }, " 'k': 'rows' is for LIMEN_OPT_ROWS" },
	{ { ROW(STRINGS), .row_size = 8 }, " 'k': 'row_size' is for LIMEN_OPT_ROWS" },
	{ { ROW(ROWS), .rows = bad_inner, .row_size = 16 },
	  " 'k': option 2 'inner': 'key' is that of option 1" },
	{ { ROW(ROWS), .rows = inner, .row_size = 8, .fallback = "[{\"inner\": 1}]" }, NULL },
	{ { ROW(ROWS), .rows = inner, .row_size = 8, .fallback = "[{\"inner\": true}]" },
	  " 'k': 'fallback': True is not of type 'integer'" },
	{ { .type = LIMEN_OPTION_BOOL, .key = "#k" },
	  " '#k': policies have comments under keys that begin with '#'" },
	/* Stores are known when a policy is loaded. */
	{ { ROW(STORE), .fallback = "any" }, NULL },
};

/* Checks a table for the instance of 64 bytes of the module limit/cap. */
static char *
find_mistakes(const limen_option *rows)
{
	limen_diag *diag = limen_diag_new();
	bool good = options_check(rows, 64, "limit/cap", diag, limen_value_none());
	char *found = problems_print(diag, false);

	CU_ASSERT_EQUAL(good, limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0);
	limen_diag_free(diag);
	return found;
}

static void
test_rows(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const limen_option rows[] = { cases[i].row, LIMEN_OPT_END };
		char *found = find_mistakes(rows);
		char wanted[256] = "";

		if (cases[i].problem != NULL)
			snprintf(wanted, sizeof(wanted),
			         "problem - 0:0 the module limit/cap is refused: option 1%s",
			         cases[i].problem);
		if (strcmp(found, wanted) != 0)
			printf("# case %zu\n#  wanted: %s\n#  found:  %s\n", i, wanted, found);
		CU_ASSERT_STRING_EQUAL(found, wanted);
		free(found);
	}
}

/* All rows are checked, and a key counts where it comes again. */
static void
test_table(void)
{
	static const limen_option rows[] = {
		{ ROW(INT) },
		{ .type = LIMEN_OPTION_BOOL },
		{ ROW(BOOL) },
		{ .type = LIMEN_OPTION_BOOL, .key = "K" },
		LIMEN_OPT_END
	};
	char *found = find_mistakes(rows);

	CU_ASSERT_STRING_EQUAL(
		found, "problem - 0:0 the module limit/cap is refused: option 2: 'key' is missing\n"
		       "problem - 0:0 the module limit/cap is refused: option 3 'k': 'key' is that "
		       "of option 1");
	free(found);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a mistake in a row is found", test_rows },
		{ "all rows are checked", test_table },
		{ NULL, NULL },
	};

	return suite_run("core/options_check", tests);
}
