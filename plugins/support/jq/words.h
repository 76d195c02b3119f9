/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words.h - the words of a jq script: strings and comments are told from code, and code inside
 * of strings, "\( )", is found.
 */
#ifndef LIMEN_SUPPORT_JQ_WORDS_H
#define LIMEN_SUPPORT_JQ_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of names, the first of which is no digit. */
#define WORDS_DIGITS  "0123456789"
#define WORDS_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define WORDS_NAME    WORDS_LETTERS WORDS_DIGITS

typedef enum word_kind {
	WORD_END,
	WORD_NAME,     /* a name or keyword, "iso::duration" included */
	WORD_VARIABLE, /* "$name" */
	WORD_FIELD,    /* ".name" */
	WORD_FORMAT,   /* "@name" */
	WORD_NUMBER,
	WORD_TEXT,     /* a string up to its end or to the next "\(" */
	WORD_SYMBOL    /* one operator or bracket */
} word_kind;

typedef struct word {
	word_kind kind;
	size_t start;
	size_t length;
	bool whole; /* TEXT: the whole string, quotes included */
} word;

typedef struct words {
	const char *script;
	word *list; /* up to a WORD_END; for the caller to free */
} words;

/* Reads 'script', which must outlive 'out'.  Returns false when memory is short. */
bool words_read(words *out, const char *script);

/* Is 'one' the name or symbol 'text'? */
bool words_is(const words *of, const word *one, const char *text);

#endif
