/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_map.c - an open-addressing hash table with linear probing.  Small maps are searched from
 * the first slot on, which costs less than a key from the system; larger ones stay half empty.
 */
#include "text_map.h"

#include <stdlib.h>

#include "same_bytes.h"

#define FIRST_CAPACITY ((size_t)4)

struct text_slot {
	const char *text;
	size_t length;
	void *value; /* NULL: free */
};

/* How many texts fit; one slot at least stays free, where searches end. */
static size_t
get_limit(size_t capacity)
{
	if (capacity == 0)
		return 0;
	return capacity <= TEXT_MAP_FEW ? capacity - 1 : capacity / 2;
}

/* Returns the slot of 'text', or a free slot for it. */
static struct text_slot *
find_slot(const text_map *map, const char *text, size_t length)
{
	size_t mask = map->capacity - 1;
	size_t at = 0;

	if (map->capacity > TEXT_MAP_FEW)
		at = (size_t)hash_bytes(&map->key, text, length) & mask;
	for (;; at = (at + 1) & mask) {
		struct text_slot *slot = &map->slots[at];

		if (slot->value == NULL ||
		    (slot->length == length && same_bytes(slot->text, text, length)))
			return slot;
	}
}

bool
text_map_reserve(text_map *map, arena *pool, size_t count)
{
	text_map larger = { .capacity = map->capacity, .count = map->count, .key = map->key };

	if (count <= get_limit(map->capacity))
		return true;
	if (count > SIZE_MAX / 8)
		return false;
	if (larger.capacity == 0)
		larger.capacity = FIRST_CAPACITY;
	while (get_limit(larger.capacity) < count)
		larger.capacity *= 2;
	if (map->capacity <= TEXT_MAP_FEW && larger.capacity > TEXT_MAP_FEW)
		larger.key = hash_key_new();
	larger.slots = pool == NULL ? calloc(larger.capacity, sizeof(*larger.slots))
	                            : arena_calloc(pool, larger.capacity, sizeof(*larger.slots));
	if (larger.slots == NULL)
		return false;
	for (size_t i = 0; i < map->capacity; i++) {
		const struct text_slot *slot = &map->slots[i];

		if (slot->value != NULL)
			*find_slot(&larger, slot->text, slot->length) = *slot;
	}
	if (pool == NULL)
		free(map->slots);
	*map = larger;
	return true;
}

void **
text_map_put(text_map *map, arena *pool, const char *text, size_t length)
{
	struct text_slot *slot;

	if (!text_map_reserve(map, pool, map->count + 1))
		return NULL;
	slot = find_slot(map, text, length);
	if (slot->value == NULL) {
		*slot = (struct text_slot){ .text = text, .length = length };
		map->count++;
	}
	return &slot->value;
}

void *
text_map_get(const text_map *map, const char *text, size_t length)
{
	return map->capacity == 0 ? NULL : find_slot(map, text, length)->value;
}

void
text_map_free(text_map *map)
{
	free(map->slots);
	*map = (text_map){ .slots = NULL };
}
