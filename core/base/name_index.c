/* SPDX-License-Identifier: Apache-2.0 */
/*
 * name_index.c - keeps the position of each name in a map.  Names that are not in it yet, as memory
 * was short, are searched one by one.
 */
#include "name_index.h"

#include <string.h>

static const char *
name_at(const name_column *column, size_t position)
{
	const char *first = (const char *)column->first;

	return *(const char *const *)(const void *)(first + position * column->stride);
}

void
name_index_update(name_index *index, const name_column *column)
{
	for (; index->covered < column->count; index->covered++) {
		const char *name = name_at(column, index->covered);
		void **value;

		if (name == NULL)
			continue;
		value = text_map_put(&index->positions, NULL, name, strlen(name));
		if (value == NULL)
			return;
		/* The first of several of one name counts. */
		if (*value == NULL)
			*value = (void *)(uintptr_t)(index->covered + 1);
	}
}

size_t
name_index_find(const name_index *index, const name_column *column, const char *name)
{
	uintptr_t found = (uintptr_t)text_map_get(&index->positions, name, strlen(name));

	if (found != 0)
		return found - 1;
	for (size_t i = index->covered; i < column->count; i++)
		if (name_at(column, i) != NULL && strcmp(name_at(column, i), name) == 0)
			return i;
	return SIZE_MAX;
}

void
name_index_free(name_index *index)
{
	text_map_free(&index->positions);
	index->covered = 0;
}
