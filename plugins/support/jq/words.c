/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words.c - splits a jq script into words, as jq's own lexer does (jq 1.6 manual).  Text that jq
 * would refuse becomes words of any kind.
 */
#include "script.h"

#include <stdlib.h>
#include <string.h>

/* Strings in code in strings are followed this deep. */
#define DEPTH_MAX 32

/* In the code of each "\(", how many parentheses are open. */
typedef struct nesting {
	unsigned open[DEPTH_MAX];
	unsigned depth;
} nesting;

static const char *
pass_space(const char *at)
{
	for (;;) {
		at += strspn(at, " \t\r\n");
		if (*at != '#')
			return at;
		at += strcspn(at, "\n");
	}
}

/* "::" joins the names of a module and of its function. */
static const char *
pass_name(const char *at)
{
	at += strspn(at, WORDS_NAME);
	while (at[0] == ':' && at[1] == ':' && strspn(at + 2, WORDS_LETTERS) > 0)
		at += 2 + strspn(at + 2, WORDS_NAME);
	return at;
}

static const char *
pass_number(const char *at)
{
	size_t sign;

	at += strspn(at, WORDS_DIGITS ".");
	if (*at != 'e' && *at != 'E')
		return at;
	sign = at[1] == '+' || at[1] == '-' ? 2 : 1;
	return strspn(at + sign, WORDS_DIGITS) == 0
	               ? at : at + sign + strspn(at + sign, WORDS_DIGITS);
}

/* Passes the rest of a string, up to code inside of it. */
static const char *
pass_string(const char *at, nesting *in)
{
	while (*at != '\0' && *at != '"') {
		if (at[0] == '\\' && at[1] == '(') {
			if (in->depth == DEPTH_MAX)
				return at + strlen(at);
			in->open[in->depth++] = 0;
			return at + 2;
		}
		at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
	}
	return *at == '"' ? at + 1 : at;
}

/* Is this the parenthesis that ends the code inside of a string? */
static bool
ends_code(char c, nesting *in)
{
	unsigned *open = &in->open[in->depth == 0 ? 0 : in->depth - 1];

	if (in->depth == 0 || (c != '(' && c != ')'))
		return false;
	if (c == ')' && *open == 0) {
		in->depth--;
		return true;
	}
	*open += c == '(' ? 1 : -1U;
	return false;
}

static word_kind
kind_of(const char *at)
{
	if (*at == '$')
		return WORD_VARIABLE;
	if (*at == '@')
		return WORD_FORMAT;
	if (*at == '.' && strspn(at + 1, WORDS_LETTERS) > 0)
		return WORD_FIELD;
	if (strspn(at, WORDS_LETTERS) > 0)
		return WORD_NAME;
	if (strspn(*at == '.' ? at + 1 : at, WORDS_DIGITS) > 0)
		return WORD_NUMBER;
	return *at == '\0' ? WORD_END : WORD_SYMBOL;
}

/* Passes the word that begins at 'at', and tells its kind. */
static const char *
pass_word(const char *at, nesting *in, word_kind *kind)
{
	if (*at == '"' || ends_code(*at, in)) {
		*kind = WORD_TEXT;
		return pass_string(at + 1, in);
	}
	*kind = kind_of(at);
	switch (*kind) {
	case WORD_END:
		return at;
	case WORD_NAME:
		return pass_name(at);
	case WORD_NUMBER:
		return pass_number(at);
	case WORD_SYMBOL:
		return at + 1;
	default:
		return pass_name(at + 1);
	}
}

bool
words_read(words *out, const char *script)
{
	nesting in = { .depth = 0 };
	const char *at = script;
	word item = { .kind = WORD_SYMBOL };
	size_t room = 0;

	*out = (words){ .script = script };
	for (size_t count = 0; item.kind != WORD_END; count++) {
		unsigned depth = in.depth;

		if (count == room) {
			word *grown;

			room = 64 + 2 * room;
			grown = reallocarray(out->list, room, sizeof(*grown));
			if (grown == NULL) {
				free(out->list);
				return false;
			}
			out->list = grown;
		}
		at = pass_space(at);
		item.start = (size_t)(at - script);
		at = pass_word(at, &in, &item.kind);
		item.length = (size_t)(at - script) - item.start;
		item.whole = item.length > 1 && script[item.start] == '"' && at[-1] == '"' &&
		            in.depth == depth;
		out->list[count] = item;
	}
	return true;
}

bool
words_is(const words *of, const word *item, const char *text)
{
	return (item->kind == WORD_NAME || item->kind == WORD_SYMBOL) &&
	       strlen(text) == item->length &&
	       memcmp(of->script + item->start, text, item->length) == 0;
}
