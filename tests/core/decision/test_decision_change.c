/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest change: from steps and traces as a decision would record them. */
#include "decision/decision.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fail_malloc.h"
#include "suite.h"

static const limen_bound some[] = {
	{ .field = "a", .have = "9", .relation = LIMEN_RELATION_AT_MOST, .bound = "5" },
	{ .field = "b", .relation = LIMEN_RELATION_AT_LEAST, .bound = "1" },
	{ .field = "c", .have = "x", .relation = LIMEN_RELATION_ONE_OF, .bound = "y, z" },
	{ .field = "test.type", .have = "x", .relation = LIMEN_RELATION_ONE_OF, .bound = "y, z" },
};

/* One limit that was asked, in the group that stands before it. */
typedef struct asked {
	const char *name; /* NULL ends the group */
	limen_verdict verdict;
	bool inverted;
	size_t bounds;
	limen_duration wait; /* 0: none */
} asked;

/* One application of one group. */
typedef struct asker {
	limen_verdict verdict; /* of the application; 0 and no require: the end */
	bool inverted;
	const char *require;
	limen_verdict met; /* the group */
	asked limits[4];
} asker;

static const struct {
	const char *title;
	int code;
	asker askers[4];
	const char *wanted; /* "LIMIT/FIELD LIMIT/wait", in order; "?LIMIT": unexplained */
} cases[] = {
	{ "all that failed of a group", 403,
	  { { LIMEN_FAIL, false, "all", LIMEN_FAIL,
	      { { "l", LIMEN_FAIL, false, 1, 0 }, { "m", LIMEN_PASS, false, 0, 0 },
	        { "n", LIMEN_FAIL, false, 2, 0 } } } },
	  "l/a n/a n/b" },
	{ "one that names nothing spoils the group", 403,
	  { { LIMEN_FAIL, false, "all", LIMEN_FAIL,
	      { { "l", LIMEN_FAIL, false, 1, 0 }, { "m", LIMEN_FAIL, false, 0, 0 } } } },
	  "?m" },
	{ "what is known is nearer than what is not", 403,
	  { { LIMEN_FAIL, false, "all", LIMEN_FAIL, { { "l", LIMEN_FAIL, false, 0, 0 } } },
	    { LIMEN_FAIL, false, "all", LIMEN_FAIL, { { "m", LIMEN_FAIL, false, 3, 0 } } } },
	  "m/a m/b m/c" },
	{ "but another type of test is farther", 403,
	  { { LIMEN_FAIL, false, "all", LIMEN_FAIL, { { "l", LIMEN_FAIL, false, 4, 0 } } },
	    { LIMEN_FAIL, false, "all", LIMEN_FAIL,
	      { { "m", LIMEN_FAIL, false, 3, 0 }, { "n", LIMEN_FAIL, false, 0, 0 } } } },
	  "l/a l/b l/c l/test.type ?n" },
	{ "of two that name nothing the one with fewer others", 403,
	  { { LIMEN_FAIL, false, "all", LIMEN_FAIL,
	      { { "l", LIMEN_FAIL, false, 0, 0 }, { "m", LIMEN_FAIL, false, 1, 0 } } },
	    { LIMEN_FAIL, false, "all", LIMEN_FAIL, { { "n", LIMEN_FAIL, false, 0, 0 } } } },
	  "?n" },
	{ "one is enough: the cheapest", 403,
	  { { LIMEN_FAIL, false, "any", LIMEN_FAIL,
	      { { "l", LIMEN_FAIL, false, 3, 0 }, { "m", LIMEN_FAIL, false, 0, 0 },
	        { "n", LIMEN_FAIL, false, 2, 0 } } } },
	  "n/a n/b" },
	{ "of several equal ones the first", 403,
	  { { LIMEN_FAIL, false, "one", LIMEN_FAIL,
	      { { "l", LIMEN_FAIL, false, 1, 0 }, { "m", LIMEN_FAIL, false, 1, 0 } } } },
	  "l/a" },
	{ "exactly one, and two passed", 403,
	  { { LIMEN_FAIL, false, "one", LIMEN_FAIL,
	      { { "l", LIMEN_PASS, false, 0, 0 }, { "m", LIMEN_PASS, false, 0, 0 },
	        { "n", LIMEN_FAIL, false, 1, 0 } } } },
	  "" },
	{ "none may pass", 403,
	  { { LIMEN_FAIL, false, "none", LIMEN_FAIL, { { "l", LIMEN_PASS, false, 0, 0 } } } },
	  "" },
	{ "the application that needs least", 403,
	  { { LIMEN_FAIL, false, "all", LIMEN_FAIL, { { "l", LIMEN_FAIL, false, 2, 0 } } },
	    { LIMEN_FAIL, false, "all", LIMEN_FAIL, { { "m", LIMEN_FAIL, false, 1, 0 } } },
	    { LIMEN_FAIL, false, "all", LIMEN_FAIL, { { "n", LIMEN_FAIL, false, 1, 0 } } } },
	  "m/a" },
	{ "an application that is inverted, or could not tell", 403,
	  { { LIMEN_FAIL, true, "all", LIMEN_FAIL, { { "l", LIMEN_FAIL, false, 1, 0 } } },
	    { LIMEN_ERROR, false, "all", LIMEN_FAIL, { { "m", LIMEN_FAIL, false, 1, 0 } } } },
	  "" },
	{ "a limit that is inverted, or could not tell", 403,
	  { { LIMEN_FAIL, false, "all", LIMEN_FAIL, { { "l", LIMEN_PASS, true, 0, 0 } } },
	    { LIMEN_FAIL, false, "all", LIMEN_FAIL, { { "m", LIMEN_ERROR, false, 0, 0 } } } },
	  "" },
	{ "time helps", 403,
	  { { LIMEN_FAIL, false, "all", LIMEN_FAIL,
	      { { "l", LIMEN_FAIL, false, 0, 5 }, { "m", LIMEN_SKIP, false, 0, 0 } } } },
	  "l/wait" },
	{ "who cannot tell does not know what would help", 500,
	  { { LIMEN_FAIL, false, "all", LIMEN_FAIL, { { "l", LIMEN_FAIL, false, 1, 0 } } } },
	  "" },
};

