/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - turns the compiler's messages into problems of a policy: it hides the text before
 * the script (program.c), finds the line in the file, and hints at scripts that need another
 * version of jq.  It remarks on fields that a script reads but its input never has, on
 * durations compared as text, and on misspelt hints.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../hint_names.h"
#include "script.h"

/* libjq writes a line number after this text. */
static const char place_mark[] = " at <top-level>, line ";

/* The deepest nesting of brackets that is followed. */
#define DEPTH_MAX 64

/* ---- versions of jq (the NEWS of 1.7 and 1.8) ---- */

/* Something that came with a version of jq, or went. */
typedef struct feature {
	const char *name;  /* of a function, with its arity, or of a format */
	const char *since; /* the first version that has it */
	const char *until; /* the first that has it no longer, or NULL */
} feature;

static const feature features[] = {
	{ "abs/0", "1.7", NULL },
	{ "add/1", "1.8", NULL },
	{ "debug/1", "1.7", NULL },
	{ "have_decnum/0", "1.7", NULL },
	{ "have_literal_numbers/0", "1.7", NULL },
	{ "leaf_paths/0", "1.3", "1.8" },
	{ "ltrim/0", "1.7.1", NULL },
	{ "pick/1", "1.7", NULL },
	{ "recurse_down/0", "1.3", "1.7" },
	{ "rtrim/0", "1.7.1", NULL },
	{ "skip/2", "1.8", NULL },
	{ "toarray/0", "1.7", NULL },
	{ "toboolean/0", "1.8", NULL },
	{ "trim/0", "1.7.1", NULL },
	{ "trimstr/1", "1.8", NULL },
	{ "@base32d", "1.7", NULL },
	{ "@urid", "1.8", NULL },
};

/* libjq does not tell its version: what compiles since one, the newest first. */
static const struct {
	const char *version;
	const char *script;
} probes[] = { { "1.8", "trimstr(\"a\")" }, { "1.7.1", "trim" }, { "1.7", "pick(.a)" } };

static const char *installed = "1.6";

static void
probe(void)
{
	char messages[STATE_MESSAGES_MAX];

	for (size_t i = sizeof(probes) / sizeof(probes[0]); i-- > 0;) {
		state *made = state_new(probes[i].script, false, messages);

		if (made == NULL)
			return;
		state_free(made);
		installed = probes[i].version;
	}
}

/* All versions are "1.", a digit, and perhaps more. */
static bool
is_newer(const char *version)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, probe);
	return strcmp(version, installed) > 0;
}

static const feature *
find_feature(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		if (strlen(features[i].name) == length &&
		    memcmp(features[i].name, name, length) == 0)
			return &features[i];
	}
	return NULL;
}

static void
hint_came(const char *what, const char *version, limen_diag *diag)
{
	if (is_newer(version))
		limen_diag_hint(diag, "%s came with jq %s; jq %s is installed", what, version,
		                installed);
}

/* Returns true if 'item' can end a term, which an index may follow. */
static bool
ends_term(const words *of, const word *item)
{
	char last = of->script[item->start + item->length - 1];

	return item->kind == WORD_FIELD || item->kind == WORD_VARIABLE ||
	       (item->kind == WORD_TEXT && last == '"') || /* and no code in it begins */
	       (item->kind == WORD_SYMBOL && strchr("])}?", last) != NULL);
}

/* Hints at syntax of jq 1.7 and later in a script with a syntax error. */
static void
hint_syntax(const words *script, limen_diag *diag)
{
	int open = 0; /* "end" without "else" */
	bool has_dotted_index = false;

	for (const word *item = script->list; item->kind != WORD_END; item++) {
		open += words_is(script, item, "end");
		open -= words_is(script, item, "else");
		if (ends_term(script, item) && words_is(script, item + 1, ".") &&
		    words_is(script, item + 2, "["))
			has_dotted_index = true;
	}
	if (open > 0)
		hint_came("\"if\" without \"else\"", "1.7", diag);
	else if (has_dotted_index)
		hint_came("\".a.[1]\" for \".a[1]\"", "1.7", diag);
}

/* ---- errors ---- */

limen_value
report_place(const limen_transform *transform, size_t at)
{
	limen_iter iter = limen_iter_start(transform->where);
	limen_value line;
	size_t length;

	if (limen_value_type(transform->where) != LIMEN_TYPE_ARRAY)
		return transform->where;
	while (limen_iter_next(&iter, NULL, &line)) {
		if (limen_value_string(line, &length) == NULL || at <= length)
			return line;
		at -= length + 1;
	}
	return transform->where;
}

