/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices.c - finds the bounds of slices.  A bound that is nan ends the process
 * with a failed assertion (jq 1.6 and 1.7), and numbers of a request make one by
 * "infinite - infinite".  jq calls no function for slices that a definition could
 * stand in for, so the call is written into the script.
 *
 * A colon right inside of square brackets makes a slice of them, unless it is
 * that of a definition: "[def f: 1; f:2]".
 */
#include "slices.h"

#include <string.h>

#include "scan.h"

/* Besides brackets, in 'open'. */
enum { DEFINITION = 'd', SLICE = ':' };

/* Besides symbols, in 'before'. */
enum { NUMBER = '0', OTHER = 'x' };

typedef struct search {
	text *out;
	const char *script;
	size_t added;    /* so much of the script is in 'out' */
	text open;       /* brackets, slices past their colon, definitions before theirs */
	char before[3];  /* the tokens before this one, the nearest first */
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

static void
check_bound(search *in, size_t end)
{
	text_add(in->out, in->script + in->added, end - in->added);
	text_adds(in->out, "|" SLICES_CHECK " ");
	in->added = end;
}

static void
pass_colon(search *in, size_t at)
{
	if (innermost(in) == DEFINITION) {
		leave(in);
		return;
	}
	if (innermost(in) != '[')
		return;
	if (!is_plain(in, '['))
		check_bound(in, at);
	in->open.bytes[in->open.length - 1] = SLICE;
}

static void
pass_end(search *in, size_t at)
{
	/* "def" was the key of an object. */
	while (innermost(in) == DEFINITION)
		leave(in);
	if (innermost(in) == SLICE && !is_plain(in, ':'))
		check_bound(in, at);
	leave(in);
}

static void
pass_token(search *in, const scan *from, const scan_token *token)
{
	char c = in->script[token->start];
	char kind = token->kind == SCAN_NUMBER ? NUMBER : OTHER;

	if (scan_is(from, token, SCAN_WORD, "def"))
		text_addc(&in->open, DEFINITION);
	if (token->kind == SCAN_SYMBOL) {
		kind = c;
		if (strchr("[({", c) != NULL)
			text_addc(&in->open, c);
		else if (strchr("])}", c) != NULL)
			pass_end(in, token->start);
		else if (c == ':')
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
