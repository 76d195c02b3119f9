/* SPDX-License-Identifier: Apache-2.0 */
/*
 * name_index.h - where in a list a name stands, for lists that grow while they
 * are searched: as long as there is memory, looking up every name takes linear
 * time whatever the names are.
 *
 * The index keeps positions only.  It follows the list in name_index_update();
 * what it does not cover yet is searched one by one, so it never has to be
 * complete and a shortage of memory costs nothing but time.
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
 * Takes in the names added to the end of 'column' since the last time.  Names
 * the index has seen must not have changed; NULL is no name.
 */
void name_index_update(name_index *index, const name_column *column);

/* The first position of 'name', or SIZE_MAX. */
size_t name_index_find(const name_index *index, const name_column *column, const char *name);

void name_index_free(name_index *index);

#endif
