/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_view.c - the members of a test, which may stand in several places.
 */
#include <stdlib.h>
#include <string.h>

#include "../common/json_out.h"
#include "tests.h"

/* Null leaves a cell empty, so that a row need not say everything. */
static bool
is_given(limen_value value)
{
	limen_type type = limen_value_type(value);

	return type != LIMEN_TYPE_NONE && type != LIMEN_TYPE_NULL;
}

/* Returns the cell of the column 'pointer', or none. */
static limen_value
find_cell(const test_view *view, const char *pointer)
{
	for (guint i = 0; view->columns != NULL && i < view->columns->len; i++) {
		limen_value cell;

		if (strcmp(g_ptr_array_index(view->columns, i), pointer) != 0)
			continue;
		cell = limen_value_at(view->cells, i);
		return is_given(cell) ? cell : limen_value_none();
	}
	return limen_value_none();
}

limen_value
tests_find(const test_view *view, const char *key)
{
	char *pointer = g_strconcat("/", key, NULL);
	limen_value found = find_cell(view, pointer);

	for (int i = 0; i < LAYERS && !limen_value_exists(found); i++)
		found = limen_value_get(view->layers[i], key);
	g_free(pointer);
	return found;
}

limen_value
tests_member(const test_view *view, const char *key, const char *member)
{
	char *pointer = g_strconcat("/", key, "/", member, NULL);
	limen_value found = find_cell(view, pointer);

	for (int i = 0; i < LAYERS && !limen_value_exists(found); i++)
		found = limen_value_get(limen_value_get(view->layers[i], key), member);
	g_free(pointer);
	return found;
}

/* ---- a value with cells put into it ---- */

/* The first token of 'rest' ("/a/b") without its escapes, to g_free(). */
static char *
take_token(const char *rest)
{
	GString *token = g_string_new(NULL);

	for (const char *at = rest + 1; *at != '\0' && *at != '/'; at++) {
		if (at[0] == '~' && (at[1] == '0' || at[1] == '1'))
			g_string_append_c(token, *++at == '0' ? '~' : '/');
		else
			g_string_append_c(token, *at);
	}
	return g_string_free(token, FALSE);
}

/* Does a cell stand at 'path' or below it? */
static bool
is_touched(const test_view *view, const char *path)
{
	size_t length = strlen(path);

	for (guint i = 0; view->columns != NULL && i < view->columns->len; i++) {
		const char *pointer = g_ptr_array_index(view->columns, i);

		if (strncmp(pointer, path, length) == 0 &&
		    (pointer[length] == '\0' || pointer[length] == '/') &&
		    is_given(limen_value_at(view->cells, i)))
			return true;
	}
	return false;
}

static void write_value(const test_view *view, GString *out, GString *path, limen_value value);

/* Writes the member 'key', whose value may be none. */
static void
write_member(const test_view *view, GString *out, GString *path, const char *key, size_t length,
             limen_value member)
{
	size_t before = path->len;

	json_pointer_step(path, key, length);
	json_key(out, key);
	write_value(view, out, path, member);
	g_string_truncate(path, before);
}

/* The members that only the row has; one that several columns go through comes once. */
static void
write_new_members(const test_view *view, GString *out, GString *path, limen_value object)
{
	GHashTable *done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < view->columns->len; i++) {
		const char *pointer = g_ptr_array_index(view->columns, i);
		char *token;

		if (strncmp(pointer, path->str, path->len) != 0 || pointer[path->len] != '/' ||
		    !is_given(limen_value_at(view->cells, i)))
			continue;
		token = take_token(pointer + path->len);
		if (limen_value_exists(limen_value_get(object, token)) ||
		    g_hash_table_contains(done, token)) {
			g_free(token);
			continue;
		}
		write_member(view, out, path, token, strlen(token), limen_value_none());
		g_hash_table_add(done, token);
	}
	g_hash_table_destroy(done);
}

static void
write_object(const test_view *view, GString *out, GString *path, limen_value object)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key;
	limen_value member;

	json_open(out, '{');
	while (limen_iter_next(&iter, &key, &member)) {
		size_t length;
		const char *text = limen_value_string(key, &length);

		write_member(view, out, path, text, length, member);
	}
	write_new_members(view, out, path, object);
	g_string_append_c(out, '}');
}

static void
write_array(const test_view *view, GString *out, GString *path, limen_value array)
{
	limen_iter iter = limen_iter_start(array);
	limen_value element;
	size_t before = path->len;

	json_open(out, '[');
	for (size_t i = 0; limen_iter_next(&iter, NULL, &element); i++) {
		g_string_append_printf(path, "/%zu", i);
		write_value(view, out, path, element);
		g_string_truncate(path, before);
	}
	g_string_append_c(out, ']');
}

static void
write_value(const test_view *view, GString *out, GString *path, limen_value value)
{
	limen_value cell = find_cell(view, path->str);

	if (limen_value_exists(cell))
		json_value(out, cell);
	else if (!is_touched(view, path->str))
		json_value(out, value);
	else if (limen_value_type(value) == LIMEN_TYPE_ARRAY)
		write_array(view, out, path, value);
	else
		write_object(view, out, path, value);
}

char *
tests_text(const test_view *view, const char *key)
{
	limen_value value = tests_find(view, key);
	GString *path = g_string_new("/");
	GString *out = g_string_new(NULL);

	g_string_append(path, key);
	if (limen_value_exists(value) || is_touched(view, path->str))
		write_value(view, out, path, value);
	g_string_free(path, TRUE);
	if (out->len > 0)
		return g_string_free(out, FALSE);
	g_string_free(out, TRUE);
	return NULL;
}
