/* SPDX-License-Identifier: Apache-2.0 */
/* The top level of policy files: sections, schema versions, what may stand once. */
#include "conf/conf.h"

#include <stdlib.h>
#include <string.h>

#include "problems.h"
#include "suite.h"
#include "reader/reader.h"

#define TEXTS_MAX 3

typedef struct section_case {
	const char *texts[TEXTS_MAX]; /* of the files a, b and c */
	const char *problems;
} section_case;

static conf *files;
static char *problems;

static void
forget(void)
{
	conf_free(files);
	free(problems);
	files = NULL;
	problems = NULL;
}

/* Sorts 'texts' as if each were a file, and checks them together. */
static void
read_texts(const char *const *texts)
{
	static const char *const names[TEXTS_MAX] = { "a", "b", "c" };
	limen_diag *diag = limen_diag_new();

	forget();
	files = calloc(1, sizeof(*files));
	for (size_t i = 0; i < TEXTS_MAX && texts[i] != NULL; i++) {
		document *doc = json_read(names[i], texts[i], strlen(texts[i]), READ_COMMENTS,
		                          NULL);

		CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
		CU_ASSERT_TRUE(conf_add_document(files, doc, diag));
	}
	conf_check(files, diag);
	problems = problems_print(diag, true);
	limen_diag_free(diag);
}

#define VERSIONS " (schema is 1, 2, 3 or 4)"
#define REAL "%d format: a real number is required, not "
#define UNEXPECTED(key) "Additional properties are not allowed ('" key "' was unexpected)"

static const section_case cases[] = {
	{ { "{}" }, "" },
	{ { "{\"enabled\": true, \"limits\": []}" }, "" },
	/* Not an object. */
	{ { "[]" }, "problem a  1:1 Invalid limit configuration: must be a JSON object" },
	{ { "\"x\"" }, "problem a  1:1 Invalid limit configuration: must be a JSON object" },
	/* Types of sections. */
	{ { "{\"limits\": {}}" }, "problem a /limits 1:12 {} is not of type 'array'" },
	{ { "{\"rewrite\": []}" }, "problem a /rewrite 1:13 [] is not of type 'object'" },
	{ { "{\"stores\": null}" }, "problem a /stores 1:12 None is not of type 'object'" },
	{ { "{\"settings\": []}" }, "problem a /settings 1:14 [] is not of type 'object'" },
	/* Unknown keys. */
	{ { "{\"limit\": []}" },
	  "problem a  1:2 " UNEXPECTED("limit") " (did you mean 'limits'?)" },
	{ { "{\"classifications\": []}" },
	  "problem a  1:2 " UNEXPECTED("classifications") " (did you mean 'classifiers'?)" },
	{ { "{\"xyzzy\": 1,\n \"#\": 2}" }, "problem a  1:2 " UNEXPECTED("xyzzy") },
	/* Off at the top. */
	{ { "{\"enabled\": false, \"bogus\": 1}" }, "note a /enabled 1:13 this file is turned off" },
	{ { "{\"enabled\": 0}" }, "problem a /enabled 1:13 0 is not of type 'boolean'" },
	/* Versions: the texts are those of pScheduler's validator. */
	{ { "{\"schema\": 1}" }, "" },
	{ { "{\"schema\": 4.0}" }, "" },
	{ { "{\"schema\": 0}" },
	  "problem a /schema 1:12 Unresolvable JSON pointer: 'local/LimitConfiguration_V0'" VERSIONS },
	{ { "{\"schema\": 5}" },
	  "problem a /schema 1:12 Unresolvable JSON pointer: 'local/LimitConfiguration_V5'" VERSIONS },
	{ { "{\"schema\": 1.5}" }, "problem a /schema 1:12 1.5 is not of type 'integer'" VERSIONS },
	{ { "{\"schema\": \"1\"}" }, "problem a /schema 1:12 " REAL "str (schema is 1, 2, 3 or 4, without quotes)" },
	{ { "{\"schema\": null}" }, "problem a /schema 1:12 " REAL "NoneType" VERSIONS },
	{ { "{\"schema\": []}" }, "problem a /schema 1:12 " REAL "list" VERSIONS },
	{ { "{\"schema\": {}}" }, "problem a /schema 1:12 " REAL "dict" VERSIONS },
	{ { "{\"schema\": 3}", "{}", "{\"schema\": 3.0}" }, "" },
	{ { "{\"schema\": 3}", "{\"schema\": 4}" },
	  "problem b /schema 1:12 schema differs from that of an earlier file" },
	/* Sections that came with a version. */
	{ { "{\"schema\": 1, \"rewrite\": {}}" },
	  "problem a  1:1 " UNEXPECTED("rewrite") " ('rewrite' needs schema 2 or later)" },
	{ { "{\"schema\": 2, \"rewrite\": {}}" }, "" },
	{ { "{\"schema\": 2, \"priority\": {}}" },
	  "problem a  1:1 " UNEXPECTED("priority") " ('priority' needs schema 3 or later)" },
	{ { "{\"schema\": 3, \"priority\": {}}" }, "" },
	{ { "{\"schema\": 1}", "{\"rewrite\": {}}" },
	  "problem b  1:1 " UNEXPECTED("rewrite") " ('rewrite' needs schema 2 or later)" },
	/* limen's own stand in any version. */
	{ { "{\"schema\": 1, \"stores\": {}, \"modules\": [], \"settings\": {}}" }, "" },
	/* Once. */
	{ { "{\"rewrite\": {}}", "{\"priority\": {}}", "{\"rewrite\": {}}" },
	  "problem c /rewrite 1:13 'rewrite' may appear only once; it is already in a line 1" },
	{ { "{\"priority\": {}}", "{\"enabled\": false, \"priority\": {}}" },
	  "note b /enabled 1:13 this file is turned off" },
};

