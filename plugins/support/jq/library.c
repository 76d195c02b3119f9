/* SPDX-License-Identifier: Apache-2.0 */
/*
 * library.c - the directories of jq modules: limen's own come first, so that
 * pScheduler's, which are slower, are found only for what limen does not have.
 */
#include "library.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scan.h"
#include "text.h"

#define PSCHEDULER_DIRECTORY "/usr/lib/jq"

const char *
library_directory(void)
{
	const char *told = secure_getenv("LIMEN_JQ_PATH");

	return told != NULL && told[0] != '\0' ? told : LIMEN_JQDIR;
}

jv
library_path(void)
{
	jv path = jv_array();

	path = jv_array_append(path, jv_string(library_directory()));
	return jv_array_append(path, jv_string(PSCHEDULER_DIRECTORY));
}

/*
 * Reads DIRECTORY/NAME.SUFFIX, or DIRECTORY/NAME/LAST.SUFFIX (jq 1.6 manual,
 * "Modules"), as an input of the instance.  Returns false if there is neither.
 */
static bool
read_module(limen_opening *opening, const char *directory, const char *name, const char *suffix)
{
	const char *slash = strrchr(name, '/');
	const char *last = slash == NULL ? name : slash + 1;
	text path = { .bytes = NULL };
	const char *content;
	size_t length;
	bool is_there;

	text_addf(&path, "%s/%s.%s", directory, name, suffix);
	if (!path.failed && access(path.bytes, R_OK) != 0) {
		text_free(&path);
		text_addf(&path, "%s/%s/%s.%s", directory, name, last, suffix);
	}
	is_there = !path.failed && access(path.bytes, R_OK) == 0;
	if (is_there)
		limen_opening_file(opening, path.bytes, limen_value_none(), &content, &length,
		                   NULL);
	text_free(&path);
	return is_there;
}

static void
watch_module(limen_opening *opening, const char *name)
{
	const char *const directories[] = { library_directory(), PSCHEDULER_DIRECTORY };

	for (size_t i = 0; i < 2; i++) {
		if (directories[i][0] == '/' &&
		    (read_module(opening, directories[i], name, "jq") ||
		     read_module(opening, directories[i], name, "json")))
			return;
	}
}

/* 'token' is the text behind an import or include. */
static void
watch_imported(limen_opening *opening, const char *script, const scan_token *token)
{
	char *name;

	if (token->kind != SCAN_TEXT || !token->whole)
		return;
	name = strndup(script + token->start + 1, token->length - 2);
	if (name != NULL)
		watch_module(opening, name);
	free(name);
}

void
library_watch(limen_opening *opening, const char *script)
{
	scan from = scan_start(script, strlen(script));
	scan_token token = scan_code(&from);

	for (; token.kind != SCAN_END; token = scan_code(&from)) {
		scan ahead = from;

		if (!scan_is(&from, &token, SCAN_WORD, "import") &&
		    !scan_is(&from, &token, SCAN_WORD, "include"))
			continue;
		token = scan_code(&ahead);
		watch_imported(opening, script, &token);
	}
}
