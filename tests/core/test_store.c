/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How stores are found, tables opened and tokens taken, reserved and given
 * back, seen from the inside of a store that never refills.
 */
#include "store.h"

#include <stdio.h>

#include "../modules/store/fake.h"
#include "policy_case.h"

static limen_engine *engine;

/* Loads a policy with 'stores' and one application over 'limits', whose names are 'names'. */
static char *
policy_text(const char *stores, const char *limits, const char *names)
{
	char *text;

	if (asprintf(&text,
	             "{\"schema\": 4, " EVERYBODY ",\n\"stores\": {%s},\n\"limits\": [%s],"
	             "\n\"applications\": [{\"apply\": [{\"require\": \"all\","
	             " \"limits\": [%s]}]}]}",
	             stores, limits, names) < 0)
		return NULL;
	return text;
}

static void
load(const char *stores, const char *limits, const char *names)
{
	char *text = policy_text(stores, limits, names);

	policy_case_load(engine, text);
	free(text);
}

static void
refuse(const char *stores, const char *limits, const char *names, const char *problems)
{
	char *text = policy_text(stores, limits, names);

	policy_case_refuse(engine, text, LIMEN_ECONFIG, problems);
	free(text);
}

static const struct fake *
store(size_t index)
{
	return engine->current->stores.items[index].instance->self;
}

/* The table 'name' of the first store. */
static const struct fake_table *
table(const char *name)
{
	const struct fake_table *found = store(0)->state->tables;

	while (found != NULL && strcmp(found->name, name) != 0)
		found = found->next;
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	return found;
}

/* Decides once; says whether the task was admitted and what the notes of limit 'index' are. */
static bool
decide(bool dry_run, char notes[200])
{
	limen_decision *decision = policy_case_decide(engine, 0, dry_run);
	bool admitted = limen_decision_admitted(decision);
	const limen_trace *trace = limen_decision_trace(decision, 1);

	notes[0] = '\0';
	for (size_t i = 0; trace != NULL && i < trace->note_count; i++) {
		strcat(notes, i == 0 ? "" : "; ");
		strcat(notes, trace->notes[i]);
	}
	limen_decision_free(decision);
	return admitted;
}

#define FAKE "\"s\": {\"type\": \"fake\"}"
#define TAKE(name, data) \
	"{\"name\": \"" name "\", \"type\": \"take\", \"data\": {\"store\": \"s\"" data "}}"
#define NO "{\"name\": \"no\", \"type\": \"pass-fail\", \"data\": {\"pass\": false}}"
#define CANNOT "{\"name\": \"cannot\", \"type\": \"verdict\", \"data\": {\"verdict\": \"error\"}}"

static void
start(void)
{
	limen_engine_free(engine);
	engine = policy_case_engine(0);
}

static void
test_take(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"burst\": 2"), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "t granted 1000000");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_FALSE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "t refused 1000000");
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 0);
	CU_ASSERT_STRING_EQUAL(store(0)->state->last_key, "k");
	CU_ASSERT_EQUAL(store(0)->state->settled, 0);
}

static void
test_several_tables(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"burst\": 1, \"tables\": [\"x\", \"y\"]") ","
	     TAKE("b", ", \"tables\": [\"x\"]"), "\"a\", \"b\"");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "x granted 1000000; y granted 1000000");
	/* Same name, other entry: another table. */
	CU_ASSERT_EQUAL(table("limits/a/x")->left, 0);
	CU_ASSERT_EQUAL(table("limits/b/x")->left, 2);
	CU_ASSERT_EQUAL(store(0)->state->takes, 2);
}

static void
test_all_or_none(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"burst\": 1, \"tables\": [\"x\", \"x\", \"y\"], \"all\": true"),
	     "\"a\"");
	/* Two takes of one bucket: the fake looks at each alone, and both fit. */
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_EQUAL(store(0)->state->batch, 3);
	CU_ASSERT_EQUAL(table("limits/a/x")->users, 2);
	CU_ASSERT_FALSE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "x refused 1000000; x refused 1000000; y refused 1000000");
	CU_ASSERT_EQUAL(table("limits/a/y")->left, 0);
}

static void
test_peek(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"burst\": 1, \"peek\": true"), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "t granted 1000000");
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 1);
}

/* More than a bucket ever holds. */
static void
test_never(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"burst\": 2, \"amount\": 3"), "\"a\"");
	CU_ASSERT_FALSE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "t refused -1");
}

static void
test_reserve_kept_when_admitted(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"reserve\": true"), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 2);
	CU_ASSERT_EQUAL(store(0)->state->settled, 0);
}

