/* SPDX-License-Identifier: Apache-2.0 */
/*
 * revision.c - applies changes to a base document when the result is first read, and publishes it
 * atomically.  It holds references to the base, the result and the documents of changed values.
 */
#include "revision.h"

#include <stdatomic.h>

struct revision {
	unsigned references;
	revision_source from; /* no base: 'made' is all there is */
	document *_Atomic made; /* NULL: not asked for yet */
};

void
value_documents_free(value_document *list)
{
	for (; list != NULL; list = list->next)
		document_unref(list->document);
}

static revision *
make(arena *memory, document *result)
{
	revision *self = arena_alloc(memory, sizeof(*self));

	if (self == NULL)
		return NULL;
	*self = (revision){ .references = 1 };
	atomic_init(&self->made, result);
	return self;
}

revision *
revision_new(arena *memory, const revision_source *from)
{
	revision *self = from->base == NULL || from->changes == NULL ? NULL : make(memory, NULL);

	if (self == NULL) {
		value_documents_free(from->values);
		return NULL;
	}
	self->from = *from;
	document_ref(from->base);
	return self;
}

revision *
revision_of(arena *memory, document *whole)
{
	revision *self = whole == NULL ? NULL : make(memory, whole);

	if (self == NULL)
		document_unref(whole);
	return self;
}

revision *
revision_ref(revision *shared)
{
	shared->references++;
	return shared;
}

void
revision_unref(revision *shared)
{
	if (shared == NULL || --shared->references > 0)
		return;
	document_unref(atomic_load_explicit(&shared->made, memory_order_relaxed));
	document_unref(shared->from.base);
	value_documents_free(shared->from.values);
}

const document *
revision_document(revision *of)
{
	document *result = atomic_load_explicit(&of->made, memory_order_acquire);
	document *other = NULL;

	if (result != NULL)
		return result;
	result = document_apply(of->from.base, of->from.changes, of->from.count);
	/* If two threads made it at once, the first one's is kept. */
	if (result == NULL || atomic_compare_exchange_strong(&of->made, &other, result))
		return result;
	document_unref(result);
	return other;
}

/* Changes only affect members of containers, so the root keeps its type. */
bool
revision_is_object(const revision *of)
{
	const document *result = atomic_load_explicit(&of->made, memory_order_acquire);

	return limen_value_type(document_root(result != NULL ? result : of->from.base)) ==
	       LIMEN_TYPE_OBJECT;
}

document *
revision_patch(revision *of, const document *before)
{
	const document *after;
	document *patch = NULL;

	if (of->from.base != NULL && of->from.base == before)
		patch = document_patch(before, of->from.changes, of->from.count);
	if (patch != NULL)
		return patch;
	after = revision_document(of);
	return after == NULL ? NULL : document_diff(document_root(before), document_root(after));
}
