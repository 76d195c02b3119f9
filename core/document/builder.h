/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builder.h - a builder from the inside: builder.c adds nodes, builder_copy.c
 * those of other documents.
 */
#ifndef LIMEN_CORE_DOCUMENT_BUILDER_H
#define LIMEN_CORE_DOCUMENT_BUILDER_H

#include "document_layout.h"

/* A container that is not closed yet. */
typedef struct frame {
	uint32_t node;
	uint32_t members;
	bool object;
	bool keyed;            /* object: a key waits for its value */
	const node *copy_end;  /* builder_copy(): where the copied container ends */
} frame;

struct builder {
	node *nodes;
	size_t count;
	size_t capacity;
	frame *open;
	size_t depth;
	size_t open_capacity;
	source **sources;
	size_t source_count;
	graft_list grafts;
	arena texts;
	bool drop_comments;
	bool failed;
};

/* Returns an array of at least one more element than '*capacity', or NULL. */
void *builder_grow(void *array, size_t *capacity, size_t first, size_t size);

/* Makes room for 'more' nodes. */
bool builder_reserve(builder *build, size_t more);

/* Counts a node of 'type' in the container it goes into; false if it does not fit there. */
bool builder_enter(builder *build, limen_type type);

/* Adds a node, and for strings and numbers a copy of 'text'. */
bool builder_add(builder *build, limen_type type, uint16_t origin, uint32_t offset,
                 const char *text, size_t length);

/* 'copy_end': where the container that is copied ends, or NULL. */
void builder_begin(builder *build, limen_type type, uint16_t origin, uint32_t offset,
                   const node *copy_end);

/* Pops the innermost container off the stack and stores its size in its node. */
node *builder_close(builder *build);

#endif
