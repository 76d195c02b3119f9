/* SPDX-License-Identifier: Apache-2.0 */
/* message_put.c - prints text to a stream with control characters escaped, such as "\u001b". */
#include "message_put.h"

#include <stdbool.h>

#include "control.h"
#include "print.h"

static void
put_control(FILE *stream, const char *at)
{
	if (*at == '\n' || *at == '\t')
		fputs(*at == '\n' ? "\\n" : "\\t", stream);
	else
		fprintf(stream, "\\u%04x", control_code(at));
}

/* Escapes control characters; newlines and tabs only if 'inside' a line. */
static void
put(FILE *stream, const char *text, bool inside)
{
	const char *start = text;
	const char *at = start;

	while (*at != '\0') {
		size_t length = control_length(at);

		if (length == 0 || (!inside && (*at == '\n' || *at == '\t'))) {
			at++;
			continue;
		}
		fwrite(start, 1, (size_t)(at - start), stream);
		put_control(stream, at);
		at += length;
		start = at;
	}
	fwrite(start, 1, (size_t)(at - start), stream);
}

void
message_put(FILE *stream, const char *text)
{
	put(stream, text, false);
}

void
message_put_part(FILE *stream, const char *text)
{
	put(stream, text, true);
}

void
message_print(FILE *stream, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = print_vtext(format, arguments);
	va_end(arguments);
	message_put(stream, text);
	g_free(text);
}

static void G_GNUC_PRINTF(2, 0)
print_part(FILE *stream, const char *format, va_list arguments)
{
	char *text = print_vtext(format, arguments);

	message_put_part(stream, text);
	g_free(text);
}

void
message_print_part(FILE *stream, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_part(stream, format, arguments);
	va_end(arguments);
}

void
message_vprint_line(FILE *stream, const char *format, va_list arguments)
{
	print_part(stream, format, arguments);
	fputc('\n', stream);
}

void
message_print_line(FILE *stream, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_vprint_line(stream, format, arguments);
	va_end(arguments);
}
