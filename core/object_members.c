/* SPDX-License-Identifier: Apache-2.0 */
#include "object_members.h"

#include "document_layout.h"
#include "key_table.h"

static void
hide_member(node *object, node *key)
{
	key->flags |= NODE_DEAD;
	object->length--;
}

static void
hide_comments(node *object)
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
	node *keys[KEY_TABLE_MIN] = { NULL };
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
	key_table table;
	node *key = object + 1;

	if (!key_table_init(&table, members))
		return false;
	for (uint32_t i = 0; i < members; i++) {
		node *earlier = key_table_put(&table, key);

		if (earlier != NULL && (earlier->flags & NODE_DEAD) == 0)
			hide_member(object, earlier);
		key += 1 + key[1].span;
	}
	key_table_free(&table);
	return true;
}

bool
many_prints_differ(const key_print *prints, size_t count)
{
	for (size_t i = 1; i < count && count <= KEY_TABLE_MIN; i++) {
		for (size_t j = 0; j < i; j++) {
			if (prints[j] == prints[i])
				return false;
		}
	}
	return count <= KEY_TABLE_MIN;
}

bool
object_hide_members(node *object, bool comments)
{
	uint32_t members = object->length;

	if (comments)
		hide_comments(object);
	if (members > KEY_TABLE_MIN)
		return hide_duplicates_hashed(object, members);
	hide_duplicates_pairwise(object, members);
	return true;
}
