/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "suite.h"
#include "reader/yaml_scalar.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct scalar_case {
	const char *text;
	bool plain;
	yaml_tag tag;
	limen_type type;     /* NONE: refused */
	const char *expects; /* string, number; "true" or "false"; why it is refused */
	yaml_remark remark;
} scalar_case;

static const scalar_case plain_cases[] = {
	{ "", true, YAML_TAG_NONE, LIMEN_TYPE_NULL, NULL, YAML_REMARK_NONE },
	{ "~", true, YAML_TAG_NONE, LIMEN_TYPE_NULL, NULL, YAML_REMARK_NONE },
	{ "null", true, YAML_TAG_NONE, LIMEN_TYPE_NULL, NULL, YAML_REMARK_NONE },
	{ "Null", true, YAML_TAG_NONE, LIMEN_TYPE_NULL, NULL, YAML_REMARK_NONE },
	{ "NULL", true, YAML_TAG_NONE, LIMEN_TYPE_NULL, NULL, YAML_REMARK_NONE },
	{ "nUll", true, YAML_TAG_NONE, LIMEN_TYPE_STRING, "nUll", YAML_REMARK_NONE },
	{ "true", true, YAML_TAG_NONE, LIMEN_TYPE_BOOL, "true", YAML_REMARK_NONE },
	{ "True", true, YAML_TAG_NONE, LIMEN_TYPE_BOOL, "true", YAML_REMARK_NONE },
	{ "FALSE", true, YAML_TAG_NONE, LIMEN_TYPE_BOOL, "false", YAML_REMARK_NONE },
	{ "tRue", true, YAML_TAG_NONE, LIMEN_TYPE_STRING, "tRue", YAML_REMARK_NONE },
	{ "yes", true, YAML_TAG_NONE, LIMEN_TYPE_STRING, "yes", YAML_REMARK_WORD },
	{ "No", true, YAML_TAG_NONE, LIMEN_TYPE_STRING, "No", YAML_REMARK_WORD },
	{ "ON", true, YAML_TAG_NONE, LIMEN_TYPE_STRING, "ON", YAML_REMARK_WORD },
	{ "off", true, YAML_TAG_NONE, LIMEN_TYPE_STRING, "off", YAML_REMARK_WORD },
	{ "y", true, YAML_TAG_NONE, LIMEN_TYPE_STRING, "y", YAML_REMARK_WORD },
	{ "N", true, YAML_TAG_NONE, LIMEN_TYPE_STRING, "N", YAML_REMARK_WORD },
	{ "nO", true, YAML_TAG_NONE, LIMEN_TYPE_STRING, "nO", YAML_REMARK_NONE },
	{ "1", true, YAML_TAG_NONE, LIMEN_TYPE_INTEGER, "1", YAML_REMARK_NONE },
	{ "010", true, YAML_TAG_NONE, LIMEN_TYPE_INTEGER, "8", YAML_REMARK_NUMBER },
	{ "1.5", true, YAML_TAG_NONE, LIMEN_TYPE_REAL, "1.5", YAML_REMARK_NONE },
	{ "1.5.1", true, YAML_TAG_NONE, LIMEN_TYPE_STRING, "1.5.1", YAML_REMARK_NONE },
	{ ".inf", true, YAML_TAG_NONE, LIMEN_TYPE_NONE, "is not a number that JSON can hold",
	  YAML_REMARK_NONE },
	{ "0x12345678901234567", true, YAML_TAG_NONE, LIMEN_TYPE_NONE, "does not fit in 64 bits",
	  YAML_REMARK_NONE },
	{ "2026-11-21", true, YAML_TAG_NONE, LIMEN_TYPE_STRING, "2026-11-21", YAML_REMARK_NONE },
};

static const scalar_case quoted_cases[] = {
	{ "", false, YAML_TAG_NONE, LIMEN_TYPE_STRING, "", YAML_REMARK_NONE },
	{ "null", false, YAML_TAG_NONE, LIMEN_TYPE_STRING, "null", YAML_REMARK_NONE },
	{ "true", false, YAML_TAG_NONE, LIMEN_TYPE_STRING, "true", YAML_REMARK_NONE },
	{ "yes", false, YAML_TAG_NONE, LIMEN_TYPE_STRING, "yes", YAML_REMARK_NONE },
	{ "010", false, YAML_TAG_NONE, LIMEN_TYPE_STRING, "010", YAML_REMARK_NONE },
	{ ".nan", false, YAML_TAG_NONE, LIMEN_TYPE_STRING, ".nan", YAML_REMARK_NONE },
};