/* Finds the function or variable 'name' from 'at' on its line; returns where, or 'at'. */
static size_t
find_name(const words *script, size_t at, const char *name, size_t length)
{
	size_t end = at + strcspn(script->script + at, "\n");

	for (const word *item = script->list; item->kind != WORD_END && item->start < end; item++) {
		if ((item->kind == WORD_NAME || item->kind == WORD_VARIABLE) && item->start >= at &&
		    item->length == length && memcmp(script->script + item->start, name, length) == 0)
			return item->start;
	}
	return at;
}

/* Finds the import of the module 'name'; returns where, or 0. */
static size_t
find_import(const words *script, const char *name, size_t length)
{
	const word *at = NULL;
	import item;

	while (imports_next(script, &at, &item)) {
		if (item.name->length == length + 2 &&
		    memcmp(script->script + item.name->start + 1, name, length) == 0)
			return item.name->start;
	}
	return 0;
}

/* The name in "jq: error: NAME is not defined", with its arity if it is a function's; or NULL. */
static const char *
undefined_name(const char *said, size_t *length)
{
	static const char before[] = "jq: error: ";
	static const char after[] = " is not defined";
	size_t around = strlen(before) + strlen(after);

	if (*length <= around || strncmp(said, before, strlen(before)) != 0 ||
	    strncmp(said + *length - strlen(after), after, strlen(after)) != 0)
		return NULL;
	*length -= around;
	return said + strlen(before);
}

/* Hints at a feature that the installed jq does not have yet, or has no longer. */
static void
hint_version(const char *name, size_t length, limen_diag *diag)
{
	const feature *known = find_feature(name, length);

	if (known != NULL)
		hint_came(known->name, known->since, diag);
	if (known != NULL && known->until != NULL && !is_newer(known->until))
		limen_diag_hint(diag, "%s is gone since jq %s; jq %s is installed", known->name,
		                known->until, installed);
}

/* Reports "TEXT at /DIRECTORY/MODULE.jq, line N:" at that line of the file; false for others. */
static bool
report_module_line(const char *said, size_t length, limen_diag *diag)
{
	static const char before[] = " at /";
	static const char after[] = ", line ";
	const char *end = said + length;
	const char *at = memmem(said, length, before, strlen(before));
	const char *path = at == NULL ? NULL : at + strlen(before) - 1;
	const char *line = at == NULL ? NULL
	                              : memmem(path, (size_t)(end - path), after, strlen(after));
	char *file = line == NULL ? NULL : strndup(path, (size_t)(line - path));

	if (file == NULL)
		return false;
	limen_diag_add_at(diag, LIMEN_SEVERITY_PROBLEM, file,
	                  (unsigned)strtoul(line + strlen(after), NULL, 10), "%.*s",
	                  (int)(at - said), said);
	free(file);
	return true;
}

/* A message without a line of the script is about a module. */
static void
report_module(const limen_transform *transform, const words *script, const char *said,
              size_t length, limen_diag *diag)
{
	static const char mark[] = "module not found: ";
	const char *name = memmem(said, length, mark, strlen(mark));
	size_t at = 0;

	if (report_module_line(said, length, diag))
		return;
	if (name != NULL) {
		name += strlen(mark);
		at = find_import(script, name, (size_t)(said + length - name));
	}
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, report_place(transform, at), "%.*s",
	               (int)length, said);
}

static void
report_line(const limen_transform *transform, const words *script, const char *said,
            size_t length, limen_diag *diag)
{
	size_t line = strtoul(said + length + strlen(place_mark), NULL, 10);
	size_t name_length = length;
	const char *name = undefined_name(said, &name_length);
	const char *text = script->script;
	size_t at;

	for (size_t i = 1; i < line && strchr(text, '\n') != NULL; i++)
		text = strchr(text, '\n') + 1;
	at = (size_t)(text - script->script);
	if (name != NULL) {
		const char *slash = memchr(name, '/', name_length);

		at = find_name(script, at, name,
		               slash == NULL ? name_length : (size_t)(slash - name));
	}
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, report_place(transform, at), "%.*s%s%zu: %.*s",
	               (int)length, said, place_mark, line,
	               (int)strcspn(text, "\n"), text);
	if (name != NULL)
		hint_version(name, name_length, diag);
	else if (memmem(said, length, "syntax error", strlen("syntax error")) != NULL)
		hint_syntax(script, diag);
}

