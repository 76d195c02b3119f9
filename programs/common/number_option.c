/* SPDX-License-Identifier: Apache-2.0 */
/*
 * number_option.c - parses the numeric options of a command line and checks their ranges.  GLib
 * is given each of them as a text.
 */
#include "number_option.h"

#include <stdbool.h>
#include <string.h>

/* Fifteen digits show every bound, and whole numbers without an exponent. */
static char *
refuse(const number_option *wanted, const char *given)
{
	char least[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strdup_printf("--%s takes %s from %s to %s, not '%s'", wanted->name, wanted->what,
	                       g_ascii_formatd(least, sizeof(least), "%.15g", wanted->least),
	                       g_ascii_formatd(most, sizeof(most), "%.15g", wanted->most), given);
}

static bool
is_number(const GOptionEntry *row)
{
	return row->arg == G_OPTION_ARG_INT || row->arg == G_OPTION_ARG_INT64 ||
	       row->arg == G_OPTION_ARG_DOUBLE;
}

/* A row of GLib's table whose number is read as a text first. */
typedef struct kept_row {
	const char *name;
	GOptionArg arg;
	gpointer data;
	char *text; /* NULL: not given */
} kept_row;

static void
free_row(gpointer row)
{
	g_free(((kept_row *)row)->text);
	g_free(row);
}

number_texts *
number_texts_new(GOptionEntry *rows)
{
	number_texts *self = g_ptr_array_new_with_free_func(free_row);

	for (GOptionEntry *row = rows; row->long_name != NULL; row++) {
		kept_row *kept;

		if (!is_number(row))
			continue;
		kept = g_new0(kept_row, 1);
		*kept = (kept_row){ .name = row->long_name, .arg = row->arg,
			            .data = row->arg_data };
		row->arg = G_OPTION_ARG_FILENAME;
		row->arg_data = &kept->text;
		g_ptr_array_add(self, kept);
	}
	return self;
}

/* Leading zeros and 0x are refused: they may mean another base. */
static bool
is_whole(const char *text)
{
	const char *digits = text + (text[0] == '-');

	return digits[0] != '\0' && strspn(digits, "0123456789") == strlen(digits) &&
	       (digits[0] != '0' || digits[1] == '\0');
}

/* Sets the variable of the row to a number from 'least' to 'most'. */
static bool
set_number(const kept_row *row, double least, double most)
{
	char *end;
	double value = g_ascii_strtod(row->text, &end);

	if ((row->arg != G_OPTION_ARG_DOUBLE && !is_whole(row->text)) || end == row->text ||
	    *end != '\0' || strspn(row->text, "0123456789.eE+-") != strlen(row->text) ||
	    !(value >= least && value <= most))
		return false;
	if (row->arg == G_OPTION_ARG_INT)
		*(gint *)row->data = (gint)value;
	else if (row->arg == G_OPTION_ARG_INT64)
		*(gint64 *)row->data = g_ascii_strtoll(row->text, NULL, 10);
	else
		*(gdouble *)row->data = value;
	return true;
}

char *
number_texts_read(const number_texts *self, const number_option *table)
{
	for (size_t i = 0; i < self->len; i++) {
		const kept_row *row = g_ptr_array_index(self, i);
		const number_option *wanted = table;

		while (wanted->name != NULL && strcmp(wanted->name, row->name) != 0)
			wanted++;
		if (wanted->name == NULL)
			g_error("--%s has no range", row->name);
		if (row->text != NULL && !set_number(row, wanted->least, wanted->most))
			return refuse(wanted, row->text);
	}
	return NULL;
}
