/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_lines.c - appends lines to the report of a decision and indents every line of a text that
 * has several, as pScheduler does.
 */
#include "report_lines.h"

#include <stdlib.h>
#include <string.h>

#define USUAL_LENGTH 900

size_t
account_begin(strbuf *out, const char *indent)
{
	/* The report lines of most decisions fit this room. */
	if (out->text == NULL)
		strbuf_reserve(out, USUAL_LENGTH);
	else
		strbuf_addc(out, '\n');
	strbuf_adds(out, indent);
	return out->length;
}

/* Puts 'indent' before each further line from 'start' on, as pScheduler indents blocks. */
static void
indent_again(strbuf *out, const char *indent, size_t start)
{
	char *lines = strdup(out->text + start);
	char *rest = lines;
	char *line = lines == NULL ? NULL : strsep(&rest, "\n");

	out->failed = out->failed || lines == NULL;
	out->length = start;
	if (line != NULL)
		strbuf_adds(out, line);
	for (line = strsep(&rest, "\n"); lines != NULL && line != NULL; line = strsep(&rest, "\n")) {
		strbuf_addc(out, '\n');
		strbuf_adds(out, indent);
		strbuf_adds(out, line);
	}
	free(lines);
}

void
account_end(strbuf *out, const char *indent, size_t start)
{
	if (indent[0] != '\0' && !out->failed &&
	    memchr(out->text + start, '\n', out->length - start) != NULL)
		indent_again(out, indent, start);
}

void
account_line(strbuf *out, const char *indent, const char *format, ...)
{
	size_t start = account_begin(out, indent);
	va_list arguments;

	va_start(arguments, format);
	strbuf_addv(out, format, arguments);
	va_end(arguments);
	account_end(out, indent, start);
}

void
account_lines(strbuf *out, const char *text, size_t length)
{
	account_begin(out, "");
	strbuf_add(out, text, length);
}
