/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/string_match.h - how texts are matched: by pScheduler's StringMatch
 * (exact, contains or regular expression, with or without regard to case, straight
 * or inverted) and by names with "*".
 *
 * A match is built once and then only read: any number of threads may test
 * strings against it at the same time.
 */
#ifndef LIMEN_STRING_MATCH_H
#define LIMEN_STRING_MATCH_H

#include <limen/types.h>

LIMEN_BEGIN_DECLS

/* How a pattern is meant. */
typedef enum limen_match_style {
	LIMEN_MATCH_EXACT = 0,
	LIMEN_MATCH_CONTAINS = 1,
	LIMEN_MATCH_REGEX = 2
} limen_match_style;

/* Modifiers of a match. */
enum {
	LIMEN_MATCH_CASELESS = 1 << 0, /* Unicode case folding */
	LIMEN_MATCH_INVERT = 1 << 1,   /* LIMEN_PASS and LIMEN_FAIL trade places */
	LIMEN_MATCH_WHOLE = 1 << 2     /* LIMEN_MATCH_REGEX only: the whole text has to match */
};

/* The longest line about a mistake, with its final NUL. */
#define LIMEN_MATCH_WHY_MAX 256

/*
 * Compiles 'pattern' ('length' bytes of UTF-8).  A regular expression is
 * searched for anywhere in the text, as Python's re.search() does, or compared with
 * all of it, as re.fullmatch(), with LIMEN_MATCH_WHOLE.  On failure
 * 'why' (may be NULL) receives one line that names the mistake and its
 * position.  Returns LIMEN_OK, LIMEN_EINVAL or LIMEN_ENOMEM.
 *
 * While a policy is loaded, what PCRE2 makes of all its patterns is bounded to
 * 256 MiB; beyond that each is a mistake.
 */
LIMEN_API int limen_string_match_new(limen_match_style style, const char *pattern, size_t length,
                                     unsigned flags, limen_string_match **out,
                                     char why[LIMEN_MATCH_WHY_MAX]);

/* Frees 'match'. */
LIMEN_API void limen_string_match_free(limen_string_match *match);

/*
 * Tests 'length' bytes at 'text'.  Returns LIMEN_PASS or LIMEN_FAIL, or
 * LIMEN_ERROR when the text is not UTF-8, or when a regular expression cannot
 * tell: PCRE2 reached its limits (100,000 steps from one place of the text,
 * 1 MiB of memory), the search took 100 ms of processor time, or the text is
 * longer than 64 KiB (1 KiB where the pattern has many kilobytes).  An error
 * is never inverted.
 */
LIMEN_API limen_verdict limen_string_match_test(const limen_string_match *match,
                                                const char *text, size_t length);

/*
 * Returns a sentence about a construct of the pattern that PCRE2 reads
 * differently from Python, or NULL.  Borrowed from 'match'.
 */
LIMEN_API const char *limen_string_match_note(const limen_string_match *match);

/*
 * Does 'text' of 'length' bytes match 'pattern', in which "*" stands for any
 * bytes?  Linear in 'length' for a given pattern.
 */
LIMEN_API bool limen_glob_match(const char *pattern, const char *text, size_t length);

LIMEN_END_DECLS

#endif
