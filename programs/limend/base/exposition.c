/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exposition.c - appends metric families, labels and values in the Prometheus text format and
 * escapes the label values.  Keeps no state: the last byte of the output tells whether a sample
 * already has labels.
 */
#include "exposition.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>

#include "../common/control.h"
#include "../common/print.h"

void
exposition_family(GString *out, const char *name, const char *type, const char *help)
{
	print_append(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void
append_escaped(GString *out, const char *value)
{
	while (*value != '\0') {
		size_t length = control_length(value);
		char escape[CONTROL_PRINT_MAX];

		if (*value == '\n') {
			g_string_append(out, "\\n");
		} else if (length > 0) {
			/* The format has no such escape: an escaped backslash and a number. */
			control_print(value, "\\\\u", escape);
			g_string_append(out, escape);
		} else if (*value == '"' || *value == '\\') {
			print_append(out, "\\%c", *value);
		} else {
			g_string_append_c(out, *value);
		}
		value += MAX(length, 1);
	}
}

/* The last label ends in a quotation mark; the name of a sample never does. */
static bool
has_labels(const GString *out)
{
	return out->len > 0 && out->str[out->len - 1] == '"';
}

void
exposition_label(GString *out, const char *key, const char *value)
{
	g_autofree char *valid = g_utf8_make_valid(value, -1);

	print_append(out, "%c%s=\"", has_labels(out) ? ',' : '{', key);
	append_escaped(out, valid);
	g_string_append_c(out, '"');
}

void
exposition_real(GString *out, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append(out, has_labels(out) ? "} " : " ");
	if (isnan(value))
		g_string_append(out, "NaN");
	else if (isinf(value))
		g_string_append(out, value > 0 ? "+Inf" : "-Inf");
	else
		g_string_append(out, g_ascii_formatd(text, sizeof(text), "%.15g", value));
	g_string_append_c(out, '\n');
}

void
exposition_put(GString *out, const char *name, uint64_t value, ...)
{
	va_list labels;
	const char *key;

	g_string_append(out, name);
	va_start(labels, value);
	for (key = va_arg(labels, const char *); key != NULL; key = va_arg(labels, const char *))
		exposition_label(out, key, va_arg(labels, const char *));
	va_end(labels);
	print_append(out, "%s%" PRIu64 "\n", has_labels(out) ? "} " : " ", value);
}

void
exposition_single(GString *out, const char *name, const char *type, const char *help, double value)
{
	exposition_family(out, name, type, help);
	g_string_append(out, name);
	exposition_real(out, value);
}
