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

/*
 * Reports mostly come in the order of the text.  Counting on from the last
 * place keeps all of them together linear in the length of the text.
 */
static void
move_to(yaml_reader *reader, size_t offset)
{
	utf8_position onward;

	if (offset > reader->length)
		offset = reader->length;
	if (offset < reader->last.offset)
		reader->last = reader->document;
	if (offset < reader->last.offset)
		reader->last = (yaml_spot){ .offset = 0, .line = 1, .column = 1 };
	onward = utf8_locate(reader->text + reader->last.offset, offset - reader->last.offset);
	if (onward.line > 1)
		reader->last.column = onward.column;
	else
		reader->last.column += onward.column - 1;
	reader->last.line += onward.line - 1;
	reader->last.offset = offset;
}

void
yaml_reader_begin(yaml_reader *reader, size_t offset)
{
	move_to(reader, offset);
	reader->document = reader->last;
}

unsigned
yaml_line(yaml_reader *reader, size_t offset)
{
	move_to(reader, offset);
	return reader->last.line;
}

static void LIMEN_PRINTF(4, 0)
add_entry(yaml_reader *reader, limen_severity severity, size_t offset, const char *format,
          va_list arguments)
{
	strbuf line = STRBUF_INIT;

	strbuf_addv(&line, format, arguments);
	move_to(reader, offset);
	diag_add_place(reader->diag, severity, reader->name, reader->last.line,
	               reader->last.column, NULL, line.failed ? "not enough memory" : line.text);
	strbuf_free(&line);
}

void
yaml_problem(yaml_reader *reader, size_t offset, const char *format, ...)
{
	va_list arguments;

	if (reader->problems++ >= YAML_PROBLEMS_MAX)
		return;
	va_start(arguments, format);
	add_entry(reader, LIMEN_PROBLEM, offset, format, arguments);
	va_end(arguments);
}

void
yaml_warning(yaml_reader *reader, size_t offset, const char *format, ...)
{
	va_list arguments;

	if (reader->notes++ >= YAML_NOTES_MAX)
		return;
	va_start(arguments, format);
	add_entry(reader, LIMEN_WARNING, offset, format, arguments);
	va_end(arguments);
}

bool
yaml_note(yaml_reader *reader, size_t offset, const char *format, ...)
{
	va_list arguments;

	if (reader->diag == NULL || reader->notes++ >= YAML_NOTES_MAX)
		return false;
	va_start(arguments, format);
	add_entry(reader, LIMEN_NOTE, offset, format, arguments);
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
