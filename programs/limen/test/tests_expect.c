/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_expect.c - checks the expectations of a test, and compares them with a decision.
 */
#include <limen/nearest.h>
#include <limen/string_match.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_out.h"
#include "tests.h"

/* Ways to compare an expectation. */
typedef enum comparison {
	AS_VALUE,   /* equal as JSON */
	AS_VERDICT, /* equal, and one of three words */
	AS_TEXT,    /* a string, or a string match as in policies */
	AS_TEXTS,   /* an array of AS_TEXT values */
	AS_LINES,   /* a text; or an array of lines that it must contain */
	AS_PART     /* the given members and elements must be equal */
} comparison;

typedef struct expectation {
	const char *key;
	const char *member; /* of the JSON object that account_of() makes */
	comparison how;
} expectation;

static const expectation expectations[] = {
	{ "verdict", "verdict", AS_VERDICT },
	{ "code", "code", AS_VALUE },
	{ "reason", "reason", AS_TEXT },
	{ "entry", "entry", AS_VALUE },
	{ "messages", "messages", AS_TEXTS },
	{ "warnings", "warnings", AS_TEXTS },
	{ "identifiers", "identifiers", AS_VALUE },
	{ "classifiers", "classifiers", AS_VALUE },
	{ "priority", "priority", AS_VALUE },
	{ "rewritten", "rewritten", AS_VALUE },
	{ "rewrittenHas", "rewritten", AS_PART },
	{ "patch", "patch", AS_VALUE },
	{ "diagnostics", "diagnostics", AS_LINES },
	{ "retryAfter", "retry_after", AS_VALUE },
};

static const char *const verdicts[] = { "admitted", "refused", "error", NULL };
static const char *const match_keys[] = { "style", "match", "case-insensitive", "invert", NULL };

static const expectation *
find_expectation(const char *key, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(expectations); i++)
		if (strlen(expectations[i].key) == length &&
		    memcmp(expectations[i].key, key, length) == 0)
			return &expectations[i];
	return NULL;
}

/* ---- string matches ---- */

static bool
check_match(limen_value match, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(match);
	limen_value key;
	char why[LIMEN_MATCH_WHY_MAX];
	limen_string_match *made;

	while (limen_iter_next(&iter, &key, NULL)) {
		const char *text = limen_value_string(key, NULL);
		bool known = text[0] == '#';

		for (size_t i = 0; match_keys[i] != NULL; i++)
			known = known || limen_value_is(key, match_keys[i]);
		if (!known) {
			limen_diag_add(diag, LIMEN_PROBLEM, key, "unknown key '%s'", text);
			return false;
		}
	}
	made = fit_compile(match, why);
	if (made == NULL)
		limen_diag_add(diag, LIMEN_PROBLEM, match, "%s", why);
	limen_string_match_free(made);
	return made != NULL;
}

static bool
check_text(limen_value value, limen_diag *diag)
{
	if (limen_value_type(value) == LIMEN_TYPE_OBJECT)
		return check_match(value, diag);
	if (limen_value_type(value) == LIMEN_TYPE_STRING)
		return true;
	limen_diag_add(diag, LIMEN_PROBLEM, value,
	               "must be a string, or an object with style and match");
	return false;
}

static bool
check_texts(limen_value value, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(value);
	limen_value one;
	bool good = true;

	if (limen_value_type(value) != LIMEN_TYPE_ARRAY) {
		limen_diag_add(diag, LIMEN_PROBLEM, value, "must be an array");
		return false;
	}
	while (limen_iter_next(&iter, NULL, &one))
		good = check_text(one, diag) && good;
	return good;
}

static bool
check_verdict(limen_value value, limen_diag *diag)
{
	for (size_t i = 0; verdicts[i] != NULL; i++)
		if (limen_value_is(value, verdicts[i]))
			return true;
	limen_diag_add(diag, LIMEN_PROBLEM, value,
	               "a verdict is 'admitted', 'refused' or 'error'");
	return false;
}

