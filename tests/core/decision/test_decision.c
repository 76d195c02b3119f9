/* SPDX-License-Identifier: Apache-2.0 */
#include "decision/decision.h"

#include <stdlib.h>
#include <string.h>

#include "fail_malloc.h"
#include "suite.h"

static void
test_fresh(void)
{
	limen_decision *decision = decision_new();
	limen_duration wait = 7;
	double priority = 7;
	size_t count = 9;

	CU_ASSERT_FALSE(limen_decision_admitted(decision));
	CU_ASSERT_EQUAL(limen_decision_code(decision), 500);
	CU_ASSERT_STRING_EQUAL(limen_decision_reason(decision), "no decision was reached");
	CU_ASSERT_TRUE(decision_seal(decision));
	CU_ASSERT_PTR_NULL(limen_decision_violation(decision, 0));
	CU_ASSERT_PTR_NULL(limen_decision_annotation(decision, 0));
	CU_ASSERT_PTR_NULL(limen_decision_trace(decision, 0));
	CU_ASSERT_PTR_NULL(limen_decision_diagnostics(decision));
	limen_decision_identifiers(decision, &count);
	CU_ASSERT_EQUAL(count, 0);
	limen_decision_warnings(decision, &count);
	CU_ASSERT_EQUAL(count, 0);
	CU_ASSERT_FALSE(limen_decision_retry_after(decision, &wait));
	CU_ASSERT_FALSE(limen_decision_priority(decision, &priority));
	CU_ASSERT(wait == 7 && priority == 7);
	CU_ASSERT_FALSE(limen_value_exists(limen_decision_rewritten(decision)));
	CU_ASSERT_FALSE(limen_value_exists(limen_decision_patch(decision)));
	limen_decision_free(decision);
	limen_decision_free(NULL);
}

static void
test_refuse(void)
{
	limen_decision *decision = decision_new();

	decision->admitted = true;
	decision_refuse(decision, 403, "%s %d", "because", 1);
	CU_ASSERT_FALSE(limen_decision_admitted(decision));
	CU_ASSERT_EQUAL(limen_decision_code(decision), 403);
	CU_ASSERT_STRING_EQUAL(limen_decision_reason(decision), "because 1");
	decision->admitted = true;
	arena_free(&decision->arena);
	fail_malloc_once(1);
	decision_refuse(decision, 422, "%s", "lost");
	fail_malloc_stop();
	CU_ASSERT_FALSE(limen_decision_admitted(decision));
	CU_ASSERT_EQUAL(limen_decision_code(decision), 422);
	CU_ASSERT_STRING_EQUAL(limen_decision_reason(decision), "out of memory");
	limen_decision_free(decision);
}

static void
test_diagnostics(void)
{
	static const char *const items[] = { "a", "b" };
	limen_decision *decision = decision_new();

	decision_line(decision, "", "not asked for");
	CU_ASSERT_PTR_NULL(limen_decision_diagnostics(decision));
	decision->wants_diagnostics = true;
	decision_line(decision, "", "first");
	decision_line(decision, "  ", "two\nlines%s", "");
	decision_line(decision, "", "%s", "");
	decision_names(decision, "Names", &(names){ items, 2 });
	decision_names(decision, "None", &(names){ NULL, 0 });
	decision_line(decision, "> ", "end\n");
	CU_ASSERT_STRING_EQUAL(limen_decision_diagnostics(decision),
	                       "first\n  two\n  lines\n\nNames a, b\nNone\n> end\n> ");
	limen_decision_free(decision);
}

static void
add_three(limen_decision *decision)
{
	static const char *const texts[] = { "one", "two", "three" };

	for (int i = 0; i < 3; i++) {
		violation_list_add(&decision->violations, &decision->arena,
		                   &(limen_violation){ .violation_class = (uint32_t)i,
		                                       .field = i == 1 ? NULL : "field",
		                                       .message = texts[i] });
		text_list_add(&decision->warnings, &decision->arena, texts[i]);
		annotation_list_add(&decision->annotations, &decision->arena, "key", texts[i]);
	}
}