static const scalar_case tagged_cases[] = {
	{ "5", true, YAML_TAG_TEXT, LIMEN_TYPE_STRING, "5", YAML_REMARK_NONE },
	{ "", true, YAML_TAG_TEXT, LIMEN_TYPE_STRING, "", YAML_REMARK_NONE },
	{ "yes", true, YAML_TAG_TEXT, LIMEN_TYPE_STRING, "yes", YAML_REMARK_NONE },
	{ "0x10", false, YAML_TAG_INT, LIMEN_TYPE_INTEGER, "16", YAML_REMARK_NONE },
	{ "1.0", true, YAML_TAG_INT, LIMEN_TYPE_NONE, "is not an integer", YAML_REMARK_NONE },
	{ "a", true, YAML_TAG_INT, LIMEN_TYPE_NONE, "is not an integer", YAML_REMARK_NONE },
	{ "", true, YAML_TAG_INT, LIMEN_TYPE_NONE, "is not an integer", YAML_REMARK_NONE },
	{ "1", true, YAML_TAG_FLOAT, LIMEN_TYPE_INTEGER, "1", YAML_REMARK_NONE },
	{ "1.5", false, YAML_TAG_FLOAT, LIMEN_TYPE_REAL, "1.5", YAML_REMARK_NONE },
	{ "a", true, YAML_TAG_FLOAT, LIMEN_TYPE_NONE, "is not a number", YAML_REMARK_NONE },
	{ "true", false, YAML_TAG_BOOL, LIMEN_TYPE_BOOL, "true", YAML_REMARK_NONE },
	{ "yes", true, YAML_TAG_BOOL, LIMEN_TYPE_BOOL, "true", YAML_REMARK_NONE },
	{ "y", true, YAML_TAG_BOOL, LIMEN_TYPE_BOOL, "true", YAML_REMARK_NONE },
	{ "N", true, YAML_TAG_BOOL, LIMEN_TYPE_BOOL, "false", YAML_REMARK_NONE },
	{ "off", true, YAML_TAG_BOOL, LIMEN_TYPE_BOOL, "false", YAML_REMARK_NONE },
	{ "1", true, YAML_TAG_BOOL, LIMEN_TYPE_NONE, "is not a boolean", YAML_REMARK_NONE },
	{ "", false, YAML_TAG_NULL, LIMEN_TYPE_NULL, NULL, YAML_REMARK_NONE },
	{ "0", true, YAML_TAG_NULL, LIMEN_TYPE_NONE, "is not null", YAML_REMARK_NONE },
	{ "a", true, YAML_TAG_SEQ, LIMEN_TYPE_NONE, "has a tag that does not fit a scalar",
	  YAML_REMARK_NONE },
	{ "<<", true, YAML_TAG_MERGE, LIMEN_TYPE_NONE, "has a tag that does not fit a scalar",
	  YAML_REMARK_NONE },
};

static void
check_case(const scalar_case *test)
{
	arena memory = ARENA_INIT;
	yaml_scalar found;
	int result = yaml_scalar_resolve(test->text, strlen(test->text), test->plain, test->tag,
	                                 false, &memory, &found);

	if (test->type == LIMEN_TYPE_NONE) {
		CU_ASSERT_EQUAL(result, LIMEN_EINVAL);
		CU_ASSERT_STRING_EQUAL(found.problem, test->expects);
		arena_free(&memory);
		return;
	}
	CU_ASSERT_EQUAL(result, LIMEN_OK);
	CU_ASSERT_EQUAL(found.type, test->type);
	CU_ASSERT_EQUAL(found.remark, test->remark);
	if (test->type == LIMEN_TYPE_BOOL) {
		CU_ASSERT_EQUAL(found.truth, test->expects[0] == 't');
	} else if (test->type != LIMEN_TYPE_NULL) {
		CU_ASSERT_EQUAL_FATAL(found.length, strlen(test->expects));
		CU_ASSERT_EQUAL(memcmp(found.text, test->expects, found.length), 0);
	}
	arena_free(&memory);
}

static void
test_plain(void)
{
	for (size_t i = 0; i < COUNT(plain_cases); i++)
		check_case(&plain_cases[i]);
}

static void
test_quoted(void)
{
	for (size_t i = 0; i < COUNT(quoted_cases); i++)
		check_case(&quoted_cases[i]);
}

static void
test_tagged(void)
{
	for (size_t i = 0; i < COUNT(tagged_cases); i++)
		check_case(&tagged_cases[i]);
}

static void
test_special(void)
{
	static const struct {
		const char *text, *json;
	} cases[] = { { ".inf", "Infinity" },   { "+.Inf", "Infinity" }, { "-.INF", "-Infinity" },
		      { ".nan", "NaN" },        { ".NaN", "NaN" },       { ".NAN", "NaN" } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		yaml_scalar found;

		CU_ASSERT_EQUAL(yaml_scalar_resolve(cases[i].text, strlen(cases[i].text), true,
		                                    YAML_TAG_NONE, true, NULL, &found),
		                LIMEN_OK);
		CU_ASSERT_STRING_EQUAL(found.text, cases[i].json);
		CU_ASSERT_EQUAL(found.type, LIMEN_TYPE_REAL);
	}
}

static void
test_tag_names(void)
{
	static const struct {
		const char *name;
		yaml_tag tag;
	} cases[] = {
		{ "tag:yaml.org,2002:str", YAML_TAG_TEXT },
		{ "tag:yaml.org,2002:int", YAML_TAG_INT },
		{ "tag:yaml.org,2002:float", YAML_TAG_FLOAT },
		{ "tag:yaml.org,2002:bool", YAML_TAG_BOOL },
		{ "tag:yaml.org,2002:null", YAML_TAG_NULL },
		{ "tag:yaml.org,2002:seq", YAML_TAG_SEQ },
		{ "tag:yaml.org,2002:map", YAML_TAG_MAP },
		{ "tag:yaml.org,2002:merge", YAML_TAG_MERGE },
		{ "tag:yaml.org,2002:", YAML_TAG_UNKNOWN },
		{ "tag:yaml.org,2002:strs", YAML_TAG_UNKNOWN },
		{ "tag:yaml.org,2002:binary", YAML_TAG_UNKNOWN },
		{ "tag:yaml.org,2002", YAML_TAG_UNKNOWN },
		{ "!str", YAML_TAG_UNKNOWN },
		{ "", YAML_TAG_UNKNOWN },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		CU_ASSERT_EQUAL(yaml_tag_find(cases[i].name, strlen(cases[i].name)),
		                cases[i].tag);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "scalars without quotes", test_plain },
		{ "scalars in quotes are text", test_quoted },
		{ "tags", test_tagged },
		{ "infinities and not a number", test_special },
		{ "names of tags", test_tag_names },
		{ NULL, NULL },
	};

	return suite_run("core/yaml_scalar", tests);
}
