/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.h - the words of a jq script: what lies in strings and comments is told
 * from code, and code inside of strings, "\( )", is found.
 */
#ifndef LIMEN_SUPPORT_JQ_SCAN_H
#define LIMEN_SUPPORT_JQ_SCAN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum scan_kind {
	SCAN_END,
	SCAN_WORD,     /* a name or keyword, "iso::duration" included */
	SCAN_VARIABLE, /* "$name" */
	SCAN_FIELD,    /* ".name" */
	SCAN_FORMAT,   /* "@name" */
	SCAN_NUMBER,
	SCAN_TEXT,     /* a string up to its end or to the next "\(" */
	SCAN_COMMENT,  /* up to the end of its line */
	SCAN_SYMBOL    /* one operator or bracket */
} scan_kind;

typedef struct scan_token {
	scan_kind kind;
	size_t start;
	size_t length;
	bool whole; /* TEXT: the whole string, quotes included */
} scan_token;

/* Strings in code in strings are followed this deep. */
#define SCAN_DEPTH_MAX 32

typedef struct scan {
	const char *text;
	size_t length;
	size_t at;
	unsigned depth;
	bool is_too_deep; /* so that what follows was not seen */
	unsigned parentheses[SCAN_DEPTH_MAX]; /* open, in the code of each "\(" */
} scan;

/* Starts a scan of 'text', which must outlive it. */
scan scan_start(const char *text, size_t length);

/* Gives the next token; past the end, and for nesting too deep, SCAN_END. */
scan_token scan_next(scan *from);

/* As scan_next(), without comments. */
scan_token scan_code(scan *from);

/* Is the token of that kind and text? */
bool scan_is(const scan *from, const scan_token *token, scan_kind kind, const char *text);

#endif
