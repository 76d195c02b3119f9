/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "document_layout.h"

/* Few are enough for a reader. */
#define DUPLICATE_NOTES_MAX 100

source *
source_new(const char *name, const char *text, size_t length)
{
	size_t name_size = name == NULL ? 0 : strlen(name) + 1;
	source *made;

	if (length > SIZE_MAX / 2 || name_size > SIZE_MAX / 4)
		return NULL;
	made = malloc(sizeof(*made) + length + SOURCE_PADDING + name_size);
	if (made == NULL)
		return NULL;
	atomic_init(&made->references, 1);
	atomic_init(&made->marks, NULL);
	made->length = length;
	made->name = name == NULL ? NULL : made->text + length + SOURCE_PADDING;
	if (length > 0)
		memcpy(made->text, text, length);
	memset(made->text + length, 0, SOURCE_PADDING);
	if (name != NULL)
		memcpy(made->name, name, name_size);
	return made;
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
	free(shared);
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
	free(counted->base);
	free(atomic_load_explicit(&counted->ancestry, memory_order_relaxed));
	if (counted->whole != NULL) {
		document_unref(counted->whole);
		free(counted);
		return;
	}
	for (size_t i = 0; i < counted->source_count; i++)
		source_unref(counted->sources[i]);
	if (counted->sources != &counted->only)
		free(counted->sources);
	free(counted->nodes);
	grafts_free(&counted->grafts);
	arena_free(&counted->texts);
	free(counted);
}

limen_value
document_root(const document *doc)
{
	if (doc == NULL)
		return limen_value_none();
	return (limen_value){ .document = doc, .node = doc->nodes };
}

bool
document_set_base(document *doc, const char *pointer)
{
	char *base = strdup(pointer);

	if (base == NULL)
		return false;
	free(doc->base);
	doc->base = base;
	return true;
}

const char *
document_base(const document *doc)
{
	return doc->base == NULL ? "" : doc->base;
}

static bool
is_duplicate(const node *at)
{
	return (at->flags & NODE_DEAD) != 0 && !(at->length > 0 && at->text[0] == '#');
}

void
document_note_duplicates(const document *doc, limen_diag *diag)
{
	const node *end = doc->nodes + doc->count;
	unsigned noted = 0;
	const node *at = doc->nodes;

	while (at < end && diag != NULL) {
		limen_value where = { .document = doc, .node = at };

		if (is_duplicate(at) && noted++ == DUPLICATE_NOTES_MAX) {
			limen_diag_add(diag, LIMEN_NOTE, where,
			               "more keys are repeated; no further ones are listed");
			return;
		}
		if (is_duplicate(at))
			limen_diag_add(diag, LIMEN_NOTE, where,
			               "key is repeated further down; the last one counts");
		at = (at->flags & NODE_DEAD) != 0 ? node_after(at + 1) : at + 1;
	}
}
