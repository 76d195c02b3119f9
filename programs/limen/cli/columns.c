/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.c - stores the cells of a table, measures the columns in characters, and prints padded
 * rows.  Line ends and tabs in a cell become blanks.  On a terminal, cells of columns that are
 * too wide are folded.
 */
#include "columns.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/print.h"
#include "message.h"
#include "terminal.h"

/* Words are not cut to fit a column that is no wider than this. */
enum { WIDTH_LEAST = 12 };

void
columns_start(columns *table, size_t count)
{
	g_assert(count > 0 && count <= COLUMNS_MAX);
	table->count = count;
	table->first = 0;
	table->gap = 2;
	table->cut = 0;
	table->below = false;
	table->cells = g_ptr_array_new_with_free_func(g_free);
}

void
columns_take(columns *table, char *text)
{
	/* A name with a line end must not look like another row; one from Redis may be no UTF-8. */
	g_ptr_array_add(table->cells, g_strdelimit(g_utf8_make_valid(text, -1), "\n\r\t", ' '));
	g_free(text);
}

void
columns_add(columns *table, const char *text)
{
	columns_take(table, g_strdup(text == NULL ? "-" : text));
}

void
columns_add_row(columns *table, const char *const *cells)
{
	for (size_t i = 0; i < table->count; i++)
		columns_add(table, cells[i]);
}

static void
measure(const columns *table, glong widths[COLUMNS_MAX])
{
	memset(widths, 0, COLUMNS_MAX * sizeof(*widths));
	widths[0] = table->first;
	for (guint i = 0; i < table->cells->len; i++) {
		glong width = g_utf8_strlen(g_ptr_array_index(table->cells, i), -1);
		glong *widest = &widths[i % table->count];

		if (width > *widest)
			*widest = width;
	}
}

glong
columns_first_width(const columns *table)
{
	glong widths[COLUMNS_MAX];

	measure(table, widths);
	return widths[0];
}

void
columns_print(columns *table)
{
	columns_finish(table, true);
}

/* ---- folding ---- */

/*
 * Returns the end of the first line of 'text', of at most 'width' characters: at a blank, or
 * within a word that is longer.
 */
static const char *
find_line_end(const char *text, glong width)
{
	const char *limit = text;
	const char *end;

	for (glong i = 0; i < width && *limit != '\0'; i++)
		limit = g_utf8_next_char(limit);
	if (*limit == '\0' || *limit == ' ')
		return limit;
	end = g_strrstr_len(text, limit - text, " ");
	return end == NULL ? limit : end;
}

/* Is this the line below a heading?  It may be cut. */
static bool
is_rule(const char *cell)
{
	return cell[strspn(cell, "-")] == '\0';
}

/* Returns the width of the longest word in a column. */
static glong
measure_words(const columns *table, size_t column)
{
	glong longest = 0;

	for (size_t i = column; i < table->cells->len; i += table->count) {
		g_auto(GStrv) words = g_strsplit(g_ptr_array_index(table->cells, i), " ", -1);

		for (char **word = words; *word != NULL; word++)
			if (!is_rule(*word))
				longest = MAX(longest, g_utf8_strlen(*word, -1));
	}
	return longest;
}

/* Takes 'excess' characters from the widest columns, but leaves each as wide as 'least' says. */
static glong
narrow(const columns *table, glong *widths, const glong *least, glong excess)
{
	for (; excess > 0; excess--) {
		size_t widest = SIZE_MAX;

		for (size_t i = 0; i < table->count; i++)
			if (widths[i] > least[i] && (widest == SIZE_MAX || widths[i] > widths[widest]))
				widest = i;
		if (widest == SIZE_MAX)
			break;
		widths[widest]--;
	}
	return excess;
}

/* Makes the columns fit a terminal: folds between words first, then within long ones. */
static void
fit(const columns *table, glong *widths)
{
	glong least[COLUMNS_MAX] = { 0 };
	glong excess = (glong)(table->count - 1) * table->gap - (glong)terminal_width();

	for (size_t i = 0; i < table->count; i++) {
		excess += widths[i];
		least[i] = MAX(measure_words(table, i), i == 0 ? table->first : 0);
	}
	excess = narrow(table, widths, least, excess);
	for (size_t i = 0; i < table->count; i++)
		least[i] = WIDTH_LEAST;
	narrow(table, widths, least, excess);
}

/* ---- printing ---- */

/* Prints one line of a row and moves each of 'cells' behind its part.  False: nothing is left. */
static bool
print_line(const columns *table, const glong *widths, const char **cells)
{
	glong blanks = 0;
	bool more = false;

	for (size_t i = 0; i < table->count; i++) {
		const char *end = find_line_end(cells[i], widths[i]);
		g_autofree char *part = g_strndup(cells[i], (gsize)(end - cells[i]));

		if (part[0] != '\0')
			printf("%*s", (int)blanks, "");
		blanks = part[0] != '\0' ? 0 : blanks;
		message_put(stdout, part);
		blanks += widths[i] - g_utf8_strlen(part, -1) + table->gap;
		cells[i] = is_rule(cells[i]) ? "" : *end == ' ' ? end + 1 : end;
		more = more || *cells[i] != '\0';
	}
	putchar('\n');
	return more;
}

/* Prints 'count' cells on one line, and clears what the terminal had there. */
static void
print_cut(const columns *table, const glong *widths, char **cells, size_t count)
{
	g_autoptr(GString) line = g_string_new(table->below && count == 1 ? "    " : NULL);

	for (size_t i = 0; i < count; i++) {
		glong blanks = widths[i] - g_utf8_strlen(cells[i], -1) + table->gap;

		print_escaped(line, cells[i], "");
		for (; i + 1 < count && blanks > 0; blanks--)
			g_string_append_c(line, ' ');
	}
	if (g_utf8_strlen(line->str, -1) > table->cut)
		g_string_truncate(line, (gsize)(g_utf8_offset_to_pointer(line->str, table->cut) - line->str));
	printf("%s\033[K\n", line->str);
}

void
columns_finish(columns *table, bool print)
{
	glong widths[COLUMNS_MAX];

	measure(table, widths);
	if (isatty(STDOUT_FILENO) && table->cut == 0)
		fit(table, widths);
	for (guint i = 0; print && i < table->cells->len; i += (guint)table->count) {
		const char *cells[COLUMNS_MAX];

		if (table->cut > 0) {
			char **found = (char **)&table->cells->pdata[i];

			print_cut(table, widths, found, table->count - table->below);
			if (table->below)
				print_cut(table, widths, found + table->count - 1, 1);
			continue;
		}
		memcpy(cells, &table->cells->pdata[i], table->count * sizeof(*cells));
		while (print_line(table, widths, cells))
			;
	}
	g_ptr_array_unref(table->cells);
	table->cells = NULL;
}

/* ---- rows of several objects ---- */

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
