/* SPDX-License-Identifier: Apache-2.0 */
/* unknown_key.c - compares keys with lists of known ones; owns nothing. */
#include "unknown_key.h"

#include <limen/nearest.h>
#include <strings.h>

bool
unknown_key_next(limen_iter *iter, const char *const *known, limen_value *key, limen_value *member)
{
	while (limen_iter_next(iter, key, member)) {
		size_t i = 0;

		while (known[i] != NULL && !limen_value_is(*key, known[i]))
			i++;
		if (known[i] == NULL)
			return true;
	}
	return false;
}

void
unknown_key_hint(const char *text, const char *const *known, char quote, limen_diag *diag)
{
	const char *nearest = NULL;

	for (size_t i = 0; nearest == NULL && known[i] != NULL; i++)
		nearest = strcasecmp(text, known[i]) == 0 ? known[i] : NULL;
	if (nearest == NULL)
		nearest = limen_nearest_of(text, known);
	if (nearest != NULL)
		limen_diag_hint(diag, "did you mean %c%s%c?", quote, nearest, quote);
}
