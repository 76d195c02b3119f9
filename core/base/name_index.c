/* SPDX-License-Identifier: Apache-2.0 */
/*
 * name_index.c - indexes names in an open-addressing hash table with linear probing.  Short lists
 * and names that are not indexed yet are searched one by one.
 */
#include "name_index.h"

#include <stdlib.h>
#include <string.h>

static const char *
name_at(const name_column *column, size_t position)
{
	const char *first = (const char *)column->first;

	return *(const char *const *)(const void *)(first + position * column->stride);
}

/* Makes all slots anew when more than half of them would be in use. */
static bool
reserve(name_index *index, size_t count)
{
	size_t wanted = (size_t)4 * NAME_INDEX_MIN;
	size_t *slots;

	if (index->slots != NULL && count <= (index->mask + 1) / 2)
		return true;
	if (count > SIZE_MAX / 8)
		return false;
	while (wanted < 4 * count)
		wanted *= 2;
	slots = calloc(wanted, sizeof(*slots));
	if (slots == NULL)
		return false;
	name_index_free(index);
	*index = (name_index){ .slots = slots, .mask = wanted - 1, .key = hash_key_new() };
	return true;
}

/* Returns the slot that holds the name, or the empty one where it belongs. */
static size_t *
find_slot(const name_index *index, const name_column *column, const char *name)
{
	size_t slot = (size_t)hash_bytes(&index->key, name, strlen(name)) & index->mask;

	while (index->slots[slot] != 0 &&
	       strcmp(name_at(column, index->slots[slot] - 1), name) != 0)
		slot = (slot + 1) & index->mask;
	return &index->slots[slot];
}

void
name_index_update(name_index *index, const name_column *column)
{
	if (column->count < NAME_INDEX_MIN || column->count == index->covered ||
	    !reserve(index, column->count))
		return;
	for (; index->covered < column->count; index->covered++) {
		const char *name = name_at(column, index->covered);
		size_t *slot = name == NULL ? NULL : find_slot(index, column, name);

		/* The first of several of one name counts. */
		if (slot != NULL && *slot == 0)
			*slot = index->covered + 1;
	}
}

size_t
name_index_find(const name_index *index, const name_column *column, const char *name)
{
	size_t found = index->slots == NULL ? 0 : *find_slot(index, column, name);

	if (found != 0)
		return found - 1;
	for (size_t i = index->covered; i < column->count; i++) {
		if (name_at(column, i) != NULL && strcmp(name_at(column, i), name) == 0)
			return i;
	}
	return SIZE_MAX;
}

void
name_index_free(name_index *index)
{
	free(index->slots);
	*index = (name_index){ .slots = NULL };
}
