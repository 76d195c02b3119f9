/* SPDX-License-Identifier: Apache-2.0 */
/* The decision object, to the byte. */
#include "decision/decision.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail_malloc.h"
#include "suite.h"
#include "reader/reader.h"

#define REST(priority, retry)                                                              \
	"\"messages\":[],\"diagnostics\":null,\"identifiers\":[],\"classifiers\":[],"      \
	"\"priority\":" priority ",\"rewritten\":null,\"patch\":null,\"warnings\":[],"     \
	"\"retry_after\":" retry "}"
#define START "{\"admitted\":false,\"code\":500,\"reason\":\"no decision was reached\","

static void
expect(const limen_decision *decision, unsigned flags, const char *json)
{
	size_t length = 0;
	char *text = limen_decision_to_json(decision, flags, &length);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	if (strcmp(text, json) != 0)
		printf("# wanted %s\n# found  %s\n", json, text);
	CU_ASSERT_STRING_EQUAL(text, json);
	CU_ASSERT_EQUAL(length, strlen(text));
	free(text);
}

static void
test_fresh(void)
{
	limen_decision *decision = decision_new();

	expect(decision, 0, START REST("null", "null"));
	limen_decision_free(decision);
}

typedef struct number_case {
	double priority;
	limen_duration retry_after;
	const char *priority_text;
	const char *retry_text;
} number_case;

static const number_case numbers[] = {
	{ 0, 0, "0", "0" },
	{ -0.0, 1, "0", "0.000001" },
	{ 7, LIMEN_SECOND, "7", "1" },
	{ -7, 10 * LIMEN_SECOND, "-7", "10" },
	{ 0.1, 1500000, "0.1", "1.5" },
	{ 1.0 / 3.0, 999999, "0.3333333333333333", "0.999999" },
	{ 999999999999999.0, 1000001, "999999999999999", "1.000001" },
	{ 1e15, 100, "1000000000000000.0", "0.0001" },
	{ 1e300, INT64_MAX, "1e+300", "9223372036854.775807" },
	{ 5e-324, 120 * LIMEN_SECOND, "5e-324", "120" },
};

static void
check_numbers(void)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		limen_decision *decision = decision_new();
		char text[400];

		decision->has_priority = true;
		decision->priority = numbers[i].priority;
		decision->retry_after = numbers[i].retry_after;
		snprintf(text, sizeof(text), START REST("%s", "%s"), numbers[i].priority_text,
		         numbers[i].retry_text);
		expect(decision, 0, text);
		limen_decision_free(decision);
	}
}

/* JSON has a point wherever the program runs. */
static void
test_locale(void)
{
	static const char *const locales[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE",
		                             "fr_FR.utf8" };
	bool found = false;

	for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]) && !found; i++)
		found = setlocale(LC_ALL, locales[i]) != NULL;
	if (found && strcmp(localeconv()->decimal_point, ",") == 0)
		check_numbers();
	else
		suite_skip("no locale with a decimal comma is installed");
	setlocale(LC_ALL, "C");
}

static limen_decision *
full_decision(void)
{
	static const char *const items[] = { "a", "b" };
	static const char *const notes[] = { "n" };
	static const limen_bound bounds[] = {
		{ .field = "f", .relation = LIMEN_RELATION_AT_MOST, .bound = "2" },
		{ .field = "g", .have = "h", .relation = LIMEN_RELATION_BELOW, .bound = "i" },
	};
	limen_decision *decision = decision_new();
	trace_item *item = item_list_add(&decision->trace, &decision->arena, sizeof(*item));
	step_item *step = item_list_add(&decision->steps, &decision->arena, sizeof(*step));
	document *doc = json_read(NULL, "{\"x\": 1}", 8, 0, NULL);

	decision->admitted = true;
	decision->code = 200;
	decision->reason = "\"quoted\"\n";
	decision->wants_diagnostics = true;
	decision_line(decision, "", "line 1\nline 2");
	decision->identifiers = (names){ items, 2 };
	decision->classifiers = (names){ items, 1 };
	decision->rewritten = revision_of(&decision->arena, doc);
	decision->patch = document_ref(doc);
	violation_list_add(&decision->violations, &decision->arena,
	                   &(limen_violation){ LIMEN_CLASS_TOO_MANY, "f", "v", NULL });
	text_list_add(&decision->warnings, &decision->arena, "w");
	annotation_list_add(&decision->annotations, &decision->arena, "\"k\"", "t");
	decision->wants_trace = true;
	item->trace = (limen_trace){ .kind = LIMEN_KIND_LIMIT, .type = "t", .name = "n",
		                     .verdict = LIMEN_FAIL, .inverted = true, .reason = "r",
		                     .nanoseconds = 12345, .file = "f", .line = 3,
		                     .notes = notes, .note_count = 1,
		                     .application = 2, .group = 1,
		                     .bounds = bounds, .bound_count = 2 };
	step->step = (limen_step){ .kind = LIMEN_STEP_APPLICATION, .verdict = LIMEN_SKIP,
		                   .stops = true, .classifier = "c", .application = 2, .file = "g\xFF",
		                   .line = 4 };
	CU_ASSERT_TRUE(decision_seal(decision));
	return decision;
}

