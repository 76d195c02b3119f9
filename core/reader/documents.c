/* SPDX-License-Identifier: Apache-2.0 */
/*
 * documents.c - reads a text as JSON or YAML: the ending of its name decides, or else its first
 * character that is not blank.  It also holds the documents that programs read.
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

static bool
ends_with(const char *name, const char *ending)
{
	size_t length = name == NULL ? 0 : strlen(name);
	size_t wanted = strlen(ending);

	return length >= wanted && memcmp(name + length - wanted, ending, wanted) == 0;
}

static bool
is_json(const char *name, const char *text, size_t length)
{
	/* A byte order mark is for the reader to judge: JSON must not begin with one. */
	size_t offset = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

	if (ends_with(name, ".json") || ends_with(name, ".conf"))
		return true;
	if (ends_with(name, ".yaml") || ends_with(name, ".yml"))
		return false;
	while (offset < length && memchr(" \t\r\n", text[offset], 4) != NULL)
		offset++;
	/* A blank text counts as JSON, which refuses it: in YAML it would be an empty stream. */
	return offset == length || text[offset] == '{' || text[offset] == '[';
}

int
text_read(const char *name, const char *text, size_t length, unsigned flags, document ***out,
          size_t *count, limen_diag *diag)
{
	document **docs;
	int result;

	if (!is_json(name, text, length))
		return yaml_read(name, text, length, flags, out, count, diag);
	docs = malloc(sizeof(*docs));
	if (docs == NULL)
		return LIMEN_ENOMEM;
	result = json_read_result(name, text, length, flags, docs, diag);
	if (result != LIMEN_OK) {
		free(docs);
		return result;
	}
	*out = docs;
	*count = 1;
	return LIMEN_OK;
}

int
limen_documents_parse(const char *name, const char *text, size_t length, unsigned flags,
                      limen_documents **out, limen_diag *diag)
{
	unsigned how = (flags & LIMEN_DOCUMENTS_NOTE_REPEATED ? READ_NOTE_DUPLICATES : 0U) |
	               (flags & LIMEN_DOCUMENTS_DROP_COMMENTS ? READ_COMMENTS : 0U) |
	               (flags & LIMEN_DOCUMENTS_NAN ? READ_NAN : 0U);
	limen_documents *set;
	int result;

	if ((text == NULL && length > 0) || out == NULL)
		return LIMEN_EINVAL;
	set = recycle_zeroed(sizeof(*set));
	if (set == NULL)
		return LIMEN_ENOMEM;
	result = text_read(name, text == NULL ? "" : text, length, how, &set->items, &set->count, diag);
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
	return documents == NULL ? 0 : documents->count;
}

limen_value
limen_documents_get(const limen_documents *documents, size_t index)
{
	return documents != NULL && index < documents->count ? document_root(documents->items[index])
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
