/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/documents.h - reads JSON and YAML into values, for programs that look
 * at files before they make requests of them.
 *
 * Text from anywhere may be read: time and memory are bounded by its length,
 * nesting ends at 1000 levels, a text at 64 MiB, in YAML a gap of blanks and
 * line ends at 4096 bytes, and aliases must not multiply it.
 *
 * Any number of threads may read texts, and use one limen_documents, at once.
 */
#ifndef LIMEN_DOCUMENTS_H
#define LIMEN_DOCUMENTS_H

#include <limen/diag.h>
#include <limen/value.h>

LIMEN_BEGIN_DECLS

/* The documents read from one text; they never change. */
typedef struct limen_documents limen_documents;

/* How text is read. */
enum {
	/* Add a note for every key of an object that is repeated; the last one counts. */
	LIMEN_DOCUMENTS_NOTE_REPEATED = 1 << 0,
	/* Leave out members whose key begins with "#", at every depth: comments in pScheduler. */
	LIMEN_DOCUMENTS_DROP_COMMENTS = 1 << 1,
	/* In JSON, NaN, Infinity and -Infinity are numbers, as in pScheduler. */
	LIMEN_DOCUMENTS_NAN = 1 << 2
};

/*
 * Reads 'length' bytes of text.  It is JSON if 'name' (may be NULL; it is for
 * messages too) ends in .json or .conf, and YAML if it ends in .yaml or .yml.
 * With another name it is JSON if the text begins with "{" or "[", else YAML.
 * Each document of YAML that is not empty counts.  Returns LIMEN_OK and stores what the caller frees;
 * LIMEN_EINVAL with every problem and its place in 'diag'; or LIMEN_ENOMEM.
 * Nothing depends on 'text' afterwards.
 */
LIMEN_API int limen_documents_parse(const char *name, const char *text, size_t length,
                                    unsigned flags, limen_documents **out, limen_diag *diag);

/* Returns how many documents there are; one, or none, of JSON. */
LIMEN_API size_t limen_documents_count(const limen_documents *documents);

/*
 * Returns document 'index', or none past the end.  It is good until
 * limen_documents_free(), and knows its place for limen_diag_add().
 */
LIMEN_API limen_value limen_documents_get(const limen_documents *documents, size_t index);

/* Frees 'documents'.  Requests that use one of them keep the memory they need. */
LIMEN_API void limen_documents_free(limen_documents *documents);

LIMEN_END_DECLS

#endif
