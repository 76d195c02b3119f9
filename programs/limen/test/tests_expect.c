/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_expect.c - checks the expectations of a test, and compares them with a decision: equal
 * values, string matches, arrays of them, lines of a text in any order, and parts of objects.  A
 * string match is compiled each time it is used.
 */
#include <limen/builder.h>
#include <limen/nearest.h>
#include <limen/string_match.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_out.h"
#include "tests.h"

static const char *const verdicts[] = { "admitted", "refused", "error", NULL };
static const char *const match_keys[] = { "style", "match", "case-insensitive", "invert", NULL };
static const char *const styles[] = { "exact", "contains", "regex", NULL };

static bool
read_flag(limen_value object, const char *key)
{
	bool value = false;

	limen_value_bool(limen_value_get(object, key), &value);
	return value;
}

/* Compiles the object 'match', a string match as in policies; returns NULL with '*why'. */
static limen_string_match *
fit_compile(limen_value match, char why[LIMEN_MATCH_WHY_MAX])
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

/* Returns true if 'found' is the text 'expected', or matches the object 'expected'. */
static bool
fit_text(limen_value expected, limen_value found)
{
	size_t length = 0;
	const char *text = limen_value_string(found, &length);
	char why[LIMEN_MATCH_WHY_MAX];
	limen_string_match *match;
	bool fits;

	if (limen_value_type(expected) != LIMEN_TYPE_OBJECT)
		return limen_value_equal(expected, found);
	match = fit_compile(expected, why);
	fits = match != NULL && text != NULL &&
	       limen_string_match_test(match, text, length) == LIMEN_PASS;
	limen_string_match_free(match);
	return fits;
}

/* Compares two arrays element by element with fit_text(). */
static bool
fit_texts(limen_value expected, limen_value found)
{
	limen_iter wanted = limen_iter_start(expected);
	limen_iter there = limen_iter_start(found);
	limen_value one;
	limen_value other;

	if (limen_value_count(expected) != limen_value_count(found))
		return false;
	while (limen_iter_next(&wanted, NULL, &one) && limen_iter_next(&there, NULL, &other))
		if (!fit_text(one, other))
			return false;
	return true;
}

/* Returns true if one of the lines matches 'wanted'. */
static bool
has_line(limen_value wanted, char *const *lines)
{
	char why[LIMEN_MATCH_WHY_MAX];
	limen_string_match *match;
	bool found = false;

	if (limen_value_type(wanted) != LIMEN_TYPE_OBJECT) {
		while (*lines != NULL && !limen_value_is(wanted, *lines))
			lines++;
		return *lines != NULL;
	}
	match = fit_compile(wanted, why);
	for (; match != NULL && !found && *lines != NULL; lines++)
		found = limen_string_match_test(match, *lines, strlen(*lines)) == LIMEN_PASS;
	limen_string_match_free(match);
	return found;
}

/* For an array 'expected': returns true if a line of 'found' matches each of its elements. */
static bool
fit_lines(limen_value expected, limen_value found)
{
	const char *text = limen_value_string(found, NULL);
	limen_iter iter = limen_iter_start(expected);
	limen_value wanted;
	char **lines;
	bool fit = true;

	if (limen_value_type(expected) != LIMEN_TYPE_ARRAY)
		return fit_text(expected, found);
	if (text == NULL)
		return limen_value_count(expected) == 0;
	lines = g_strsplit(text, "\n", -1);
	while (fit && limen_iter_next(&iter, NULL, &wanted))
		fit = has_line(wanted, lines);
	g_strfreev(lines);
	return fit;
}

static bool fit_part(limen_value expected, limen_value found);

static bool
elements_fit(limen_value expected, limen_value found)
{
	limen_iter wanted = limen_iter_start(expected);
	limen_iter there = limen_iter_start(found);
	limen_value one;
	limen_value other;

	while (limen_iter_next(&wanted, NULL, &one))
		if (!limen_iter_next(&there, NULL, &other) || !fit_part(one, other))
			return false;
	return true;
}

static bool
members_fit(limen_value expected, limen_value found)
{
	limen_iter wanted = limen_iter_start(expected);
	limen_value key, one;

	while (limen_iter_next(&wanted, &key, &one)) {
		size_t length = 0;
		const char *name = limen_value_string(key, &length);
		limen_value other = limen_value_member(found, name, length);

		if (!limen_value_exists(other) || !fit_part(one, other))
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

	if (type != LIMEN_TYPE_OBJECT && type != LIMEN_TYPE_ARRAY)
		return limen_value_equal(expected, found);
	if (limen_value_type(found) != type)
		return false;
	return type == LIMEN_TYPE_ARRAY ? elements_fit(expected, found)
	                                : members_fit(expected, found);
}

/* ---- checking ---- */

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
			limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, key, "unknown key '%s'", text);
			return false;
		}
	}
	made = fit_compile(match, why);
	if (made == NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, match, "%s", why);
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
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, value,
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
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, value, "must be an array");
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
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, value,
	               "a verdict is 'admitted', 'refused' or 'error'");
	return false;
}

