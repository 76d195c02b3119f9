/* SPDX-License-Identifier: Apache-2.0 */
/*
 * operands.c - finds comparisons that may take long.  A number, a text, true, false
 * or null beside the sign settles that at once, whatever is on the other side; most
 * comparisons are of that kind, and need no guard.
 */
#include "operands.h"

#include <string.h>

#include "scan.h"

/* Of the token before the one at hand, and of the one before that. */
typedef struct behind {
	bool is_dot;  /* "." alone */
	bool is_plain; /* a number or text: what is left of it makes no container of it */
	char symbol;  /* or '\0' */
} behind;

static behind
pass(const scan *from, const scan_token *token, const behind *before)
{
	behind now = { .is_dot = false };

	if (token->kind == SCAN_SYMBOL)
		now.symbol = from->text[token->start];
	now.is_dot = now.symbol == '.';
	/* A text after a dot is the name of a member. */
	now.is_plain = token->kind == SCAN_NUMBER ||
	               (token->kind == SCAN_TEXT && token->whole && !before->is_dot);
	return now;
}

static bool
is_constant(const scan *from, const scan_token *token)
{
	return token->kind == SCAN_NUMBER || (token->kind == SCAN_TEXT && token->whole) ||
	       scan_is(from, token, SCAN_WORD, "true") ||
	       scan_is(from, token, SCAN_WORD, "false") || scan_is(from, token, SCAN_WORD, "null");
}

/* "null + [1]" and "1 as $x | $y" begin with constants and are none. */
bool
operands_is_plain(scan from)
{
	scan_token token = scan_code(&from);

	if (scan_is(&from, &token, SCAN_SYMBOL, "-"))
		token = scan_code(&from);
	if (!is_constant(&from, &token))
		return false;
	token = scan_code(&from);
	return !scan_is(&from, &token, SCAN_WORD, "as") && !scan_is(&from, &token, SCAN_SYMBOL, "+");
}

/* Is 'token' the first one of 'sign'?  Then 'from' is past all of it. */
static bool
pass_sign(scan *from, const scan_token *token, const char *sign)
{
	char next = from->text[from->at];

	if (token->kind != SCAN_SYMBOL || from->text[token->start] != sign[0])
		return false;
	if (sign[1] != '\0' && next != sign[1])
		return false;
	if (next == '=')
		from->at++;
	return true;
}

bool
operands_are_computed(const char *script, const char *sign)
{
	scan from = scan_start(script, strlen(script));
	scan_token token = scan_code(&from);
	behind before = { .is_dot = false };

	for (; token.kind != SCAN_END; token = scan_code(&from)) {
		/* "<=" and others are no beginning of "==". */
		bool is_own = strchr("=!<>|+-*/%", before.symbol) == NULL || before.symbol == '\0';

		if (is_own && pass_sign(&from, &token, sign) && !before.is_plain &&
		    !operands_is_plain(from))
			return true;
		before = pass(&from, &token, &before);
	}
	return false;
}
