/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range_table.c - prints LimitRanges in the columns of "kubectl describe", one row for each type
 * and resource.  Rows of one limit are sorted by resource name; kubectl does not sort them.
 */
#include "range_table.h"

#include <stdio.h>
#include <string.h>

#include "cli/columns.h"
#include "cli/message.h"

/* The columns that hold values, in kubectl's order, and the maps they are from. */
static const char *const maps[] = { "min", "max", "defaultRequest", "default",
	                            "maxLimitRequestRatio" };

static const char *const header[] = { "Type", "Resource", "Min", "Max", "Default Request",
	                              "Default Limit", "Max Limit/Request Ratio" };
static const char *const dashes[] = { "----", "--------", "---", "---", "---------------",
	                              "-------------", "-----------------------" };

/* A resource in one of the maps. */
typedef struct entry {
	const char *name;
	size_t map;
	const char *value;
} entry;

static int
compare_entries(gconstpointer a, gconstpointer b)
{
	return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

static void
collect_map(GArray *entries, limen_value item, size_t map)
{
	limen_iter iter = limen_iter_start(limen_value_get(item, maps[map]));
	limen_value key, value;

	while (limen_iter_next(&iter, &key, &value)) {
		entry one = { limen_value_string(key, NULL), map, limen_value_string(value, NULL) };

		g_array_append_val(entries, one);
	}
}

/* All maps of an item, in the order of the names; kubectl shows them in no order. */
static GArray *
collect_entries(limen_value item)
{
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(entry));

	for (size_t map = 0; map < G_N_ELEMENTS(maps); map++)
		collect_map(entries, item, map);
	g_array_sort(entries, compare_entries);
	return entries;
}

/* Gathers what the maps say of the name at 'first'; returns where the next name is. */
static guint
gather_values(const GArray *entries, guint first, const char *values[])
{
	const entry *list = &g_array_index(entries, entry, 0);
	guint at = first;

	while (at < entries->len && compare_entries(&list[first], &list[at]) == 0) {
		values[list[at].map] = list[at].value;
		at++;
	}
	return at;
}

static void
add_item(columns *table, limen_value item, const char *indent)
{
	const char *type = limen_value_string(limen_value_get(item, "type"), NULL);
	GArray *entries = collect_entries(item);
	guint at = 0;

	while (at < entries->len) {
		const char *name = g_array_index(entries, entry, at).name;
		const char *values[G_N_ELEMENTS(maps)] = { NULL };

		at = gather_values(entries, at, values);
		columns_take(table, g_strconcat(indent, type, NULL));
		columns_add(table, name);
		for (size_t map = 0; map < G_N_ELEMENTS(maps); map++)
			columns_add(table, values[map]);
	}
	g_array_unref(entries);
}

static void
add_range(columns *table, limen_value range, const char *indent)
{
	limen_value spec = limen_value_get(range, "spec");
	limen_iter iter = limen_iter_start(limen_value_get(spec, "limits"));
	limen_value item;

	while (limen_iter_next(&iter, NULL, &item))
		add_item(table, item, indent);
}

static void
add_row(columns *table, const char *const cells[], const char *indent)
{
	columns_take(table, g_strconcat(indent, cells[0], NULL));
	for (size_t i = 1; i < G_N_ELEMENTS(header); i++)
		columns_add(table, cells[i]);
}

static void
start_table(columns *table, const char *indent)
{
	columns_start(table, G_N_ELEMENTS(header));
	add_row(table, header, indent);
	add_row(table, dashes, indent);
}

/* The labels share the first column of the table, as in kubectl's output. */
void
range_table_print(limen_value range)
{
	const char *const labels[] = { "Name:", "Namespace:" };
	const char *const texts[] = { ranges_name(range), ranges_namespace(range) };
	columns table;
	glong width;

	start_table(&table, "");
	table.first = (glong)strlen(labels[1]);
	add_range(&table, range, "");
	width = columns_first_width(&table) + 2;
	for (size_t i = 0; i < G_N_ELEMENTS(labels); i++)
		message_print_line(stdout, "%-*s%s", (int)width, labels[i], texts[i]);
	columns_print(&table);
}

void
range_table_print_namespace(const ranges *of)
{
	columns table;

	if (of->items->len == 0) {
		puts("No LimitRange resource.");
		return;
	}
	puts("Resource Limits");
	start_table(&table, " ");
	for (guint i = 0; i < of->items->len; i++)
		add_range(&table, g_array_index(of->items, limen_value, i), " ");
	columns_print(&table);
}
