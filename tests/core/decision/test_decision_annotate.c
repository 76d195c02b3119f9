/* SPDX-License-Identifier: Apache-2.0 */
#include "decision/decision.h"

#include <stdlib.h>
#include <string.h>

#include "fail_malloc.h"
#include "suite.h"

#define MOST 32768

/* Adds the texts before the first NULL, of three. */
static bool
annotate(limen_decision *decision, const char *key, const char *const texts[3])
{
	item_list list = { .count = 0 };

	for (int i = 0; i < 3 && texts[i] != NULL; i++)
		text_list_add(&list, &decision->arena, texts[i]);
	return decision_annotate(decision, key, &list);
}

static const char *
value_at(const limen_decision *decision, size_t index)
{
	const limen_annotation *one = limen_decision_annotation(decision, index);

	return one == NULL ? "(none)" : one->value;
}

static void
test_joined(void)
{
	static const struct {
		const char *first[3], *second[3];
		const char *value;
	} cases[] = {
		{ { "a" }, { NULL }, "a" },
		{ { "" }, { NULL }, "" },
		{ { "a", "b", "a" }, { NULL }, "a; b; a" },
		{ { "a" }, { "b" }, "a; b" },
		{ { "a", "b" }, { "c", "d", "e" }, "a; b; c; d; e" },
		{ { "", "", "x" }, { "", "" }, "; ; x; ; " },
		{ { "two\nlines..." }, { "caf\xC3\xA9" }, "two\nlines...; caf\xC3\xA9" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_decision *decision = decision_new();

		CU_ASSERT_TRUE(annotate(decision, "k", cases[i].first));
		CU_ASSERT_TRUE(annotate(decision, "other", (const char *[3]){ "o" }));
		if (cases[i].second[0] != NULL)
			CU_ASSERT_TRUE(annotate(decision, "k", cases[i].second));
		CU_ASSERT_TRUE(decision_seal(decision));
		CU_ASSERT_STRING_EQUAL(value_at(decision, 0), cases[i].value);
		CU_ASSERT_STRING_EQUAL(value_at(decision, 1), "o");
		CU_ASSERT_STRING_EQUAL(limen_decision_annotation(decision, 0)->key, "k");
		CU_ASSERT_PTR_NULL(limen_decision_annotation(decision, 2));
		limen_decision_free(decision);
	}
}

/* 'head', and 'unit' as often as it takes to get to 'length' bytes at least. */
static char *
repeat(const char *head, const char *unit, size_t length)
{
	char *text = malloc(length + strlen(head) + strlen(unit) + 1);
	char *end = stpcpy(text, head);

	while ((size_t)(end - text) < length)
		end = stpcpy(end, unit);
	return text;
}

/* Is 'value' so long, the beginning of 'whole', and, if it is cut, "..." behind it? */
static void
expect_start(const char *value, const char *whole, size_t length, bool cut)
{
	size_t kept = length - (cut ? 3 : 0);

	CU_ASSERT_EQUAL_FATAL(strlen(value), length);
	CU_ASSERT_EQUAL(strncmp(value, whole, kept), 0);
	CU_ASSERT_STRING_EQUAL(value + kept, cut ? "..." : "");
}

/* At a whole character, and what follows is not told either. */
static void
test_cut(void)
{
	static const struct {
		const char *head, *unit;
		size_t length, kept;
		bool cut;
	} cases[] = {
		{ "", "x", MOST - 1, MOST - 1, false },
		{ "", "x", MOST, MOST, false },
		{ "", "x", MOST + 1, MOST, true },
		{ "", "x", 100 * MOST, MOST, true },
		{ "", "\xC3\xA9", MOST, MOST, false },
		{ "", "\xC3\xA9", MOST + 2, MOST - 1, true },
		{ "x", "\xC3\xA9", MOST + 1, MOST, true },
		{ "x", "\xF0\x9F\x98\x80", MOST + 1, MOST, true },
		{ "", "\xF0\x9F\x98\x80", MOST + 4, MOST - 1, true },
		{ "xxxx", "\xF0\x9F\x98\x80", MOST + 4, MOST - 1, true },
		{ "xx", "\xF0\x9F\x98\x80", MOST + 2, MOST - 3, true },
		{ "xxx", "\xF0\x9F\x98\x80", MOST + 3, MOST - 2, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = repeat(cases[i].head, cases[i].unit, cases[i].length);
		limen_decision *decision = decision_new();

		CU_ASSERT_TRUE(annotate(decision, "k", (const char *[3]){ text }));
		if (cases[i].cut)
			CU_ASSERT_TRUE(annotate(decision, "k", (const char *[3]){ "more" }));
		CU_ASSERT_TRUE(decision_seal(decision));
		expect_start(value_at(decision, 0), text, cases[i].kept, cases[i].cut);
		limen_decision_free(decision);
		free(text);
	}
}

/* What two entries leave under one key has room for one. */
static void
test_cut_together(void)
{
	static const struct {
		size_t first, second, kept;
		bool cut;
	} cases[] = {
		{ MOST / 2, MOST / 2 - 2, MOST, false },
		{ MOST / 2, MOST / 2 - 1, MOST, true },
		{ MOST, 0, MOST, true },
		{ MOST - 2, 0, MOST, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *texts[2] = { repeat("", "x", cases[i].first),
			           repeat("", "x", cases[i].second) };
		limen_decision *decision = decision_new();
		char *whole = NULL;

		CU_ASSERT_FATAL(asprintf(&whole, "%s; %s", texts[0], texts[1]) > 0);
		CU_ASSERT_TRUE(annotate(decision, "k", (const char *[3]){ texts[0] }));
		CU_ASSERT_TRUE(annotate(decision, "k", (const char *[3]){ texts[1] }));
		CU_ASSERT_TRUE(decision_seal(decision));
		expect_start(value_at(decision, 0), whole, cases[i].kept, cases[i].cut);
		limen_decision_free(decision);
		free(texts[0]);
		free(texts[1]);
		free(whole);
	}
}

/* What modules say: keys and texts in turn. */
static void
test_taken(void)
{
	static const struct {
		const char *said[6], *again[6];
		const char *values[2]; /* of "k" and "l" */
	} cases[] = {
		{ { "k", "a" }, { NULL }, { "a", NULL } },
		{ { "k", "a", "k", "b", "l", "c" }, { NULL }, { "a; b", "c" } },
		{ { "k", "a", "l", "c", "k", "b" }, { NULL }, { "a; b", "c" } },
		/* Of who is asked twice. */
		{ { "k", "a" }, { "k", "a" }, { "a", NULL } },
		{ { "k", "a", "l", "c" }, { "k", "b", "l", "c" }, { "a; b", "c" } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_decision *decision = decision_new();

		for (int time = 0; time < 2; time++) {
			const char *const *said = time == 0 ? cases[i].said : cases[i].again;
			item_list list = { .count = 0 };

			for (int at = 0; at < 6 && said[at] != NULL; at += 2)
				annotation_list_add(&list, &decision->arena, said[at], said[at + 1]);
			CU_ASSERT_TRUE(decision_take_annotations(decision, &list));
		}
		CU_ASSERT_TRUE(decision_seal(decision));
		CU_ASSERT_STRING_EQUAL(value_at(decision, 0), cases[i].values[0]);
		CU_ASSERT_STRING_EQUAL(value_at(decision, 1),
		                       cases[i].values[1] == NULL ? "(none)" : cases[i].values[1]);
		CU_ASSERT_PTR_NULL(limen_decision_annotation(decision, 2));
		limen_decision_free(decision);
	}
}

/* What was there stays as it was. */
static void
test_no_memory(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		limen_decision *decision = decision_new();
		char *text = repeat("", "x", 5000);
		text_item item = { .text = text };
		item_list list = { .first = &item, .count = 1 };
		bool good[2];
		size_t length;

		fail_malloc_once(n);
		good[0] = decision_annotate(decision, "k", &list);
		good[1] = decision_annotate(decision, "k", &list);
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(good[0] && good[1], !failed);
		CU_ASSERT_TRUE(decision_seal(decision));
		length = good[0] && good[1] ? 10002 : 5000;
		CU_ASSERT_EQUAL(strlen(value_at(decision, 0)), length);
		limen_decision_free(decision);
		free(text);
	}
}

/* A finding that did not fit is there once it is observed again, and so are all others. */
static void
test_observe_no_memory(void)
{
	char *rule = repeat("", "r", 5000), *text = repeat("", "x", 5000);
	bool failed = true;
	unsigned long n;

	for (n = 1; failed; n++) {
		limen_decision *decision = decision_new();
		violation_item shorter = { .violation = { .message = text + 1 } };
		violation_item longer = { &shorter, { .message = text } };
		const item_list list = { .first = &longer, .count = 2 };
		bool good;
		size_t i = 0;

		fail_malloc_once(n);
		good = decision_observe(decision, rule, "warn", "pods", &list);
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(good, !failed);
		CU_ASSERT_TRUE(decision_observe(decision, "other", "audit", NULL, &list));
		CU_ASSERT_TRUE(decision_observe(decision, rule, "warn", "pods", &list));
		CU_ASSERT_TRUE_FATAL(decision_seal(decision));
		for (const limen_observed *seen; (seen = limen_decision_observed(decision, i)) != NULL; i++) {
			size_t pods = strcmp(seen->entry, rule) == 0 ? strlen("pods: ") : 0;

			CU_ASSERT_EQUAL_FATAL(seen->violation_count, 2);
			CU_ASSERT_EQUAL(strlen(seen->violations[0].message), 5000 + pods);
			CU_ASSERT_EQUAL(strlen(seen->violations[1].message), 4999 + pods);
		}
		CU_ASSERT_EQUAL(i, 2);
		limen_decision_free(decision);
	}
	CU_ASSERT(n > 4);
	free(rule);
	free(text);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "texts are joined", test_joined },
		{ "a long text is cut", test_cut },
		{ "and what is long together", test_cut_together },
		{ "what modules say is joined under its key", test_taken },
		{ "every allocation may fail", test_no_memory },
		{ "and every one of what is observed", test_observe_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/decision_annotate", tests);
}
