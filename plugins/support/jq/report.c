/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - turns the compiler's messages into problems of a policy: what
 * stands before the script (program.h) is hidden, the line is found in the file,
 * and scripts that need a newer jq are told from wrong ones.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"
#include "syntax.h"
#include "text.h"
#include "version.h"

/* How libjq writes where it was. */
static const char place_mark[] = " at <top-level>, line ";

/* What a message says, taken apart. */
typedef struct message {
	const char *text; /* without its place */
	size_t length;
	size_t line; /* of the script, from 1; 0 if it tells none */
} message;

static message
take_apart(const char *said)
{
	message taken = { .text = said, .length = strcspn(said, "\n") };
	const char *mark = memmem(said, taken.length, place_mark, strlen(place_mark));

	if (mark == NULL)
		return taken;
	taken.length = (size_t)(mark - said);
	taken.line = strtoul(mark + strlen(place_mark), NULL, 10);
	return taken;
}

/* Where line 'line' of 'script' begins. */
static size_t
find_line(const char *script, size_t line)
{
	size_t at = 0;

	for (size_t i = 1; i < line; i++) {
		const char *end = strchr(script + at, '\n');

		if (end == NULL)
			return at;
		at = (size_t)(end - script) + 1;
	}
	return at;
}

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

/* The name in "jq: error: NAME is not defined", or NULL. */
static const char *
undefined_name(const message *said, size_t *length)
{
	static const char before[] = "jq: error: ";
	static const char after[] = " is not defined";
	size_t around = strlen(before) + strlen(after);

	if (said->length <= around || strncmp(said->text, before, strlen(before)) != 0 ||
	    strncmp(said->text + said->length - strlen(after), after, strlen(after)) != 0)
		return NULL;
	*length = said->length - around;
	return said->text + strlen(before);
}

/* Finds the token 'name' from 'at' on its line; returns where, or 'at'. */
static size_t
find_name(const char *script, size_t at, const char *name, size_t length)
{
	size_t end = at + strcspn(script + at, "\n");
	scan from = scan_start(script, strlen(script));
	scan_token token = scan_code(&from);

	for (; token.kind != SCAN_END && token.start < end; token = scan_code(&from)) {
		bool is_name = token.kind == SCAN_WORD || token.kind == SCAN_VARIABLE;

		if (is_name && token.start >= at && token.length == length &&
		    memcmp(script + token.start, name, length) == 0)
			return token.start;
	}
	return at;
}

/* Finds the import of the module in "module not found: NAME". */
static size_t
find_import(const char *script, const message *said)
{
	static const char mark[] = "module not found: ";
	const char *name = memmem(said->text, said->length, mark, strlen(mark));
	scan from = scan_start(script, strlen(script));
	scan_token token = scan_code(&from);
	size_t length;

	if (name == NULL)
		return 0;
	name += strlen(mark);
	length = strcspn(name, "\n");
	for (; token.kind != SCAN_END; token = scan_code(&from)) {
		if (token.kind == SCAN_TEXT && token.length == length + 2 &&
		    memcmp(script + token.start + 1, name, length) == 0)
			return token.start;
	}
	return 0;
}

/* Tells of a feature that the installed jq does not have, yet or any more. */
static void
hint_version(const char *name, size_t length, limen_diag *diag)
{
	const version_feature *feature = version_find(name, length);

	if (feature == NULL)
		return;
	if (version_is_newer(feature->since))
		limen_diag_hint(diag, "%s came with jq %s; jq %s is installed", feature->name,
		                feature->since, version_installed());
	else if (feature->until != NULL && !version_is_newer(feature->until))
		limen_diag_hint(diag, "%s is gone since jq %s; jq %s is installed", feature->name,
		                feature->until, version_installed());
}

static void
hint_syntax(const char *script, limen_diag *diag)
{
	const char *feature = syntax_newer(script);

	if (feature != NULL && version_is_newer("1.7"))
		limen_diag_hint(diag, "%s came with jq 1.7; jq %s is installed", feature,
		                version_installed());
}

static void
report(const limen_transform *transform, const char *line_text, limen_diag *diag)
{
	message said = take_apart(line_text);
	const char *script = transform->script;
	size_t line = said.line == 0 ? 1 : said.line;
	size_t start = find_line(script, line);
	size_t length = 0;
	const char *name = undefined_name(&said, &length);
	const char *slash = name == NULL ? NULL : memchr(name, '/', length);
	size_t at = start;

	if (name != NULL)
		at = find_name(script, start, name, slash == NULL ? length : (size_t)(slash - name));
	else if (said.line == 0)
		at = find_import(transform->script, &said);
	if (said.line == 0)
		limen_diag_add(diag, LIMEN_PROBLEM, report_place(transform, at), "%.*s",
		               (int)said.length, said.text);
	else
		limen_diag_add(diag, LIMEN_PROBLEM, report_place(transform, at),
		               "%.*s%s%zu: %.*s", (int)said.length, said.text, place_mark, line,
		               (int)strcspn(script + start, "\n"), script + start);
	if (name != NULL)
		hint_version(name, length, diag);
	else if (memmem(said.text, said.length, "syntax error", 12) != NULL)
		hint_syntax(script, diag);
}

/* The last message counts the others. */
static bool
is_count(const char *said)
{
	return strncmp(said, "jq: ", 4) == 0 && said[4] >= '0' && said[4] <= '9';
}

void
report_errors(const limen_transform *transform, const char *messages, limen_diag *diag)
{
	for (; *messages != '\0'; messages += strcspn(messages, "\n") + 1) {
		if (!is_count(messages))
			report(transform, messages, diag);
	}
}

/* jq looks for a format only when it is used. */
static void
warn_formats(const limen_transform *transform, limen_diag *diag)
{
	scan from = scan_start(transform->script, strlen(transform->script));
	scan_token token = scan_code(&from);

	for (; token.kind != SCAN_END; token = scan_code(&from)) {
		const char *name = transform->script + token.start;
		const version_feature *feature = token.kind == SCAN_FORMAT
		                                         ? version_find(name, token.length) : NULL;

		if (feature == NULL || !version_is_newer(feature->since))
			continue;
		limen_diag_add(diag, LIMEN_WARNING, report_place(transform, token.start),
		               "%s fails: it came with jq %s, and jq %s is installed",
		               feature->name, feature->since, version_installed());
	}
}

void
report_remarks(const jq_setup *setup, const limen_transform *transform, limen_diag *diag)
{
	warn_formats(transform, diag);
	if (setup->strangers != NULL)
		syntax_strangers(setup->strangers, transform, diag);
}
