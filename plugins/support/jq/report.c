/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - turns the compiler's messages into problems of a policy: it hides the text before
 * the script (program.c), finds the line in the file, and hints at functions of another
 * version of jq.  It remarks on fields that a script reads but its input never has, on
 * durations compared as text, and on misspelt hints.
 */
#include <stdlib.h>
#include <string.h>

#include "../hint_names.h"
#include "script.h"

/* libjq writes a line number after this text. */
static const char place_mark[] = " at <top-level>, line ";

/* The deepest nesting of brackets that is followed. */
#define DEPTH_MAX 64

/* Functions that not every jq has (the NEWS of 1.7 and 1.8). */
static const struct {
	const char *name;
	const char *text;
} versions[] = {
	{ "abs/0", "came with jq 1.7" },
	{ "add/1", "came with jq 1.8" },
	{ "debug/1", "came with jq 1.7" },
	{ "have_decnum/0", "came with jq 1.7" },
	{ "have_literal_numbers/0", "came with jq 1.7" },
	{ "leaf_paths/0", "is gone since jq 1.8" },
	{ "ltrim/0", "came with jq 1.7.1" },
	{ "pick/1", "came with jq 1.7" },
	{ "recurse_down/0", "is gone since jq 1.7" },
	{ "rtrim/0", "came with jq 1.7.1" },
	{ "skip/2", "came with jq 1.8" },
	{ "toarray/0", "came with jq 1.7" },
	{ "toboolean/0", "came with jq 1.8" },
	{ "trim/0", "came with jq 1.7.1" },
	{ "trimstr/1", "came with jq 1.8" },
};

/* Returns true if 'item' can end a term, which an index may follow. */
static bool
ends_term(const words *of, const word *item)
{
	char last = of->script[item->start + item->length - 1];

	return item->kind == WORD_FIELD || item->kind == WORD_VARIABLE ||
	       (item->kind == WORD_TEXT && last == '"') || /* and no code in it begins */
	       (item->kind == WORD_SYMBOL && strchr("])}?", last) != NULL);
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

/* Hints at the version of jq for "jq: error: NAME/ARITY is not defined". */
static void
hint_version(const char *said, limen_diag *diag)
{
	const char *name = said + strlen("jq: error: ");

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (strncmp(name, versions[i].name, strlen(versions[i].name)) == 0)
			limen_diag_hint(diag, "%s %s", versions[i].name, versions[i].text);
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

/* A message without a line of the script is about a module, which the script names. */
static void
report_module(const limen_transform *transform, const char *said, size_t length, limen_diag *diag)
{
	static const char mark[] = "module not found: ";
	const char *script = transform->script;
	const char *name = memmem(said, length, mark, strlen(mark));
	const char *place = NULL;

	if (report_module_line(said, length, diag))
		return;
	if (name != NULL) {
		name += strlen(mark);
		place = memmem(script, strlen(script), name, (size_t)(said + length - name));
	}
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM,
	               report_place(transform, place == NULL ? 0 : (size_t)(place - script)),
	               "%.*s", (int)length, said);
}

static void
report_line(const limen_transform *transform, const char *said, size_t length, limen_diag *diag)
{
	size_t line = strtoul(said + length + strlen(place_mark), NULL, 10);
	const char *text = transform->script;

	for (size_t i = 1; i < line && strchr(text, '\n') != NULL; i++)
		text = strchr(text, '\n') + 1;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM,
	               report_place(transform, (size_t)(text - transform->script)), "%.*s%s%zu: %.*s",
	               (int)length, said, place_mark, line, (int)strcspn(text, "\n"), text);
	if (strncmp(said, "jq: error: ", strlen("jq: error: ")) == 0)
		hint_version(said, diag);
}

void
report_errors(const limen_transform *transform, const char *messages, limen_diag *diag)
{
	for (size_t length; *messages != '\0'; messages += length + 1) {
		const char *mark;

		length = strcspn(messages, "\n");
		mark = memmem(messages, length, place_mark, strlen(place_mark));
		/* "jq: 2 compile errors" counts the others. */
		if (mark != NULL)
			report_line(transform, messages, (size_t)(mark - messages), diag);
		else if (strncmp(messages, "jq: ", 4) != 0 || strspn(messages + 4, WORDS_DIGITS) == 0)
			report_module(transform, messages, length, diag);
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

/* The remarks on the fields of one script. */
typedef struct fields {
	const jq_setup *setup;
	const limen_transform *transform;
	limen_diag *diag;
	bool reports;
	bool has_known; /* the script reads a field that its input may have */
} fields;

static void
look_at_field(fields *all, const word *field)
{
	const jq_stranger *stranger =
		find_stranger(all->setup->strangers, all->transform->script + field->start);

	if (stranger == NULL)
		all->has_known = true;
	if (!all->reports)
		return;
	if (stranger != NULL)
		limen_diag_add(all->diag,
		               all->has_known ? LIMEN_SEVERITY_NOTE : LIMEN_SEVERITY_WARNING,
		               report_place(all->transform, field->start),
		               "The script looks at %s, %s", stranger->path, stranger->text);
	else if (all->setup->reads_hints)
		check_hint(all->transform, field->start + 1, field->length - 1, all->diag);
}

/*
 * Looks at the fields that the script reads from its own input.  Fields that may belong to
 * another input ("map(.type)", or after a "|") are skipped.
 */
static void
look_at_fields(fields *all, const words *of)
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
			look_at_field(all, item);
		now = follow(now, levels, of, item, before);
	}
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
		               "PT10M", (int)text->length, inside - 1);
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

	for (const word *item = script->list; item->kind != WORD_END; item++)
		if (item->kind == WORD_TEXT)
			remark_on_text(transform, script, item, diag);
	if (setup->strangers == NULL)
		return;
	look_at_fields(&all, script);
	all.reports = true;
	look_at_fields(&all, script);
	for (const jq_stranger *item = setup->strangers; item->path != NULL; item++)
		if (item->path[0] != '.')
			note_call(item, transform, script, diag);
}