bool
tests_check_expected_key(const char *key, size_t length, limen_value where, limen_value value,
                         limen_diag *diag)
{
	const expectation *one = find_expectation(key, length);

	if (key[0] == '#')
		return true;
	if (one == NULL) {
		limen_nearest best = limen_nearest_to(key);

		for (size_t i = 0; i < G_N_ELEMENTS(expectations); i++)
			limen_nearest_offer(&best, expectations[i].key);
		tests_refuse_key(where, key, best.word, diag);
		return false;
	}
	if (!limen_value_exists(value))
		return true;
	if (one->how == AS_VERDICT)
		return check_verdict(value, diag);
	if (one->how == AS_TEXT)
		return check_text(value, diag);
	if (one->how == AS_TEXTS)
		return check_texts(value, diag);
	if (one->how == AS_LINES && limen_value_type(value) == LIMEN_TYPE_ARRAY)
		return check_texts(value, diag);
	return one->how != AS_LINES || check_text(value, diag);
}

bool
tests_check_expected(limen_value key, limen_value value, limen_diag *diag)
{
	size_t length;
	const char *text = limen_value_string(key, &length);

	return tests_check_expected_key(text, length, key, value, diag);
}

bool
tests_expects(const test_view *view)
{
	for (size_t i = 0; i < G_N_ELEMENTS(expectations); i++)
		if (limen_value_exists(tests_member(view, "expect", expectations[i].key)))
			return true;
	return false;
}

/* ---- comparing ---- */

static bool
fits(const expectation *one, limen_value expected, limen_value found)
{
	switch (one->how) {
	case AS_TEXT:
		return fit_text(expected, found);
	case AS_TEXTS:
		return fit_texts(expected, found);
	case AS_LINES:
		return fit_lines(expected, found);
	case AS_PART:
		return fit_part(expected, found);
	default:
		return limen_value_equal(expected, found);
	}
}

/* ---- the decision as JSON ---- */

static limen_documents *
account_of(const limen_decision *decision)
{
	size_t length = 0;
	char *text = limen_decision_print(decision, 0, &length);
	int code = limen_decision_code(decision);
	limen_documents *parsed = NULL;
	GString *out;

	if (text == NULL)
		return NULL;
	out = g_string_new("{");
	json_put_string(out, "verdict", verdicts[code == 200 ? 0 : code == 500 ? 2 : 1]);
	json_put_string(out, "entry", limen_decision_entry(decision));
	g_string_append_c(out, ',');
	g_string_append_len(out, text + 1, (gssize)length - 1);
	limen_documents_parse("decision.json", out->str, out->len, 0, &parsed, NULL);
	g_string_free(out, TRUE);
	free(text);
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
is_replaceable(const expectation *one, limen_value expected)
{
	limen_iter iter = limen_iter_start(expected);
	limen_value element;

	if (one->how == AS_PART || one->how == AS_LINES)
		return false;
	while (one->how == AS_TEXTS && limen_iter_next(&iter, NULL, &element))
		if (limen_value_type(element) == LIMEN_TYPE_OBJECT)
			return false;
	return one->how != AS_TEXT || limen_value_type(expected) != LIMEN_TYPE_OBJECT;
}

bool
tests_compare(test_case *test, const test_view *view, const char *label,
              const limen_decision *decision, bool first)
{
	limen_documents *parsed = account_of(decision);
	limen_value account;

	if (parsed == NULL)
		return false;
	account = limen_documents_get(parsed, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(expectations); i++) {
		const expectation *one = &expectations[i];
		limen_value expected = tests_member(view, "expect", one->key);
		limen_value found = limen_value_get(account, one->member);
		test_failure *failure;

		if (!limen_value_exists(expected))
			continue;
		if (fits(one, expected, found)) {
			if (first)
				g_array_append_val(test->met, expected);
			continue;
		}
		failure = g_new0(test_failure, 1);
		*failure = (test_failure){ .where = expected,
			                   .place = tests_place(expected),
			                   .what = g_strconcat(label, one->key, NULL),
			                   .expected = print_value(expected),
			                   .found = print_value(found),
			                   .replaceable = is_replaceable(one, expected) };
		g_ptr_array_add(test->failures, failure);
	}
	limen_documents_free(parsed);
	return true;
}
