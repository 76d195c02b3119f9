/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key_table.h - the keys of one large object by their text, so that looking
 * for all of them takes linear time whatever they are.
 */
#ifndef LIMEN_CORE_DOCUMENT_KEY_TABLE_H
#define LIMEN_CORE_DOCUMENT_KEY_TABLE_H

#include "tree.h"
#include "base/hash.h"

typedef struct key_table {
	node **slots;
	size_t mask;
	hash_key key;
} key_table;

/* Objects of up to this many members are quicker to search one by one. */
#define KEY_TABLE_MIN 16

/* Makes room for 'count' keys.  Returns false when memory is short. */
bool key_table_init(key_table *table, size_t count);
void key_table_free(key_table *table);

/* Puts 'key' into the table; returns the key of the same text it replaces, or NULL. */
node *key_table_put(key_table *table, node *key);

/* Returns the key of that text, or NULL. */
const node *key_table_get(const key_table *table, const char *text, size_t length);

#endif
