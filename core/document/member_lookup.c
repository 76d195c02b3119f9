/* SPDX-License-Identifier: Apache-2.0 */
/*
 * member_lookup.c - finds members by key: the next one in step with the caller first, then in large
 * objects through a hash table that is made when it is needed.
 */
#include "member_lookup.h"

#include "document_layout.h"

static void
index_members(member_lookup *lookup)
{
	const node *key = lookup->object + 1;

	lookup->tried = true;
	if (!text_map_reserve(&lookup->keys, NULL, lookup->object->length))
		return;
	for (uint32_t i = 0; i < lookup->object->length; i++) {
		key = node_live_key(key);
		/* The map takes non-const values, but this code never writes through them. */
		*text_map_put(&lookup->keys, NULL, key->text, key->length) = (node *)key;
		key = node_after(key + 1);
	}
}

static const node *
search(const node *object, const node *wanted)
{
	const node *key = object + 1;

	for (uint32_t i = 0; i < object->length; i++) {
		key = node_live_key(key);
		if (node_has_text(key, wanted->text, wanted->length))
			return key;
		key = node_after(key + 1);
	}
	return NULL;
}

const node *
member_lookup_find(member_lookup *lookup, const node *wanted)
{
	const node *found = NULL;

	if (lookup->left > 0)
		found = node_live_key(lookup->next);
	if (found != NULL && node_has_text(found, wanted->text, wanted->length)) {
		lookup->left--;
		lookup->next = node_after(found + 1);
		return found;
	}
	if (!lookup->tried && lookup->object->length > TEXT_MAP_FEW)
		index_members(lookup);
	if (lookup->keys.count > 0)
		return text_map_get(&lookup->keys, wanted->text, wanted->length);
	/* Small objects, and all objects when memory is short, are searched linearly. */
	return search(lookup->object, wanted);
}

limen_value
member_lookup_get(member_lookup *lookup, limen_value object, limen_value key)
{
	const node *found = member_lookup_find(lookup, key.node);

	return found == NULL ? limen_value_none() : (limen_value){ object.document, found + 1 };
}
