/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_members.c - marks members of an object as dead: comments (keys that begin with "#") and
 * all but the last of several with one key, as in Python's json.
 */
#include "object_members.h"

#include "base/text_map.h"
#include "document_layout.h"

/* Room on the stack for the map of a small object. */
#define ROOM_SIZE ((size_t)512)

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

bool
many_prints_differ(const key_print *prints, size_t count)
{
	if (count > TEXT_MAP_FEW)
		return false;
	for (size_t i = 1; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (prints[j] == prints[i])
				return false;
		}
	}
	return true;
}

bool
object_hide_members(node *object, bool comments)
{
	_Alignas(max_align_t) char room[ROOM_SIZE];
	uint32_t members = object->length;
	text_map keys = { .count = 0 };
	node *key = object + 1;
	arena pool;
	bool complete;

	arena_start(&pool, room, sizeof(room));
	complete = text_map_reserve(&keys, &pool, members);
	if (comments)
		object_hide_comments(object);
	for (uint32_t i = 0; complete && i < members; i++) {
		void **last = text_map_put(&keys, &pool, key->text, key->length);
		node *earlier = *last;

		*last = key;
		if (earlier != NULL && (earlier->flags & NODE_DEAD) == 0)
			hide_member(object, earlier);
		key += 1 + key[1].span;
	}
	arena_free(&pool);
	return complete;
}
