/* SPDX-License-Identifier: Apache-2.0 */
/*
 * document.c - creates, counts references to and frees documents and source texts.  It also reports
 * repeated keys.
 */
#include <stdlib.h>

#include "document_layout.h"
#include "base/recycle.h"

/* Few are enough for a reader. */
#define DUPLICATE_NOTES_MAX 100

source *
source_new(const char *name, const char *text, size_t length)
{
	size_t name_size = name == NULL ? 0 : strlen(name) + 1;
	source *result;

	if (length > SIZE_MAX / 2 || name_size > SIZE_MAX / 4)
		return NULL;
	result = recycle_alloc(sizeof(*result) + length + SOURCE_PADDING + name_size);
	if (result == NULL)
		return NULL;
	atomic_init(&result->references, 1);
	atomic_init(&result->marks, NULL);
	result->length = length;
	result->name = name == NULL ? NULL : result->text + length + SOURCE_PADDING;
	if (length > 0)
		memcpy(result->text, text, length);
	memset(result->text + length, 0, SOURCE_PADDING);
	if (name != NULL)
		memcpy(result->name, name, name_size);
	return result;
}

source *
source_ref(source *shared)
{
	atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
	return shared;
}

void
source_unref(source *shared)
{
	if (shared == NULL)
		return;
	if (atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) != 1)
		return;
	free(atomic_load_explicit(&shared->marks, memory_order_relaxed));
	recycle_free(shared);
}

void *
table_once(_Atomic(void *) *slot, void *(*make)(const void *data), const void *data)
{
	void *table = atomic_load_explicit(slot, memory_order_acquire);
	void *fresh = table == NULL ? make(data) : NULL;

	if (fresh == NULL ||
	    atomic_compare_exchange_strong_explicit(slot, &table, fresh, memory_order_acq_rel,
	                                            memory_order_acquire))
		return table == NULL ? fresh : table;
	free(fresh);
	return table;
}

document *
document_ref(const document *doc)
{
	document *counted = (document *)doc;

	atomic_fetch_add_explicit(&counted->references, 1, memory_order_relaxed);
	return counted;
}

void
document_unref(const document *doc)
{
	document *counted = (document *)doc;

	if (counted == NULL)
		return;
	if (atomic_fetch_sub_explicit(&counted->references, 1, memory_order_acq_rel) != 1)
		return;
	recycle_free(counted->base);
	free(atomic_load_explicit(&counted->parent_index, memory_order_relaxed));
	if (counted->whole != NULL) {
		document_unref(counted->whole);
		recycle_free(counted);
		return;
	}
	for (size_t i = 0; i < counted->source_count; i++)
		source_unref(counted->sources[i]);
	if (counted->sources != &counted->only)
		recycle_free(counted->sources);
	recycle_free(counted->nodes);
	for (size_t i = 0; i < counted->held_count; i++)
		document_unref(counted->held[i]);
	recycle_free(counted->held);
	grafts_free(&counted->grafts);
	arena_free(&counted->texts);
	recycle_free(counted);
}

document *
document_new(void)
{
	document *result = recycle_zeroed(sizeof(*result));

	if (result == NULL)
		return NULL;
	atomic_init(&result->references, 1);
	atomic_init(&result->parent_index, NULL);
	return result;
}

void
document_set_source(document *doc, source *from)
{
	doc->only = source_ref(from);
	doc->sources = &doc->only;
	doc->source_count = 1;
}

limen_value
document_root(const document *doc)
{
	if (doc == NULL)
		return limen_value_none();
	return (limen_value){ .document = doc, .node = doc->nodes };
}

void
document_measure(const document *doc, size_t *values, size_t *bytes)
{
	*values += doc->count;
	for (size_t i = 0; i < doc->count; i++)
		if (!node_is_container(&doc->nodes[i]))
			*bytes += doc->nodes[i].length;
}

bool
document_set_base(document *doc, const char *pointer)
{
	size_t size = strlen(pointer) + 1;
	char *base = recycle_alloc(size);

	if (base == NULL)
		return false;
	memcpy(base, pointer, size);
	recycle_free(doc->base);
	doc->base = base;
	return true;
}

const char *
document_base(const document *doc)
{
	return doc->base == NULL ? "" : doc->base;
}

static bool
is_duplicate(const node *item)
{
	return (item->flags & NODE_DEAD) != 0 && !(item->length > 0 && item->text[0] == '#');
}

void
document_note_duplicates(const document *doc, limen_diag *diag)
{
	const node *end = doc->nodes + doc->count;
	unsigned noted = 0;
	const node *item = doc->nodes;

	while (item < end && diag != NULL) {
		limen_value where = { .document = doc, .node = item };

		if (is_duplicate(item) && noted++ == DUPLICATE_NOTES_MAX) {
			limen_diag_add(diag, LIMEN_SEVERITY_NOTE, where,
			               "more keys are repeated; no further ones are listed");
			return;
		}
		if (is_duplicate(item))
			limen_diag_add(diag, LIMEN_SEVERITY_NOTE, where,
			               "key is repeated further down; the last one counts");
		item = (item->flags & NODE_DEAD) != 0 ? node_after(item + 1) : item + 1;
	}
}

limen_value
value_repeated_key(limen_value object)
{
	const node *item = object.node;
	const node *end;

	if (limen_value_type(object) != LIMEN_TYPE_OBJECT)
		return limen_value_none();
	end = item + item->span;
	for (const node *key = item + 1; key < end; key = node_after(key + 1))
		if (is_duplicate(key))
			return (limen_value){ object.document, key };
	return limen_value_none();
}