static void
test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		read_texts(cases[i].texts);
		if (strcmp(problems, cases[i].problems) != 0)
			printf("# %s\n#  wanted: %s\n#  found:  %s\n", cases[i].texts[0],
			       cases[i].problems, problems);
		CU_ASSERT_STRING_EQUAL(problems, cases[i].problems);
	}
}

static void
test_merge(void)
{
	static const char *const texts[] = {
		"{\"limits\": [1, 2], \"stores\": {\"x\": {}}}",
		"{\"enabled\": false, \"limits\": [9]}",
		"{\"stores\": {\"y\": {}}, \"limits\": [3]}",
	};
	const conf_list *limits;
	int64_t number;

	read_texts(texts);
	limits = &files->sections[SECTION_LIMITS];
	CU_ASSERT_EQUAL_FATAL(limits->count, 3);
	for (size_t i = 0; i < 3; i++) {
		CU_ASSERT_TRUE(limen_value_int(limits->items[i].value, &number));
		CU_ASSERT_EQUAL(number, (int64_t)i + 1);
		CU_ASSERT_FALSE(limen_value_exists(limits->items[i].key));
	}
	CU_ASSERT_STRING_EQUAL(value_place(limits->items[2].value).file, "c");
	CU_ASSERT_EQUAL_FATAL(files->sections[SECTION_STORES].count, 2);
	CU_ASSERT_TRUE(limen_value_is(files->sections[SECTION_STORES].items[1].key, "y"));
}

static void
test_many_items(void)
{
	char text[4000] = "{\"limits\": [0";
	const char *const texts[TEXTS_MAX] = { text, NULL };

	for (int i = 1; i < 1000; i++)
		strcat(text, ",1");
	strcat(text, "]}");
	read_texts(texts);
	CU_ASSERT_EQUAL(files->sections[SECTION_LIMITS].count, 1000);
}

static void
test_schema_in_force(void)
{
	static const char *const none[] = { "{}", NULL };
	static const char *const two[] = { "{\"schema\": 2}", NULL };
	static const char *const bad[] = { "{\"schema\": 99}", NULL };

	read_texts(none);
	CU_ASSERT_EQUAL(conf_schema(files), SCHEMA_NEWEST);
	read_texts(two);
	CU_ASSERT_EQUAL(conf_schema(files), 2);
	read_texts(bad);
	CU_ASSERT_EQUAL(conf_schema(files), SCHEMA_NEWEST);
}

static void
test_names(void)
{
	CU_ASSERT_STRING_EQUAL(section_name(SECTION_IDENTIFIERS), "identifiers");
	CU_ASSERT_STRING_EQUAL(section_name(SECTION_SETTINGS), "settings");
	CU_ASSERT_EQUAL(section_since(SECTION_REWRITE), 2);
	CU_ASSERT_EQUAL(section_since(SECTION_PRIORITY), 3);
	CU_ASSERT_EQUAL(section_since(SECTION_STORES), 0);
	CU_ASSERT_EQUAL(SCHEMA_NEWEST, 4);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what is wrong at the top level is said in pScheduler's words", test_cases },
		{ "files are joined in order, those turned off left out", test_merge },
		{ "sections grow", test_many_items },
		{ "without a good schema the newest is in force", test_schema_in_force },
		{ "sections have names and first versions", test_names },
		{ NULL, NULL },
	};
	int status = suite_run("core/conf_sections", tests);

	forget();
	return status;
}