static void
add_trace(limen_decision *decision, const asked *from, limen_kind kind, unsigned number)
{
	trace_item *item = item_list_add(&decision->trace, &decision->arena, sizeof(*item));

	item->trace = (limen_trace){ .kind = kind, .type = "t", .name = from->name,
		                     .verdict = from->verdict, .inverted = from->inverted,
		                     .application = number, .group = number > 0 ? 1 : 0,
		                     .bounds = some, .bound_count = from->bounds,
		                     .retry_after = from->wait > 0 ? from->wait : -1 };
}

static void
add_step(limen_decision *decision, const limen_step *step)
{
	step_item *item = item_list_add(&decision->steps, &decision->arena, sizeof(*item));

	item->step = *step;
}

static limen_decision *
make_decision(int code, const asker *askers)
{
	limen_decision *decision = decision_new();

	decision->wants_trace = true;
	decision->code = code;
	for (unsigned i = 0; askers[i].require != NULL; i++) {
		add_step(decision, &(limen_step){ .kind = LIMEN_STEP_APPLICATION,
		                                  .verdict = askers[i].verdict,
		                                  .inverted = askers[i].inverted,
		                                  .application = i + 1 });
		add_step(decision, &(limen_step){ .kind = LIMEN_STEP_GROUP,
		                                  .verdict = askers[i].met,
		                                  .require = askers[i].require,
		                                  .application = i + 1, .group = 1 });
		for (const asked *one = askers[i].limits; one->name != NULL; one++)
			add_trace(decision, one, LIMEN_KIND_LIMIT, i + 1);
	}
	return decision;
}

static void
spell(const limen_decision *decision, char out[200])
{
	const limen_change *one = limen_decision_change(decision, 0);
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; one != NULL; one = limen_decision_change(decision, ++i))
		used += (size_t)snprintf(out + used, 200 - used, "%s%s/%s", i == 0 ? "" : " ",
		                         one->entry->name,
		                         one->bound == NULL ? "wait" : one->bound->field);
	if (limen_decision_unexplained(decision) != NULL)
		snprintf(out + used, 200 - used, "%s?%s", used == 0 ? "" : " ",
		         limen_decision_unexplained(decision)->name);
}

static void
test_applications(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_decision *decision = make_decision(cases[i].code, cases[i].askers);
		char found[200];

		CU_ASSERT_TRUE(decision_seal(decision));
		spell(decision, found);
		CU_ASSERT_STRING_EQUAL(found, cases[i].wanted);
		if (strcmp(found, cases[i].wanted) != 0)
			printf("# %s: %s\n", cases[i].title, found);
		limen_decision_free(decision);
	}
}

