/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_group.c - translates one opening parenthesis of a Python regular expression to PCRE2, its
 * flags included, and notes groups that Python refuses.
 */
#include "python_scan.h"

#include <string.h>

/* Letters of (?flags), Python's and PCRE2's; "L" is refused by both. */
#define FLAG_LETTERS "aimsuxnJU^-"
#define PCRE2_LETTERS "nJU^"

/* One (?flags) or (?flags:, from its first letter on. */
struct flags {
	const char *letters;
	size_t length;
	char end; /* ')' or ':' */
};

static bool
read_flags(const python_scan *scan, struct flags *out)
{
	size_t length = 0;
	char c = python_scan_peek(scan, 2);

	while (c != '\0' && strchr(FLAG_LETTERS, c) != NULL)
		c = python_scan_peek(scan, 2 + ++length);
	if (length == 0 || (c != ')' && c != ':'))
		return false;
	*out = (struct flags){ scan->text + scan->at + 2, length, c };
	return true;
}

/* Returns whether (?x) is on after 'flags'; letters after a hyphen turn options off. */
static bool
read_verbose(const struct flags *flags, bool verbose)
{
	const char *hyphen = memchr(flags->letters, '-', flags->length);
	const char *x = memchr(flags->letters, 'x', flags->length);

	if (x != NULL)
		return hyphen == NULL || x < hyphen;
	return verbose && flags->letters[0] != '^';
}

static bool
is_foreign(const struct flags *flags)
{
	bool x = false;

	for (size_t i = 0; i < flags->length; i++) {
		char letter = flags->letters[i];

		if (strchr(PCRE2_LETTERS, letter) != NULL || (x && letter == 'x'))
			return true;
		x = letter == 'x';
	}
	return flags->end == ')' && memchr(flags->letters, '-', flags->length) != NULL;
}

static void
note_flags(python_scan *scan, const struct flags *flags)
{
	size_t length = flags->length + 3;

	if (is_foreign(flags))
		python_scan_note_refused(scan, length);
	else if (flags->end == ')' && !scan->beginning)
		python_scan_note(scan, "", length,
		                 " counts from there on; Python applies it to the whole pattern,"
		                 " and refuses it from version 3.11 on");
}

/*
 * Drops "u", which says what holds anyway.  Drops "a" from flags of the whole pattern, where it
 * becomes a matter of how the pattern is compiled; PCRE2 10.42 refuses it anywhere else.
 */
static void
copy_flags(python_scan *scan, const struct flags *flags)
{
	bool whole = flags->end == ')' && scan->beginning;

	python_scan_copy(scan, 2);
	for (size_t i = 0; i < flags->length; i++) {
		char letter = flags->letters[i];

		if (letter == 'a' && whole)
			scan->ascii = true;
		else if (letter != 'u')
			strbuf_addc(&scan->out, letter);
		if (letter == 'a' && !whole)
			scan->ascii_part = true;
	}
	scan->at += flags->length;
	python_scan_copy(scan, 1);
}

static void
push_group(python_scan *scan, bool captures)
{
	size_t number = captures ? ++scan->groups : 0;

	strbuf_addc(&scan->outer, scan->verbose ? 'x' : '-');
	strbuf_addc(&scan->outer, number < PYTHON_SCAN_GROUPS ? (char)number : '\0');
	scan->beginning = false;
}

static void
read_flag_group(python_scan *scan, const struct flags *flags)
{
	bool verbose = read_verbose(flags, scan->verbose);

	note_flags(scan, flags);
	copy_flags(scan, flags);
	if (flags->end == ':')
		push_group(scan, false);
	scan->verbose = verbose;
}

/* (?(1) and (?(name); PCRE2 reserves the names R, R1, DEFINE and VERSION>=n. */
static bool
is_python_condition(const python_scan *scan)
{
	char c = python_scan_peek(scan, 3);
	char next = python_scan_peek(scan, 4);

	if (strchr("?*<'+-&", c) != NULL)
		return false;
	if (c == 'R' && (next == ')' || next == '&' || (next >= '0' && next <= '9')))
		return false;
	return scan->length - scan->at < 10 || memcmp(scan->text + scan->at + 3, "DEFINE)", 7) != 0;
}

/* Is this opening parenthesis, of which the first byte after "(?" is 'c', one Python knows? */
static bool
is_python_group(const python_scan *scan, char c)
{
	char next = python_scan_peek(scan, 3);

	switch (c) {
	case ':':
	case '=':
	case '!':
		return true;
	case 'P':
		return next == '<' || next == '=';
	case '<':
		return next == '=' || next == '!';
	case '(':
		return is_python_condition(scan);
	default:
		return false;
	}
}

static void
read_special_group(python_scan *scan)
{
	char c = python_scan_peek(scan, 2);

	if (c == '>')
		python_scan_note(scan, "Python understands ", 3, " from version 3.11 on");
	else if (!is_python_group(scan, c))
		python_scan_note_refused(scan, c == 'P' || c == '(' ? 4 : 3);
	push_group(scan, c == 'P' && python_scan_peek(scan, 3) == '<');
	python_scan_copy(scan, 2);
	/*
	 * Copying the byte now keeps it from being read as a quantifier; the "(" of a condition
	 * opens a group and is read as one.
	 */
	if (c != '(' && c != ')')
		python_scan_copy(scan, 1);
}

void
python_scan_open_group(python_scan *scan)
{
	struct flags flags;

	if (python_scan_peek(scan, 1) == '*')
		python_scan_note_refused(scan, 2);
	if (python_scan_peek(scan, 1) != '?') {
		push_group(scan, true);
		python_scan_copy(scan, 1);
	} else if (python_scan_peek(scan, 2) == '#') {
		python_scan_copy_through(scan, ")");
	} else if (read_flags(scan, &flags)) {
		read_flag_group(scan, &flags);
	} else {
		read_special_group(scan);
	}
}
