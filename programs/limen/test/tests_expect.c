/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_expect.c - checks the expectations of a test, and compares them with a decision: equal
 * values, string matches, arrays of them, lines of a text in any order, and parts of objects.  A
 * string match is compiled each time it is used.
 */
#include <limen/nearest.h>
#include <limen/string_match.h>
#include <string.h>

#include "common/auto.h"
#include "common/json_out.h"
#include "common/member.h"
#include "tests.h"

static const char *const verdicts[] = { "admitted", "refused", "error", NULL };
static const char *const match_keys[] = { "style", "match", "case-insensitive", "invert", NULL };
static const char *const styles[] = { "exact", "contains", "regex", NULL };

/* Compiles the object 'match', a string match as in policies; returns NULL with '*why'. */
static limen_string_match *
compile(limen_value match, char why[LIMEN_MATCH_WHY_MAX])
{
	size_t length = 0;
	const char *pattern = limen_value_string(limen_value_get(match, "match"), &length);
	limen_value style = limen_value_get(match, "style");
	unsigned flags = (member_is_true(match, "case-insensitive") ? LIMEN_MATCH_CASELESS : 0) |
	                 (member_is_true(match, "invert") ? LIMEN_MATCH_INVERT : 0);
	limen_string_match *compiled = NULL;

	g_strlcpy(why, "'match' must be a string, and 'style' exact, contains or regex",
	          LIMEN_MATCH_WHY_MAX);
	for (int i = 0; pattern != NULL && styles[i] != NULL; i++)
		if (limen_value_is(style, styles[i]) &&
		    limen_string_match_new((limen_match_style)i, pattern, length, flags, &compiled,
		                           why) != LIMEN_OK)
			return NULL;
	return compiled;
}

/* Returns true if the text matches the object 'match'. */
static bool
matches(limen_value match, const char *text, size_t length)
{
	char why[LIMEN_MATCH_WHY_MAX];
	g_autoptr(limen_string_match) compiled = compile(match, why);

	return compiled != NULL && text != NULL &&
	       limen_string_match_test(compiled, text, length) == LIMEN_PASS;
}

/* Returns true if 'found' is the text 'expected', or matches the object 'expected'. */
static bool
fit_text(limen_value expected, limen_value found)
{
	size_t length = 0;
	const char *text = limen_value_string(found, &length);

	return limen_value_type(expected) == LIMEN_TYPE_OBJECT ? matches(expected, text, length)
	                                                       : limen_value_equal(expected, found);
}

/* Returns true if each element of 'expected' fits the element of 'found' at its place. */
static bool
fit_elements(limen_value expected, limen_value found,
             bool (*fits)(limen_value expected, limen_value found))
{
	limen_iter wanted = limen_iter_start(expected);
	limen_iter actual = limen_iter_start(found);
	limen_value element, other;

	while (limen_iter_next(&wanted, NULL, &element))
		if (!limen_iter_next(&actual, NULL, &other) || !fits(element, other))
			return false;
	return true;
}

static bool
fit_texts(limen_value expected, limen_value found)
{
	return limen_value_count(expected) == limen_value_count(found) &&
	       fit_elements(expected, found, fit_text);
}

/* For an array 'expected': returns true if a line of 'found' matches each of its elements. */
static bool
fit_lines(limen_value expected, limen_value found)
{
	const char *text = limen_value_string(found, NULL);
	g_auto(GStrv) lines = g_strsplit(text == NULL ? "" : text, "\n", -1);
	limen_value wanted;

	if (limen_value_type(expected) != LIMEN_TYPE_ARRAY)
		return fit_text(expected, found);
	for (limen_iter iter = limen_iter_start(expected); limen_iter_next(&iter, NULL, &wanted);) {
		bool object = limen_value_type(wanted) == LIMEN_TYPE_OBJECT;
		char **line = lines;

		while (*line != NULL && !(object ? matches(wanted, *line, strlen(*line))
		                                 : limen_value_is(wanted, *line)))
			line++;
		if (*line == NULL)
			return false;
	}
	return true;
}

/*
 * Returns true if 'found' has the members of 'expected', and its elements from the first on.
 * The recursion is bounded: documents are at most 1000 levels deep (limen/documents.h).
 */
