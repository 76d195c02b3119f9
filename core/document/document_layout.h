/* SPDX-License-Identifier: Apache-2.0 */
/*
 * document_layout.h - the insides of documents and sources, for the few files
 * that make and walk them: builder.c, document.c, place.c,
 * source_marks.c and the value files.
 */
#ifndef LIMEN_CORE_DOCUMENT_DOCUMENT_LAYOUT_H
#define LIMEN_CORE_DOCUMENT_DOCUMENT_LAYOUT_H

#include <stdatomic.h>
#include <string.h>

#include "base/arena.h"
#include "tree.h"
#include "borrowed.h"
#include "base/same_bytes.h"
#include "base/utf8.h"

/*
 * The builder refuses to nest deeper, so that walking a document recursively is
 * bounded even after texts of READ_DEPTH_MAX were put into one another.
 */
#define DOCUMENT_DEPTH_MAX (2 * READ_DEPTH_MAX)

/* Number of zero bytes after the text of a source. */
#define SOURCE_PADDING 64

/*
 * Until a document is made of it, a reader may end strings within the text with a
 * NUL: what counts for places is where characters and lines begin.
 */
struct source {
	atomic_size_t references;
	_Atomic(void *) marks; /* NULL until a place beyond the first bytes is wanted */
	char *name; /* NULL if unknown; behind the padding in the same block */
	size_t length;
	char text[];
};

struct document {
	atomic_size_t references;
	node *nodes; /* the root first; their texts are in 'texts' or in a source */
	size_t count;
	source **sources; /* one reference each */
	size_t source_count;
	source *only; /* 'sources' points here if a single text was read */
	char *base; /* NULL means "" */
	const document *whole; /* the owner of 'nodes' and 'sources' if that is another; or NULL */
	const document **held; /* others that texts are in, one reference each */
	size_t held_count;
	graft_list grafts;
	_Atomic(void *) parent_index; /* NULL until the first look-up of a pointer */
	arena texts;
};

/*
 * Finds line and column of byte 'offset', or of the end if it is beyond; any
 * thread may ask.  After the first time this takes constant time.  'character'
 * is not filled in.
 */
utf8_position source_locate(source *from, size_t offset);

/*
 * Returns the table in 'slot'.  The first call lets 'make' allocate it with malloc(); any thread may
 * call, and the table published first is kept for all.  Returns NULL when memory is short.
 */
void *table_once(_Atomic(void *) *slot, void *(*make)(const void *data), const void *data);

/* Returns the node behind the subtree of 'item'. */
static inline const node *
node_after(const node *item)
{
	return item + item->span;
}

/* Returns 'key' or the first key behind it that was not overridden. */
static inline const node *
node_live_key(const node *key)
{
	while ((key->flags & NODE_DEAD) != 0)
		key = node_after(key + 1);
	return key;
}

static inline bool
node_has_text(const node *item, const char *text, size_t length)
{
	return item->length == length && same_bytes(item->text, text, length);
}

static inline bool
node_is_container(const node *item)
{
	return item->type == LIMEN_TYPE_ARRAY || item->type == LIMEN_TYPE_OBJECT;
}

#endif
