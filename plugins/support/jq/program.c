/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.c - puts together what jq compiles (as pScheduler 5.2 does:
 * arguments become "JSON as $NAME | " in front of the script, imports may stand
 * anywhere).
 */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "scan.h"
#include "text.h"

/* jq's own words; 1.6 takes none of them for a variable. */
static const char *const keywords[] = {
	"module", "import", "include", "def", "if", "then", "else", "elif", "end", "as",
	"reduce", "foreach", "try", "catch", "label", "and", "or", "not", "__loc__"
};

static bool
is_variable_name(const char *name, size_t length)
{
	scan from = scan_start(name, length);
	scan_token token = scan_next(&from);

	if (token.kind != SCAN_WORD || token.length != length || memchr(name, ':', length) != NULL)
		return false;
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		if (scan_is(&from, &token, SCAN_WORD, keywords[i]))
			return strcmp(keywords[i], "not") == 0;
	}
	return true;
}

/* Adds the arguments; returns false after a problem. */
static bool
add_arguments(text *out, limen_value args, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(args);
	limen_value key, member;
	bool good = true;

	while (limen_iter_next(&iter, &key, &member)) {
		size_t length;
		const char *name = limen_value_string(key, &length);
		char *json;

		/* Comments are no arguments, here as in the rest of the file. */
		if (length > 0 && name[0] == '#')
			continue;
		if (!is_variable_name(name, length)) {
			limen_diag_add(diag, LIMEN_PROBLEM, key,
			               "'%s' cannot be the name of a jq variable", name);
			limen_diag_hint(diag, "letters, digits and _, and none of jq's keywords");
			good = false;
			continue;
		}
		json = limen_value_print(member, 0, NULL);
		if (json == NULL)
			out->failed = true;
		else
			text_addf(out, "%s as $%s | ", json, name);
		free(json);
	}
	return good;
}

/*
 * Adds 'code' without comments and on one line.  What stands together stays
 * together: the scan tells "!=" as two symbols.
 */
static void
add_flat(text *out, const char *code)
{
	scan from = scan_start(code, strlen(code));
	scan_token token;
	size_t end = 0;

	for (token = scan_code(&from); token.kind != SCAN_END; token = scan_code(&from)) {
		if (token.start > end)
			text_addc(out, ' ');
		text_add(out, code + token.start, token.length);
		end = token.start + token.length;
	}
	text_addc(out, ' ');
}

/* Does an import begin at 'token'?  Then 'end' is where its ";" has been passed. */
static bool
is_import(const scan *from, const scan_token *token, size_t *end)
{
	scan ahead = *from;
	scan_token next;

	if (!scan_is(from, token, SCAN_WORD, "import") && !scan_is(from, token, SCAN_WORD, "include"))
		return false;
	next = scan_code(&ahead);
	if (next.kind != SCAN_TEXT || !next.whole)
		return false;
	do
		next = scan_code(&ahead);
	while (next.kind != SCAN_END && !scan_is(&ahead, &next, SCAN_SYMBOL, ";"));
	*end = ahead.at;
	return next.kind != SCAN_END;
}

/*
 * Moves the imports from 'script' to 'imports'.  Their place is left blank, so
 * that everything else keeps its line and column.
 */
static void
move_imports(char *script, text *imports)
{
	scan from = scan_start(script, strlen(script));
	scan_token token;
	size_t end;

	for (token = scan_code(&from); token.kind != SCAN_END; token = scan_code(&from)) {
		char *statement = script + token.start;
		char last;

		if (!is_import(&from, &token, &end))
			continue;
		last = script[end];
		script[end] = '\0';
		add_flat(imports, statement);
		script[end] = last;
		for (char *c = statement; c < script + end; c++)
			*c = *c == '\n' ? '\n' : ' ';
		from.at = end;
	}
}

static bool
is_blank(const char *script)
{
	scan from = scan_start(script, strlen(script));

	return scan_code(&from).kind == SCAN_END;
}

/* pScheduler refuses the string "", and takes an array without lines for "." (5.2). */
static bool
check_script(const jq_setup *setup, const limen_transform *transform, limen_diag *diag)
{
	bool is_array = limen_value_type(transform->where) == LIMEN_TYPE_ARRAY &&
	                limen_value_count(transform->where) == 0;
	bool is_refused = setup->needs_expression ? is_blank(transform->script)
	                                          : transform->script[0] == '\0' && !is_array;

	if (is_refused)
		limen_diag_add(diag, LIMEN_PROBLEM, transform->where, "The script is empty");
	return !is_refused;
}

/* The environment may hold secrets.  "debug" and "input" are callbacks (state.c). */
static const char function_guards[] = "def env: {}; def stderr: .; ";
static const char variable_guard[] = "{} as $ENV | ";

/* The input of a script that asks for hints is [INPUT, HINTS]. */
static const char hints[] =
	".[1] as $__limen_hints__ | .[0] | def hint($name): "
	"if $name | type == \"string\" then $__limen_hints__[$name] else null end; ";

static void
assemble(const jq_setup *setup, const limen_transform *transform, bool is_local,
         const text *args, program *out)
{
	const char *script = is_blank(transform->script) ? "." : transform->script;
	char *own = strdup(script);
	text all = { .bytes = NULL };

	if (own == NULL)
		return;
	move_imports(own, &all);
	text_add(&all, args->bytes, args->length);
	if (!is_local)
		text_adds(&all, function_guards);
	if (!is_local && strstr(script, "ENV") != NULL)
		text_adds(&all, variable_guard);
	if (out->has_hints)
		text_adds(&all, hints);
	if (setup->prelude != NULL)
		add_flat(&all, setup->prelude);
	if (setup->needs_expression)
		text_adds(&all, ". | ");
	text_adds(&all, own);
	out->text = text_steal(&all);
	free(own);
}

int
program_make(const jq_setup *setup, const limen_transform *transform, bool is_local,
             limen_diag *diag, program *out)
{
	text args = { .bytes = NULL };
	bool good = check_script(setup, transform, diag);

	/* A mention in a string or a comment costs no more than the hints. */
	*out = (program){ .has_hints = setup->hints && strstr(transform->script, "hint") != NULL };
	good = add_arguments(&args, transform->args, diag) && good;
	if (good && !args.failed)
		assemble(setup, transform, is_local, &args, out);
	text_free(&args);
	if (!good)
		return LIMEN_EINVAL;
	return out->text == NULL ? LIMEN_ENOMEM : LIMEN_OK;
}

void
program_free(program *made)
{
	free(made->text);
	made->text = NULL;
}
