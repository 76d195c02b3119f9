/* SPDX-License-Identifier: Apache-2.0 */
/* markup.h - writes untrusted texts in HTML and XML. */
#ifndef LIMEN_PROGRAM_MARKUP_H
#define LIMEN_PROGRAM_MARKUP_H

#include <glib.h>
#include <stdarg.h>

/*
 * Prints 'format' with its arguments to standard output; only "%s", "%u" and "%zu" are supported.  A text (NULL:
 * nothing) is escaped for HTML and XML.  Characters that XML 1.0 cannot express, and control
 * characters other than line ends and tabs, become blanks.
 */
void markup_print(const char *format, ...) G_GNUC_PRINTF(1, 2);
void markup_vprint(const char *format, va_list args);

/*
 * Prints the start of a page, up to its body, with the look of limend's console.  Its policy forbids
 * scripts and external resources.
 */
void markup_print_head(const char *title);

/* programs/limend/ui/look.css. */
extern const char markup_look[];

#endif