static bool
fit_part(limen_value expected, limen_value found)
{
	limen_type type = limen_value_type(expected);
	limen_iter wanted = limen_iter_start(expected);
	limen_value key, member;

	if (type != LIMEN_TYPE_OBJECT && type != LIMEN_TYPE_ARRAY)
		return limen_value_equal(expected, found);
	if (limen_value_type(found) != type)
		return false;
	if (type == LIMEN_TYPE_ARRAY)
		return fit_elements(expected, found, fit_part);
	while (limen_iter_next(&wanted, &key, &member)) {
		size_t length = 0;
		const char *name = limen_value_string(key, &length);
		limen_value other = limen_value_member(found, name, length);

		if (!limen_value_exists(other) || !fit_part(member, other))
			return false;
	}
	return true;
}

/* ---- checking ---- */

static bool
check_match(limen_value match, limen_diag *diag)
{
	char why[LIMEN_MATCH_WHY_MAX];
	g_autoptr(limen_string_match) compiled = compile(match, why);
	limen_value key;

	for (limen_iter iter = limen_iter_start(match); limen_iter_next(&iter, &key, NULL);) {
		const char *text = limen_value_string(key, NULL);
		bool known = text[0] == '#';

		for (size_t i = 0; match_keys[i] != NULL; i++)
			known = known || limen_value_is(key, match_keys[i]);
		if (!known)
			return limen_diag_refuse(diag, key, "unknown key '%s'", text);
	}
	return compiled != NULL || limen_diag_refuse(diag, match, "%s", why);
}

static bool
check_text(limen_value value, limen_diag *diag)
{
	if (limen_value_type(value) == LIMEN_TYPE_OBJECT)
		return check_match(value, diag);
	return limen_value_type(value) == LIMEN_TYPE_STRING ||
	       limen_diag_refuse(diag, value, "must be a string, or an object with style and match");
}

static bool
check_texts(limen_value value, limen_diag *diag)
{
	limen_value element;
	bool good = true;

	if (limen_value_type(value) != LIMEN_TYPE_ARRAY)
		return limen_diag_refuse(diag, value, "must be an array");
	for (limen_iter iter = limen_iter_start(value); limen_iter_next(&iter, NULL, &element);)
		good = check_text(element, diag) && good;
	return good;
}

static bool
check_verdict(limen_value value, limen_diag *diag)
{
	g_auto(heap_text) found = NULL;

	for (size_t i = 0; verdicts[i] != NULL; i++)
		if (limen_value_is(value, verdicts[i]))
			return true;
	found = limen_value_to_json(value, 0, NULL);
	return limen_diag_refuse(diag, value, "a verdict is 'admitted', 'refused' or 'error', not %s",
	                         found != NULL ? found : "this");
}

static bool
check_flag(limen_value value, limen_diag *diag)
{
	return limen_value_type(value) == LIMEN_TYPE_BOOL ||
	       limen_diag_refuse(diag, value, "must be true or false");
}

/* A text, or an array of lines. */
static bool
check_lines(limen_value value, limen_diag *diag)
{
	return limen_value_type(value) == LIMEN_TYPE_ARRAY ? check_texts(value, diag)
	                                                   : check_text(value, diag);
}

/* ---- the expectations ---- */

typedef struct expectation {
	const char *key;
	const char *member; /* of account_of() */
	bool (*check)(limen_value value, limen_diag *diag); /* NULL: any value is good */
	bool (*fits)(limen_value expected, limen_value found);
} expectation;

static const expectation expectations[] = {
	{ "verdict", "verdict", check_verdict, limen_value_equal },
	{ "admitted", "admitted", check_flag, limen_value_equal },
	{ "code", "code", NULL, limen_value_equal },
	{ "reason", "reason", check_text, fit_text },
	{ "entry", "entry", NULL, limen_value_equal },
	{ "messages", "messages", check_texts, fit_texts },
	{ "warnings", "warnings", check_texts, fit_texts },
	{ "identifiers", "identifiers", NULL, limen_value_equal },
	{ "classifiers", "classifiers", NULL, limen_value_equal },
	{ "priority", "priority", NULL, limen_value_equal },
	{ "rewritten", "rewritten", NULL, limen_value_equal },
	{ "rewrittenHas", "rewritten", NULL, fit_part },
	{ "patch", "patch", NULL, limen_value_equal },
	{ "diagnostics", "diagnostics", check_lines, fit_lines },
	{ "retryAfter", "retry_after", NULL, limen_value_equal },
};

