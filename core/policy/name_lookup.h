/* SPDX-License-Identifier: Apache-2.0 */
/*
 * name_lookup.h - arrays of names in a policy, resolved to indexes of entries.
 */
#ifndef LIMEN_CORE_POLICY_NAME_LOOKUP_H
#define LIMEN_CORE_POLICY_NAME_LOOKUP_H

#include <limen/option.h>

#include "compile.h"

typedef struct name_lookup {
	entry_list *list;
	const char *noun; /* plural: "identifiers" */
} name_lookup;

/*
 * Resolves 'wanted', the array 'where'.  Names that are not in the list are one
 * problem each, at their own place.
 */
index_list names_resolve(compile_context *context, const name_lookup *lookup,
                         const limen_strings *wanted, limen_value where);

/*
 * May one more unknown name of this load be compared with all known ones?  Each
 * time takes as long as there are names, so only the first few get a hint.
 */
bool names_may_guess(compile_context *context);

/* Reports 'name' as unknown, with the nearest known one as a hint. */
void names_report(compile_context *context, const name_lookup *lookup, const char *name,
                  limen_value where);

#endif
