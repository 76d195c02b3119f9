/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_members.c - marks members of an object as dead: comments (keys that begin with "#") and
 * all but the last of several with one key, as in Python's json.
 */
#include "object_members.h"

#include "base/text_map.h"
#include "document_layout.h"

/* Up to this many prints are compared pairwise. */
#define PRINTS_FEW 5
#define PRINT_SLOT_BITS 6

_Static_assert(1 << PRINT_SLOT_BITS > TEXT_MAP_FEW, "there is always a free slot");

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
		for (uint32_t j = 0; j < i; j++) {
			if ((keys[j]->flags & NODE_DEAD) == 0 &&
			    node_has_text(keys[j], key->text, key->length))
				hide_member(object, keys[j]);
		}
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

static bool
few_differ(const key_print *prints, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (prints[j] == prints[i])
				return false;
		}
	}
	return true;
}

/* A table that is much larger than what is put there: most prints meet no other. */
static bool
hashed_differ(const key_print *prints, size_t count)
{
	uint8_t slots[1 << PRINT_SLOT_BITS] = { 0 }; /* one more than an index; 0: free */

	for (size_t i = 0; i < count; i++) {
		size_t slot = prints[i] * UINT32_C(0x9E3779B1) >> (32 - PRINT_SLOT_BITS);

		while (slots[slot] != 0 && prints[slots[slot] - 1] != prints[i])
			slot = (slot + 1) % sizeof(slots);
		if (slots[slot] != 0)
			return false;
		slots[slot] = (uint8_t)(i + 1);
	}
	return true;
}

bool
many_prints_differ(const key_print *prints, size_t count)
{
	if (count <= PRINTS_FEW)
		return few_differ(prints, count);
	return count <= TEXT_MAP_FEW && hashed_differ(prints, count);
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
