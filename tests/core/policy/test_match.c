/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/match.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

static void
test_globs(void)
{
	static const struct {
		const char *pattern;
		const char *yes; /* texts between "|" */
		const char *no;
	} cases[] = {
		{ "", "", "a" },
		{ "*", "|a|**|a/b", NULL },
		{ "**", "|a", NULL },
		{ "a", "a", "|A|aa|ba|*" },
		{ "a*", "a|ab|aa*", "|ba|A" },
		{ "*a", "a|ba|aa", "|ab|A" },
		{ "a*a", "aa|aba|aaa", "a||ab|ba" },
		{ "*a*", "a|bab|aa", "|b" },
		{ "a*b*c", "abc|aXbYc|abbcc|abcbc", "ab|ac|acb|abcX" },
		{ "*ab*ab*", "abab|XabYabZ", "ab|aabb|aba" },
		{ "*aab", "aaab|aab", "aaba|ab" },
		{ "?", "?", "a" },
		{ "[a]\\*", "[a]\\|[a]\\x", "a" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int wanted = 0; wanted < 2; wanted++) {
			const char *texts = wanted ? cases[i].yes : cases[i].no;

			while (texts != NULL) {
				size_t length = strcspn(texts, "|");
				/* Of exact size, so that a read past the end shows. */
				char *copy = malloc(length + (length == 0));

				memcpy(copy, texts, length);
				CU_ASSERT_EQUAL(limen_glob_match(cases[i].pattern, copy, length), wanted);
				free(copy);
				texts = texts[length] == '\0' ? NULL : texts + length + 1;
			}
		}
	}
}

/*
 * Matches by the definition of a pattern: tries every length for a star.  Not inlined, or gcc 14
 * warns of reading behind the end, where no pattern leads.
 */
static bool __attribute__((noinline))
matches_slowly(const char *pattern, const char *text)
{
	if (*pattern == '\0')
		return *text == '\0';
	if (*pattern != '*')
		return *pattern == *text && matches_slowly(pattern + 1, text + 1);
	return matches_slowly(pattern + 1, text) ||
	       (*text != '\0' && matches_slowly(pattern, text + 1));
}

static void
make_text(char *text, size_t length, const char *letters, unsigned long number)
{
	size_t base = strlen(letters);

	for (size_t i = 0; i < length; i++) {
		text[i] = letters[number % base];
		number /= base;
	}
	text[length] = '\0';
}

