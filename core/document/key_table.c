/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key_table.c - implements an open-addressing hash table of object keys with a random hash key.
 * The last of several equal keys is the one it holds.
 */
#include "key_table.h"

#include <stdlib.h>

#include "document_layout.h"

bool
key_table_init(key_table *table, size_t count)
{
	size_t slots = 2 * KEY_TABLE_MIN;

	if (count > SIZE_MAX / 4)
		return false;
	while (slots < 2 * count)
		slots *= 2;
	table->slots = calloc(slots, sizeof(*table->slots));
	if (table->slots == NULL)
		return false;
	table->mask = slots - 1;
	table->key = hash_key_new();
	return true;
}

void
key_table_free(key_table *table)
{
	free(table->slots);
}

/* Returns the slot that holds the text, or the empty one where it belongs. */
static node **
find_slot(const key_table *table, const char *text, size_t length)
{
	size_t slot = (size_t)hash_bytes(&table->key, text, length) & table->mask;

	while (table->slots[slot] != NULL && !node_has_text(table->slots[slot], text, length))
		slot = (slot + 1) & table->mask;
	return &table->slots[slot];
}

node *
key_table_put(key_table *table, node *key)
{
	node **slot = find_slot(table, key->text, key->length);
	node *earlier = *slot;

	*slot = key;
	return earlier;
}

const node *
key_table_get(const key_table *table, const char *text, size_t length)
{
	return *find_slot(table, text, length);
}
