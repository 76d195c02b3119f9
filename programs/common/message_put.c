/* SPDX-License-Identifier: Apache-2.0 */
/* message_put.c - prints text to a stream with control characters escaped, such as "\u001b". */
#include "message_put.h"

#include "print.h"

static void
put(FILE *stream, const char *text, const char *kept)
{
	g_autoptr(GString) safe = g_string_new(NULL);

	print_escaped(safe, text, kept);
	fwrite(safe->str, 1, safe->len, stream);
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

static void G_GNUC_PRINTF(2, 0)
print(FILE *stream, const char *format, va_list arguments, const char *kept)
{
	g_autofree char *text = print_vtext(format, arguments);

	put(stream, text, kept);
}

void
message_print(FILE *stream, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print(stream, format, arguments, "\n\t");
	va_end(arguments);
}

void
message_print_part(FILE *stream, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print(stream, format, arguments, "");
	va_end(arguments);
}

void
message_vprint_line(FILE *stream, const char *format, va_list arguments)
{
	print(stream, format, arguments, "");
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
