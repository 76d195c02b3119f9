/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guards.c - only what a script mentions is guarded, so that others pay
 * nothing.  A definition sees jq's own function of its name as long as it is
 * itself not in scope yet: hence the pairs.
 */
#include "guards.h"

#include <string.h>

#include "scan.h"

typedef struct guard {
	scan_kind kind;
	const char *word;
	const char *definition;
} guard;

static const guard guards[] = {
	/* Halting is left to the one who may, see watchdog.c. */
	{ SCAN_WORD, "halt", "def halt: \"" GUARDS_HALT "\" | debug | empty; " },
	{ SCAN_WORD, "halt_error",
	  "def halt_error: \"" GUARDS_HALT "\" | debug | empty; "
	  "def halt_error($code): halt_error; " },
	/* jq 1.6 writes to the stream itself. */
	{ SCAN_WORD, "stderr", "def stderr: .; " },
	/* The environment may hold secrets of the process. */
	{ SCAN_WORD, "env", "def env: {}; " },
	{ SCAN_VARIABLE, "$ENV", "{} as $ENV | " },
};

#define GUARD_COUNT (sizeof(guards) / sizeof(guards[0]))

void
guards_add(text *out, const char *script)
{
	for (size_t i = 0; i < GUARD_COUNT; i++) {
		scan from = scan_start(script, strlen(script));
		scan_token token = scan_code(&from);

		while (token.kind != SCAN_END &&
		       !scan_is(&from, &token, guards[i].kind, guards[i].word))
			token = scan_code(&from);
		if (token.kind != SCAN_END)
			text_adds(out, guards[i].definition);
	}
}
