/* SPDX-License-Identifier: Apache-2.0 */
/* How tokens are taken, reserved and given back. */
#include "store_case.h"

static void
test_take(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"burst\": 2"), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "t granted 0");
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
	CU_ASSERT_STRING_EQUAL(notes, "x granted 0; y granted 0");
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
	CU_ASSERT_STRING_EQUAL(notes, "t granted 0");
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 1);
}

/* A store that knows nothing of readings leaves what the core has set. */
static void
test_reading(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"reads\": true"), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "t granted 0; -1 of -1 left, reset -1");
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
		CU_ASSERT_STRING_EQUAL(notes, "x granted 0; y granted 0");
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
	CU_ASSERT_STRING_EQUAL(notes, "x refused 1000000; y granted 0");
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

/* Thirty seconds where nobody says; a store that never waits needs none. */
static void
test_deadline(void)
{
	char notes[200];
	int64_t now;

	start();
	load("\"s\": {\"type\": \"fake\", \"data\": {\"blocking\": true}}", TAKE("a", ""), "\"a\"");
	now = limen_host_monotonic();
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT(store(0)->state->deadline >= now + INT64_C(30000000000));
	CU_ASSERT(store(0)->state->deadline < now + INT64_C(90000000000));
	start();
	load(FAKE, TAKE("a", ""), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_EQUAL(store(0)->state->deadline, INT64_MAX);
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

/* Why the limit that was asked first could not tell. */
static void
expect_error(const char *stores, const char *limit, const char *reason)
{
	limen_decision *decision;

	start();
	load(stores, limit, "\"a\"");
	decision = policy_case_decide(engine, 0, false);
	CU_ASSERT_EQUAL(limen_decision_trace(decision, 1)->verdict, LIMEN_ERROR);
	CU_ASSERT_STRING_EQUAL(limen_decision_trace(decision, 1)->reason, reason);
	limen_decision_free(decision);
}

#define MISUSE \
	"limen_reply_take: tables of several stores, or a key, an amount or a reserved member " \
	"out of range"

/* The reason of a store is the decision's; without one the store is named. */
static void
test_reasons(void)
{
	static const struct {
		const char *data; /* of the store */
		const char *take;
		const char *reason;
	} cases[] = {
		{ "\"answer\": \"error\"", "", "store 's' failed and gave no reason" },
		{ "\"answer\": \"odd\"", ", \"reserve\": true",
		  "store 's' failed and gave no reason" },
		{ "\"answer\": \"error\", \"reason\": \"no disk\"", "", "no disk" },
		{ "\"answer\": \"error\", \"reason\": \"no disk\"", ", \"reserve\": true",
		  "no disk" },
		{ "", ", \"amount\": -1", MISUSE },
		{ "", ", \"null-key\": 1", MISUSE },
		{ "", ", \"reserved\": 1", MISUSE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char store[200];
		char limit[200];

		snprintf(store, sizeof(store), "\"s\": {\"type\": \"fake\", \"data\": {%s}}",
		         cases[i].data);
		snprintf(limit, sizeof(limit), TAKE("a", "%s"), cases[i].take);
		expect_error(store, limit, cases[i].reason);
	}
}

/* A store that passes whatever it granted admits as many as it granted. */
static void
test_store_lies(void)
{
	char notes[200];

	start();
	load("\"s\": {\"type\": \"fake\", \"data\": {\"answer\": \"pass\"}}",
	     TAKE("a", ", \"burst\": 1"), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_FALSE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "t refused 1000000");
	load("\"s\": {\"type\": \"fake\", \"data\": {\"answer\": \"pass\"}}",
	     TAKE("b", ", \"burst\": 1, \"tables\": [\"x\", \"x\"], \"amount\": 2"), "\"b\"");
	CU_ASSERT_FALSE(decide(false, notes));
}

static void
test_bad_takes(void)
{
	char limit[LIMEN_KEY_MAX + 200];
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"amount\": -1"), "\"a\"");
	CU_ASSERT_FALSE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "t refused -1");
	CU_ASSERT_EQUAL(store(0)->state->takes, 0);
	for (int length = LIMEN_KEY_MAX; length <= LIMEN_KEY_MAX + 1; length++) {
		snprintf(limit, sizeof(limit),
		         "{\"name\": \"a\", \"type\": \"take\", \"data\": {\"store\": \"s\","
		         " \"key\": \"%0*d\"}}",
		         length, 0);
		load(FAKE, limit, "\"a\"");
		CU_ASSERT_EQUAL(decide(false, notes), length == LIMEN_KEY_MAX);
	}
	load(FAKE, TAKE("a", ", \"tables\": []"), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
}

/* A key may have no bytes, and need not say where they are then. */
static void
test_null_keys(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"null-key\": 0"), "\"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_EQUAL(store(0)->state->last_key_length, 0);
	load(FAKE, TAKE("b", ", \"null-key\": 0, \"reserve\": true"), "\"b\", \"b\"");
	CU_ASSERT_TRUE(decide(false, notes));
	/* It is the same bucket the second time. */
	CU_ASSERT_EQUAL(table("limits/b/t")->left, 2);
	load(FAKE, TAKE("d", ", \"null-key\": 1"), "\"d\"");
	CU_ASSERT_FALSE(decide(false, notes));
	CU_ASSERT_STRING_EQUAL(notes, "t refused -1");
	load(FAKE, TAKE("d", ", \"null-key\": 1, \"reserve\": true"), "\"d\", \"d\"");
	CU_ASSERT_FALSE(decide(false, notes));
	CU_ASSERT_EQUAL(table("limits/d/t")->left, 3);
}

