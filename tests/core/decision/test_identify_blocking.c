/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identifiers that may block run side by side on workers, which a decision may
 * leave behind.  The identifier "crowd" waits for company, so that hardly any
 * test depends on how fast the machine is.
 */
#include "decision/pipeline.h"

#include <limen/host.h>
#include <stdio.h>
#include <unistd.h>

#include "policy_case.h"

#define BLOCKING(name, options)                                                     \
	"{\"name\": \"" name "\", \"description\": \"\", \"type\": \"crowd\","      \
	" \"data\": {\"blocking\": true, " options "}}"
#define NOBODY                                                                      \
	"{\"name\": \"nobody\", \"description\": \"\", \"type\": \"verdict\","      \
	" \"data\": {\"verdict\": \"fail\"}}"
#define VERDICT(name, options)                                                      \
	"{\"name\": \"" name "\", \"description\": \"\", \"type\": \"verdict\","    \
	" \"data\": {\"blocking\": true, " options "}}"
#define RECALL(name, options)                                                       \
	"{\"name\": \"" name "\", \"description\": \"\", \"type\": \"recall\","     \
	" \"data\": {" options "}}"

/* A policy that admits whomever one of 'identifiers' identifies. */
static void
load(limen_engine *engine, const char *settings, const char *identifiers)
{
	char *text;

	CU_ASSERT_FATAL(asprintf(&text,
	                         "{\"schema\": 4, \"settings\": {%s}, \"identifiers\": [%s],"
	                         " \"classifiers\": [{\"name\": \"c\", \"description\": \"\","
	                         " \"identifiers\": [], \"require\": \"all\"}], \"limits\": [],"
	                         " \"applications\": [{\"apply\": []}]}",
	                         settings, identifiers) > 0);
	policy_case_load(engine, text);
	free(text);
}

/* The names of those identified, and the verdicts of all, as one letter each. */
static void
expect(const limen_decision *decision, const char *identified, const char *verdicts)
{
	char found[200] = "";
	size_t count;
	const char *const *items = limen_decision_identifiers(decision, &count);

	for (size_t i = 0; i < count; i++)
		snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s%s",
		         i == 0 ? "" : " ", items[i]);
	CU_ASSERT_STRING_EQUAL(found, identified);
	for (count = 0; limen_decision_trace(decision, count) != NULL; count++)
		found[count] = "EPFS"[limen_decision_trace(decision, count)->verdict];
	found[count] = '\0';
	CU_ASSERT_STRING_EQUAL(found, verdicts);
}

/* The reason of a module that gives none is NULL. */
static void
expect_reason(const limen_decision *decision, size_t index, const char *reason)
{
	const char *found = limen_decision_trace(decision, index)->reason;

	CU_ASSERT_STRING_EQUAL(found == NULL ? "" : found, reason);
}

static void
test_side_by_side(void)
{
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;

	/* Only if all four are inside at once does any of them pass. */
	load(engine, "",
	     BLOCKING("a", "\"party\": 4") "," BLOCKING("b", "\"party\": 4") "," NOBODY ","
	     BLOCKING("c", "\"party\": 4") "," BLOCKING("d", "\"party\": 4"));
	decision = policy_case_decide(engine, 0, false);
	expect(decision, "a b c d", "PPFPP");
	CU_ASSERT_TRUE(limen_decision_admitted(decision));
	limen_decision_free(decision);
	limen_engine_free(engine);
}

