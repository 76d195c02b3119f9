/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range_table.c - prints LimitRanges in the columns of "kubectl describe", one row for each type
 * and resource.  Rows of one limit are sorted by resource name; kubectl does not sort them.
 */
#include <stdio.h>
#include <string.h>

#include "cli/columns.h"
#include "cli/message.h"
#include "range_table.h"

/* Blanks between the columns of names, as in kubectl. */
#define GAP 3

/* The maps of a limit that the value columns show, in kubectl's order. */
static const char *const maps[] = { "min", "max", "defaultRequest", "default",
	                            "maxLimitRequestRatio" };

static const char *const header[] = { "Type", "Resource", "Min", "Max", "Default Request",
	                              "Default Limit", "Max Limit/Request Ratio" };
static const char *const dashes[] = { "----", "--------", "---", "---", "---------------",
	                              "-------------", "-----------------------" };

static void
add_item(columns *table, limen_value item, const char *indent)
{
	const char *type = limen_value_string(limen_value_get(item, "type"), NULL);
	/* Sorted by name; kubectl's order is random. */
	g_autoptr(GArray) rows = rows_collect(item, maps, G_N_ELEMENTS(maps));

	for (guint i = 0; i < rows->len; i++) {
		const row *element = &g_array_index(rows, row, i);

		columns_take(table, g_strconcat(indent, type, NULL));
		columns_add(table, element->name);
		for (size_t map = 0; map < G_N_ELEMENTS(maps); map++)
			columns_add(table, limen_value_string(element->values[map], NULL));
	}
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
start_table(columns *table, const char *indent)
{
	const char *const *const lines[] = { header, dashes };

	columns_start(table, G_N_ELEMENTS(header));
	for (size_t line = 0; line < G_N_ELEMENTS(lines); line++) {
		columns_take(table, g_strconcat(indent, lines[line][0], NULL));
		for (size_t i = 1; i < G_N_ELEMENTS(header); i++)
			columns_add(table, lines[line][i]);
	}
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
range_table_print_namespace(const ranges *found)
{
	columns table;

	if (found->items->len == 0) {
		puts("No LimitRange resource.");
		return;
	}
	puts("Resource Limits");
	start_table(&table, " ");
	for (guint i = 0; i < found->items->len; i++)
		add_range(&table, g_array_index(found->items, limen_value, i), " ");
	columns_print(&table);
}

void
range_table_print_names(const ranges *found)
{
	columns table;

	columns_start(&table, 3);
	table.gap = GAP;
	columns_add_row(&table, (const char *const[]){ "NAMESPACE", "NAME", "CREATED AT" });
	for (guint i = 0; i < found->items->len; i++) {
		limen_value range = g_array_index(found->items, limen_value, i);
		const char *created = ranges_created(range);

		columns_add_row(&table, (const char *const[]){
			ranges_namespace(range), ranges_name(range),
			created[0] == '\0' ? "<unknown>" : created });
	}
	columns_print(&table);
}
