/* SPDX-License-Identifier: Apache-2.0 */
/* hint_names.h - warns of a hint whose name looks like a misspelt one of those that limen gives. */
#ifndef LIMEN_PLUGINS_SUPPORT_HINT_NAMES_H
#define LIMEN_PLUGINS_SUPPORT_HINT_NAMES_H

#include <limen/diag.h>
#include <limen/nearest.h>
#include <string.h>

/* Programs may give any hint, so only a slip in a known name is told. */
static inline void
hint_name_check(const char *name, limen_value where, limen_diag *diag)
{
	static const char *const known[] = { "requester", "server", "requester-proxied-by", "user",
		                             "groups", "namespace", "operation", "resource", NULL };
	limen_nearest best = limen_nearest_to(name);

	for (size_t i = 0; known[i] != NULL; i++)
		limen_nearest_offer(&best, known[i]);
	if (best.word == NULL || best.edits == 0 || best.edits > 1 + strlen(name) / 10)
		return;
	limen_diag_add(diag, LIMEN_SEVERITY_WARNING, where,
	               "'%s' is not a hint that limen gives: if no request has it, it is always absent",
	               name);
	limen_diag_hint(diag, "did you mean '%s'?", best.word);
}

#endif
