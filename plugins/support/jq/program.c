/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.c - puts together what jq compiles (as pScheduler 5.2 does:
 * arguments become "JSON as $NAME | " in front of the script, imports may stand
 * anywhere).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

/* jq's own words; 1.6 takes none of them for a variable. */
static const char *const keywords[] = {
	"module", "import", "include", "def", "if", "then", "else", "elif", "end", "as",
	"reduce", "foreach", "try", "catch", "label", "and", "or", "__loc__"
};

static bool
is_variable_name(const char *name, size_t length)
{
	if (length == 0 || strspn(name, WORDS_NAME) != length || strspn(name, WORDS_DIGITS) > 0)
		return false;
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (strcmp(name, keywords[i]) == 0)
			return false;
	return true;
}

/* Returns the first number in 'value' that is not finite, or none. */
static limen_value
find_infinite(limen_value value)
{
	limen_type type = limen_value_type(value);
	limen_iter iter = limen_iter_start(value);
	limen_value found = limen_value_none();
	limen_value member;
	double number;

	if (type == LIMEN_TYPE_REAL && limen_value_real(value, &number) && !isfinite(number))
		return value;
	if (type == LIMEN_TYPE_ARRAY || type == LIMEN_TYPE_OBJECT)
		while (!limen_value_exists(found) && limen_iter_next(&iter, NULL, &member))
			found = find_infinite(member);
	return found;
}

static bool
check_arguments(limen_value args, limen_diag *diag)
{
	limen_value key, member;
	bool good = true;

	for (limen_iter iter = limen_iter_start(args); limen_iter_next(&iter, &key, &member);) {
		size_t length;
		const char *name = limen_value_string(key, &length);
		limen_value infinite = find_infinite(member);

		if (name[0] == '#')
			continue;
		if (!is_variable_name(name, length)) {
			limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, key,
			               "'%s' cannot be the name of a jq variable", name);
			limen_diag_hint(diag, "use letters, digits and _, and no keyword of jq");
			good = false;
		} else if (limen_value_exists(infinite)) {
			limen_diag_add(
				diag, LIMEN_SEVERITY_PROBLEM, infinite,
				"An argument cannot be infinite or NaN: jq reads no such number");
			limen_diag_hint(diag, "write infinite, -infinite or nan in the script");
			good = false;
		}
	}
	return good;
}

bool
program_check(const jq_setup *setup, const limen_transform *transform, const words *script,
              limen_diag *diag)
{
	/* pScheduler refuses the string "", and takes an array without lines for "." (5.2). */
	bool is_array = limen_value_type(transform->where) == LIMEN_TYPE_ARRAY &&
	                limen_value_count(transform->where) == 0;
	bool is_empty = setup->needs_expression ? script->list[0].kind == WORD_END
	                                        : transform->script[0] == '\0' && !is_array;

	if (is_empty)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, transform->where,
		               "The script is empty");
	return check_arguments(transform->args, diag) && !is_empty;
}

bool
program_has_hints(const jq_setup *setup, const char *script)
{
	/* A mention in a string or a comment matches too: then hints are passed in vain. */
	return setup->hints && strstr(script, "hint") != NULL;
}

/* Adds the imports, on one line. */
static void
add_imports(FILE *out, const words *script)
{
	const word *at = NULL;
	import one;

	while (imports_next(script, &at, &one))
		for (const word *part = one.first; part <= one.end; part++)
			fprintf(out, "%.*s ", (int)part->length, script->script + part->start);
}

/* Adds the script; blanks take the place of imports, so that all else keeps line and column. */
static void
add_script(FILE *out, const words *script)
{
	const char *text = script->script;
	const word *at = NULL;
	size_t done = 0;
	import one;

	while (imports_next(script, &at, &one)) {
		fwrite(text + done, 1, one.first->start - done, out);
		for (done = one.first->start; done <= one.end->start; done++)
			putc(text[done] == '\n' ? '\n' : ' ', out);
	}
	fputs(text + done, out);
}

/* Comments are no arguments, here as in the rest of the file. */
static bool
add_arguments(FILE *out, limen_value args)
{
	limen_iter iter = limen_iter_start(args);
	limen_value key, member;
	bool good = true;

	while (good && limen_iter_next(&iter, &key, &member)) {
		const char *name = limen_value_string(key, &(size_t){ 0 });
		char *json = limen_value_to_json(member, 0, NULL);

		if (json != NULL && name[0] != '#')
			fprintf(out, "%s as $%s | ", json, name);
		good = json != NULL;
		free(json);
	}
	return good;
}

/* The environment may hold secrets.  "debug" and "input" are callbacks (state.c). */
static const char function_guards[] = "def env: {}; def stderr: .; ";
static const char variable_guard[] = "{} as $ENV | ";

/* The input of a script that asks for hints is [INPUT, HINTS]. */
static const char hints[] =
	".[1] as $__limen_hints__ | .[0] | def hint($name): "
	"if $name | type == \"string\" then $__limen_hints__[$name] else null end; ";

char *
program_make(const jq_setup *setup, const limen_transform *transform, const words *script,
             bool is_local)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	bool good;

	if (out == NULL)
		return NULL;
	add_imports(out, script);
	good = add_arguments(out, transform->args);
	if (!is_local)
		fputs(function_guards, out);
	if (!is_local && strstr(script->script, "ENV") != NULL)
		fputs(variable_guard, out);
	if (program_has_hints(setup, script->script))
		fputs(hints, out);
	if (setup->prelude != NULL)
		fputs(setup->prelude, out);
	if (setup->needs_expression)
		fputs(". | ", out);
	if (script->list[0].kind == WORD_END)
		putc('.', out);
	else
		add_script(out, script);
	if (fclose(out) == 0 && good)
		return text;
	free(text);
	return NULL;
}
