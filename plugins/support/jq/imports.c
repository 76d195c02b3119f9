/* SPDX-License-Identifier: Apache-2.0 */
/* imports.c - reads import statements (jq 1.6 manual, "Modules"), and takes the plain ones. */
#include "imports.h"

#include <string.h>

#include "report.h"
#include "scan.h"

static bool
is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

/* "one/two.three": no path that begins elsewhere or leads elsewhere, and no escapes. */
static bool
is_plain(const char *name, size_t length)
{
	bool begins = true;

	for (size_t i = 0; i < length; i++) {
		if (!is_name_byte(name[i]) && (begins || (name[i] != '.' && name[i] != '/')))
			return false;
		begins = name[i] == '/';
	}
	return !begins;
}

/* Is what follows 'word' NAME as ALIAS; or NAME; for an include, without metadata? */
static bool
is_plain_import(scan from, bool has_alias)
{
	scan_token token = scan_code(&from);

	if (token.kind != SCAN_TEXT || !token.whole ||
	    !is_plain(from.text + token.start + 1, token.length - 2))
		return false;
	token = scan_code(&from);
	if (has_alias) {
		if (!scan_is(&from, &token, SCAN_WORD, "as"))
			return false;
		token = scan_code(&from);
		if (token.kind != SCAN_WORD && token.kind != SCAN_VARIABLE)
			return false;
		token = scan_code(&from);
	}
	return scan_is(&from, &token, SCAN_SYMBOL, ";");
}

/* In {import: 1} it is a key. */
static bool
is_key(scan from)
{
	scan_token token = scan_code(&from);

	return scan_is(&from, &token, SCAN_SYMBOL, ":");
}

bool
imports_check(const limen_transform *transform, limen_diag *diag)
{
	scan from = scan_start(transform->script, strlen(transform->script));
	bool good = true;

	for (scan_token token = scan_code(&from); token.kind != SCAN_END;
	     token = scan_code(&from)) {
		bool has_alias = scan_is(&from, &token, SCAN_WORD, "import");

		if ((!has_alias && !scan_is(&from, &token, SCAN_WORD, "include")) ||
		    is_key(from) || is_plain_import(from, has_alias))
			continue;
		limen_diag_add(diag, LIMEN_PROBLEM, report_place(transform, token.start),
		               "A script in a process of its own imports by name from the "
		               "directories of modules, without a path or metadata");
		good = false;
	}
	return good;
}
