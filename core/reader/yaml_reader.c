/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_reader.c - reports problems, warnings and notes about a YAML text with line and column, up
 * to a maximum, and tells when to stop reading.
 */
#include "yaml_reader.h"

#include <string.h>

#include "document/document.h"
#include "base/strbuf.h"

bool
yaml_reader_stopped(const yaml_reader *reader)
{
	if (reader->nodes_made > YAML_NODES_MAX || reader->text_made > YAML_TEXT_MAX)
		return true;
	return reader->no_memory || reader->problems >= YAML_PROBLEMS_MAX;
}

bool
yaml_reader_failed(const yaml_reader *reader)
{
	return reader->no_memory || reader->problems > 0;
}

static utf8_position
find_place(const yaml_reader *reader, size_t offset)
{
	if (reader->source == NULL)
		return (utf8_position){ .line = 1, .column = 1 };
	return source_locate(reader->source, offset);
}

unsigned
yaml_line(const yaml_reader *reader, size_t offset)
{
	return find_place(reader, offset).line;
}

static void LIMEN_PRINTF(4, 0)
add_entry(yaml_reader *reader, limen_severity severity, size_t offset, const char *format,
          va_list arguments)
{
	utf8_position where = find_place(reader, offset);
	strbuf line = STRBUF_INIT;

	strbuf_addv(&line, format, arguments);
	diag_add_place(reader->diag, severity, reader->name, where.line, where.column, NULL,
	               line.failed ? "not enough memory" : line.text);
	strbuf_free(&line);
}

bool
yaml_problem(yaml_reader *reader, size_t offset, const char *format, ...)
{
	va_list arguments;

	if (reader->problems++ >= YAML_PROBLEMS_MAX)
		return false;
	va_start(arguments, format);
	add_entry(reader, LIMEN_SEVERITY_PROBLEM, offset, format, arguments);
	va_end(arguments);
	return false;
}

bool
yaml_note(yaml_reader *reader, size_t offset, const char *format, ...)
{
	va_list arguments;

	if (reader->diag == NULL || reader->notes++ >= YAML_NOTES_MAX)
		return false;
	va_start(arguments, format);
	add_entry(reader, LIMEN_SEVERITY_NOTE, offset, format, arguments);
	va_end(arguments);
	return true;
}

yaml_excerpt
yaml_excerpt_of(const char *text, size_t length)
{
	yaml_excerpt excerpt = { .text = "" };
	size_t most = sizeof(excerpt.text) - sizeof("...");
	size_t kept = 0;

	while (kept < length && kept < most && (unsigned char)text[kept] >= ' ')
		kept++;
	kept = utf8_valid(text, kept); /* never cut a character in two */
	memcpy(excerpt.text, text, kept);
	if (kept < length)
		memcpy(excerpt.text + kept, "...", sizeof("..."));
	return excerpt;
}
