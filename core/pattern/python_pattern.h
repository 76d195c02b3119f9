/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_pattern.h - regular expressions of Python's re, respelled for PCRE2.
 *
 * pScheduler's StringMatch promises Python's language.  PCRE2 differs from it
 * in three ways: some constructs are spelled differently (\Z, x{,3}, \u00e9),
 * some are read differently ([[:alpha:]], \v, \s), and some exist in PCRE2
 * only.  The first two are respelled; the last get a note, and work.
 */
#ifndef LIMEN_CORE_PATTERN_PYTHON_PATTERN_H
#define LIMEN_CORE_PATTERN_PYTHON_PATTERN_H

#include <limen/types.h>

#define PYTHON_PATTERN_NOTE_MAX 192

typedef struct python_pattern {
	char *text; /* for PCRE2; malloc()ed */
	size_t length;
	bool ascii;                         /* (?a): classes such as \w are ASCII */
	char note[PYTHON_PATTERN_NOTE_MAX]; /* about the first odd construct, or "" */
} python_pattern;

/*
 * Respells 'length' bytes at 'source'.  Mistakes are passed on for PCRE2 to
 * find.  Returns LIMEN_OK or LIMEN_ENOMEM.
 */
int python_pattern_translate(const char *source, size_t length, python_pattern *out);
void python_pattern_free(python_pattern *pattern);

/* Returns the offset in 'source' that corresponds to 'offset' in its respelling. */
size_t python_pattern_origin(const char *source, size_t length, size_t offset);

#endif
