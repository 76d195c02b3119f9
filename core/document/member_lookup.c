/* SPDX-License-Identifier: Apache-2.0 */
/* member_lookup.c - finds members of large objects by key through a hash table. */
#include "member_lookup.h"

bool
member_lookup_open(member_lookup *lookup, limen_value object)
{
	limen_iter iter = limen_iter_start(object);
	size_t count = limen_value_count(object);
	limen_value key;

	*lookup = (member_lookup){ .object = object };
	if (limen_value_type(object) != LIMEN_TYPE_OBJECT || count <= TEXT_MAP_FEW)
		return true;
	if (!text_map_reserve(&lookup->keys, NULL, count))
		return false;
	while (limen_iter_next(&iter, &key, NULL)) {
		size_t length = 0;
		const char *text = limen_value_string(key, &length);

		/* The map takes non-const values, but this code never writes through them. */
		*text_map_put(&lookup->keys, NULL, text, length) = (node *)key.node;
	}
	return true;
}

void
member_lookup_close(member_lookup *lookup)
{
	text_map_free(&lookup->keys);
}

limen_value
member_lookup_get(const member_lookup *lookup, limen_value key)
{
	size_t length = 0;
	const char *text = limen_value_string(key, &length);
	const node *found;

	if (lookup->keys.count == 0)
		return limen_value_member(lookup->object, text, length);
	found = text_map_get(&lookup->keys, text, length);
	if (found == NULL)
		return limen_value_none();
	return (limen_value){ .document = lookup->object.document, .node = found + 1 };
}
