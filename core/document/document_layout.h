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

/* The line and column of one byte of a source; source_marks.c chooses the bytes. */
typedef struct source_mark {
	unsigned line;
	unsigned column;
} source_mark;

/* Number of zero bytes after the text of a source. */
#define SOURCE_PADDING 64

/*
 * Until a document is made of it, a reader may end strings within the text with a
 * NUL: what counts for places is where characters and lines begin.
 */
struct source {
	atomic_size_t references;
	_Atomic(source_mark *) marks; /* NULL until a place beyond the first bytes is wanted */
	char *name; /* NULL if unknown; behind the padding in the same block */
	size_t length;
	char text[];
};

/* The parent of each node, so that computing the pointers of all takes linear time. */
typedef struct parent_link {
	uint32_t parent; /* index of the container; the root is its own */
	uint32_t number; /* among the nodes of the container, from 0; keys count */
} parent_link;

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
	_Atomic(parent_link *)
		parent_index; /* NULL until the first look-up of a pointer */
	arena texts;
};

/*
 * Finds line and column of byte 'offset', or of the end if it is beyond; any
 * thread may ask.  After the first time this takes constant time.  'character'
 * is not filled in.
 */
utf8_position source_locate(source *from, size_t offset);

/*
 * Returns an entry for each node of 'doc', which owns them, or NULL when memory is short; any
 * thread may ask.
 */
const parent_link *parent_index_get(const document *doc);

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
