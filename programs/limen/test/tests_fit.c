/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_fit.c - compares what a decision contains with what a test expects: equal values, string
 * matches, arrays of them, lines of a text in any order, and parts of objects.  Keeps no state; a
 * string match is compiled each time it is used.
 */
#include <glib.h>
#include <string.h>

#include "tests.h"

static const char *const styles[] = { "exact", "contains", "regex", NULL };

static bool
read_flag(limen_value object, const char *key)
{
	bool value = false;

	limen_value_bool(limen_value_get(object, key), &value);
	return value;
}

limen_string_match *
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

bool
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

bool
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

bool
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

/* The recursion is bounded: documents are at most 1000 levels deep (limen/documents.h). */
bool
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
