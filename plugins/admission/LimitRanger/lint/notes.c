/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notes.c - notes where a policy differs from the plugin of Kubernetes: a cluster would
 * answer otherwise.
 */
#include <string.h>

#include "../limit_ranger.h"

static void
note_option(limen_opening *opening, const char *key, bool differs, const char *text,
            limen_diag *diag)
{
	if (differs)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_option(opening, key),
		               "%s: Kubernetes %s", key, text);
}

static void
note_annotation(const limit_range *range, const char *key, limen_diag *diag)
{
	limen_value found = annotation_get(range->where, key);

	if (limen_value_exists(found))
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, found,
		               "metadata.annotations[%s]: Kubernetes ignores it", key);
}

/* The LimitRanges of a namespace are adjacent. */
static void
note_several(const range_set *set, limen_diag *diag)
{
	for (size_t i = 1; i < set->local; i++) {
		const limit_range *range = &set->ranges[i];
		bool again = strcmp(range->namespace, range[-1].namespace) == 0;

		if (!again || (i > 1 && strcmp(range->namespace, range[-2].namespace) == 0))
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, range->where,
		               "the namespace \"%s\" has several LimitRanges: Kubernetes applies "
		               "them in no particular order, limen by %s",
		               range->namespace,
		               set->order == ORDER_CREATION ? "creation" : "name");
	}
}

void
notes_add(const limit_ranger *self, limen_opening *opening, limen_diag *diag)
{
	const range_set *set = &self->ranges;

	note_option(opening, "report", self->report != REPORT_FIRST,
	            "reports one LimitRange that is violated", diag);
	note_option(opening, "defaulting", self->defaulting != DEFAULTING_UPSTREAM,
	            "sets defaults for containers", diag);
	note_option(opening, "default-conflict", self->conflict != CONFLICT_UPSTREAM,
	            "gives a default limit even if the request is above it", diag);
	note_option(opening, "mirror-pods", self->mirror_pods != MIRROR_UPSTREAM,
	            "treats mirror pods like other pods", diag);
	note_option(opening, "updates", self->updates != UPDATES_ALL,
	            "checks all values of resizes and of updates of claims", diag);
	for (size_t i = 0; i < set->count; i++) {
		note_annotation(&set->ranges[i], ANNOTATION_ITEMS, diag);
		note_annotation(&set->ranges[i], ANNOTATION_NAMESPACES, diag);
	}
	note_several(set, diag);
}
