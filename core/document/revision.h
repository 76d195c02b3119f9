/* SPDX-License-Identifier: Apache-2.0 */
/*
 * revision.h - a document as it is after changes.  It is built on first reading: most
 * documents that are changed once are not read again, as the patch suffices.
 */
#ifndef LIMEN_CORE_DOCUMENT_REVISION_H
#define LIMEN_CORE_DOCUMENT_REVISION_H

#include "base/arena.h"
#include "tree.h"

/* The documents that own the values of changes. */
typedef struct value_document {
	struct value_document *next;
	const document *document; /* one reference */
} value_document;

/* Releases all documents of a list. */
void value_documents_free(value_document *list);

typedef struct revision revision;

/* The 'count' changes of 'base', and the documents of their values. */
typedef struct revision_source {
	const document *base;
	const change *changes;
	size_t count;
	value_document *values;
} revision_source;

/*
 * Makes a revision in 'memory', which must outlive it, with one reference.  It takes over
 * the values even on failure; the changes must live as long as the revision.  Returns
 * NULL when memory is short, or was short for the base or the changes.
 */
revision *revision_new(arena *memory, const revision_source *from);

/* As revision_new(), for a whole document; takes over the reference.  NULL is fine. */
revision *revision_of(arena *memory, document *whole);

/* References are counted by one thread at a time. */
revision *revision_ref(revision *shared);
void revision_unref(revision *shared); /* NULL is fine */

/* Returns the document, which the revision owns; NULL when memory is short.  Any thread may ask. */
const document *revision_document(revision *of);

/* Is the resulting root an object?  This does not build the document. */
bool revision_is_object(const revision *of);

/*
 * Returns the patch from 'before' to the revision, or NULL when memory is short.
 */
document *revision_patch(revision *of, const document *before);

#endif
