/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.c - prints error messages and usage hints to standard error, and reports failed writes
 * to standard output.  Locks stderr for each message: modules log from other threads.
 */
#include "message.h"

#include <errno.h>
#include <stdbool.h>

#include "progress.h"

/*
 * Prints an error message.  Flushes standard output first, so that earlier answers appear
 * before the error on a terminal.  Locks stderr: modules log from other threads.
 */
static void G_GNUC_PRINTF(1, 0)
print_error(const char *format, va_list arguments)
{
	fflush(stdout);
	flockfile(stderr);
	progress_clear();
	fputs("limen: ", stderr);
	message_vprint_line(stderr, format, arguments);
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
