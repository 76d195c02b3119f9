/* SPDX-License-Identifier: Apache-2.0 */
/* markup.h - writes untrusted texts in HTML and XML. */
#ifndef LIMEN_PROGRAM_MARKUP_H
#define LIMEN_PROGRAM_MARKUP_H

#include <glib.h>
#include <stdarg.h>

/*
 * Appends 'format' with its arguments; only "%s", "%u" and "%zu" are supported.  A text (NULL:
 * nothing) is escaped for HTML and XML.  Characters that XML 1.0 cannot express, and control
 * characters other than line ends and tabs, become blanks.
 */
void markup_append(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* As markup_append(), to standard output. */
void markup_print(const char *format, ...) G_GNUC_PRINTF(1, 2);
void markup_vprint(const char *format, va_list args);

/* Start of every page.  Its policy forbids scripts and external resources. */
#define MARKUP_HEAD                                                                            \
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"                  \
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "             \
	"style-src 'unsafe-inline'\">\n"                                                         \
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"

/* The look of reports, between <style> and </style>. */
#define MARKUP_REPORT_STYLE \
	":root { color-scheme: light dark; --old: #8a8f98; --new: #2f6fde; --bad: #c4314b }\n" \
	"body { font: 15px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; " \
	"padding: 0 1rem }\n" \
	"table { border-collapse: collapse; margin: .5rem 0 1.5rem }\n" \
	"th, td { padding: .25rem .75rem; border-bottom: 1px solid #8884; text-align: left; " \
	"vertical-align: top }\n" \
	"td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }\n" \
	"code { overflow-wrap: anywhere }\n" \
	".changed { color: var(--bad); font-weight: 600 }\n" \
	"svg text { font: 11px system-ui, sans-serif; fill: currentColor }\n" \
	".old { fill: var(--old) } .new { fill: var(--new) } .bad { fill: var(--bad) }\n"

#endif
