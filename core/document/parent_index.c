/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parent_index.c - builds the table of parents and positions of a document.  The document owns the
 * table; the first thread that needs it publishes it atomically.
 */
#include "parent_index.h"

#include <stdlib.h>

#include "document_layout.h"

/* Nodes stand in the order they were written, so one pass sees parents before children. */
static parent_link *
make_table(const document *doc)
{
	parent_link *table = calloc(doc->count, sizeof(*table));
	uint32_t top = 0;
	uint32_t before = 0; /* the last child of 'top' so far */

	for (uint32_t i = 1; table != NULL && i < doc->count; i++) {
		while (doc->nodes[top].span <= i - top) {
			before = top;
			top = table[top].parent;
		}
		table[i].parent = top;
		table[i].number = i == top + 1 ? 0 : table[before].number + 1;
		if (node_is_container(&doc->nodes[i]))
			top = i;
		else
			before = i;
	}
	return table;
}

/* Documents are read by several threads: the first thread's table is kept for all. */
const parent_link *
parent_index_get(const document *doc)
{
	document *shared = (document *)doc;
	parent_link *table = atomic_load_explicit(&shared->parent_index, memory_order_acquire);
	parent_link *fresh;

	if (table != NULL)
		return table;
	fresh = make_table(doc);
	if (fresh == NULL)
		return NULL;
	if (atomic_compare_exchange_strong_explicit(&shared->parent_index, &table, fresh,
	                                            memory_order_acq_rel, memory_order_acquire))
		return fresh;
	free(fresh);
	return table;
}
