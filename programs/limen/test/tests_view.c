/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_view.c - looks up the members of a test in its layers: row, step, test and defaults.
 */
#include <string.h>

#include "tests.h"

bool
tests_is_given(limen_value cell)
{
	limen_type type = limen_value_type(cell);

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
		if (tests_is_given(cell))
			return cell;
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

	pointer[1 + strlen(key)] = '\0';
	if (!limen_value_exists(found))
		found = limen_value_get(find_cell(view, pointer), member);
	for (int i = 0; i < LAYERS && !limen_value_exists(found); i++)
		found = limen_value_get(limen_value_get(view->layers[i], key), member);
	g_free(pointer);
	return found;
}
