/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_escape.c - translates one backslash escape of a Python regular expression to PCRE2, and
 * notes escapes that Python refuses.
 */
#include "python_scan.h"

#include <string.h>

#include "base/ascii.h"

/* Letters that mean the same in Python and PCRE2, outside of and within a class. */
#define SHARED_OUTSIDE "AbBdDwWafnrt"
#define SHARED_IN_CLASS "bdDwWafnrt"

/*
 * BLANKS holds the characters for which str.isspace() is true, OTHERS the rest, as parts of a
 * class.  PCRE2's \s has U+180E and lacks U+001C to U+001F.  Both begin and end with an escape
 * that matches several characters, because a "-" next to such an escape makes no range.
 */
#define BLANKS "\\p{Zs}\\x{9}-\\x{d}\\x{1c}-\\x{1f}\\x{85}\\x{2028}\\p{Zp}"
#define OTHERS                                                                            \
	"\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}"                                                   \
	"\\x{0}-\\x{8}\\x{e}-\\x{1b}\\x{7f}-\\x{84}\\x{86}-\\x{9f}\\p{Cf}\\p{Co}\\p{Cn}"

static bool
is_octal(char c)
{
	return c >= '0' && c <= '7';
}

static bool
are_hex(const python_scan *scan, size_t ahead, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (ascii_hex_value(python_scan_peek(scan, ahead + i)) > 15)
			return false;
	return true;
}

/* \xhh: PCRE2 also takes fewer digits, or any number in braces. */
static void
read_hex(python_scan *scan)
{
	if (!are_hex(scan, 2, 2))
		python_scan_note_refused(scan, 2);
	python_scan_copy(scan, are_hex(scan, 2, 2) ? 4 : 2);
}

/* \uhhhh and \Uhhhhhhhh; PCRE2 has neither and names the mistake in any other form. */
static void
read_unicode(python_scan *scan, size_t digits)
{
	if (!are_hex(scan, 2, digits)) {
		python_scan_copy(scan, 2);
		return;
	}
	scan->at += 2;
	strbuf_adds(&scan->out, "\\x{");
	python_scan_copy(scan, digits);
	strbuf_addc(&scan->out, '}');
}

/* Up to three octal digits; above 0377 Python refuses what PCRE2 takes for a character. */
static void
read_octal(python_scan *scan)
{
	unsigned value = 0;
	size_t digits = 0;

	while (digits < 3 && is_octal(python_scan_peek(scan, 1 + digits)))
		value = value * 8 + (unsigned)(python_scan_peek(scan, 1 + digits++) - '0');
	if (value > 0377)
		python_scan_note_refused(scan, 1 + digits);
	strbuf_addf(&scan->out, "\\x{%x}", value);
	scan->at += 1 + digits;
}

/* Is the group closed whose number follows the backslash?  Python refuses open ones. */
static bool
is_closed(const python_scan *scan, size_t digits)
{
	size_t number = 0;

	for (size_t i = 1; i <= digits; i++)
		number = number * 10 + (size_t)(python_scan_peek(scan, i) - '0');
	return scan->closed[number];
}

/*
 * Python reads three octal digits as a character, and anything else as a reference to a group
 * of one or two digits, even if the pattern has fewer groups.
 */
static void
read_number(python_scan *scan)
{
	size_t digits = ascii_is_digit(python_scan_peek(scan, 2)) ? 2 : 1;

	if (is_octal(python_scan_peek(scan, 1)) && is_octal(python_scan_peek(scan, 2)) &&
	    is_octal(python_scan_peek(scan, 3))) {
		read_octal(scan);
		return;
	}
	if (!is_closed(scan, digits))
		python_scan_note_refused(scan, 1 + digits);
	scan->at++;
	strbuf_adds(&scan->out, "\\g{");
	python_scan_copy(scan, digits);
	strbuf_addc(&scan->out, '}');
}

static void
read_digits(python_scan *scan)
{
	char c = python_scan_peek(scan, 1);

	if (c == '0' || (scan->in_class && is_octal(c))) {
		read_octal(scan);
	} else if (scan->in_class) {
		python_scan_note_refused(scan, 2);
		python_scan_copy(scan, 2);
	} else {
		read_number(scan);
	}
}

/* Blanks of ASCII are the same for both; from release 10.43 on PCRE2 understands (?a:, too. */
static void
read_blank(python_scan *scan, char c)
{
	if (scan->ascii || scan->ascii_part) {
		python_scan_copy(scan, 2);
		return;
	}
	if (scan->in_class)
		strbuf_adds(&scan->out, c == 's' ? BLANKS : OTHERS);
	else
		strbuf_adds(&scan->out, c == 's' ? "[" BLANKS "]" : "[^" BLANKS "]");
	scan->at += 2;
}

static void
read_other(python_scan *scan, char c)
{
	const char *shared = scan->in_class ? SHARED_IN_CLASS : SHARED_OUTSIDE;

	if ((ascii_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) &&
	    strchr(shared, c) == NULL)
		python_scan_note_refused(scan, 2);
	python_scan_copy(scan, 2);
	if (c == 'Q')
		python_scan_copy_through(scan, "\\E");
}

void
python_scan_escape(python_scan *scan)
{
	char c = python_scan_peek(scan, 1);

	if (ascii_is_digit(c)) {
		read_digits(scan);
	} else if (c == 'x') {
		read_hex(scan);
	} else if (c == 'u' || c == 'U') {
		read_unicode(scan, c == 'u' ? 4 : 8);
	} else if (c == 's' || c == 'S') {
		read_blank(scan, c);
	} else if (c == 'v') {
		/* A vertical tab in Python, any vertical blank in PCRE2. */
		strbuf_adds(&scan->out, "\\x0b");
		scan->at += 2;
	} else if (c == 'Z' && !scan->in_class) {
		/* The very end in Python; PCRE2 also stops before a final newline. */
		strbuf_adds(&scan->out, "\\z");
		scan->at += 2;
	} else {
		read_other(scan, c);
	}
}