/* All patterns of up to 5 characters against all texts of up to 5. */
static void
test_globs_all(void)
{
	unsigned long wrong = 0;
	unsigned long patterns = 1;
	char pattern[6], text[6];

	for (size_t p = 0; p <= 5; p++, patterns *= 3) {
		for (unsigned long i = 0; i < patterns; i++) {
			make_text(pattern, p, "ab*", i);
			for (size_t t = 0; t <= 5; t++) {
				for (unsigned long j = 0; j < 1UL << t; j++) {
					make_text(text, t, "ab", j);
					wrong += limen_glob_match(pattern, text, t) !=
					         matches_slowly(pattern, text);
				}
			}
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* Matchers that go back take exponential time here. */
static void
test_glob_hostile(void)
{
	size_t length = 4 << 20;
	char *text = malloc(length);

	memset(text, 'a', length);
	CU_ASSERT_FALSE(limen_glob_match("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text, length));
	CU_ASSERT_FALSE(limen_glob_match("*aaaaaaaaaaaaaaab*aaaaaaaaaaaaaaab*", text, length));
	CU_ASSERT_TRUE(limen_glob_match("a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a", text, length));
	free(text);
}

/* A NUL is a byte like others. */
static void
test_glob_nul(void)
{
	CU_ASSERT_FALSE(limen_glob_match("web", "web\0x", 5));
	CU_ASSERT_TRUE(limen_glob_match("web*", "web\0x", 5));
	CU_ASSERT_TRUE(limen_glob_match("*x", "web\0x", 5));
}

static const char *const shops[] = { "shop" };
static const char *const anns[] = { "ann" };
static const char *const all[] = { "*" };

#define LIST(items) { items, sizeof(items) / sizeof((items)[0]) }

/* Of one term each of the three values: does the rule, and its exception, follow? */
static void
test_unknown(void)
{
	static const match_resource_name pods[] = { { "pods", "" } };
	static const size_t first[] = { 0 };
	static const size_t both[] = { 0, 1 };
	static const outcome values[] = { OUTCOME_YES, OUTCOME_NO, OUTCOME_UNKNOWN };
	match_terms terms[] = {
		{ .operations = LIST(shops) },
		{ .kinds = LIST(shops) },
		{ .resources = pods, .resource_count = 1 },
		{ .classifiers = { first, 1 } },
		{ .classifiers = { both, 2 } },
	};

	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		for (size_t j = 0; j < 3; j++) {
			static const char *const texts[] = { "shop", "x", NULL };
			outcome classified[] = { values[j], OUTCOME_NO };
			match_facts facts = { .operation = texts[j],
				              .kind = texts[j],
				              .resource = j == 0 ? "pods" : texts[j],
				              .subresource = "",
				              .namespace = "",
				              .user = "",
				              .classified = classified };
			match rule = { .terms = terms[i] };
			match exempt = { .exceptions = &terms[i], .exception_count = 1 };

			CU_ASSERT_EQUAL(match_request(&rule, &facts), values[j]);
			CU_ASSERT_EQUAL(match_request(&exempt, &facts),
			                outcome_invert(values[j], true));
		}
	}
}

/* What cannot be told never beats what is certain. */
static void
test_certain(void)
{
	match_facts facts = { .subresource = "", .namespace = "other", .user = "ann" };
	match rule = { .terms = { .operations = LIST(shops), .namespaces = LIST(shops) } };
	match_terms exceptions[] = { { .operations = LIST(shops) }, { .users = LIST(anns) } };

	CU_ASSERT_EQUAL(match_request(&rule, &facts), OUTCOME_NO);
	facts.namespace = "shop";
	CU_ASSERT_EQUAL(match_request(&rule, &facts), OUTCOME_UNKNOWN);
	rule = (match){ .terms = { .operations = LIST(all), .kinds = LIST(all) } };
	CU_ASSERT_EQUAL(match_request(&rule, &facts), OUTCOME_YES);
	rule = (match){ .exceptions = exceptions, .exception_count = 2 };
	CU_ASSERT_EQUAL(match_request(&rule, &facts), OUTCOME_NO);
	facts.user = "bob";
	CU_ASSERT_EQUAL(match_request(&rule, &facts), OUTCOME_UNKNOWN);
}

/* The first key that does not match is named, or the exception that does. */
static void
test_reasons(void)
{
	static const match_resource_name pods[] = { { "pods", "" } };
	static const size_t members[] = { 0 };
	static const char *const names[] = { "team" };
	static const outcome strangers = OUTCOME_NO;
	static const match_facts facts = { .operation = "CREATE",
		                           .resource = "pods",
		                           .subresource = "status",
		                           .kind = "P\nod",
		                           .namespace = "",
		                           .user = "ann",
		                           .groups = LIST(names),
		                           .classified = &strangers };
	static const match_terms anyone = { .users = LIST(anns) };
	static const match_terms noone = { .users = LIST(shops) };
	static const match_terms exceptions[] = { { .users = LIST(shops) }, { .users = LIST(anns) } };
	static const struct {
		match rule;
		const char *reason;
	} cases[] = {
		{ { .terms = { .operations = LIST(shops), .users = LIST(shops) } },
		  "match: operations do not include 'CREATE'" },
		{ { .terms = { .resources = pods, .resource_count = 1 } },
		  "match: resources do not include 'pods/status'" },
		{ { .terms = { .kinds = LIST(shops) } }, "match: kinds do not include 'P od'" },
		{ { .terms = { .namespaces = LIST(shops) } },
		  "match: namespaces are given, and the request has none" },
		{ { .terms = { .operations = LIST(all), .users = LIST(shops) } },
		  "match: users do not include 'ann'" },
		{ { .terms = { .groups = LIST(shops) } },
		  "match: groups include none of the user's" },
		{ { .terms = { .containers = LIST(shops) } },
		  "match: selector, fields or containers do not fit the object" },
		{ { .terms = { .classifiers = { members, 1 } } },
		  "match: classifiers include none of the request's" },
		{ { .exceptions = &anyone, .exception_count = 1 }, "not: the exception matches" },
		{ { .exceptions = exceptions, .exception_count = 2 },
		  "not: exception 2 of 2 matches" },
		{ { .terms = { .groups = LIST(names) }, .exceptions = &noone, .exception_count = 1 },
		  NULL },
	};
	arena memory = ARENA_INIT;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *reason;

		CU_ASSERT_EQUAL(match_request(&cases[i].rule, &facts),
		                cases[i].reason == NULL ? OUTCOME_YES : OUTCOME_NO);
		if (cases[i].reason == NULL)
			continue;
		reason = match_reason(&cases[i].rule, &facts, &memory);
		CU_ASSERT_PTR_NOT_NULL_FATAL(reason);
		CU_ASSERT_STRING_EQUAL(reason, cases[i].reason);
	}
	arena_free(&memory);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "patterns, on both sides of what they match", test_globs },
		{ "all short patterns mean what they say", test_globs_all },
		{ "long texts take linear time", test_glob_hostile },
		{ "a NUL ends no text", test_glob_nul },
		{ "what is unknown stays unknown", test_unknown },
		{ "what is certain counts", test_certain },
		{ "what leaves a request out is named", test_reasons },
		{ NULL, NULL },
	};

	return suite_run("core/match", tests);
}
