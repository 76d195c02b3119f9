/* SPDX-License-Identifier: Apache-2.0 */
/*
 * markup.c - escapes text for HTML and XML, with blanks for the characters that neither has, and
 * begins the pages of reports.
 */
#include "markup.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/control.h"

/* Returns true at U+FFFE or U+FFFF in UTF-8, which XML 1.0 (2.2) does not allow. */
static bool
is_no_character(const char *at)
{
	return at[0] == '\xef' && at[1] == '\xbf' && (at[2] == '\xbe' || at[2] == '\xbf');
}

static void
append_text(GString *out, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text == NULL ? "" : text, -1);
	g_autofree char *escaped = NULL;

	for (char *at = valid; *at != '\0'; at++) {
		size_t control = control_length(at);

		if (control > 0 && *at != '\n' && *at != '\t')
			memset(at, ' ', control);
		else if (is_no_character(at))
			memset(at, ' ', 3);
	}
	escaped = g_markup_escape_text(valid, -1);
	g_string_append(out, escaped);
}

static void
append(GString *out, const char *format, va_list args)
{
	for (; *format != '\0'; format++) {
		if (*format != '%') {
			g_string_append_c(out, *format);
			continue;
		}
		format++;
		if (*format == 's') {
			append_text(out, va_arg(args, const char *));
		} else if (*format == 'u') {
			g_string_append_printf(out, "%u", va_arg(args, unsigned));
		} else {
			g_string_append_printf(out, "%zu", va_arg(args, size_t));
			format++;
		}
	}
}

void
markup_vprint(const char *format, va_list args)
{
	g_autoptr(GString) out = g_string_new(NULL);

	append(out, format, args);
	fputs(out->str, stdout);
}

void
markup_print(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	markup_vprint(format, args);
	va_end(args);
}

/* Rules that reports have beyond those of the console. */
static const char report_look[] =
	"body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem }\n"
	"h2 { margin-top: 1.6rem }\n"
	"table { width: auto; margin: .5rem 0 1.5rem }\n"
	"td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }\n"
	".changed, .bad { color: var(--fail); font-weight: 600 }\n"
	".verdict { font-weight: 600 }\n"
	"svg .old { fill: var(--none) } svg .new { fill: var(--accent) } svg .bad { fill: var(--fail) }\n"
	".drawn { background: #fff; padding: 1rem }\n";

void
markup_print_head(const char *title)
{
	markup_print("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	             "style-src 'unsafe-inline'\">\n"
	             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	             "<title>%s</title>\n<style>\n", title);
	fputs(markup_look, stdout);
	fputs(report_look, stdout);
	fputs("</style>\n</head>\n<body>\n", stdout);
}
