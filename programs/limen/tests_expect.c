/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_expect.c - what a test may expect of a decision, and whether it came.
 */
#include <limen/nearest.h>
#include <limen/string_match.h>
#include <stdlib.h>
#include <string.h>

#include "../common/json_out.h"
#include "tests.h"

/* How an expectation is compared. */
typedef enum comparison {
	AS_VALUE,   /* equal as JSON */
	AS_VERDICT, /* the same, and one of three words */
	AS_TEXT,    /* a string, or a string match as policies have them */
	AS_TEXTS,   /* an array of these */
	AS_LINES,   /* a text; or an array of lines that must be among its own */
	AS_PART     /* members and elements that are given must be equal */
} comparison;

typedef struct expectation {
	const char *key;
	const char *member; /* of the account of the decision that account_of() makes */
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
static const char *const styles[] = { "exact", "contains", "regex", NULL };

static const expectation *
find_expectation(const char *key)
{
	for (size_t i = 0; i < G_N_ELEMENTS(expectations); i++)
		if (strcmp(expectations[i].key, key) == 0)
			return &expectations[i];
	return NULL;
}

/* ---- string matches ---- */

static bool
read_flag(limen_value object, const char *key)
{
	bool value = false;

	limen_value_bool(limen_value_get(object, key), &value);
	return value;
}

/* Compiles the object 'match'; NULL with '*why'. */
static limen_string_match *
compile_match(limen_value match, char why[LIMEN_MATCH_WHY_MAX])
{
	size_t length = 0;
	const char *pattern = limen_value_string(limen_value_get(match, "match"), &length);
	limen_value style = limen_value_get(match, "style");
	unsigned flags = (read_flag(match, "case-insensitive") ? LIMEN_MATCH_CASELESS : 0) |
	                 (read_flag(match, "invert") ? LIMEN_MATCH_INVERT : 0);
	limen_string_match *made = NULL;

	g_strlcpy(why, "'match' must be a string, and 'style' exact, contains or regex",
	          LIMEN_MATCH_WHY_MAX);
	for (int i = 0; pattern != NULL && styles[i] != NULL; i++)
		if (limen_value_is(style, styles[i]) &&
		    limen_string_match_new((limen_match_style)i, pattern, length, flags, &made,
		                           why) != LIMEN_OK)
			return NULL;
	return made;
}

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
			known = known || strcmp(match_keys[i], text) == 0;
		if (!known) {
			limen_diag_add(diag, LIMEN_PROBLEM, key, "unknown key '%s'", text);
			return false;
		}
	}
	made = compile_match(match, why);
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
tests_check_expected_key(const char *key, limen_value where, limen_value value, limen_diag *diag)
{
	const expectation *one = find_expectation(key);

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
	return tests_check_expected_key(limen_value_string(key, NULL), key, value, diag);
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
text_fits(limen_value expected, limen_value found)
{
	size_t length = 0;
	const char *text = limen_value_string(found, &length);
	char why[LIMEN_MATCH_WHY_MAX];
	limen_string_match *match;
	bool fits;

	if (limen_value_type(expected) != LIMEN_TYPE_OBJECT)
		return limen_value_equal(expected, found);
	match = compile_match(expected, why);
	fits = match != NULL && text != NULL &&
	       limen_string_match_test(match, text, length) == LIMEN_PASS;
	limen_string_match_free(match);
	return fits;
}

static bool
texts_fit(limen_value expected, limen_value found)
{
	limen_iter wanted = limen_iter_start(expected);
	limen_iter there = limen_iter_start(found);
	limen_value one;
	limen_value other;

	if (limen_value_count(expected) != limen_value_count(found))
		return false;
	while (limen_iter_next(&wanted, NULL, &one) && limen_iter_next(&there, NULL, &other))
		if (!text_fits(one, other))
			return false;
	return true;
}

/* Is 'wanted' a line of 'text'? */
static bool
has_line(limen_value wanted, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);
	bool found = false;

	for (size_t i = 0; lines[i] != NULL && !found; i++) {
		GString *json = g_string_new(NULL);
		limen_documents *parsed = NULL;

		json_open(json, '[');
		json_string(json, lines[i]);
		g_string_append_c(json, ']');
		if (limen_documents_parse("line.json", json->str, json->len, 0, &parsed, NULL) ==
		    LIMEN_OK)
			found = text_fits(wanted,
			                  limen_value_at(limen_documents_get(parsed, 0), 0));
		limen_documents_free(parsed);
		g_string_free(json, TRUE);
	}
	g_strfreev(lines);
	return found;
}

static bool
lines_fit(limen_value expected, limen_value found)
{
	const char *text = limen_value_string(found, NULL);
	limen_iter iter = limen_iter_start(expected);
	limen_value line;

	if (limen_value_type(expected) != LIMEN_TYPE_ARRAY)
		return text_fits(expected, found);
	while (limen_iter_next(&iter, NULL, &line))
		if (text == NULL || !has_line(line, text))
			return false;
	return true;
}

/* Documents are at most 1000 levels deep (limen/documents.h), and so is this. */
static bool
part_fits(limen_value expected, limen_value found)
{
	limen_type type = limen_value_type(expected);
	limen_iter iter = limen_iter_start(expected);
	limen_value key;
	limen_value wanted;
	size_t index = 0;

	if (type != LIMEN_TYPE_OBJECT && type != LIMEN_TYPE_ARRAY)
		return limen_value_equal(expected, found);
	if (limen_value_type(found) != type)
		return false;
	while (limen_iter_next(&iter, &key, &wanted)) {
		size_t length = 0;
		const char *name = limen_value_string(key, &length);
		limen_value there = type == LIMEN_TYPE_ARRAY
		                            ? limen_value_at(found, index++)
		                            : limen_value_member(found, name, length);

		if (!limen_value_exists(there) || !part_fits(wanted, there))
			return false;
	}
	return true;
}

static bool
fits(const expectation *one, limen_value expected, limen_value found)
{
	switch (one->how) {
	case AS_TEXT:
		return text_fits(expected, found);
	case AS_TEXTS:
		return texts_fit(expected, found);
	case AS_LINES:
		return lines_fit(expected, found);
	case AS_PART:
		return part_fits(expected, found);
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

/* A string match, and a part of something, cannot be replaced by what was found. */
static bool
is_replaceable(const expectation *one, limen_value expected)
{
	limen_type type = limen_value_type(expected);

	if (one->how == AS_PART || one->how == AS_LINES)
		return false;
	return (one->how != AS_TEXT && one->how != AS_TEXTS) || type != LIMEN_TYPE_OBJECT;
}

bool
tests_compare(test_case *test, const test_view *view, const char *label,
              const limen_decision *decision)
{
	limen_documents *parsed = account_of(decision);
	limen_value account = limen_documents_get(parsed, 0);

	if (parsed == NULL)
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(expectations); i++) {
		const expectation *one = &expectations[i];
		limen_value expected = tests_member(view, "expect", one->key);
		limen_value found = limen_value_get(account, one->member);
		test_failure *failure;

		if (!limen_value_exists(expected))
			continue;
		if (fits(one, expected, found)) {
			tests_note_met(test, expected);
			continue;
		}
		failure = g_new0(test_failure, 1);
		*failure = (test_failure){ .where = expected,
			                   .what = g_strconcat(label, one->key, NULL),
			                   .expected = print_value(expected),
			                   .found = print_value(found),
			                   .replaceable = is_replaceable(one, expected) };
		g_ptr_array_add(test->failures, failure);
	}
	limen_documents_free(parsed);
	return true;
}