static const expectation *
find_expectation(const char *key, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(expectations); i++)
		if (strlen(expectations[i].key) == length &&
		    memcmp(expectations[i].key, key, length) == 0)
			return &expectations[i];
	return NULL;
}

bool
tests_check_expected(const char *key, size_t length, limen_value where, limen_value value,
                     limen_diag *diag)
{
	const expectation *known = find_expectation(key, length);
	limen_nearest best = limen_nearest_to(key);

	if (key[0] == '#')
		return true;
	if (known != NULL)
		return !limen_value_exists(value) || known->check == NULL ||
		       known->check(value, diag);
	for (size_t i = 0; i < G_N_ELEMENTS(expectations); i++)
		limen_nearest_offer(&best, expectations[i].key);
	tests_refuse_key(where, key, best.word, diag);
	return false;
}

bool
tests_expects(const test_view *view)
{
	for (size_t i = 0; i < G_N_ELEMENTS(expectations); i++)
		if (limen_value_exists(tests_member(view, "expect", expectations[i].key)))
			return true;
	return false;
}

/* ---- the values of a decision ---- */

/* Returns the decision object with its verdict and entry; NULL when memory is short. */
static limen_documents *
account_of(const limen_decision *decision)
{
	int code = limen_decision_code(decision);
	g_autoptr(GString) out = g_string_new(NULL);
	g_auto(heap_text) text = limen_decision_to_json(decision, 0, NULL);
	limen_documents *parsed = NULL;

	json_write(out, "{verdict:s entry:s", verdicts[code == 200 ? 0 : code == 500 ? 2 : 1],
	           limen_decision_entry(decision));
	if (text != NULL) {
		/* The decision object is never empty, so its first member follows. */
		g_string_append_c(out, ',');
		g_string_append(out, text + 1);
		limen_documents_parse("decision.json", out->str, out->len, LIMEN_DOCUMENTS_NAN,
		                      &parsed, NULL);
	}
	return parsed;
}

static char *
print_value(limen_value value)
{
	GString *out = g_string_new("[");

	json_value(out, value);
	return g_string_free(g_string_erase(out, 0, 1), FALSE);
}

/* Returns true for plain values: string matches and partial values cannot be replaced. */
static bool
is_replaceable(const expectation *known, limen_value expected)
{
	limen_iter iter = limen_iter_start(expected);
	limen_value element;

	if (known->fits == fit_text)
		return limen_value_type(expected) != LIMEN_TYPE_OBJECT;
	while (known->fits == fit_texts && limen_iter_next(&iter, NULL, &element))
		if (limen_value_type(element) == LIMEN_TYPE_OBJECT)
			return false;
	return known->fits == fit_texts || known->fits == limen_value_equal;
}

bool
tests_compare(test_case *test, const test_view *view, const char *label,
              const limen_decision *decision, bool first)
{
	g_autoptr(limen_documents) parsed = account_of(decision);
	limen_value account = limen_documents_get(parsed, 0);

	for (size_t i = 0; limen_value_exists(account) && i < G_N_ELEMENTS(expectations); i++) {
		const expectation *known = &expectations[i];
		limen_value expected = tests_member(view, "expect", known->key);
		limen_value found = limen_value_get(account, known->member);
		bool fits = known->fits(expected, found);
		report_remark *remark;

		if (!limen_value_exists(expected))
			continue;
		if (fits && first)
			g_array_append_val(test->met, expected);
		if (fits)
			continue;
		remark = report_add_remark(&test->result, g_strconcat(label, known->key, NULL), NULL);
		remark->where = expected;
		remark->place = tests_place(expected);
		remark->expected = print_value(expected);
		remark->found = print_value(found);
		remark->replaceable = is_replaceable(known, expected);
	}
	return limen_value_exists(account);
}
