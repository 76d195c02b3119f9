/* SPDX-License-Identifier: Apache-2.0 */
/* message_put.c - prints text to a stream with control characters escaped, such as "\u001b". */
#include "message_put.h"

#include "print.h"

static void
put(FILE *stream, const char *text, const char *kept)
{
	GString *safe = g_string_new(NULL);

	print_escaped(safe, text, kept);
	fwrite(safe->str, 1, safe->len, stream);
	g_string_free(safe, TRUE);
}

void
message_put(FILE *stream, const char *text)
{
	put(stream, text, "\n\t");
}

void
message_put_part(FILE *stream, const char *text)
{
	put(stream, text, "");
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
