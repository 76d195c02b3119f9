/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builds.c - finds what arrays and objects are made with.  Most scripts of limits make
 * none, so nothing that they print or compare needs to be measured first.
 *
 * Only what is known to be harmless counts as such: names that are not listed here make
 * something, for all that is known.
 */
#include "builds.h"

#include <string.h>

#include "operands.h"
#include "scan.h"

/* jq's keywords and functions, and limen's, that make no container of containers. */
static const char harmless[] =
	" if then elif else end and or not as try catch empty error select any all true false null"
	" type length utf8bytelength has in contains inside startswith endswith ltrimstr rtrimstr"
	" index rindex indices test tostring tojson tonumber ascii_downcase ascii_upcase floor"
	" sqrt round ceil fabs min max first last range now isnan infinite nan keys split join"
	" format hint classifiers classifiers_has change reject default requested priority ";

static bool
is_harmless(const char *word, size_t length)
{
	const char *at = harmless;
	/* A function of a module is the administrator's, as what it makes is. */
	bool is_of_module = memchr(word, ':', length) != NULL;

	while (!is_of_module && (at = strchr(at, ' ')) != NULL && at[1] != '\0') {
		at++;
		if (strncmp(at, word, length) == 0 && at[length] == ' ')
			return true;
	}
	return is_of_module;
}

/* "[]" is empty, as "{}" is. */
static bool
is_empty(scan from, const char *close)
{
	scan_token token = scan_code(&from);

	return scan_is(&from, &token, SCAN_SYMBOL, close);
}

/* May '[', 'from' is past it, be an index of what is before it? */
static bool
is_index(const scan_token *before, char symbol)
{
	if (before->kind == SCAN_SYMBOL)
		return symbol != '\0' && strchr(".)]}?", symbol) != NULL;
	return before->kind == SCAN_VARIABLE || before->kind == SCAN_FIELD;
}

/* 'token' is a symbol, 'before' the token before it, 'last' that one's symbol or '\0'. */
static bool
makes(const scan *from, const scan_token *token, const scan_token *before, char last)
{
	char symbol = from->text[token->start];
	char next = from->text[from->at];

	if (symbol == '[')
		return !is_index(before, last) && !is_empty(*from, "]");
	if (symbol == '{')
		return !is_empty(*from, "}");
	/* An assignment; not "==", "!=", "<=", ">=". */
	if (symbol == '=' && next != '=' && (last == '\0' || strchr("=!<>", last) == NULL))
		return !operands_is_plain(*from);
	return false;
}

/* Skips an import, whose "as NAME" and metadata make nothing. */
static void
skip_import(scan *from)
{
	scan_token token;

	do
		token = scan_code(from);
	while (token.kind != SCAN_END && !scan_is(from, &token, SCAN_SYMBOL, ";"));
}

bool
builds_values(const char *script)
{
	scan from = scan_start(script, strlen(script));
	scan_token before = { .kind = SCAN_END };
	scan_token token = scan_code(&from);
	char last = '\0';

	/* Two arrays that are added share their elements with the sum. */
	if (operands_are_computed(script, "+"))
		return true;
	for (; token.kind != SCAN_END; token = scan_code(&from)) {
		const char *start = script + token.start;

		if (scan_is(&from, &token, SCAN_WORD, "import"))
			skip_import(&from);
		else if (token.kind == SCAN_WORD && !is_harmless(start, token.length))
			return true;
		if (token.kind == SCAN_SYMBOL && makes(&from, &token, &before, last))
			return true;
		last = token.kind == SCAN_SYMBOL ? *start : '\0';
		before = token;
	}
	return false;
}