void
report_errors(const limen_transform *transform, const words *script, const char *messages,
              limen_diag *diag)
{
	for (size_t length; *messages != '\0'; messages += length + 1) {
		const char *mark;

		length = strcspn(messages, "\n");
		mark = memmem(messages, length, place_mark, strlen(place_mark));
		/* "jq: 2 compile errors" counts the others. */
		if (mark != NULL)
			report_line(transform, script, messages, (size_t)(mark - messages), diag);
		else if (strncmp(messages, "jq: ", 4) != 0 || strspn(messages + 4, WORDS_DIGITS) == 0)
			report_module(transform, script, messages, length, diag);
	}
}

/* ---- remarks ---- */

/* One bracket level; 'is_root': "." is known to be the script's own input. */
typedef struct level {
	bool is_root;
	bool binds;     /* an "as" was seen: the next "|" changes nothing */
	unsigned words; /* since the last "|" or ";" */
} level;

static bool
is_one_of(const words *of, const word *item, const char *const *names)
{
	while (*names != NULL && !words_is(of, item, *names))
		names++;
	return *names != NULL;
}

/* Functions whose arguments look at the same input; those of modules take values. */
static bool
keeps_input(const words *of, const word *before)
{
	static const char *const names[] = { "select", "not", "if", "then", "else", "elif", "and",
		                             "or", "path", "del", "error", "has", "reject",
		                             "change", NULL };

	return before->kind != WORD_NAME || is_one_of(of, before, names) ||
	       memchr(of->script + before->start, ':', before->length) != NULL;
}

/* Enters the next stage of a pipe; its input is the same only after "." and after "as". */
static void
pass_pipe(level *now, const words *of, const word *pipe)
{
	bool is_identity = now->words == 1 && words_is(of, pipe - 1, ".");
	bool is_update = of->script[pipe->start + 1] == '=';

	*now = (level){ .is_root = now->is_root && (now->binds || is_identity) && !is_update };
}

/*
 * Returns the level after one word; NULL if it is too deep, or in a definition, whose input
 * is unknown.
 */
static level *
follow(level *now, level *levels, const words *of, const word *item, const word *before)
{
	/* "reduce E as $x (...)" and "catch" bring inputs of their own. */
	static const char *const own[] = { "reduce", "foreach", "catch", NULL };
	static const char *const opening[] = { "(", "[", "{", NULL };
	static const char *const closing[] = { ")", "]", "}", NULL };

	now->words++;
	now->binds = now->binds || words_is(of, item, "as");
	now->is_root = now->is_root && !is_one_of(of, item, own);
	if (words_is(of, item, "def"))
		return NULL;
	if (is_one_of(of, item, closing) && now > levels)
		return now - 1;
	if (!is_one_of(of, item, opening))
		return now;
	if (now + 1 == levels + DEPTH_MAX)
		return NULL;
	now[1] = (level){ .is_root = now->is_root &&
		                     (!words_is(of, item, "(") || keeps_input(of, before)) };
	return now + 1;
}

/* Returns the row of the field at 'text', or of the beginning of its fields, or NULL. */
static const jq_stranger *
find_stranger(const jq_stranger *strangers, const char *text)
{
	for (; strangers->path != NULL; strangers++) {
		size_t length = strlen(strangers->path);

		if (strncmp(text, strangers->path, length) == 0 &&
		    strspn(text + length, WORDS_NAME) == 0)
			return strangers;
	}
	return NULL;
}

/* Warns of the hint 'name' of a script, if it looks misspelt. */
static void
check_hint(const limen_transform *transform, size_t at, size_t length, limen_diag *diag)
{
	char *name = strndup(transform->script + at, length);

	if (name != NULL)
		hint_name_check(name, report_place(transform, at), diag);
	free(name);
}

/*
 * Calls 'each' for the fields that the script reads from its own input.  Fields that may
 * belong to another input ("map(.type)", or after a "|") are skipped.
 */
static void
each_field(const words *of, void (*each)(void *data, const word *field), void *data)
{
	level levels[DEPTH_MAX] = { { .is_root = true } };
	level *now = levels;

	for (const word *item = of->list; item->kind != WORD_END && now != NULL; item++) {
		const word *before = item == of->list ? &(word){ .kind = WORD_END } : item - 1;
		bool follows = before->start + before->length == item->start &&
		               before->kind != WORD_END && ends_term(of, before);

		if (words_is(of, item, "|")) {
			pass_pipe(now, of, item);
			continue;
		}
		if (words_is(of, item, ";")) {
			*now = (level){ .is_root = now->is_root };
			continue;
		}
		if (item->kind == WORD_FIELD && !follows && now->is_root)
			each(data, item);
		now = follow(now, levels, of, item, before);
	}
}

