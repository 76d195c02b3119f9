/* SPDX-License-Identifier: Apache-2.0 */
/* value_keep.c - copies of values that belong to the caller, without the texts they were read from. */
#include "base/recycle.h"
#include "document_layout.h"

limen_value
limen_value_keep(limen_value value)
{
	builder *build = limen_value_exists(value) ? builder_new() : NULL;
	document *doc;

	if (build == NULL)
		return limen_value_none();
	builder_copy(build, value);
	doc = builder_finish(build);
	if (doc == NULL)
		return limen_value_none();
	/* A copy of one string must not hold the megabytes it was read from. */
	for (size_t i = 0; i < doc->source_count; i++)
		source_unref(doc->sources[i]);
	recycle_free(doc->sources);
	doc->sources = NULL;
	doc->source_count = 0;
	return document_root(doc);
}

void
limen_value_free(limen_value kept)
{
	document_unref(kept.document);
}
