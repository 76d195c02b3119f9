/* SPDX-License-Identifier: Apache-2.0 */
/*
 * documents.c - the readers of the core, for programs.
 */
#include <limen/documents.h>
#include <stdlib.h>

#include "document.h"

struct limen_documents {
	document **items;
	size_t count;
};

int
limen_documents_parse(const char *name, const char *text, size_t length, unsigned flags,
                      limen_documents **out, limen_diag *diag)
{
	unsigned how = flags & LIMEN_DOCUMENTS_NOTE_REPEATED ? READ_NOTE_DUPLICATES : 0U;
	limen_documents *made = calloc(1, sizeof(*made));
	int result;

	if (made == NULL)
		return LIMEN_ENOMEM;
	result = text_read(name, text, length, how, &made->items, &made->count, diag);
	if (result != LIMEN_OK) {
		free(made);
		return result;
	}
	*out = made;
	return LIMEN_OK;
}

size_t
limen_documents_count(const limen_documents *documents)
{
	return documents->count;
}

limen_value
limen_documents_get(const limen_documents *documents, size_t index)
{
	return index < documents->count ? document_root(documents->items[index])
	                                : limen_value_none();
}

void
limen_documents_free(limen_documents *documents)
{
	if (documents == NULL)
		return;
	for (size_t i = 0; i < documents->count; i++)
		document_unref(documents->items[i]);
	free(documents->items);
	free(documents);
}
