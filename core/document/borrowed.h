/* SPDX-License-Identifier: Apache-2.0 */
/*
 * borrowed.h - keeps the JSON pointers of nodes that came from another file.  The nodes
 * above them do not give these pointers, and messages must name the place in that file.
 */
#ifndef LIMEN_CORE_DOCUMENT_BORROWED_H
#define LIMEN_CORE_DOCUMENT_BORROWED_H

#include <limen/types.h>

typedef struct graft {
	uint32_t node; /* its index in the document */
	char *pointer;
} graft;

/* Ordered by node.  All zero: none. */
typedef struct graft_list {
	graft *items;
	size_t count;
} graft_list;

/* Adds a node behind all earlier ones, and copies 'pointer'; false when memory is short. */
bool grafts_add(graft_list *list, uint32_t node, const char *pointer);

/* Returns the pointer of 'node', or NULL if it is not a borrowed one. */
const char *grafts_find(const graft_list *list, uint32_t node);

void grafts_free(graft_list *list);

#endif
