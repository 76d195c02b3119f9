/* SPDX-License-Identifier: Apache-2.0 */
/* How stores are found and tables opened, kept and released. */
#include "store_case.h"

#define A_TABLE_NEEDS "a table needs a name, and a rate and a burst of at least 1"

static void
test_bad_tables(void)
{
	static const char *const data[] = { ", \"burst\": 0", ", \"period\": \"PT0S\"" };
	limen_diag *diag = limen_diag_new();

	start();
	for (size_t i = 0; i < 2; i++) {
		char limit[200];
		char *text;

		snprintf(limit, sizeof(limit),
		         "{\"name\": \"a\", \"type\": \"take\", \"data\": {\"store\": \"s\"%s}}",
		         data[i]);
		text = policy_text(FAKE, limit, "\"a\"");
		CU_ASSERT_EQUAL(limen_engine_load_text(engine, NULL, text, strlen(text), diag),
		                LIMEN_ECONFIG);
		CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, i)->text, A_TABLE_NEEDS);
		CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, i)->pointer, "/limits/0/data");
		free(text);
	}
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_PROBLEM), 2);
	limen_diag_free(diag);
	refuse("\"s\": {\"type\": \"fake\", \"data\": {\"refuse\": true}}", TAKE("a", ""), "\"a\"",
	       "problem /limits/0/data 3:50 no table for limits/a/t");
}

static void
test_unknown_store(void)
{
	start();
	refuse("", TAKE("a", ""), "\"a\"",
	       "problem /limits/0/data/store 3:60 Unknown store 's'");
	refuse("\"x\": {\"type\": \"nowhere\"}", TAKE("a", ""), "\"a\"",
	       "problem /stores/x/type 2:26 Store 'x' has unsupported type 'nowhere'"
	       " (no file store/nowhere.so in the module directories)\n"
	       "problem /limits/0/data/store 3:60 Unknown store 's'");
	/* Once it is known not to work, only that is said. */
	refuse("\"s\": {\"type\": \"nowhere\"}", TAKE("a", ""), "\"a\"",
	       "problem /stores/s/type 2:26 Store 's' has unsupported type 'nowhere'"
	       " (no file store/nowhere.so in the module directories)");
	CU_ASSERT_PTR_NULL(engine->current);
}

/* Where no store "memory" is to be had, that is said once, at the first that wants it. */
static void
test_default_store(void)
{
	static const char limits[] = "{\"name\": \"a\", \"type\": \"take\", \"data\": {}},"
	                             "{\"name\": \"b\", \"type\": \"take\", \"data\": {}}";
	char *file;

	start();
	file = loader_find(engine_module_path(engine), LIMEN_KIND_STORE, STORE_DEFAULT);
	if (file == NULL) {
		refuse("", limits, "\"a\"",
		       "problem /limits/0/data 3:50 Store 'memory' has unsupported type 'memory'"
		       " (no file store/memory.so in the module directories)");
	} else {
		load("", limits, "\"a\"");
		CU_ASSERT_EQUAL(engine->current->stores.count, 1);
		CU_ASSERT_STRING_EQUAL(engine->current->stores.items[0].name, "memory");
	}
	free(file);
	/* Declared, it is of the type that is declared. */
	load("\"memory\": {\"type\": \"fake\"}", limits, "\"a\"");
	CU_ASSERT_EQUAL(table("limits/a/t")->users, 1);
}

/* The removed store is a problem of the entry that names it, said once. */
static void
test_store_removed(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ""), "\"a\"");
	refuse("\"r\": {\"type\": \"fake\"}", TAKE("a", ""), "\"a\"",
	       "problem /limits/0/data/store 3:60 Unknown store 's'");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 2);
	CU_ASSERT_EQUAL(table("limits/a/t")->users, 1);
}

static void
test_carried_over(void)
{
	const instance *limit;
	const instance *keeper;
	char notes[200];

	start();
	load(FAKE, TAKE("a", ""), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	keeper = engine->current->stores.items[0].instance;
	limit = engine->current->limits.items[0].instance;
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	CU_ASSERT_PTR_EQUAL(engine->current->stores.items[0].instance, keeper);
	CU_ASSERT_PTR_EQUAL(engine->current->limits.items[0].instance, limit);
	CU_ASSERT_EQUAL(table("limits/a/t")->users, 1);
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 2);
	/* The limit changes, its rate and burst do not: buckets stay. */
	load(FAKE, TAKE("a", ", \"key\": \"other\""), "\"a\"");
	CU_ASSERT_PTR_NOT_EQUAL(engine->current->limits.items[0].instance, limit);
	CU_ASSERT_EQUAL(table("limits/a/t")->users, 1);
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 2);
	/* Now they do. */
	load(FAKE, TAKE("a", ", \"burst\": 9"), "\"a\"");
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 9);
}

static void
test_store_changed(void)
{
	const instance *limit;
	char notes[200];

	start();
	load(FAKE, TAKE("a", ""), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	limit = engine->current->limits.items[0].instance;
	load("\"s\": {\"type\": \"fake\", \"data\": {\"comment\": \"changed\"}}", TAKE("a", ""),
	     "\"a\"");
	CU_ASSERT_PTR_NOT_EQUAL(engine->current->limits.items[0].instance, limit);
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 3);
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 2);
}

static void
test_tables_released(void)
{
	start();
	load(FAKE, TAKE("a", "") "," TAKE("b", ""), "\"a\", \"b\"");
	CU_ASSERT_EQUAL(table("limits/b/t")->users, 1);
	load(FAKE, TAKE("a", ""), "\"a\"");
	CU_ASSERT_EQUAL(table("limits/a/t")->users, 1);
	CU_ASSERT_EQUAL(table("limits/b/t")->users, 0);
}

/* A limit that waits for its store may block itself. */
static void
test_blocking_is_inherited(void)
{
	start();
	load("\"s\": {\"type\": \"fake\", \"data\": {\"blocking\": true}}", TAKE("a", ""), "\"a\"");
	CU_ASSERT(engine->current->limits.items[0].instance->flags & LIMEN_MODULE_BLOCKING);
	load(FAKE, TAKE("a", ""), "\"a\"");
	CU_ASSERT_FALSE(engine->current->limits.items[0].instance->flags & LIMEN_MODULE_BLOCKING);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "tables that make no sense are problems of their entry", test_bad_tables },
		{ "an unknown store is a problem at its name", test_unknown_store },
		{ "without a name the store \"memory\" is meant", test_default_store },
		{ "a store that is gone is a problem, said once", test_store_removed },
		{ "buckets carry over while rate and burst are the same", test_carried_over },
		{ "another store makes another instance of its users", test_store_changed },
		{ "tables are released with their instance", test_tables_released },
		{ "who uses a blocking store may block", test_blocking_is_inherited },
		{ NULL, NULL },
	};
	int status = suite_run("core/store", tests);

	limen_engine_free(engine);
	return status;
}
