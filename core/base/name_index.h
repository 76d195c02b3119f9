/* SPDX-License-Identifier: Apache-2.0 */
/*
 * name_index.h - finds the position of a name in a list that grows while it is searched.
 * Looking up every name takes linear time in all, for any names, unless memory is short.
 *
 * The index keeps positions only, in a text_map: it is no second kind of map.  It follows
 * the list in name_index_update(); names not covered yet are searched one by one.  With a
 * text_map alone, each place that appends to a list would put the name there itself and
 * report a memory shortage, which only costs time here.
 */
#ifndef LIMEN_CORE_BASE_NAME_INDEX_H
#define LIMEN_CORE_BASE_NAME_INDEX_H

#include "text_map.h"

/* The member 'const char *name' of all elements of an array of structs. */
typedef struct name_column {
	const char *const *first; /* of element 0; NULL if there is none */
	size_t stride;            /* bytes from one to the next */
	size_t count;
} name_column;

/* All zero is an empty index. */
typedef struct name_index {
	text_map positions; /* + 1 */
	size_t covered;     /* the positions below are in the map */
} name_index;

/*
 * Adds the names appended to 'column' since the last call.  Names already in the index
 * must not have changed; NULL entries have no name.
 */
void name_index_update(name_index *index, const name_column *column);

/* The first position of 'name', or SIZE_MAX. */
size_t name_index_find(const name_index *index, const name_column *column, const char *name);

void name_index_free(name_index *index);

#endif
