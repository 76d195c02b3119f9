/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fields.c - checks which fields manifests of a policy have, as kubectl does (--validate=strict):
 * a misspelt field limits nothing, and so does a file that was cut off.  LimitRanges of a cluster
 * are not checked: the API server may know more fields than limen.
 */
#include <stdio.h>

#include "../../../support/unknown_key.h"
#include "range.h"

/* "enabled" turns off any file of a policy. */
static const char *const range_fields[] = { "apiVersion", "kind", "metadata", "spec", "enabled",
	                                    NULL };
static const char *const list_fields[] = { "apiVersion", "kind", "metadata", "items", "enabled",
	                                   NULL };
static const char *const list_metadata_fields[] = {
	"resourceVersion", "continue", "remainingItemCount", "selfLink", NULL
};

/* Servers before 1.25 wrote the last three. */
static const char *const metadata_fields[] = {
	"name", "generateName", "namespace", "labels", "annotations", "creationTimestamp", "uid",
	"resourceVersion", "generation", "managedFields", "ownerReferences", "finalizers",
	"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "clusterName",
	"initializers", NULL
};
static const char *const spec_fields[] = { "limits", NULL };
static const char *const item_fields[] = {
	"type", "max", "min", "default", "defaultRequest", "maxLimitRequestRatio", NULL
};

static void
check(range_reader *reader, limen_value object, const char *const *known, const char *prefix)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key;

	while (limen_value_type(object) == LIMEN_TYPE_OBJECT &&
	       unknown_key_next(&iter, known, &key, NULL)) {
		const char *text = limen_value_string(key, NULL);

		/* The document that describes LimitRanger has it in an example. */
		if (known == item_fields && limen_value_is(key, "defaultRequests"))
			limen_diag_add(reader->diag, LIMEN_SEVERITY_WARNING, key,
			               "unknown field \"%s%s\"", prefix, text);
		else
			REFUSE(reader, key, "unknown field \"%s%s\"", prefix, text);
		unknown_key_hint(text, known, '"', reader->diag);
	}
}

/* 'where' is the object that lacks the list. */
static void
require(range_reader *reader, limen_value list, limen_value where, const char *field)
{
	if (limen_value_type(list) > LIMEN_TYPE_NULL)
		return;
	REFUSE(reader, limen_value_exists(list) ? list : where, "%s: Required value", field);
	limen_diag_hint(reader->diag, "write [] for an empty list");
}

void
range_check_fields(range_reader *reader, limen_value object)
{
	limen_value spec = limen_value_get(object, "spec");
	limen_value limits = limen_value_get(spec, "limits");
	limen_iter iter = limen_iter_start(limits);
	limen_value item;

	check(reader, object, range_fields, "");
	check(reader, limen_value_get(object, "metadata"), metadata_fields, "metadata.");
	check(reader, spec, spec_fields, "spec.");
	require(reader, limits, limen_value_type(spec) == LIMEN_TYPE_OBJECT ? spec : object,
	        "spec.limits");
	for (size_t i = 0; limen_value_type(limits) == LIMEN_TYPE_ARRAY &&
	                   limen_iter_next(&iter, NULL, &item); i++) {
		char prefix[64];

		snprintf(prefix, sizeof prefix, "spec.limits[%zu].", i);
		check(reader, item, item_fields, prefix);
	}
}

void
range_check_list_fields(range_reader *reader, limen_value list)
{
	check(reader, list, list_fields, "");
	check(reader, limen_value_get(list, "metadata"), list_metadata_fields, "metadata.");
	require(reader, limen_value_get(list, "items"), list, "items");
}