/* What a worker says is the decision's, in file order and in its memory. */
static void
test_answers_are_copied(void)
{
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;

	load(engine, "",
	     VERDICT("a", "\"verdict\": \"error\", \"reason\": \"one\", \"reasons\": [\"two\"],"
	             " \"sleep\": \"PT0.05S\"") ","
	     VERDICT("b", "\"verdict\": \"pass\", \"reason\": \"three\"") ","
	     VERDICT("c", "\"verdict\": \"odd\"") ","
	     VERDICT("d", "\"verdict\": \"skip\""));
	decision = policy_case_decide(engine, 0, false);
	limen_engine_free(engine);
	expect(decision, "b", "EPES");
	expect_reason(decision, 0, "one; two");
	expect_reason(decision, 1, "three");
	CU_ASSERT(limen_decision_trace(decision, 0)->nanoseconds >= 50 * INT64_C(1000000));
	CU_ASSERT_PTR_NOT_NULL(strstr(limen_decision_diagnostics(decision),
	                              "Identifier a threw an exception:\none; two\n"));
	limen_decision_free(decision);
}

#define LATE "no answer in time: identifiers have half of the decision's time"

/*
 * The decision returns at its deadline while the worker still waits; the
 * request, the decision and the policy go; then company comes for the worker.
 */
static void
test_left_behind(void)
{
	limen_engine *engine = policy_case_engine(0);
	limen_engine *other = policy_case_engine(0);
	limen_decision *decision;
	int64_t start = limen_host_monotonic();

	load(engine, "", BLOCKING("late", "\"party\": 2, \"patience\": \"PT60S\"") "," NOBODY);
	/* Long enough for the worker to start on a machine under load. */
	decision = policy_case_decide(engine, LIMEN_SECOND, false);
	CU_ASSERT(limen_host_monotonic() - start < 30 * INT64_C(1000000000));
	CU_ASSERT_EQUAL(limen_decision_code(decision), 500);
	expect(decision, "", "EF");
	expect_reason(decision, 0, LATE);
	limen_decision_free(decision);
	load(engine, "", NOBODY);
	CU_ASSERT_EQUAL(limen_engine_reload(engine, NULL), LIMEN_OK);
	/* It was still there: the party is complete. */
	load(other, "", BLOCKING("company", "\"party\": 2, \"patience\": \"PT60S\""));
	CU_ASSERT_TRUE(policy_case_admits(other));
	limen_engine_free(other);
	limen_engine_free(engine);
}

/* Identifiers that wait leave half of the time to all that does not need them. */
static void
test_half_is_left(void)
{
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;

	load(engine, "", BLOCKING("late", "\"party\": 2, \"patience\": \"PT3S\"") ","
	     VERDICT("b", "\"verdict\": \"pass\""));
	decision = policy_case_decide(engine, 4 * LIMEN_SECOND, false);
	expect(decision, "b", "EP");
	CU_ASSERT_TRUE(limen_decision_admitted(decision));
	limen_decision_free(decision);
	limen_engine_free(engine);
}

/* With one worker one call runs and one waits for it; a third is one too many. */
static void
test_pool_full(void)
{
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;

	load(engine, "\"workers\": 1",
	     BLOCKING("a", "\"party\": 2, \"patience\": \"PT1S\"") ","
	     BLOCKING("b", "\"party\": 1") "," BLOCKING("c", "\"party\": 1"));
	decision = policy_case_decide(engine, 0, false);
	expect(decision, "b", "FPE");
	expect_reason(decision, 2, "no worker was free to run it");
	limen_decision_free(decision);
	/* It is free again. */
	load(engine, "\"workers\": 1", BLOCKING("a", "\"party\": 1"));
	CU_ASSERT_TRUE(policy_case_admits(engine));
	limen_engine_free(engine);
}

/* One that waited for its turn past the deadline never starts. */
static void
test_never_started(void)
{
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;

	load(engine, "\"workers\": 1",
	     BLOCKING("a", "\"party\": 2, \"patience\": \"PT0.3S\"") ","
	     BLOCKING("b", "\"party\": 2, \"patience\": \"PT60S\""));
	decision = policy_case_decide(engine, LIMEN_SECOND / 20, false);
	expect(decision, "", "EE");
	limen_decision_free(decision);
	/* Were "b" started, freeing would take its patience. */
	limen_engine_free(engine);
}

