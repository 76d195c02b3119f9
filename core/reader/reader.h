/* SPDX-License-Identifier: Apache-2.0 */
/* documents_private.h - what a limen_documents is, for those who fill one. */
#ifndef LIMEN_CORE_READER_READER_H
#define LIMEN_CORE_READER_READER_H

#include <limen/documents.h>

#include "document.h"

struct limen_documents {
	document **items;
	size_t count;
};

/*
 * Moves 'count' documents to the end of 'to' and frees the array.  If memory is
 * short, returns false and releases them.
 */
bool documents_append(limen_documents *to, document **items, size_t count);

#endif
