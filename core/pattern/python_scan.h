/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_scan.h - the state of one pass over a Python regular expression,
 * shared by core/pattern/python_pattern.c (which walks it), core/pattern/python_escape.c and
 * core/pattern/python_group.c (which read one escape, one opening parenthesis).
 *
 * Each reader is called with 'at' on the first byte of its construct, moves
 * 'at' behind what it read and adds the respelling to 'out'.
 */
#ifndef LIMEN_CORE_PATTERN_PYTHON_SCAN_H
#define LIMEN_CORE_PATTERN_PYTHON_SCAN_H

#include "python_pattern.h"
#include "base/strbuf.h"

/* Groups that a number of two digits may refer to, and 0 for all others. */
#define PYTHON_SCAN_GROUPS 100

typedef struct python_scan {
	const char *text;
	size_t length;
	size_t at;
	strbuf out;
	strbuf outer;   /* for each open group two bytes: 'x' or '-' for the 'verbose' around it, and
	                   its number among those above, or 0 */
	size_t groups;  /* with a number, so far */
	bool closed[PYTHON_SCAN_GROUPS];
	bool verbose;   /* (?x) is in force */
	bool ascii;     /* (?a) was read */
	bool ascii_part; /* (?a: was read */
	bool in_class;  /* between [ and ] */
	bool beginning; /* nothing but flags so far */
	char note[PYTHON_PATTERN_NOTE_MAX];
} python_scan;

/* Returns the byte 'ahead' of the scan, or NUL behind the end. */
char python_scan_peek(const python_scan *scan, size_t ahead);

/* Copies the next 'length' bytes unchanged, or fewer at the end of the text. */
void python_scan_copy(python_scan *scan, size_t length);

/* Copies up to and including the next 'end', or everything. */
void python_scan_copy_through(python_scan *scan, const char *end);

/*
 * Notes the construct of 'length' bytes at the scan, unless there is a note
 * already: 'before', the construct and its position, 'after'.
 */
void python_scan_note(python_scan *scan, const char *before, size_t length, const char *after);

/* Notes that Python refuses the construct of 'length' bytes at the scan. */
void python_scan_note_refused(python_scan *scan, size_t length);

void python_scan_escape(python_scan *scan);
void python_scan_open_group(python_scan *scan);

#endif
