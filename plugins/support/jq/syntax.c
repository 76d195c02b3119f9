/* SPDX-License-Identifier: Apache-2.0 */
/* syntax.c - looks at the words of a script, without understanding all of it. */
#include "syntax.h"

#include <string.h>

#include "report.h"
#include "scan.h"

#define DEPTH_MAX 64

static bool
is_symbol(const scan *from, const scan_token *token, char symbol)
{
	return token->kind == SCAN_SYMBOL && from->text[token->start] == symbol;
}

/* Does some "if" end without an "else"? */
static bool
lacks_else(const char *script)
{
	scan from = scan_start(script, strlen(script));
	scan_token token = scan_code(&from);
	bool has_else[DEPTH_MAX];
	size_t depth = 0;

	for (; token.kind != SCAN_END; token = scan_code(&from)) {
		if (scan_is(&from, &token, SCAN_WORD, "if") && depth < DEPTH_MAX)
			has_else[depth++] = false;
		else if (scan_is(&from, &token, SCAN_WORD, "else") && depth > 0)
			has_else[depth - 1] = true;
		else if (scan_is(&from, &token, SCAN_WORD, "end") && depth > 0 && !has_else[--depth])
			return true;
	}
	return false;
}

/* Can something be indexed by what follows 'token'? */
static bool
ends_term(const scan *from, const scan_token *token)
{
	switch (token->kind) {
	case SCAN_FIELD:
	case SCAN_VARIABLE:
		return true;
	case SCAN_TEXT: /* up to code inside of it, or to its end? */
		return from->text[token->start + token->length - 1] == '"';
	default:
		return is_symbol(from, token, ']') || is_symbol(from, token, ')') ||
		       is_symbol(from, token, '}') || is_symbol(from, token, '?');
	}
}

/* Is there ".a.[1]"? */
static bool
has_dotted_index(const char *script)
{
	scan from = scan_start(script, strlen(script));
	scan_token before = { .kind = SCAN_END };
	scan_token token = scan_code(&from);

	while (token.kind != SCAN_END) {
		scan_token next = scan_code(&from);

		if (ends_term(&from, &before) && is_symbol(&from, &token, '.') &&
		    is_symbol(&from, &next, '['))
			return true;
		before = token;
		token = next;
	}
	return false;
}

const char *
syntax_newer(const char *script)
{
	if (lacks_else(script))
		return "\"if\" without \"else\"";
	if (has_dotted_index(script))
		return "\".a.[1]\" for \".a[1]\"";
	return NULL;
}

/* Is "." the script's own input here, as far as one can tell? */
typedef struct level {
	bool is_root;
	bool binds; /* an "as" was seen: the next "|" changes nothing */
	/* What stands before the next "|": how many tokens, and is it "." alone? */
	unsigned tokens;
	bool is_identity;
} level;

typedef struct watch {
	scan from;
	scan_token before;
	level levels[DEPTH_MAX];
	size_t depth;
	bool is_lost; /* too deep, or in a definition */
} watch;

/* Functions whose arguments look at the same input; those of modules take values. */
static bool
keeps_input(const watch *state)
{
	static const char *const names[] = { "select", "not", "if", "then", "else", "elif", "and",
		                             "or", "path", "del", "error", "has", "reject",
		                             "change" };
	const char *word = state->from.text + state->before.start;

	if (state->before.kind != SCAN_WORD || memchr(word, ':', state->before.length) != NULL)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (scan_is(&state->from, &state->before, SCAN_WORD, names[i]))
			return true;
	}
	return false;
}

static void
open_level(watch *state, char bracket)
{
	level *now = &state->levels[state->depth];

	if (state->depth + 1 == DEPTH_MAX) {
		state->is_lost = true;
		return;
	}
	now[1] = (level){ .is_root = now->is_root && (bracket != '(' || keeps_input(state)) };
	state->depth++;
}

/* What follows gets what came before as its input. */
static void
pass_pipe(watch *state)
{
	level *now = &state->levels[state->depth];
	bool is_update = state->from.at < state->from.length &&
	                 state->from.text[state->from.at] == '=';

	if ((!now->binds && !now->is_identity) || is_update)
		now->is_root = false;
	now->binds = false;
	now->tokens = 0;
	now->is_identity = false;
}

/* A definition or an import ends, or an argument; its "as" was another one. */
static void
pass_semicolon(watch *state)
{
	level *now = &state->levels[state->depth];

	now->binds = false;
	now->tokens = 0;
	now->is_identity = false;
}