static bool
check_flag(limen_value value, limen_diag *diag)
{
	if (limen_value_type(value) == LIMEN_TYPE_BOOL)
		return true;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, value, "must be true or false");
	return false;
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
	const char *member; /* of the object that account_of() makes */
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
	{ "retryAfter", "retryAfter", NULL, limen_value_equal },
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
	return !limen_value_exists(value) || one->check == NULL || one->check(value, diag);
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

/* Adds no member if 'text' is NULL. */
static void
put_text(limen_builder *build, const char *key, const char *text)
{
	if (text != NULL)
		limen_builder_text(build, key, text);
}

/* Whole numbers have no fraction, as in limen_decision_to_json(): --update writes them to files. */
static void
put_number(limen_builder *build, const char *key, double value)
{
	if (value == trunc(value) && fabs(value) < 1e15)
		limen_builder_int(build, key, (int64_t)value);
	else
		limen_builder_real(build, key, value);
}

static void
put_names(limen_builder *build, const char *key, const limen_decision *decision,
          const char *const *(*get)(const limen_decision *decision, size_t *count))
{
	size_t count = 0;
	const char *const *names = get(decision, &count);

	limen_builder_array(build, key);
	for (size_t i = 0; i < count; i++)
		put_text(build, NULL, names[i]);
	limen_builder_end(build);
}

/* Adds each message once. */
static void
put_messages(limen_builder *build, const limen_decision *decision)
{
	const limen_violation *one = limen_decision_violation(decision, 0);
	GPtrArray *seen = g_ptr_array_new();

	limen_builder_array(build, "messages");
	for (size_t i = 1; one != NULL; one = limen_decision_violation(decision, i++)) {
		if (g_ptr_array_find_with_equal_func(seen, one->message, g_str_equal, NULL))
			continue;
		g_ptr_array_add(seen, (gpointer)one->message);
		put_text(build, NULL, one->message);
	}
	limen_builder_end(build);
	g_ptr_array_unref(seen);
}

/*
 * Returns an object with the values that tests can expect, as far as the decision has them; none
 * when memory is short.
 */
static limen_value
account_of(limen_builder *build, const limen_decision *decision)
{
	limen_value rewritten = limen_decision_rewritten(decision);
	limen_value patch = limen_decision_patch(decision);
	int code = limen_decision_code(decision);
	limen_duration wait;
	double priority;

	limen_builder_object(build, NULL);
	put_text(build, "verdict", verdicts[code == 200 ? 0 : code == 500 ? 2 : 1]);
	limen_builder_bool(build, "admitted", limen_decision_admitted(decision));
	limen_builder_int(build, "code", code);
	put_text(build, "reason", limen_decision_reason(decision));
	put_text(build, "entry", limen_decision_entry(decision));
	put_text(build, "diagnostics", limen_decision_diagnostics(decision));
	put_messages(build, decision);
	put_names(build, "warnings", decision, limen_decision_warnings);
	put_names(build, "identifiers", decision, limen_decision_identifiers);
	put_names(build, "classifiers", decision, limen_decision_classifiers);
	if (limen_value_exists(rewritten))
		limen_builder_value(build, "rewritten", rewritten);
	if (limen_value_exists(patch))
		limen_builder_value(build, "patch", patch);
	if (limen_decision_priority(decision, &priority))
		put_number(build, "priority", priority);
	if (limen_decision_retry_after(decision, &wait))
		put_number(build, "retryAfter", (double)wait / LIMEN_SECOND);
	limen_builder_end(build);
	return limen_builder_finish(build);
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

	if (one->fits == limen_value_equal)
		return true;
	if (one->fits == fit_text)
		return limen_value_type(expected) != LIMEN_TYPE_OBJECT;
	while (limen_iter_next(&iter, NULL, &element))
		if (limen_value_type(element) == LIMEN_TYPE_OBJECT)
			return false;
	return one->fits == fit_texts;
}

/* A null is expected of what the decision does not have. */
static bool
fits(const expectation *one, limen_value expected, limen_value found)
{
	return one->fits(expected, found) || (limen_value_type(expected) == LIMEN_TYPE_NULL &&
	                                      !limen_value_exists(found));
}

bool
tests_compare(test_case *test, const test_view *view, const char *label,
              const limen_decision *decision, bool first)
{
	limen_builder *build = limen_builder_new();
	limen_value account = account_of(build, decision);

	for (size_t i = 0; limen_value_exists(account) && i < G_N_ELEMENTS(expectations); i++) {
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
	limen_builder_free(build);
	return limen_value_exists(account);
}
