/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_map.h - values by their text.  Putting and finding take constant time
 * whatever the texts are: the keys of an object, the names of a policy and the
 * messages of a reply are chosen by others.
 */
#ifndef LIMEN_CORE_BASE_TEXT_MAP_H
#define LIMEN_CORE_BASE_TEXT_MAP_H

#include "arena.h"
#include "hash.h"

/* Up to this many texts are compared one by one, which is faster than hashing. */
#define TEXT_MAP_FEW 16

/* All zero: an empty map. */
typedef struct text_map {
	struct text_slot *slots;
	size_t capacity; /* a power of two, or 0 */
	size_t count;
	hash_key key;
} text_map;

/* Makes room for 'count' texts in all.  Returns false when memory is short. */
bool text_map_reserve(text_map *map, arena *pool, size_t count);

/*
 * Returns where the value of 'text', which is not copied, is kept: NULL at first.  Until it is
 * set to something else, the text is not in the map.  The place may move with the next text.  The
 * memory is that of 'pool', of malloc() if that is NULL, and the same for all texts.  Returns
 * NULL when memory is short.
 */
void **text_map_put(text_map *map, arena *pool, const char *text, size_t length);

/* Returns the value of 'text', or NULL. */
void *text_map_get(const text_map *map, const char *text, size_t length);

/* Frees a map in memory of malloc(); it is empty then. */
void text_map_free(text_map *map);

#endif