/* Scripts often begin with ".", so that all else begins with "|". */
static void
count_token(watch *state, const scan_token *token)
{
	level *now = &state->levels[state->depth];

	now->is_identity = now->tokens == 0 && is_symbol(&state->from, token, '.');
	now->tokens++;
}

static void
pass_symbol(watch *state, char symbol)
{
	switch (symbol) {
	case '(':
	case '[':
	case '{':
		open_level(state, symbol);
		break;
	case ')':
	case ']':
	case '}':
		if (state->depth > 0)
			state->depth--;
		break;
	case '|':
		pass_pipe(state);
		break;
	case ';':
		pass_semicolon(state);
		break;
	default:
		break;
	}
}

/* "reduce E as $x (...)" and "catch" bring inputs of their own; definitions get anybody's. */
static void
pass_word(watch *state, const scan_token *word)
{
	level *now = &state->levels[state->depth];

	if (scan_is(&state->from, word, SCAN_WORD, "as"))
		now->binds = true;
	else if (scan_is(&state->from, word, SCAN_WORD, "reduce") ||
	         scan_is(&state->from, word, SCAN_WORD, "foreach") ||
	         scan_is(&state->from, word, SCAN_WORD, "catch"))
		now->is_root = false;
	else if (scan_is(&state->from, word, SCAN_WORD, "def"))
		state->is_lost = true;
}

/* Is 'path' the beginning of the fields at 'text'? */
static bool
begins_with(const char *text, const char *path)
{
	size_t length = strlen(path);
	char next;

	if (strncmp(text, path, length) != 0)
		return false;
	next = text[length];
	return !(next == '_' || (next >= '0' && next <= '9') || (next >= 'a' && next <= 'z') ||
	         (next >= 'A' && next <= 'Z'));
}

static void
note_stranger(const jq_stranger *strangers, const limen_transform *transform, size_t at,
              limen_diag *diag)
{
	for (const jq_stranger *one = strangers; one->path != NULL; one++) {
		if (!begins_with(transform->script + at, one->path))
			continue;
		limen_diag_add(diag, LIMEN_NOTE, report_place(transform, at),
		               "The script looks at %s, %s", one->path, one->text);
		return;
	}
}

/* Notes the first call of a function that 'one' names, unless the script defines it. */
static void
note_call(const jq_stranger *one, const limen_transform *transform, limen_diag *diag)
{
	scan from = scan_start(transform->script, strlen(transform->script));
	scan_token token = scan_code(&from);
	bool defines = false;

	for (; token.kind != SCAN_END; token = scan_code(&from)) {
		if (scan_is(&from, &token, SCAN_WORD, one->path)) {
			if (!defines)
				limen_diag_add(diag, LIMEN_NOTE,
				               report_place(transform, token.start),
				               "The script calls %s(), %s", one->path, one->text);
			return;
		}
		defines = scan_is(&from, &token, SCAN_WORD, "def");
	}
}

/* Notes fields of the script's own input, as far as one can tell which are. */
static void
note_fields(const jq_stranger *strangers, const limen_transform *transform, limen_diag *diag)
{
	watch state = { .from = scan_start(transform->script, strlen(transform->script)),
		        .before = { .kind = SCAN_END }, .levels = { { .is_root = true } } };
	scan_token token = scan_code(&state.from);

	for (; token.kind != SCAN_END && !state.is_lost; token = scan_code(&state.from)) {
		bool follows = token.start > 0 && ends_term(&state.from, &state.before) &&
		               state.before.start + state.before.length == token.start;

		if (!is_symbol(&state.from, &token, '|') && !is_symbol(&state.from, &token, ';'))
			count_token(&state, &token);
		if (token.kind == SCAN_FIELD && !follows && state.levels[state.depth].is_root)
			note_stranger(strangers, transform, token.start, diag);
		else if (token.kind == SCAN_SYMBOL)
			pass_symbol(&state, transform->script[token.start]);
		else if (token.kind == SCAN_WORD)
			pass_word(&state, &token);
		state.before = token;
	}
}

void
syntax_strangers(const jq_stranger *strangers, const limen_transform *transform,
                 limen_diag *diag)
{
	note_fields(strangers, transform, diag);
	for (const jq_stranger *one = strangers; one->path != NULL; one++) {
		if (one->path[0] != '.')
			note_call(one, transform, diag);
	}
}
