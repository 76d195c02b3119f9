/* SPDX-License-Identifier: Apache-2.0 */
#include "message_put.h"

#include <string.h>

/* Returns how many bytes at 'text' are a control character, or 0: C0, DEL and C1. */
static size_t
measure_control(const unsigned char *text)
{
	if ((text[0] < 0x20 && text[0] != '\n' && text[0] != '\t') || text[0] == 0x7f)
		return 1;
	return text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0 ? 2 : 0;
}

void
message_put(FILE *stream, const char *text)
{
	const unsigned char *start = (const unsigned char *)text;
	const unsigned char *at = start;

	while (*at != '\0') {
		size_t length = measure_control(at);

		if (length == 0) {
			at++;
			continue;
		}
		fwrite(start, 1, (size_t)(at - start), stream);
		fprintf(stream, "\\u%04x", (unsigned)at[length - 1]);
		at += length;
		start = at;
	}
	fwrite(start, 1, (size_t)(at - start), stream);
}

void
message_vprint(FILE *stream, const char *format, va_list arguments)
{
	char *text = g_strdup_vprintf(format, arguments);

	message_put(stream, text);
	g_free(text);
}

void
message_print(FILE *stream, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_vprint(stream, format, arguments);
	va_end(arguments);
}