static void
test_reserve_given_back(void)
{
	static const char *const spoilers[] = { "\"no\"", "\"cannot\"" };
	char notes[200];

	for (size_t i = 0; i < 2; i++) {
		char names[64];

		start();
		snprintf(names, sizeof(names), "\"a\", \"b\", %s", spoilers[i]);
		load(FAKE, TAKE("a", ", \"reserve\": true, \"tables\": [\"x\", \"y\"]") ","
		     TAKE("b", "") "," NO "," CANNOT, names);
		CU_ASSERT_FALSE(decide(false, notes));
		CU_ASSERT_STRING_EQUAL(notes, "x granted 1000000; y granted 1000000");
		CU_ASSERT_EQUAL(table("limits/a/x")->left, 3);
		CU_ASSERT_EQUAL(table("limits/a/y")->left, 3);
		CU_ASSERT_EQUAL(store(0)->state->settled, 2);
		/* What was not reserved is gone. */
		CU_ASSERT_EQUAL(table("limits/b/t")->left, 2);
	}
}

/* Only what was granted is given back. */
static void
test_reserve_partly_granted(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("first", ", \"burst\": 1, \"tables\": [\"x\"], \"period\": \"PT2S\"") ","
	     TAKE("a", ", \"reserve\": true, \"burst\": 1, \"tables\": [\"x\", \"y\"]"),
	     "\"a\"");
	((struct fake_table *)table("limits/a/x"))->left = 0;
	CU_ASSERT_FALSE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "x refused 1000000; y granted 1000000");
	CU_ASSERT_EQUAL(table("limits/a/x")->left, 0);
	CU_ASSERT_EQUAL(table("limits/a/y")->left, 1);
	CU_ASSERT_EQUAL(store(0)->state->settled, 1);
}

static void
test_dry_run(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"burst\": 1") "," TAKE("b", ", \"reserve\": true"), "\"a\", \"b\"");
	CU_ASSERT_TRUE(decide(true, notes));
	CU_ASSERT_TRUE(decide(true, notes));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 1);
	CU_ASSERT_EQUAL(table("limits/b/t")->left, 3);
	CU_ASSERT_EQUAL(store(0)->state->settled, 0);
	CU_ASSERT_TRUE(decide(false, notes));
	/* A dry run is decided as usual: it is refused where the real one would be. */
	CU_ASSERT_FALSE(decide(true, notes));
}

static void
test_store_cannot_tell(void)
{
	static const char *const words[] = { "error", "skip", "odd" };
	char notes[200];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char stores[100];

		start();
		snprintf(stores, sizeof(stores),
		         "\"s\": {\"type\": \"fake\", \"data\": {\"answer\": \"%s\"}}", words[i]);
		load(stores, TAKE("a", ", \"reserve\": true"), "\"a\"");
		CU_ASSERT_FALSE(decide(false, notes));
		/* What it took before it failed is given back. */
		CU_ASSERT_EQUAL(table("limits/a/t")->left, 3);
	}
}

static void
test_bad_takes(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"amount\": 0"), "\"a\"");
	CU_ASSERT_FALSE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "t refused -1");
	CU_ASSERT_EQUAL(store(0)->state->takes, 0);
	load(FAKE, TAKE("a", ", \"tables\": []"), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
}

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
	       "problem /stores/x 2:17 Store 'x' has unsupported type 'nowhere'"
	       " (no file store/nowhere.so in the module directories)\n"
	       "problem /limits/0/data/store 3:60 Unknown store 's'");
	/* Once it is known not to work, only that is said. */
	refuse("\"s\": {\"type\": \"nowhere\"}", TAKE("a", ""), "\"a\"",
	       "problem /stores/s 2:17 Store 's' has unsupported type 'nowhere'"
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
		{ "tokens are taken until there are none", test_take },
		{ "tables are told apart by entry and name", test_several_tables },
		{ "all or none is asked in one batch", test_all_or_none },
		{ "looking takes nothing", test_peek },
		{ "what never fits has no wait", test_never },
		{ "reserved tokens are kept when the request is admitted",
		  test_reserve_kept_when_admitted },
		{ "reserved tokens are given back on refusal and error", test_reserve_given_back },
		{ "only what was granted is given back", test_reserve_partly_granted },
		{ "a dry run takes nothing", test_dry_run },
		{ "a store that cannot tell is an error", test_store_cannot_tell },
		{ "takes that make no sense are errors", test_bad_takes },
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
