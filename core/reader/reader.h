/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader.h - JSON and YAML text into documents: the face of this room.
 */
#ifndef LIMEN_CORE_READER_READER_H
#define LIMEN_CORE_READER_READER_H

#include <limen/documents.h>

#include "document/document.h"

enum {
	READ_COMMENTS = 1 << 0,   /* drop members whose key begins with "#", at every depth */
	READ_NAN = 1 << 1,        /* accept NaN, Infinity and -Infinity, as Python's json does */
	READ_NOTE_DUPLICATES = 1 << 2 /* a note for every repeated key not beginning with "#" */
};

/*
 * Reads one JSON text (RFC 8259).  Problems go to 'diag' with their place
 * (file 'name', may be NULL), in the words of Python's json module.  Unlike
 * Python's, surrogate escapes without their other half are refused.  Returns a
 * document with one reference, or NULL.
 */
document *json_read(const char *name, const char *text, size_t length, unsigned flags,
                    limen_diag *diag);

/* The same, with a result: LIMEN_EINVAL for an invalid text, or LIMEN_ENOMEM. */
int json_read_result(const char *name, const char *text, size_t length, unsigned flags,
                     document **out, limen_diag *diag);

/*
 * Reads a YAML stream into one document per YAML document; empty documents are
 * left out.  '*out' receives a malloc()ed array of '*count' documents.
 */
int yaml_read(const char *name, const char *text, size_t length, unsigned flags, document ***out,
              size_t *count, limen_diag *diag);

/*
 * Reads configuration text: JSON when 'name' ends in .json or .conf, YAML when it ends in
 * .yaml or .yml.  Other names are JSON when the first character that is not white space is
 * "{" or "[", or when there is none, and otherwise YAML.  A byte order mark is looked past
 * to choose, and left for the reader to judge: JSON must not begin with one.  Returns as
 * yaml_read() does; JSON that was refused is LIMEN_EINVAL.
 */
int text_read(const char *name, const char *text, size_t length, unsigned flags, document ***out,
              size_t *count, limen_diag *diag);

/* ---- several documents of one text ---- */

struct limen_documents {
	document **items;
	size_t count;
};

/* Releases the documents and frees the array. */
void documents_release(document **items, size_t count);

/*
 * Moves 'count' documents to the end of 'to' and frees the array.  If memory is
 * short, returns false and releases them.
 */
bool documents_append(limen_documents *to, document **items, size_t count);

#endif
