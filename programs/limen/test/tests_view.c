/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_view.c - looks up the members of a test in its layers: row, step, test and defaults, and
 * merges the cells of a row into a member.
 */
#include <string.h>

#include "common/json_out.h"
#include "tests.h"

/* Returns the cell of the column 'pointer', or none; a cell of null leaves the member unset. */
static limen_value
find_cell(const test_view *view, const char *pointer)
{
	for (guint i = 0; view->columns != NULL && i < view->columns->len; i++) {
		limen_value cell;

		if (strcmp(g_ptr_array_index(view->columns, i), pointer) != 0)
			continue;
		cell = limen_value_at(view->cells, i);
		if (limen_value_type(cell) > LIMEN_TYPE_NULL)
			return cell;
	}
	return limen_value_none();
}

limen_value
tests_find(const test_view *view, const char *key)
{
	g_autofree char *pointer = g_strconcat("/", key, NULL);
	limen_value found = find_cell(view, pointer);

	for (int i = 0; i < LAYERS && !limen_value_exists(found); i++)
		found = limen_value_get(view->layers[i], key);
	return found;
}

limen_value
tests_member(const test_view *view, const char *key, const char *member)
{
	g_autofree char *pointer = g_strconcat("/", key, "/", member, NULL);
	limen_value found = find_cell(view, pointer);

	pointer[1 + strlen(key)] = '\0';
	if (!limen_value_exists(found))
		found = limen_value_get(find_cell(view, pointer), member);
	for (int i = 0; i < LAYERS && !limen_value_exists(found); i++)
		found = limen_value_get(limen_value_get(view->layers[i], key), member);
	return found;
}

/* ---- merging the cells of a row ---- */

char *
tests_take_token(const char **rest)
{
	GString *token = g_string_new(NULL);
	const char *at = *rest + 1;

	for (; *at != '\0' && *at != '/'; at++) {
		if (at[0] == '~' && (at[1] == '0' || at[1] == '1'))
			g_string_append_c(token, *++at == '0' ? '~' : '/');
		else
			g_string_append_c(token, *at);
	}
	*rest = at;
	return g_string_free(token, FALSE);
}

/* Returns true if the cell of that column is given and sets something below 'pointer'. */
static bool
is_below(const test_view *view, guint column, const char *pointer)
{
	const char *own = g_ptr_array_index(view->columns, column);
	size_t length = strlen(pointer);

	return strncmp(own, pointer, length) == 0 && own[length] == '/' &&
	       limen_value_type(limen_value_at(view->cells, column)) > LIMEN_TYPE_NULL;
}

static bool
has_below(const test_view *view, const char *pointer)
{
	for (guint i = 0; view->columns != NULL && i < view->columns->len; i++)
		if (is_below(view, i, pointer))
			return true;
	return false;
}

bool
tests_has_below(const test_view *view, const char *key)
{
	g_autofree char *pointer = g_strconcat("/", key, NULL);

	return has_below(view, pointer);
}

static void write_value(GString *out, const test_view *view, GString *pointer, limen_value value);

/* Writes 'value', which is at 'token' below 'pointer', with the cells merged in. */
static void
write_below(GString *out, const test_view *view, GString *pointer, const char *token, size_t bytes,
            limen_value value)
{
	gsize length = pointer->len;

	json_pointer_step(pointer, token, bytes);
	write_value(out, view, pointer, value);
	g_string_truncate(pointer, length);
}

/* Writes the members that only the row has. */
static void
write_missing(GString *out, const test_view *view, GString *pointer, limen_value object)
{
	g_autoptr(GHashTable) written = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < view->columns->len; i++) {
		const char *rest = (const char *)g_ptr_array_index(view->columns, i) + pointer->len;
		char *token;

		if (!is_below(view, i, pointer->str))
			continue;
		token = tests_take_token(&rest);
		if (!limen_value_exists(limen_value_get(object, token)) &&
		    !g_hash_table_contains(written, token)) {
			json_key(out, token);
			write_below(out, view, pointer, token, strlen(token), limen_value_none());
		}
		g_hash_table_add(written, token);
	}
}

/*
 * Writes 'value', which is at 'pointer', with the cells merged in.  The recursion is bounded by
 * the depth of columns (tests_keys.c).
 */
static void
write_value(GString *out, const test_view *view, GString *pointer, limen_value value)
{
	bool array = limen_value_type(value) == LIMEN_TYPE_ARRAY;
	limen_value cell = find_cell(view, pointer->str);
	limen_iter iter = limen_iter_start(value);
	limen_value key, member;

	if (limen_value_exists(cell) || !has_below(view, pointer->str)) {
		json_value(out, limen_value_exists(cell) ? cell : value);
		return;
	}
	json_open(out, array ? '[' : '{');
	for (size_t i = 0; limen_iter_next(&iter, &key, &member); i++) {
		char index[24];
		size_t bytes = (size_t)g_snprintf(index, sizeof(index), "%zu", i);
		const char *text = array ? index : limen_value_string(key, &bytes);

		if (!array) {
			json_value(out, key);
			g_string_append_c(out, ':');
		}
		/* Columns have no NUL, so a key with one has no cell. */
		if (strlen(text) != bytes)
			json_value(out, member);
		else
			write_below(out, view, pointer, text, bytes, member);
	}
	if (!array)
		write_missing(out, view, pointer, value);
	g_string_append_c(out, array ? ']' : '}');
}

limen_value
tests_whole(const test_view *view, const char *key, limen_documents **parsed, char **why)
{
	g_autoptr(GString) pointer = g_string_append(g_string_new("/"), key);
	g_autoptr(GString) out = g_string_new(NULL);
	limen_value value = tests_find(view, key);

	if (!has_below(view, pointer->str))
		return value;
	write_value(out, view, pointer, value);
	if (limen_documents_parse("request.json", out->str, out->len, 0, parsed, NULL) == LIMEN_OK)
		return limen_documents_get(*parsed, 0);
	*why = g_strdup_printf("'%s' has a number that JSON does not have", key);
	return value;
}
