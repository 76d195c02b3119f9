/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parent_index.h - the parent of each node of a document, so that computing the
 * pointers of all nodes takes linear time.
 */
#ifndef LIMEN_CORE_DOCUMENT_PARENT_INDEX_H
#define LIMEN_CORE_DOCUMENT_PARENT_INDEX_H

#include "tree.h"

typedef struct parent_link {
	uint32_t parent; /* index of the container; the root is its own */
	uint32_t number; /* among the nodes of the container, from 0; keys count */
} parent_link;

/*
 * Returns an entry for each node of 'doc', which owns them, or NULL when memory is short; any
 * thread may ask.
 */
const parent_link *parent_index_get(const document *doc);

#endif
