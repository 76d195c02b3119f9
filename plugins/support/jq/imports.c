/* SPDX-License-Identifier: Apache-2.0 */
/*
 * imports.c - reads import statements, and finds modules (jq 1.6 manual, "Modules").  limen's own
 * come first, so that pScheduler's, which are slower, are found only for what limen does not have.
 */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *
imports_directory(void)
{
	const char *told = secure_getenv("LIMEN_JQ_PATH");

	return told != NULL && told[0] != '\0' ? told : LIMEN_JQDIR;
}

bool
imports_next(const words *of, const word **at, import *found)
{
	const word *item = *at == NULL ? of->list : *at;

	for (; item->kind != WORD_END; item++) {
		if ((!words_is(of, item, "import") && !words_is(of, item, "include")) ||
		    item[1].kind != WORD_TEXT || !item[1].whole)
			continue;
		*found = (import){ .first = item, .name = item + 1, .end = item + 2 };
		while (found->end->kind != WORD_END && !words_is(of, found->end, ";"))
			found->end++;
		if (found->end->kind == WORD_END)
			break;
		*at = found->end + 1;
		return true;
	}
	return false;
}

/* "one/two.three": no path that begins elsewhere or leads elsewhere, and no escapes. */
static bool
is_plain_name(const char *name, size_t length)
{
	bool begins = true;

	for (size_t i = 0; i < length; i++) {
		bool is_name = name[i] != '\0' && strchr(WORDS_NAME "-", name[i]) != NULL;

		if (!is_name && (begins || (name[i] != '.' && name[i] != '/')))
			return false;
		begins = name[i] == '/';
	}
	return !begins;
}

/* A statement that imports_next() does not find does not compile behind the guards (program.c). */
bool
imports_check(const limen_transform *transform, const words *script, limen_diag *diag)
{
	const word *at = NULL;
	bool good = true;
	import item;

	while (imports_next(script, &at, &item)) {
		/* No metadata: {search: ...} names a directory. */
		if (is_plain_name(script->script + item.name->start + 1, item.name->length - 2) &&
		    (words_is(script, item.first, "include")
		             ? item.end == item.name + 1
		             : words_is(script, item.name + 1, "as") && item.end == item.name + 3))
			continue;
		good = limen_diag_refuse(diag, report_place(transform, item.first->start),
		                         "A script in a separate process imports by name from the "
		                         "directories of modules, without a path or metadata");
	}
	return good;
}

/* Makes DIRECTORY/NAME.SUFFIX, or DIRECTORY/NAME/LAST.SUFFIX, an input; false: there is neither. */
static bool
watch_module(limen_opening *opening, const char *directory, const char *name)
{
	static const char *const suffixes[] = { "jq", "json" };
	const char *slash = strrchr(name, '/');
	bool found = false;

	for (int i = 0; i < 4 && !found && directory[0] == '/'; i++) {
		const char *content;
		size_t length;
		char *path = NULL;
		int printed = i % 2 == 0 ? asprintf(&path, "%s/%s.%s", directory, name, suffixes[i / 2])
		                         : asprintf(&path, "%s/%s/%s.%s", directory, name,
		                                    slash == NULL ? name : slash + 1, suffixes[i / 2]);

		found = printed >= 0 && access(path, R_OK) == 0;
		if (found)
			limen_opening_file(opening, path, limen_value_none(), &content, &length,
			                   NULL);
		if (printed >= 0)
			free(path);
	}
	return found;
}

void
imports_watch(limen_opening *opening, const words *script)
{
	const word *at = NULL;
	import item;

	while (imports_next(script, &at, &item)) {
		char *name = strndup(script->script + item.name->start + 1, item.name->length - 2);

		if (name != NULL && !watch_module(opening, imports_directory(), name))
			watch_module(opening, IMPORTS_PSCHEDULER, name);
		free(name);
	}
}