static void
test_sealed_lists(void)
{
	limen_decision *decision = decision_new();
	const char *const *warnings;
	size_t count;

	add_three(decision);
	CU_ASSERT_TRUE(decision_seal(decision));
	CU_ASSERT_EQUAL(limen_decision_violation(decision, 2)->violation_class,
	                LIMEN_CLASS_INVALID);
	CU_ASSERT_STRING_EQUAL(limen_decision_violation(decision, 2)->message, "three");
	CU_ASSERT_PTR_NULL(limen_decision_violation(decision, 1)->field);
	CU_ASSERT_PTR_NULL(limen_decision_violation(decision, 3));
	CU_ASSERT_STRING_EQUAL(limen_decision_annotation(decision, 0)->value, "one");
	CU_ASSERT_PTR_NULL(limen_decision_annotation(decision, SIZE_MAX));
	warnings = limen_decision_warnings(decision, &count);
	CU_ASSERT_EQUAL_FATAL(count, 3);
	CU_ASSERT_STRING_EQUAL(warnings[1], "two");
	limen_decision_free(decision);
}

/* A policy has as many entries that warn as it likes; an answer has so many warnings. */
static void
test_many_warnings(void)
{
	static const struct {
		int added, different, length;
		size_t told;
		const char *last; /* NULL: one of those that were added */
	} cases[] = {
		{ 1000, 1000, 4, 1000, NULL },
		{ 1001, 1001, 4, 1001, "only the first 1000 warnings are reported" },
		{ 5000, 5000, 4, 1001, "only the first 1000 warnings are reported" },
		{ 5000, 1000, 4, 1000, NULL },
		{ 512, 512, 2048, 512, NULL },
		{ 513, 513, 2048, 513, "only the first warnings are reported, because they are "
		                       "too long" },
		{ 900, 900, 2048, 513, "only the first warnings are reported, because they are "
		                       "too long" },
		{ 900, 512, 2048, 512, NULL },
		{ 1, 1, 1 << 20, 1, NULL },
		{ 2, 2, 1 << 20, 2, "only the first warnings are reported, because they are too "
		                    "long" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_decision *decision = decision_new();
		const char *const *warnings;
		size_t count;

		for (int j = 0; j < cases[i].added; j++)
			text_list_add(&decision->warnings, &decision->arena,
			              arena_printf(&decision->arena, "%0*d", cases[i].length,
			                           j % cases[i].different));
		CU_ASSERT_TRUE(decision_seal(decision));
		warnings = limen_decision_warnings(decision, &count);
		CU_ASSERT_EQUAL_FATAL(count, cases[i].told);
		CU_ASSERT_PTR_NULL(warnings[count]);
		if (cases[i].last != NULL) {
			CU_ASSERT_STRING_EQUAL(warnings[count - 1], cases[i].last);
		} else {
			CU_ASSERT_EQUAL(atoi(warnings[count - 1]), (int)count - 1);
		}
		limen_decision_free(decision);
	}
}

/* A decision that could not be completed can still be read and printed. */
static void
test_seal_no_memory(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		limen_decision *decision = decision_new();
		bool sealed;
		size_t count;
		char *text;

		add_three(decision);
		/* So that each array needs a block of its own. */
		while (decision->arena.end - decision->arena.next >= 16)
			arena_alloc(&decision->arena, 16);
		fail_malloc_once(n);
		sealed = decision_seal(decision);
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(sealed, !failed);
		limen_decision_warnings(decision, &count);
		CU_ASSERT_EQUAL(count, sealed ? 3 : 0);
		CU_ASSERT_EQUAL(limen_decision_violation(decision, 2) != NULL, sealed);
		text = limen_decision_to_json(decision, 0, NULL);
		CU_ASSERT_PTR_NOT_NULL(text);
		free(text);
		limen_decision_free(decision);
	}
}

static void
test_lost_diagnostics(void)
{
	limen_decision *decision = decision_new();

	decision->wants_diagnostics = true;
	decision_line(decision, "", "first");
	fail_malloc_once(1);
	decision_line(decision, "", "%2000s", "second");
	CU_ASSERT_TRUE(fail_malloc_stop());
	CU_ASSERT_FALSE(decision_seal(decision));
	limen_decision_free(decision);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a decision begins as one that could not be made", test_fresh },
		{ "refusing never fails", test_refuse },
		{ "diagnostics are written only when asked for, and indented", test_diagnostics },
		{ "lists are read by index", test_sealed_lists },
		{ "of many warnings the first are told", test_many_warnings },
		{ "a list is complete or empty when memory is short", test_seal_no_memory },
		{ "a lost line of diagnostics spoils the decision", test_lost_diagnostics },
		{ NULL, NULL },
	};

	return suite_run("core/decision", tests);
}