/* Lets those go who wait in "crowd"; returns whether they were 'count', or more. */
static bool
release_crowd(size_t count)
{
	limen_engine *engine = policy_case_engine(0);
	char identifier[200];
	bool complete;

	snprintf(identifier, sizeof(identifier),
	         BLOCKING("company", "\"party\": %zu, \"patience\": \"PT1S\""), count + 1);
	load(engine, "", identifier);
	complete = policy_case_admits(engine);
	limen_engine_free(engine);
	return complete;
}

/* Gives up 'count' identifiers that do not return, with as many workers. */
static void
get_stuck(limen_engine *engine, size_t count, limen_duration timeout)
{
	char settings[40];
	char *identifiers;
	size_t length;
	FILE *out = open_memstream(&identifiers, &length);

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s" BLOCKING("stuck %zu", "\"party\": 100, \"patience\": \"PT60S\""),
		        i == 0 ? "" : ",", i);
	fclose(out);
	snprintf(settings, sizeof(settings), "\"workers\": %zu", count);
	load(engine, settings, identifiers);
	free(identifiers);
	limen_decision_free(policy_case_decide(engine, timeout, false));
}

/* False, without a check, if some calls had not begun when they were given up. */
static bool
try_replaced(limen_engine *engine, limen_duration timeout)
{
	limen_decision *decision;
	bool admits;
	bool complete;

	get_stuck(engine, POOL_REPLACED_MAX, timeout);
	load(engine, "\"workers\": 1", VERDICT("b", "\"verdict\": \"pass\""));
	admits = policy_case_admits(engine);
	get_stuck(engine, 1, timeout);
	/* Now without end, so that one that waited would be noticed. */
	load(engine, "\"workers\": 1, \"timeout\": \"none\"",
	     VERDICT("b", "\"verdict\": \"pass\""));
	decision = policy_case_decide(engine, 0, false);
	complete = release_crowd(POOL_REPLACED_MAX + 1);
	if (complete) {
		CU_ASSERT_TRUE(admits);
		expect(decision, "", "E");
		expect_reason(decision, 0, "no worker was free to run it");
	} else {
		release_crowd(0);
	}
	limen_decision_free(decision);
	return complete;
}

/* Calls that do not return leave workers to others, until there are too many of them. */
static void
test_replaced(void)
{
	limen_engine *engine = policy_case_engine(0);
	limen_duration timeout = LIMEN_SECOND / 2;

	/* More time for a machine under load. */
	while (!try_replaced(engine, timeout) && timeout < 8 * LIMEN_SECOND)
		timeout *= 2;
	CU_ASSERT(timeout < 8 * LIMEN_SECOND);
	for (int i = 0; i < 1000 && !policy_case_admits(engine); i++)
		usleep(10000);
	CU_ASSERT_TRUE(policy_case_admits(engine));
	limen_engine_free(engine);
}

#define NOTES(name, options) VERDICT(name, "\"verdict\": \"pass\", \"note-deadline\": true" options)

static void
expect_notes(const char *settings, const char *identifiers, const char *note)
{
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;

	load(engine, settings, identifiers);
	decision = policy_case_decide(engine, 0, false);
	for (size_t i = 0; limen_decision_trace(decision, i) != NULL; i++) {
		CU_ASSERT_EQUAL_FATAL(limen_decision_trace(decision, i)->note_count, 1);
		CU_ASSERT_STRING_EQUAL(limen_decision_trace(decision, i)->notes[0], note);
	}
	limen_decision_free(decision);
	limen_engine_free(engine);
}

