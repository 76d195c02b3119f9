/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_nodes.h - the nodes of a JSON text, in the order of a document
 * (document.h).  Texts of strings and numbers stay where they were written;
 * only strings with escapes are stored elsewhere.
 */
#ifndef LIMEN_CORE_READER_JSON_NODES_H
#define LIMEN_CORE_READER_JSON_NODES_H

#include "base/arena.h"
#include "document/document.h"
#include "json_string.h"

typedef struct json_nodes {
	node *items;
	size_t count;
	arena texts;       /* of strings with escapes */
	json_cursor cursor;/* the error, if any */
} json_nodes;

/*
 * Reads 'length' bytes behind which there are SOURCE_PADDING
 * zeros.  Closing quotes become zeros: every string is NUL-terminated, and lines and
 * columns do not change.  All nodes are of source 0.  The caller frees 'items' and
 * 'texts', also on failure.  Returns false with 'cursor.error' set, or with NULL there
 * when memory is short.
 */
bool json_nodes_read(json_nodes *out, char *text, size_t length, unsigned flags);

#endif
