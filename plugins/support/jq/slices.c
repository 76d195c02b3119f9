/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices.c - finds the bounds of slices, and other indices.  A bound that is nan ends
 * the process with a failed assertion (jq 1.6 and 1.7), and numbers of a request make
 * one by "infinite - infinite"; an index may be an object with such bounds, or an array
 * that jq searches for.  jq calls no function for any of them that a definition could
 * stand in for, so the call is written into the script.
 *
 * A colon right inside of square brackets makes a slice of them, unless it is
 * that of a definition: "[def f: 1; f:2]".  Brackets are an index if they stand right
 * behind what they could be an index of; all others make an array, or take one apart.
 */
#include "slices.h"

#include <string.h>

#include "scan.h"

/* Besides brackets, in 'open'. */
enum { DEFINITION = 'd', SLICE = ':', ARRAY = 'a' };

/* Besides symbols, in 'before'. */
enum { NUMBER = '0', TEXT = '"', TERM = 'x', OTHER = ' ' };

typedef struct search {
	text *out;
	const char *script;
	size_t added;    /* so much of the script is in 'out' */
	text open;       /* brackets, slices past their colon, definitions before theirs */
	char before[3];  /* the tokens before this one, the nearest first */
	size_t closed;   /* where the last parenthesis was closed */
} search;

static char
innermost(const search *in)
{
	return in->open.length == 0 ? '\0' : in->open.bytes[in->open.length - 1];
}

static void
leave(search *in)
{
	if (in->open.length > 0)
		in->open.length--;
}

/* Is the bound that ends here, and began after 'start', missing or a number as it is written? */
static bool
is_plain(const search *in, char start)
{
	const char *before = in->before;

	if (before[0] != NUMBER)
		return before[0] == start;
	return before[1] == start || (before[1] == '-' && before[2] == start);
}

/* Is the index that ends here missing, or written out? */
static bool
is_plain_index(const search *in)
{
	return is_plain(in, '[') || (in->before[0] == TEXT && in->before[1] == '[');
}

static void
add_check(search *in, size_t end, const char *check)
{
	text_add(in->out, in->script + in->added, end - in->added);
	text_addf(in->out, "|%s ", check);
	in->added = end;
}

static void
pass_colon(search *in, size_t at)
{
	if (innermost(in) == DEFINITION) {
		leave(in);
		return;
	}
	/* A pattern may take a member by any key: ". as {(f): $x}". */
	if (innermost(in) == '{' && in->before[0] == ')' && in->closed >= in->added)
		add_check(in, in->closed, SLICES_CHECK_INDEX);
	if (innermost(in) != '[')
		return;
	if (!is_plain(in, '['))
		add_check(in, at, SLICES_CHECK);
	in->open.bytes[in->open.length - 1] = SLICE;
}

static void
pass_end(search *in, size_t at)
{
	/* "def" was the key of an object. */
	while (innermost(in) == DEFINITION)
		leave(in);
	if (innermost(in) == SLICE && !is_plain(in, ':'))
		add_check(in, at, SLICES_CHECK);
	else if (innermost(in) == '[' && !is_plain_index(in))
		add_check(in, at, SLICES_CHECK_INDEX);
	leave(in);
	in->closed = at;
}

/* Words after which no index can stand. */
static bool
is_keyword(const scan *from, const scan_token *token)
{
	static const char *const words[] = { "if", "then", "else", "elif", "and", "or", "as",
		                             "reduce", "foreach", "try", "catch", "def" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (scan_is(from, token, SCAN_WORD, words[i]))
			return true;
	}
	return false;
}

static char
kind_of(const scan *from, const scan_token *token)
{
	switch (token->kind) {
	case SCAN_NUMBER:
		return NUMBER;
	case SCAN_TEXT:
		/* What ends in "\\(" is no term yet. */
		if (token->whole)
			return TEXT;
		return from->text[token->start + token->length - 1] == '"' ? TERM : OTHER;
	case SCAN_SYMBOL:
		return from->text[token->start];
	case SCAN_WORD:
		return is_keyword(from, token) ? OTHER : TERM;
	case SCAN_VARIABLE:
	case SCAN_FIELD:
		return TERM;
	default:
		return OTHER;
	}
}

static bool
is_index(const search *in)
{
	return in->before[0] != '\0' && strchr("0\"x.)]}?", in->before[0]) != NULL;
}

static void
pass_token(search *in, const scan *from, const scan_token *token)
{
	char kind = kind_of(from, token);

	if (scan_is(from, token, SCAN_WORD, "def"))
		text_addc(&in->open, DEFINITION);
	if (token->kind == SCAN_SYMBOL) {
		if (kind == '[')
			text_addc(&in->open, is_index(in) ? '[' : ARRAY);
		else if (strchr("({", kind) != NULL)
			text_addc(&in->open, kind);
		else if (strchr("])}", kind) != NULL)
			pass_end(in, token->start);
		else if (kind == ':')
			pass_colon(in, token->start);
	}
	in->before[2] = in->before[1];
	in->before[1] = in->before[0];
	in->before[0] = kind;
}

void
slices_add(text *out, const char *script)
{
	search in = { .out = out, .script = script };
	scan from = scan_start(script, strlen(script));
	scan_token token = scan_code(&from);

	for (; token.kind != SCAN_END && !in.open.failed; token = scan_code(&from))
		pass_token(&in, &from, &token);
	text_adds(out, script + in.added);
	out->failed = out->failed || in.open.failed;
	text_free(&in.open);
}
