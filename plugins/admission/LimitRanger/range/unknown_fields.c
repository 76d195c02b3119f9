/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unknown_fields.c - a misspelt key loosens a policy without a word, as
 * "defaultRequests" does in the limit-ranger document itself.
 */
#include <limen/nearest.h>

#include "range.h"

/* "enabled" is what turns off any file of a policy. */
static const char *const range_fields[] = { "apiVersion", "kind", "metadata", "spec", "enabled",
	                                    NULL };

static const char *const metadata_fields[] = {
	"name", "generateName", "namespace", "labels", "annotations", "creationTimestamp", "uid",
	"resourceVersion", "generation", "managedFields", "ownerReferences", "finalizers",
	"selfLink", "clusterName", "deletionTimestamp", "deletionGracePeriodSeconds", NULL
};

static const char *const spec_fields[] = { "limits", NULL };

static const char *const item_fields[] = {
	"type", "max", "min", "default", "defaultRequest", "maxLimitRequestRatio", NULL
};

static const char *const *const fields[] = {
	[UNKNOWN_IN_RANGE] = range_fields,
	[UNKNOWN_IN_METADATA] = metadata_fields,
	[UNKNOWN_IN_SPEC] = spec_fields,
	[UNKNOWN_IN_ITEM] = item_fields,
};

bool
unknown_fields_next(limen_iter *iter, const char *const *known, limen_value *key,
                    limen_value *member, const char **nearest)
{
	while (limen_iter_next(iter, key, member)) {
		size_t i = 0;

		while (known[i] != NULL && !limen_value_is(*key, known[i]))
			i++;
		if (known[i] != NULL)
			continue;
		*nearest = limen_nearest_of(limen_value_string(*key, NULL), known);
		return true;
	}
	return false;
}

void
unknown_fields_report(limen_value object, unknown_place place, const char *prefix,
                      limen_diag *diag)
{
	limen_iter iter = limen_iter_start(object);
	const char *nearest;
	limen_value key;

	while (unknown_fields_next(&iter, fields[place], &key, NULL, &nearest)) {
		limen_diag_add(diag, LIMEN_WARNING, key, "unknown field \"%s%s\"", prefix,
		               limen_value_string(key, NULL));
		if (nearest != NULL)
			limen_diag_hint(diag, "did you mean \"%s\"?", nearest);
	}
}