/* A limit that minds more than is told may mind anything. */
static void
test_untold(void)
{
	limen_decision *decision = make_decision(403, cases[0].askers);

	decision->bounds_untold = true;
	CU_ASSERT_TRUE(decision_seal(decision));
	CU_ASSERT_PTR_NULL(limen_decision_change(decision, 0));
	limen_decision_free(decision);
}

/* Of an entry: every violation has to have its bound; else only a rate says what helps. */
static void
test_admission(void)
{
	static const struct {
		int code;
		size_t violations;
		asked entry;
		const char *wanted;
	} rows[] = {
		{ 403, 2, { "e", LIMEN_FAIL, false, 2, 0 }, "e/a e/b" },
		{ 403, 3, { "e", LIMEN_FAIL, false, 2, 0 }, "" },
		{ 429, 1, { "e", LIMEN_FAIL, false, 0, 7 }, "e/wait" },
		{ 403, 1, { "e", LIMEN_FAIL, false, 0, 7 }, "" },
		{ 403, 1, { "other", LIMEN_FAIL, false, 1, 0 }, "" },
		{ 200, 0, { "e", LIMEN_FAIL, false, 1, 0 }, "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_decision *decision = decision_new();
		char found[200];

		decision->wants_trace = true;
		decision->code = rows[i].code;
		decision->admitted = rows[i].code == 200;
		decision_blame(decision, "e");
		for (size_t j = 0; j < rows[i].violations; j++)
			violation_list_add(&decision->violations, &decision->arena,
			                   &(limen_violation){ .field = "f", .message = "v" });
		add_trace(decision, &rows[i].entry, LIMEN_KIND_ADMISSION, 0);
		CU_ASSERT_TRUE(decision_seal(decision));
		spell(decision, found);
		CU_ASSERT_STRING_EQUAL(found, rows[i].wanted);
		limen_decision_free(decision);
	}
}

/* Hundreds of thousands of limits take as long as they are many, not as many squared. */
static void
test_many(void)
{
	const asked limit = { "l", LIMEN_FAIL, false, 2, 0 };
	const asked cheap = { "m", LIMEN_FAIL, false, 1, 0 };
	const unsigned many = 200000;
	limen_decision *decision = decision_new();
	char found[200];
	clock_t begin;

	decision->wants_trace = true;
	decision->code = 403;
	for (unsigned i = 1; i <= many; i++) {
		add_step(decision, &(limen_step){ .kind = LIMEN_STEP_APPLICATION,
		                                  .verdict = LIMEN_FAIL, .application = i });
		add_step(decision, &(limen_step){ .kind = LIMEN_STEP_GROUP, .verdict = LIMEN_FAIL,
		                                  .require = i % 2 == 0 ? "all" : "one",
		                                  .application = i, .group = 1 });
		add_trace(decision, &limit, LIMEN_KIND_LIMIT, i);
		add_trace(decision, i == many - 1 ? &cheap : &limit, LIMEN_KIND_LIMIT, i);
	}
	begin = clock();
	CU_ASSERT_TRUE(decision_seal(decision));
	/* Of the processor; squared it is minutes. */
	CU_ASSERT_TRUE(clock() - begin < 10 * CLOCKS_PER_SEC);
	spell(decision, found);
	CU_ASSERT_STRING_EQUAL(found, "m/a");
	limen_decision_free(decision);
}

static void
test_no_memory(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		limen_decision *decision = make_decision(403, cases[0].askers);
		bool sealed;

		/* So that each array needs a block of its own. */
		while (decision->arena.end - decision->arena.next >= 16)
			arena_alloc(&decision->arena, 16);
		fail_malloc_once(n);
		sealed = decision_seal(decision);
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(sealed, !failed);
		if (!sealed)
			CU_ASSERT_PTR_NULL(limen_decision_change(decision, 0));
		limen_decision_free(decision);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "of applications, the one with the fewest bounds", test_applications },
		{ "none if not all bounds are known", test_untold },
		{ "of an admission entry, all of its bounds", test_admission },
		{ "a policy with very many groups", test_many },
		{ "nothing is half there when memory is short", test_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/decision_change", tests);
}