/* Decides under applications over the limits 'first' and then 'second'. */
static bool
decide_in_turn(const char *first, const char *second)
{
	char notes[200];
	char *text;

	if (asprintf(&text,
	             "{\"schema\": 4, " EVERYBODY ", \"stores\": {" FAKE "}, \"limits\": ["
	             TAKE("a", ", \"reserve\": true, \"burst\": 1") "," NO "," CANNOT "],"
	             "\"applications\": ["
	             "{\"apply\": [{\"require\": \"all\", \"limits\": [%s]}]},"
	             "{\"apply\": [{\"require\": \"all\", \"limits\": [%s]}]}]}",
	             first, second) < 0)
		return false;
	start();
	policy_case_load(engine, text);
	free(text);
	return decide(false, notes);
}

/* A limit that two applications ask is paid for once, by the one that admits. */
static void
test_reserve_by_application(void)
{
	CU_ASSERT_TRUE(decide_in_turn("\"a\", \"no\"", "\"a\""));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 0);
	CU_ASSERT_EQUAL(store(0)->state->settled, 1);
	CU_ASSERT_FALSE(decide_in_turn("\"a\", \"no\"", "\"a\", \"cannot\""));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 1);
	CU_ASSERT_EQUAL(store(0)->state->settled, 2);
	CU_ASSERT_TRUE(decide_in_turn("\"a\"", "\"no\""));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 0);
	CU_ASSERT_EQUAL(store(0)->state->settled, 0);
}

/* Asked for several times, a bucket is paid once; so one token is enough. */
static void
test_reserve_once(void)
{
	CU_ASSERT_TRUE(decide_in_turn("\"a\", \"a\", \"a\"", "\"no\""));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 0);
	CU_ASSERT_EQUAL(store(0)->state->takes, 1);
	CU_ASSERT_EQUAL(store(0)->state->settled, 0);
	/* The application before has given it back. */
	CU_ASSERT_TRUE(decide_in_turn("\"a\", \"a\", \"no\"", "\"a\", \"a\""));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 0);
	CU_ASSERT_EQUAL(store(0)->state->takes, 2);
	CU_ASSERT_EQUAL(store(0)->state->settled, 1);
	CU_ASSERT_FALSE(decide_in_turn("\"a\", \"a\", \"no\"", "\"no\""));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 1);
}

/* Whoever asks again is told that all is granted. */
static void
test_reserve_again(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"reserve\": true, \"tables\": [\"x\", \"y\"]"),
	     "\"a\", \"a\"");
	CU_ASSERT_TRUE(decide_noting(false, 2, notes));
	CU_ASSERT_STRING_EQUAL(notes, "x granted 0; y granted 0");
	CU_ASSERT_EQUAL(store(0)->state->takes, 1);
}

/* Other keys, amounts and tables are other buckets. */
static void
test_reserve_others(void)
{
	char notes[200];

	start();
	load(FAKE, TAKE("a", ", \"reserve\": true") "," TAKE("b", ", \"reserve\": true"),
	     "\"a\", \"b\", \"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 2);
	CU_ASSERT_EQUAL(table("limits/b/t")->left, 2);
	/* What is not reserved is taken each time. */
	load(FAKE, TAKE("a", ""), "\"a\", \"a\"");
	CU_ASSERT_TRUE(decide(false, notes));
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 0);
}

/* A store that could not tell the first time is asked again. */
static void
test_reserve_unsure(void)
{
	char notes[200];

	start();
	load("\"s\": {\"type\": \"fake\", \"data\": {\"answer\": \"error\"}}",
	     TAKE("a", ", \"reserve\": true"), "\"a\", \"a\"");
	CU_ASSERT_FALSE(decide(false, notes));
	CU_ASSERT_EQUAL(store(0)->state->takes, 2);
	CU_ASSERT_EQUAL(table("limits/a/t")->left, 3);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "tokens are taken until there are none", test_take },
		{ "tables are told apart by entry and name", test_several_tables },
		{ "all or none is asked in one batch", test_all_or_none },
		{ "looking takes nothing", test_peek },
		{ "what is left is not known to each store", test_reading },
		{ "what never fits has no wait", test_never },
		{ "reserved tokens are kept when the request is admitted",
		  test_reserve_kept_when_admitted },
		{ "reserved tokens are given back on refusal and error", test_reserve_given_back },
		{ "only what was granted is given back", test_reserve_partly_granted },
		{ "only the application that admits spends what limits reserved",
		  test_reserve_by_application },
		{ "a request pays a bucket once, however often it is asked", test_reserve_once },
		{ "what is held is granted again", test_reserve_again },
		{ "other buckets, and what is not reserved, are paid each", test_reserve_others },
		{ "what a store could not tell is no reservation", test_reserve_unsure },
		{ "a dry run takes nothing", test_dry_run },
		{ "a store that may wait has a deadline", test_deadline },
		{ "a store that cannot tell is an error", test_store_cannot_tell },
		{ "a store says why it cannot tell", test_reasons },
		{ "a store that passes without granting admits nobody", test_store_lies },
		{ "takes that make no sense are errors", test_bad_takes },
		{ "a key that is NULL is empty or makes no sense", test_null_keys },
		{ NULL, NULL },
	};
	int status = suite_run("core/store_take", tests);

	limen_engine_free(engine);
	return status;
}
