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
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 2);
	limen_diag_free(diag);
	refuse("\"s\": {\"type\": \"fake\", \"data\": {\"refuse\": true}}", TAKE("a", ""), "\"a\"",
	       "problem /limits/0/data 3:50 no table for limits/a/t, opened by a");
	/* A calendar needs a unit, and its periods. */
	refuse(FAKE, TAKE("a", ", \"kind\": 3"), "\"a\"",
	       "problem /limits/0/data 3:50 a table counts in an unknown way (kind 3)");
	refuse(FAKE, TAKE("a", ", \"kind\": 1"), "\"a\"",
	       "problem /limits/0/data 3:50 store 's' of type fake counts no windows");
}

static void
test_unknown_store(void)
{
	start();
	refuse("", TAKE("a", ""), "\"a\"",
	       "problem /limits/0/data/store 3:60 Unknown store 's'");
	refuse("\"x\": {\"type\": \"faked\"}", TAKE("a", ""), "\"a\"",
	       "problem /stores/x/type 2:26 Store 'x' has unsupported type 'faked'"
	       " (did you mean 'fake'?)\n"
	       "problem /limits/0/data/store 3:60 Unknown store 's'");
	/* Once it is known not to work, only that is said. */
	refuse("\"s\": {\"type\": \"faked\"}", TAKE("a", ""), "\"a\"",
	       "problem /stores/s/type 2:26 Store 's' has unsupported type 'faked'"
	       " (did you mean 'fake'?)");
	CU_ASSERT_PTR_NULL(engine->current);
}

static void
test_default_store(void)
{
	static const char limits[] = TAKE_DEFAULT("a", "") "," TAKE_DEFAULT("b", "");

	start();
	load("", limits, "\"a\", \"b\"");
	CU_ASSERT_EQUAL(engine->current->stores.count, 1);
	CU_ASSERT_STRING_EQUAL(engine->current->stores.items[0].name, "default");
	CU_ASSERT_STRING_EQUAL(engine->current->stores.items[0].type, "memory");
	/* By its name as well, and not unless it is wanted. */
	load("", TAKE_DEFAULT("a", "\"store\": \"default\""), "\"a\"");
	CU_ASSERT_EQUAL(engine->current->stores.count, 1);
	load(FAKE, TAKE("a", ""), "\"a\"");
	CU_ASSERT_EQUAL(engine->current->stores.count, 1);
	CU_ASSERT_STRING_EQUAL(engine->current->stores.items[0].name, "s");
	/* Declared, it is of the type that is declared. */
	load("\"default\": {\"type\": \"fake\"}", limits, "\"a\"");
	CU_ASSERT_EQUAL(table("limits/a/t")->users, 1);
	/* No other name is there by itself. */
	refuse("", TAKE_DEFAULT("a", "\"store\": \"memory\""), "\"a\"",
	       "problem /limits/0/data/store 3:60 Unknown store 'memory'");
}

/* For tools: the store of the policy is checked, and replaced by one in memory. */
static void
test_memory_stores(void)
{
	limen_engine_free(engine);
	engine = policy_case_engine(LIMEN_ENGINE_MEMORY_STORES);
	load(FAKE ", \"m\": {\"type\": \"memory\", \"data\": {\"capacity\": 1}}", TAKE("a", ""),
	     "\"a\"");
	CU_ASSERT_EQUAL(engine->current->stores.count, 2);
	CU_ASSERT_STRING_EQUAL(engine->current->stores.items[0].name, "s");
	CU_ASSERT_STRING_EQUAL(engine->current->stores.items[0].type, "memory");
	CU_ASSERT_EQUAL(limen_value_count(document_root(
		engine->current->stores.items[1].instance->data)), 1);
	CU_ASSERT_TRUE(policy_case_admits(engine));
	refuse("\"s\": {\"type\": \"fake\", \"data\": {\"refuse\": 1}}", TAKE("a", ""), "\"a\"",
	       "problem /stores/s/data/refuse 2:53 1 is not of type 'boolean'");
	refuse("\"s\": {\"type\": \"faked\"}", TAKE("a", ""), "\"a\"",
	       "problem /stores/s/type 2:26 Store 's' has unsupported type 'faked'"
	       " (did you mean 'fake'?)");
}

/* What operators see of tables, by the entry that counts. */
static void
test_described(void)
{
	static const char wanted[] = "\"tables\":{\"t\":{\"store\":\"default\",\"buckets\":1,"
	                             "\"capacity\":65536,\"evictions\":0,\"takes\":4,"
	                             "\"refusals\":1}}";
	char notes[200];
	char *text;

	start();
	load("", TAKE_DEFAULT("a", ""), "\"a\"");
	for (int i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(decide(false, notes), i < 3);
	text = limen_engine_describe(engine, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(text, wanted));
	free(text);
}

/* Whoever counts for a limit that is inverted counts in vain. */
static void
test_inverted(void)
{
	static const char limit[] = "{\"name\": \"a\", \"type\": \"take\", \"data\": {\"store\": "
	                            "\"s\"}, \"invert\": true}";
	limen_diag *diag = limen_diag_new();
	char *text = policy_text(FAKE, limit, "\"a\"");

	start();
	CU_ASSERT_EQUAL(limen_engine_load_text(engine, NULL, text, strlen(text), diag), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_WARNING), 1);
	for (size_t i = 0; i < limen_diag_count(diag, LIMEN_SEVERITY_NOTE); i++) {
		const limen_problem *one = limen_diag_get(diag, i);

		if (one->severity == LIMEN_SEVERITY_WARNING)
			CU_ASSERT_STRING_EQUAL(one->text, "Limit 'a' counts and is inverted: it "
			                                  "passes only what exceeds its rate");
	}
	free(text);
	limen_diag_free(diag);
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

SUITE()
{
	static const struct suite_test tests[] = {
		{ "tables that make no sense are problems of their entry", test_bad_tables },
		{ "an unknown store is a problem at its name", test_unknown_store },
		{ "without a name the store \"default\" is meant", test_default_store },
		{ "tools count in memory, whatever the policy says", test_memory_stores },
		{ "tables are described with their figures", test_described },
		{ "an inverted limit that counts is warned of", test_inverted },
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
