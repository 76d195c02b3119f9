/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unknown_key.c - reports unknown keys of an object as warnings or problems, and suggests the
 * nearest known key.
 */
#include "unknown_key.h"

#include <string.h>

#include <limen/nearest.h>

/* The options of this module, which stand beside a Configuration and not in it. */
static const char *const own_options[] = { "exempt", "overrides", "groups", "store", NULL };

static bool
is_known(limen_value key, const char *const *known)
{
	for (; *known != NULL; known++) {
		if (limen_value_is(key, *known))
			return true;
	}
	return false;
}

void
unknown_key_hint(const char *text, const char *const *known, limen_diag *diag)
{
	const char *nearest = NULL;

	for (size_t i = 0; nearest == NULL && known[i] != NULL; i++)
		nearest = strcasecmp(text, known[i]) == 0 ? known[i] : NULL;
	if (nearest == NULL)
		nearest = limen_nearest_of(text, known);
	if (nearest != NULL)
		limen_diag_hint(diag, "did you mean \"%s\"?", nearest);
}

void
unknown_key_warn(limen_value object, const char *const *known, const char *prefix,
                 limen_diag *diag)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key;

	while (limen_iter_next(&iter, &key, NULL)) {
		const char *text = limen_value_string(key, NULL);

		if (is_known(key, known))
			continue;
		limen_diag_add(diag, LIMEN_WARNING, key, "unknown field \"%s%s\"", prefix, text);
		if (is_known(key, own_options))
			limen_diag_hint(diag, "it belongs into the data of an admission entry that "
			                      "says \"manifests\": true");
		else
			unknown_key_hint(text, known, diag);
	}
}

bool
unknown_key_refuse(limen_value object, const char *const *known, const char *list, size_t index,
                   limen_diag *diag)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key;
	bool found = false;

	while (limen_iter_next(&iter, &key, NULL)) {
		const char *text = limen_value_string(key, NULL);

		if (is_known(key, known))
			continue;
		found = true;
		limen_diag_add(diag, LIMEN_PROBLEM, key, "%s[%zu]: unknown key \"%s\"", list, index,
		               text);
		unknown_key_hint(text, known, diag);
	}
	return found;
}
