/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.c - tells the words of a jq script apart, as jq's own lexer does
 * (jq 1.6 manual).  What jq would refuse comes out as some token or other.
 */
#include "scan.h"

#include <string.h>

static bool
is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_name(char c)
{
	return is_name_start(c) || is_digit(c);
}

static char
peek(const scan *from, size_t ahead)
{
	return from->at + ahead < from->length ? from->text[from->at + ahead] : '\0';
}

scan
scan_start(const char *text, size_t length)
{
	return (scan){ .text = text, .length = length };
}

/* Passes a name; "::" joins the names of a module and of its function. */
static void
pass_name(scan *from)
{
	for (;;) {
		while (is_name(peek(from, 0)))
			from->at++;
		if (peek(from, 0) != ':' || peek(from, 1) != ':' || !is_name_start(peek(from, 2)))
			return;
		from->at += 2;
	}
}

static void
pass_number(scan *from)
{
	while (is_digit(peek(from, 0)) || peek(from, 0) == '.')
		from->at++;
	if (peek(from, 0) != 'e' && peek(from, 0) != 'E')
		return;
	if (is_digit(peek(from, 1)))
		from->at++;
	else if ((peek(from, 1) == '+' || peek(from, 1) == '-') && is_digit(peek(from, 2)))
		from->at += 2;
	while (is_digit(peek(from, 0)))
		from->at++;
}

static void
enter_code(scan *from)
{
	if (from->depth < SCAN_DEPTH_MAX) {
		from->parentheses[from->depth++] = 0;
		return;
	}
	from->is_too_deep = true;
	from->at = from->length;
}

/* Passes the rest of a string; returns whether it ended, and not with code inside. */
static bool
pass_string(scan *from)
{
	while (from->at < from->length) {
		char c = from->text[from->at];

		if (c == '"') {
			from->at++;
			return true;
		}
		if (c == '\\' && peek(from, 1) == '(') {
			from->at += 2;
			enter_code(from);
			return false;
		}
		from->at += c == '\\' && from->at + 1 < from->length ? 2 : 1;
	}
	return false;
}

static void
pass_space(scan *from)
{
	while (from->at < from->length && strchr(" \t\r\n", from->text[from->at]) != NULL &&
	       from->text[from->at] != '\0')
		from->at++;
}

/* Is this the parenthesis that ends the code inside of a string? */
static bool
ends_code(scan *from, char c)
{
	unsigned *open = from->depth == 0 ? NULL : &from->parentheses[from->depth - 1];

	if (open == NULL)
		return false;
	if (c == '(')
		(*open)++;
	if (c != ')')
		return false;
	if (*open > 0) {
		(*open)--;
		return false;
	}
	from->depth--;
	return true;
}

/* Passes a name after "$", "@" or ".". */
static scan_kind
pass_marked(scan *from, char mark)
{
	from->at++;
	pass_name(from);
	return mark == '$' ? SCAN_VARIABLE : mark == '@' ? SCAN_FORMAT : SCAN_FIELD;
}

static scan_kind
pass_comment(scan *from)
{
	while (from->at < from->length && from->text[from->at] != '\n')
		from->at++;
	return SCAN_COMMENT;
}

static scan_kind
pass_other(scan *from, char c)
{
	if (c == '$' || c == '@' || (c == '.' && is_name_start(peek(from, 1))))
		return pass_marked(from, c);
	if (c == '#')
		return pass_comment(from);
	if (is_name_start(c)) {
		pass_name(from);
		return SCAN_WORD;
	}
	if (is_digit(c) || (c == '.' && is_digit(peek(from, 1)))) {
		pass_number(from);
		return SCAN_NUMBER;
	}
	from->at++;
	return SCAN_SYMBOL;
}

scan_token
scan_next(scan *from)
{
	scan_token token = { .kind = SCAN_END };
	char c;

	pass_space(from);
	token.start = from->at;
	if (from->at >= from->length)
		return token;
	c = from->text[from->at];
	if (c == '"' || ends_code(from, c)) {
		from->at++;
		token.kind = SCAN_TEXT;
		token.whole = pass_string(from) && c == '"';
	} else {
		token.kind = pass_other(from, c);
	}
	token.length = from->at - token.start;
	return token;
}

scan_token
scan_code(scan *from)
{
	scan_token token = { .kind = SCAN_END };

	do
		token = scan_next(from);
	while (token.kind == SCAN_COMMENT);
	return token;
}

bool
scan_is(const scan *from, const scan_token *token, scan_kind kind, const char *text)
{
	return token->kind == kind && strlen(text) == token->length &&
	       memcmp(from->text + token->start, text, token->length) == 0;
}