#define FULL                                                                              \
	"{\"admitted\":true,\"code\":200,\"reason\":\"\\\"quoted\\\"\\n\","               \
	"\"messages\":[\"v\"],\"diagnostics\":\"line 1\\nline 2\","                        \
	"\"identifiers\":[\"a\",\"b\"],\"classifiers\":[\"a\"],\"priority\":null,"         \
	"\"rewritten\":{\"x\":1},\"patch\":{\"x\":1},\"warnings\":[\"w\"],"                \
	"\"retry_after\":null,\"annotations\":{\"\\\"k\\\"\":\"t\"},\"trace\":[{"               \
	"\"kind\":\"limit\",\"type\":\"t\",\"name\":\"n\",\"verdict\":\"fail\","           \
	"\"inverted\":true,\"reason\":\"r\",\"microseconds\":12.3,\"file\":\"f\","         \
	"\"line\":3,\"notes\":[\"n\"],\"application\":2,\"group\":1,"                    \
	"\"bounds\":[{\"field\":\"f\",\"have\":null,\"relation\":\"at most\","           \
	"\"bound\":\"2\"},{\"field\":\"g\",\"have\":\"h\",\"relation\":\"below\","         \
	"\"bound\":\"i\"}]}],\"steps\":[{\"kind\":\"application\",\"verdict\":\"skip\","   \
	"\"name\":null,\"application\":2,\"classifier\":\"c\",\"inverted\":false,"          \
	"\"stop-on-failure\":true,\"file\":\"g\xEF\xBF\xBD\",\"line\":4}]}"

static void
test_full(void)
{
	limen_decision *decision = full_decision();

	expect(decision, 0, FULL);
	limen_decision_free(decision);
}

/* A trace that was asked for is there even when nothing ran. */
static void
test_empty_trace(void)
{
	limen_decision *decision = decision_new();
	char *text;

	decision->wants_trace = true;
	text = limen_decision_to_json(decision, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, ",\"trace\":[],\"steps\":[]}"));
	free(text);
	limen_decision_free(decision);
}

static void
test_pretty(void)
{
	limen_decision *decision = decision_new();
	static const char head[] = "{\n  \"admitted\": false,\n  \"code\": 500,\n";
	char *text = limen_decision_to_json(decision, LIMEN_JSON_PRETTY, NULL);

	CU_ASSERT_EQUAL(strncmp(text, head, strlen(head)), 0);
	free(text);
	limen_decision_free(decision);
}

/* A document that can be read is nested too deeply to be read again inside of a decision. */
static void
test_pretty_deep(void)
{
	limen_decision *decision = decision_new();
	char text[2 * READ_DEPTH_MAX];
	char *printed;

	memset(text, '[', READ_DEPTH_MAX);
	memset(text + READ_DEPTH_MAX, ']', READ_DEPTH_MAX);
	decision->patch = json_read(NULL, text, sizeof(text), 0, NULL);
	printed = limen_decision_to_json(decision, LIMEN_JSON_PRETTY, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(printed, ",\"patch\":[[["));
	free(printed);
	limen_decision_free(decision);
}

static void
test_no_memory(void)
{
	limen_decision *decision = full_decision();
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		char *text;

		fail_malloc_once(n);
		text = limen_decision_to_json(decision, 0, NULL);
		failed = fail_malloc_stop();
		CU_ASSERT(failed || text != NULL);
		if (text != NULL)
			CU_ASSERT_STRING_EQUAL(text, FULL);
		free(text);
	}
	limen_decision_free(decision);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every member is there when nothing was found", test_fresh },
		{ "priorities and waits are exact", check_numbers },
		{ "numbers do not follow the locale", test_locale },
		{ "everything a decision may hold", test_full },
		{ "an empty trace is a trace", test_empty_trace },
		{ "the object can be indented", test_pretty },
		{ "what is nested too deeply stays on one line", test_pretty_deep },
		{ "a text is whole or not there", test_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/decision_print", tests);
}
