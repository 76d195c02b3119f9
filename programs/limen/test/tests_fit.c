/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_fit.c - compares what a decision contains with what a test expects: equal values, string
 * matches, arrays of them, lines of a text in any order, and parts of objects.  Keeps no state; a
 * string match is compiled each time it is used.
 */
#include "tests_fit.h"

#include <glib.h>
#include <string.h>

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

/* Is one of the lines, a set of texts, what is wanted? */
static bool
has_line(limen_value wanted, GHashTable *lines)
{
	size_t length = 0;
	const char *text = limen_value_string(wanted, &length);
	char why[LIMEN_MATCH_WHY_MAX];
	limen_string_match *match;
	GHashTableIter iter;
	gpointer line;
	bool found = false;

	if (limen_value_type(wanted) != LIMEN_TYPE_OBJECT)
		return text != NULL && strlen(text) == length && g_hash_table_contains(lines, text);
	match = fit_compile(wanted, why);
	g_hash_table_iter_init(&iter, lines);
	while (match != NULL && !found && g_hash_table_iter_next(&iter, &line, NULL))
		found = limen_string_match_test(match, line, strlen(line)) == LIMEN_PASS;
	limen_string_match_free(match);
	return found;
}

bool
fit_lines(limen_value expected, limen_value found)
{
	const char *text = limen_value_string(found, NULL);
	limen_iter iter = limen_iter_start(expected);
	limen_value wanted;
	GHashTable *set;
	char **lines;
	bool fit = true;

	if (limen_value_type(expected) != LIMEN_TYPE_ARRAY)
		return fit_text(expected, found);
	if (text == NULL)
		return limen_value_count(expected) == 0;
	lines = g_strsplit(text, "\n", -1);
	set = g_hash_table_new(g_str_hash, g_str_equal);
	for (size_t i = 0; lines[i] != NULL; i++)
		g_hash_table_add(set, lines[i]);
	while (fit && limen_iter_next(&iter, NULL, &wanted))
		fit = has_line(wanted, set);
	g_hash_table_destroy(set);
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

/* A member of an object. */
typedef struct member {
	const char *name;
	size_t length;
	limen_value value;
} member;

static gint
compare_members(gconstpointer a, gconstpointer b)
{
	const member *left = a, *right = b;
	int order = memcmp(left->name, right->name, MIN(left->length, right->length));

	return order != 0 ? order
	                  : (left->length > right->length) - (left->length < right->length);
}

static GArray *
sort_members(limen_value object)
{
	GArray *sorted = g_array_new(FALSE, FALSE, sizeof(member));
	limen_iter iter = limen_iter_start(object);
	limen_value key;
	member one;

	while (limen_iter_next(&iter, &key, &one.value)) {
		one.name = limen_value_string(key, &one.length);
		g_array_append_val(sorted, one);
	}
	g_array_sort(sorted, compare_members);
	return sorted;
}

/* Returns the member of that name, or NULL, and passes by those that come before it. */
static const member *
find_member(const GArray *sorted, guint *at, const member *name)
{
	for (; *at < sorted->len; (*at)++) {
		const member *one = &g_array_index(sorted, member, *at);
		int order = compare_members(one, name);

		if (order >= 0)
			return order == 0 ? one : NULL;
	}
	return NULL;
}

/* Both lists are sorted. */
static bool
members_fit(const GArray *wanted, const GArray *found)
{
	guint at = 0;

	for (guint i = 0; i < wanted->len; i++) {
		const member *one = &g_array_index(wanted, member, i);
		const member *other = find_member(found, &at, one);

		if (other == NULL || !fit_part(one->value, other->value))
			return false;
	}
	return true;
}

/* Documents are at most 1000 levels deep (limen/documents.h), and so is this. */
bool
fit_part(limen_value expected, limen_value found)
{
	limen_type type = limen_value_type(expected);
	GArray *wanted;
	GArray *there;
	bool fit;

	if (type != LIMEN_TYPE_OBJECT && type != LIMEN_TYPE_ARRAY)
		return limen_value_equal(expected, found);
	if (limen_value_type(found) != type)
		return false;
	if (type == LIMEN_TYPE_ARRAY)
		return elements_fit(expected, found);
	wanted = sort_members(expected);
	there = sort_members(found);
	fit = members_fit(wanted, there);
	g_array_unref(wanted);
	g_array_unref(there);
	return fit;
}