/* The remarks on the fields of one script. */
typedef struct fields {
	const jq_setup *setup;
	const limen_transform *transform;
	limen_diag *diag;
	bool has_known; /* the script reads a field that its input may have */
} fields;

static void
look_for_known(void *data, const word *field)
{
	fields *all = data;

	if (find_stranger(all->setup->strangers, all->transform->script + field->start) == NULL)
		all->has_known = true;
}

static void
remark_on_field(void *data, const word *field)
{
	const fields *all = data;
	const jq_stranger *stranger =
		find_stranger(all->setup->strangers, all->transform->script + field->start);

	if (stranger != NULL)
		limen_diag_add(all->diag,
		               all->has_known ? LIMEN_SEVERITY_NOTE : LIMEN_SEVERITY_WARNING,
		               report_place(all->transform, field->start),
		               "The script looks at %s, %s", stranger->path, stranger->text);
	else if (all->setup->reads_hints)
		check_hint(all->transform, field->start + 1, field->length - 1, all->diag);
}

/* Is the word at 'index' "<" or ">", or the "=" of "<=" or ">="? */
static bool
is_comparison(const words *of, size_t index)
{
	const word *sign = of->list + index;

	if (index > 0 && words_is(of, sign, "="))
		sign--;
	return words_is(of, sign, "<") || words_is(of, sign, ">");
}

/* Warns of a duration that is compared as text, and of the misspelt name of a hint. */
static void
remark_on_text(const limen_transform *transform, const words *of, const word *text,
               limen_diag *diag)
{
	const char *inside = of->script + text->start + 1;
	size_t index = (size_t)(text - of->list);
	limen_duration duration;

	if (!text->whole)
		return;
	if (((index > 0 && is_comparison(of, index - 1)) || is_comparison(of, index + 1)) &&
	    limen_duration_parse(inside, text->length - 2, 0, &duration, NULL) == LIMEN_OK) {
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, report_place(transform, text->start),
		               "The script compares the duration %.*s as text, in which PT2M is above "
		               "PT10M",
		               (int)text->length, inside - 1);
		limen_diag_hint(diag, "import \"pscheduler/iso8601\" as iso; and compare "
		                      "iso::duration_as_seconds() of both");
	}
	if (index > 1 && words_is(of, text - 1, "(") && words_is(of, text - 2, "hint"))
		check_hint(transform, text->start + 1, text->length - 2, diag);
}

/* Notes the first call of the function that 'stranger' names, unless the script defines it. */
static void
note_call(const jq_stranger *stranger, const limen_transform *transform, const words *of,
          limen_diag *diag)
{
	const word *item = of->list;

	while (item->kind != WORD_END && !words_is(of, item, stranger->path))
		item++;
	if (item->kind != WORD_END && (item == of->list || !words_is(of, item - 1, "def")))
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, report_place(transform, item->start),
		               "The script calls %s(), %s", stranger->path, stranger->text);
}

void
report_remarks(const jq_setup *setup, const limen_transform *transform, const words *script,
               limen_diag *diag)
{
	fields all = { .setup = setup, .transform = transform, .diag = diag,
		       .has_known = setup->strangers_exist };

	/* jq looks for a format only when it is used. */
	for (const word *item = script->list; item->kind != WORD_END; item++) {
		const feature *format = item->kind != WORD_FORMAT ? NULL
		                        : find_feature(script->script + item->start, item->length);

		if (format != NULL && is_newer(format->since))
			limen_diag_add(diag, LIMEN_SEVERITY_WARNING,
			               report_place(transform, item->start),
			               "%s fails: it came with jq %s, and jq %s is installed",
			               format->name, format->since, installed);
		if (item->kind == WORD_TEXT)
			remark_on_text(transform, script, item, diag);
	}
	if (setup->strangers == NULL)
		return;
	each_field(script, look_for_known, &all);
	each_field(script, remark_on_field, &all);
	for (const jq_stranger *item = setup->strangers; item->path != NULL; item++) {
		if (item->path[0] != '.')
			note_call(item, transform, script, diag);
	}
}
