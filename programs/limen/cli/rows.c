/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c - collects the members of several objects, sorts them by name, and joins equal names. */
#include "rows.h"

#include <string.h>

static gint
compare_rows(gconstpointer a, gconstpointer b)
{
	return strcmp(((const row *)a)->name, ((const row *)b)->name);
}

/* Adds a row for each member, with its value in 'column' only. */
static void
add_members(GArray *rows, limen_value object, size_t column)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key, value;

	while (limen_value_type(object) == LIMEN_TYPE_OBJECT &&
	       limen_iter_next(&iter, &key, &value)) {
		row item = { .name = limen_value_string(key, NULL) };

		item.values[column] = value;
		g_array_append_val(rows, item);
	}
}

GArray *
rows_collect(limen_value holder, const char *const *keys, size_t count)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(row));
	guint kept = 0;

	for (size_t i = 0; i < count; i++)
		add_members(rows, limen_value_get(holder, keys[i]), i);
	g_array_sort(rows, compare_rows);
	for (guint i = 0; i < rows->len; i++) {
		const row *item = &g_array_index(rows, row, i);
		row *last = kept == 0 ? NULL : &g_array_index(rows, row, kept - 1);

		if (last == NULL || strcmp(last->name, item->name) != 0) {
			g_array_index(rows, row, kept++) = *item;
			continue;
		}
		for (size_t k = 0; k < count; k++)
			if (limen_value_exists(item->values[k]))
				last->values[k] = item->values[k];
	}
	g_array_set_size(rows, kept);
	return rows;
}
