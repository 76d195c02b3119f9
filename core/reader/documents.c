/* SPDX-License-Identifier: Apache-2.0 */
/*
 * documents.c - the readers of the core, for programs.
 */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/recycle.h"

void
documents_release(document **items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		document_unref(items[i]);
	free(items);
}

bool
documents_append(limen_documents *to, document **items, size_t count)
{
	document **all = reallocarray(to->items, to->count + count + 1, sizeof(*all));

	if (all == NULL) {
		documents_release(items, count);
		return false;
	}
	to->items = all;
	if (count > 0)
		memcpy(all + to->count, items, count * sizeof(*all));
	to->count += count;
	free(items);
	return true;
}

int
limen_documents_parse(const char *name, const char *text, size_t length, unsigned flags,
                      limen_documents **out, limen_diag *diag)
{
	unsigned how = flags & LIMEN_DOCUMENTS_NOTE_REPEATED ? READ_NOTE_DUPLICATES : 0U;
	limen_documents *set = recycle_zeroed(sizeof(*set));
	int result;

	if (set == NULL)
		return LIMEN_ENOMEM;
	result = text_read(name, text, length, how, &set->items, &set->count, diag);
	if (result != LIMEN_OK) {
		recycle_free(set);
		return result;
	}
	*out = set;
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
	documents_release(documents->items, documents->count);
	recycle_free(documents);
}
