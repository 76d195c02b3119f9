/* SPDX-License-Identifier: Apache-2.0 */
#include "message.h"

#include <errno.h>
#include <stdbool.h>
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

static void G_GNUC_PRINTF(2, 0)
print_arguments(FILE *stream, const char *format, va_list arguments)
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
	print_arguments(stream, format, arguments);
	va_end(arguments);
}

/*
 * What was answered so far belongs before the error when both go to one
 * terminal.  Modules log from other threads, hence the lock.
 */
static void G_GNUC_PRINTF(1, 0)
print_error(const char *format, va_list arguments)
{
	fflush(stdout);
	flockfile(stderr);
	fputs("limen: ", stderr);
	print_arguments(stderr, format, arguments);
	fputc('\n', stderr);
	funlockfile(stderr);
}

void
message_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_error(format, arguments);
	va_end(arguments);
}

int
message_usage(const command *self, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_error(format, arguments);
	va_end(arguments);
	fprintf(stderr, "Try 'limen%s%s --help'.\n", self == NULL ? "" : " ",
	        self == NULL ? "" : self->name);
	return STATUS_ERROR;
}

int
message_finish(int status)
{
	bool failed = fflush(stdout) != 0;
	int reason = errno;

	if (!failed && !ferror(stdout))
		return status;
	message_error("cannot write the output: %s",
	              failed ? g_strerror(reason) : "an earlier write failed");
	return STATUS_ERROR;
}
