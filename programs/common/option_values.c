/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_values.c - collects the texts of options with one value, refuses a second one, and checks
 * the ranges of numbers.  GLib is told that each of these options is a list of texts.
 */
#include "option_values.h"

#include <limen/duration.h>
#include <stdbool.h>
#include <string.h>

static bool
has_one_value(const GOptionEntry *row)
{
	return row->arg == G_OPTION_ARG_FILENAME || row->arg == G_OPTION_ARG_INT ||
	       row->arg == G_OPTION_ARG_INT64 || row->arg == G_OPTION_ARG_DOUBLE;
}

/* A row of GLib's table whose value is read as a list of texts first. */
typedef struct kept_row {
	const char *name;
	GOptionArg arg;
	gpointer data;
	char **texts; /* NULL: not given */
} kept_row;

static void
free_row(gpointer row)
{
	g_strfreev(((kept_row *)row)->texts);
	g_free(row);
}

option_values *
option_values_new(GOptionEntry *rows)
{
	option_values *self = g_ptr_array_new_with_free_func(free_row);

	for (GOptionEntry *row = rows; row->long_name != NULL; row++) {
		kept_row *kept;

		if (!has_one_value(row))
			continue;
		kept = g_new0(kept_row, 1);
		*kept = (kept_row){ .name = row->long_name, .arg = row->arg,
			            .data = row->arg_data };
		row->arg = G_OPTION_ARG_FILENAME_ARRAY;
		row->arg_data = &kept->texts;
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

/* Sets the variable of the row to the number in 'text', from 'least' to 'most'. */
static bool
set_number(const kept_row *row, const char *text, double least, double most)
{
	char *end;
	double value = g_ascii_strtod(text, &end);

	if ((row->arg != G_OPTION_ARG_DOUBLE && !is_whole(text)) || end == text ||
	    *end != '\0' || strspn(text, "0123456789.eE+-") != strlen(text) ||
	    !(value >= least && value <= most))
		return false;
	if (row->arg == G_OPTION_ARG_INT)
		*(gint *)row->data = (gint)value;
	else if (row->arg == G_OPTION_ARG_INT64)
		*(gint64 *)row->data = g_ascii_strtoll(text, NULL, 10);
	else
		*(gdouble *)row->data = value;
	return true;
}

/* Returns the seconds of a duration, such as 5s or PT5S, written to 'number'; else the text itself. */
static const char *
find_seconds(const char *text, char number[G_ASCII_DTOSTR_BUF_SIZE])
{
	limen_duration duration;

	if (limen_duration_parse(text, strlen(text), LIMEN_DURATION_SHORT, &duration, NULL) !=
	    LIMEN_OK)
		return text;
	return g_ascii_formatd(number, G_ASCII_DTOSTR_BUF_SIZE, "%.15g",
	                       (double)duration / LIMEN_SECOND);
}

/* Fifteen digits show every bound, and whole numbers without an exponent. */
static char *
read_number(const kept_row *row, const number_option *wanted)
{
	char least[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];
	char seconds[G_ASCII_DTOSTR_BUF_SIZE];
	const char *text = row->texts == NULL ? NULL : row->texts[0];
	bool times;

	while (wanted != NULL && wanted->name != NULL && strcmp(wanted->name, row->name) != 0)
		wanted++;
	if (wanted == NULL || wanted->name == NULL)
		g_error("--%s has no range", row->name);
	times = strcmp(wanted->what, "seconds") == 0;
	if (text == NULL ||
	    set_number(row, times ? find_seconds(text, seconds) : text, wanted->least, wanted->most))
		return NULL;
	return g_strdup_printf("--%s takes %s from %s to %s%s, not '%s'", wanted->name, wanted->what,
	                       g_ascii_formatd(least, sizeof(least), "%.15g", wanted->least),
	                       g_ascii_formatd(most, sizeof(most), "%.15g", wanted->most),
	                       times ? " or a duration such as 5s" : "", text);
}

/* Two rows may set one text: an option and its older name, or one before and after a command. */
static char *
read_text(kept_row *row)
{
	char **text = row->data;

	if (row->texts == NULL)
		return NULL;
	if (*text != NULL)
		return g_strdup_printf("--%s takes one value, not '%s' and '%s'", row->name, *text,
		                       row->texts[0]);
	*text = g_strdup(row->texts[0]);
	return NULL;
}

char *
option_values_read(const option_values *self, const number_option *numbers)
{
	char *wrong = NULL;

	for (guint i = 0; i < self->len && wrong == NULL; i++) {
		kept_row *row = g_ptr_array_index(self, i);

		if (row->texts != NULL && row->texts[1] != NULL)
			wrong = g_strdup_printf("--%s takes one value, not '%s' and '%s'", row->name,
			                        row->texts[0], row->texts[1]);
		else
			wrong = row->arg == G_OPTION_ARG_FILENAME ? read_text(row)
			                                          : read_number(row, numbers);
	}
	return wrong;
}
