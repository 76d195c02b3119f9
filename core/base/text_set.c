/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_set.c - stores texts in an arena-allocated table: it compares up to 16 one by one and
 * hashes from then on.
 */
#include "text_set.h"

#include <string.h>

/* Few texts are compared one by one, which costs less than a key from the system. */
#define LINEAR_MAX ((size_t)16)

/* Returns the slot of 'text', or a free slot for it; the table has room. */
static const char **
find_slot(const text_set *set, const char *text)
{
	size_t i = (size_t)hash_bytes(&set->key, text, strlen(text));

	for (;; i++) {
		const char **slot = &set->slots[i & (set->capacity - 1)];

		if (*slot == NULL || strcmp(*slot, text) == 0)
			return slot;
	}
}

static const char **
find_linear(const text_set *set, const char *text)
{
	size_t i = 0;

	while (i < set->count && strcmp(set->slots[i], text) != 0)
		i++;
	return &set->slots[i];
}

/* Moves everything into a table four times as large. */
static bool
grow(text_set *set, arena *pool)
{
	text_set larger = { .capacity = set->capacity * 4, .count = set->count, .key = set->key };

	if (set->capacity == 0)
		larger.capacity = LINEAR_MAX;
	if (set->capacity == LINEAR_MAX)
		larger.key = hash_key_new();
	larger.slots = arena_calloc(pool, larger.capacity, sizeof(*larger.slots));
	if (larger.slots == NULL)
		return false;
	for (size_t i = 0; i < set->capacity; i++) {
		if (set->slots[i] != NULL)
			*find_slot(&larger, set->slots[i]) = set->slots[i];
	}
	*set = larger;
	return true;
}

/* A hashed table stays half empty, so that searches end soon. */
static bool
has_room(const text_set *set)
{
	if (set->capacity <= LINEAR_MAX)
		return set->count < set->capacity;
	return set->count < set->capacity / 2;
}

text_set_result
text_set_add(text_set *set, arena *pool, const char *text)
{
	const char **slot;

	if (!has_room(set) && !grow(set, pool))
		return TEXT_SET_FAILED;
	slot = set->capacity <= LINEAR_MAX ? find_linear(set, text) : find_slot(set, text);
	if (*slot != NULL)
		return TEXT_SET_KNOWN;
	*slot = text;
	set->count++;
	return TEXT_SET_ADDED;
}
