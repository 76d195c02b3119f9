/* SPDX-License-Identifier: Apache-2.0 */
/* policy_state.c - searches the description of a policy for an entry that has tables. */
#include "policy_state.h"

#include "policy.h"

/* Only objects with a type are entries: a section may have an entry called "tables". */
static bool
has_tables(limen_value entry)
{
	return limen_value_type(limen_value_get(entry, "type")) == LIMEN_TYPE_STRING &&
	       limen_value_count(limen_value_get(entry, "tables")) > 0;
}

/* Sections are objects of entries; a rewriter and a prioritizer are entries themselves. */
static bool
section_counts(limen_value section)
{
	limen_iter iter = limen_iter_start(section);
	limen_value entry;

	if (limen_value_type(section) != LIMEN_TYPE_OBJECT)
		return false;
	if (has_tables(section))
		return true;
	while (limen_iter_next(&iter, NULL, &entry))
		if (limen_value_type(entry) == LIMEN_TYPE_OBJECT && has_tables(entry))
			return true;
	return false;
}

bool
policy_counts(limen_engine *engine)
{
	limen_documents *described = policy_describe(engine);
	limen_iter iter = limen_iter_start(limen_documents_get(described, 0));
	limen_value section;
	bool counts = false;

	while (!counts && limen_iter_next(&iter, NULL, &section))
		counts = section_counts(section);
	limen_documents_free(described);
	return counts;
}