/* Half of 30 seconds, whether an identifier waits on a worker or asks for its deadline at once. */
static void
test_default_timeout(void)
{
	static const char at_once[] =
		"{\"name\": \"now\", \"description\": \"\", \"type\": \"verdict\","
		" \"data\": {\"verdict\": \"pass\", \"note-deadline\": true}}";

	expect_notes("", NOTES("a", "") "," NOTES("b", ""), "deadline in 15 s");
	expect_notes("", at_once, "deadline in 15 s");
	expect_notes("\"timeout\": \"PT60S\"", at_once, "deadline in 30 s");
	expect_notes("\"timeout\": \"none\"", NOTES("a", ""), "no deadline");
	expect_notes("\"timeout\": \"PT0S\"", at_once, "no deadline");
}

/*
 * What is remembered needs no worker: the only one there is, and the only place
 * in the queue, are taken by those that wait.  Answers stay in file order.
 */
static void
test_remembered(void)
{
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;

	load(engine, "\"workers\": 1",
	     BLOCKING("a", "\"party\": 1") "," RECALL("b", "\"remembers\": true") ","
	     RECALL("c", "") "," NOBODY "," RECALL("d", "\"remembers\": true") ","
	     RECALL("e", "\"remembers\": true, \"odd\": true"));
	decision = policy_case_decide(engine, 0, false);
	expect(decision, "a b c d", "PPPFPE");
	expect_reason(decision, 1, "now");
	expect_reason(decision, 2, "later");
	expect_reason(decision, 4, "now");
	expect_reason(decision, 5, "now");
	limen_decision_free(decision);
	limen_engine_free(engine);
}

/* What an identifier said before it found that it has to wait is not said twice. */
static void
test_forgotten(void)
{
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;
	size_t count;

	load(engine, "", RECALL("a", "") "," RECALL("b", "\"remembers\": true"));
	decision = policy_case_decide(engine, 0, false);
	limen_decision_warnings(decision, &count);
	CU_ASSERT_EQUAL(count, 1);
	limen_decision_free(decision);
	limen_engine_free(engine);
}

/* The lock of a serialised instance may be held by one that waits. */
static void
test_serialised(void)
{
	limen_engine *engine = policy_case_engine(0);
	limen_decision *decision;

	load(engine, "", RECALL("a", "\"remembers\": true, \"serialize\": true"));
	decision = policy_case_decide(engine, 0, false);
	expect_reason(decision, 0, "later");
	limen_decision_free(decision);
	limen_engine_free(engine);
}

/* What a server asks before it chooses the thread that decides. */
static void
test_may_block(void)
{
	limen_engine *engine = policy_case_engine(0);

	CU_ASSERT_FALSE(limen_engine_may_block(engine));
	load(engine, "", NOBODY);
	CU_ASSERT_FALSE(limen_engine_may_block(engine));
	load(engine, "", NOBODY "," BLOCKING("a", "\"party\": 1"));
	CU_ASSERT_TRUE(limen_engine_may_block(engine));
	CU_ASSERT_NOT_EQUAL(limen_engine_load_text(engine, "bad", "{", 1, NULL), LIMEN_OK);
	CU_ASSERT_TRUE(limen_engine_may_block(engine));
	load(engine, "", NOBODY);
	CU_ASSERT_FALSE(limen_engine_may_block(engine));
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "those that may block run side by side", test_side_by_side },
		{ "their answers are merged in file order", test_answers_are_copied },
		{ "a worker left behind at the deadline does no harm", test_left_behind },
		{ "an identifier without an answer leaves half of the time", test_half_is_left },
		{ "a full pool is an error of the identifier", test_pool_full },
		{ "what waits past the deadline is never started", test_never_started },
		{ "calls that do not return are replaced, up to a number", test_replaced },
		{ "without a timeout a decision has 30 seconds", test_default_timeout },
		{ "what is remembered needs no worker", test_remembered },
		{ "an answer that would have to wait leaves nothing behind", test_forgotten },
		{ "a serialised instance is asked on a worker only", test_serialised },
		{ "the engine says whether any instance may block", test_may_block },
		{ NULL, NULL },
	};

	return suite_run("core/identify_blocking", tests);
}
