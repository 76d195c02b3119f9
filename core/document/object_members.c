/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_members.c - marks members of an object as dead: comments (keys that begin with "#") and
 * all but the last of several with one key, as in Python's json.
 */
#include "object_members.h"

#include "base/text_map.h"
#include "document_layout.h"

static void
hide_member(node *object, node *key)
{
	key->flags |= NODE_DEAD;
	object->length--;
}

void
object_hide_comments(node *object)
{
	node *key = object + 1;

	for (uint32_t left = object->length; left > 0; left--) {
		if (key->length > 0 && key->text[0] == '#')
			hide_member(object, key);
		key += 1 + key[1].span;
	}
}

/* Few members: comparing each with each costs less than a table. */
static void
hide_duplicates_pairwise(node *object, uint32_t members)
{
	node *keys[TEXT_MAP_FEW] = { NULL };
	node *key = object + 1;

	for (uint32_t i = 0; i < members; i++) {
		for (uint32_t j = 0; j < i; j++)
			if ((keys[j]->flags & NODE_DEAD) == 0 &&
			    node_has_text(keys[j], key->text, key->length))
				hide_member(object, keys[j]);
		keys[i] = key;
		key += 1 + key[1].span;
	}
}

static bool
hide_duplicates_hashed(node *object, uint32_t members)
{
	text_map keys = { .count = 0 };
	node *key = object + 1;
	bool complete = text_map_reserve(&keys, NULL, members);

	for (uint32_t i = 0; complete && i < members; i++) {
		void **last = text_map_put(&keys, NULL, key->text, key->length);
		node *earlier = *last;

		*last = key;
		if (earlier != NULL && (earlier->flags & NODE_DEAD) == 0)
			hide_member(object, earlier);
		key += 1 + key[1].span;
	}
	text_map_free(&keys);
	return complete;
}

bool
many_prints_differ(const key_print *prints, size_t count)
{
	if (count > TEXT_MAP_FEW)
		return false;
	for (size_t i = 1; i < count; i++) {
		for (size_t j = 0; j < i; j++)
			if (prints[j] == prints[i])
				return false;
	}
	return true;
}

bool
object_hide_members(node *object, bool comments)
{
	uint32_t members = object->length;

	if (comments)
		object_hide_comments(object);
	if (members > TEXT_MAP_FEW)
		return hide_duplicates_hashed(object, members);
	hide_duplicates_pairwise(object, members);
	return true;
}
