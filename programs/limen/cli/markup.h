/* SPDX-License-Identifier: Apache-2.0 */
/* markup.h - texts of strangers in HTML and XML. */
#ifndef LIMEN_PROGRAM_MARKUP_H
#define LIMEN_PROGRAM_MARKUP_H

#include <glib.h>

/*
 * Appends 'format', of whose conversions it knows "%s", "%u" and "%zu".  A text (NULL: nothing) is
 * put there with the escapes of HTML and XML.  What XML 1.0 has no way to write, and control
 * characters but line ends and tabs, become blanks.
 */
void markup_append(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The same to standard output. */
void markup_print(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* What the pages begin with: no scripts, and nothing from elsewhere, so that a page stays as it is. */
#define MARKUP_HEAD                                                                            \
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"                  \
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "             \
	"style-src 'unsafe-inline'\">\n"                                                         \
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"

#endif
