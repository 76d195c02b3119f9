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
	if (limen_value_type(object) != LIMEN_TYPE_OBJECT || count <= KEY_TABLE_MIN)
		return true;
	if (!key_table_init(&lookup->table, count))
		return false;
	lookup->indexed = true;
	/* The table is for writers too, but nothing is written through it here. */
	while (limen_iter_next(&iter, &key, NULL))
		key_table_put(&lookup->table, (node *)key.node);
	return true;
}

void
member_lookup_close(member_lookup *lookup)
{
	if (lookup->indexed)
		key_table_free(&lookup->table);
	lookup->indexed = false;
}

limen_value
member_lookup_get(const member_lookup *lookup, limen_value key)
{
	size_t length = 0;
	const char *text = limen_value_string(key, &length);
	const node *found;

	if (!lookup->indexed)
		return limen_value_member(lookup->object, text, length);
	found = key_table_get(&lookup->table, text, length);
	if (found == NULL)
		return limen_value_none();
	return (limen_value){ .document = lookup->object.document, .node = found + 1 };
}
