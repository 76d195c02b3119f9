/* SPDX-License-Identifier: Apache-2.0 */
#include "number_option.h"

#include <stdbool.h>
#include <string.h>

/* Fifteen digits show every bound there is, without an exponent for whole ones. */
static char *
show(double number)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strdup(g_ascii_formatd(text, sizeof(text), "%.15g", number));
}

static char *
refuse(const number_option *wanted, const char *given)
{
	char *least = show(wanted->least);
	char *most = show(wanted->most);
	char *text = g_strdup_printf("--%s takes %s from %s to %s, not '%s'", wanted->name,
	                             wanted->what, least, most, given);

	g_free(least);
	g_free(most);
	return text;
}

static bool
is_number(const GOptionEntry *row)
{
	return row->arg == G_OPTION_ARG_INT || row->arg == G_OPTION_ARG_INT64 ||
	       row->arg == G_OPTION_ARG_DOUBLE;
}

/* Returns the value of the row, 0 if it is no number. */
static double
value_of(const GOptionEntry *row)
{
	switch (row->arg) {
	case G_OPTION_ARG_INT:
		return *(const gint *)row->arg_data;
	case G_OPTION_ARG_INT64:
		return (double)*(const gint64 *)row->arg_data;
	case G_OPTION_ARG_DOUBLE:
		return *(const gdouble *)row->arg_data;
	default:
		return 0;
	}
}

static const GOptionEntry *
find_row(const GOptionEntry *rows, const char *name)
{
	while (rows->long_name != NULL && strcmp(rows->long_name, name) != 0)
		rows++;
	return rows->long_name == NULL ? NULL : rows;
}

char *
number_option_check(const GOptionEntry *rows, const number_option *table)
{
	for (; table->name != NULL; table++) {
		const GOptionEntry *row = find_row(rows, table->name);
		double value = row == NULL ? table->least : value_of(row);
		char *given;
		char *text;

		/* Written so that NaN is refused. */
		if (value >= table->least && value <= table->most)
			continue;
		given = show(value);
		text = refuse(table, given);
		g_free(given);
		return text;
	}
	return NULL;
}

/* The row whose option, "--name" or "-n", stands at 'text' with a blank or nothing behind. */
static const GOptionEntry *
find_option(const GOptionEntry *rows, const char *text)
{
	size_t length = strcspn(text, " ");

	for (; rows->long_name != NULL; rows++) {
		if (!is_number(rows))
			continue;
		if (length == 2 && text[0] == '-' && text[1] == rows->short_name)
			return rows;
		if (length == strlen(rows->long_name) + 2 && strncmp(text, "--", 2) == 0 &&
		    strncmp(text + 2, rows->long_name, length - 2) == 0)
			return rows;
	}
	return NULL;
}

/* How long the quotation mark at 'text' is, plain or as typographers have it; 0: none. */
static size_t
measure_quote(const char *text)
{
	if (text[0] == '\'')
		return 1;
	return g_str_has_prefix(text, "\u201c") || g_str_has_prefix(text, "\u201d") ? 3 : 0;
}

/*
 * "Cannot parse integer value "VALUE" for OPTION" and its like, with one pair of quotation
 * marks or another.  Whatever is in VALUE, the last " for -" is GLib's.
 */
static bool
split(const char *message, char **value, const char **option)
{
	static const char before[] = "alue ";
	static const char between[] = " for -";
	const char *start = strstr(message, before);
	const char *end = start == NULL ? NULL : g_strrstr(start, between);
	size_t quote = start == NULL ? 0 : measure_quote(start + strlen(before));

	if (end == NULL || quote == 0)
		return false;
	start += strlen(before) + quote;
	if (end < start + quote)
		return false;
	*value = g_strndup(start, (size_t)(end - start) - quote);
	*option = end + strlen(between) - 1;
	return true;
}

char *
number_option_explain(const GOptionEntry *rows, const number_option *table,
                      const GError *error)
{
	const GOptionEntry *row;
	const char *option;
	char *value;
	char *text = NULL;

	if (!g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE) ||
	    !split(error->message, &value, &option))
		return NULL;
	row = find_option(rows, option);
	for (; row != NULL && text == NULL && table != NULL && table->name != NULL; table++)
		if (strcmp(table->name, row->long_name) == 0)
			text = refuse(table, value);
	if (row != NULL && text == NULL)
		text = g_strdup_printf("--%s takes a number, not '%s'", row->long_name, value);
	g_free(value);
	return text;
}

/* ---- as texts ---- */

/* A row whose number is a text meanwhile. */
typedef struct kept_row {
	const char *name;
	GOptionArg arg;
	gpointer data;
	char *text; /* NULL: not given */
} kept_row;

struct number_texts {
	size_t count;
	kept_row rows[];
};

number_texts *
number_texts_new(GOptionEntry *rows)
{
	size_t most = 0;
	number_texts *self;

	for (const GOptionEntry *row = rows; row->long_name != NULL; row++)
		most += is_number(row);
	self = g_malloc0(sizeof(*self) + most * sizeof(kept_row));
	for (GOptionEntry *row = rows; row->long_name != NULL; row++) {
		kept_row *kept = &self->rows[self->count];

		if (!is_number(row))
			continue;
		*kept = (kept_row){ .name = row->long_name, .arg = row->arg,
			            .data = row->arg_data };
		row->arg = G_OPTION_ARG_FILENAME;
		row->arg_data = &kept->text;
		self->count++;
	}
	return self;
}

void
number_texts_free(number_texts *self)
{
	for (size_t i = 0; i < self->count; i++)
		g_free(self->rows[i].text);
	g_free(self);
}

/* Digits without a zero before them: who writes one, or an x, may mean another base. */
static bool
is_whole(const char *text)
{
	const char *digits = text + (text[0] == '-');

	return digits[0] != '\0' && strspn(digits, "0123456789") == strlen(digits) &&
	       (digits[0] != '0' || digits[1] == '\0');
}

static bool
read_real(const char *text, double *out)
{
	char *end;

	*out = g_ascii_strtod(text, &end);
	return end != text && *end == '\0' && strspn(text, "0123456789.eE+-") == strlen(text);
}

/* Sets the variable of the row to a number from 'least' to 'most'. */
static bool
set_number(const kept_row *row, double least, double most)
{
	double value;

	if ((row->arg != G_OPTION_ARG_DOUBLE && !is_whole(row->text)) ||
	    !read_real(row->text, &value) || !(value >= least && value <= most))
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
	for (size_t i = 0; i < self->count; i++) {
		const kept_row *row = &self->rows[i];
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
