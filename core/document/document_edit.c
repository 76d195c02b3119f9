/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents made of parts of others: copies and merges.  Nodes keep their
 * origins, so places stay those of the files they were written in.
 */
#include "document_layout.h"
#include "member_lookup.h"
#include "object_members.h"
#include "base/recycle.h"
#include "base/strbuf.h"

/* Initial room for a pointer; most fit, such as the one to the object of a review. */
#define POINTER_ROOM 128

static void merge_values(builder *build, limen_value base, limen_value over);

bool
document_stand_as(document *doc, limen_value from)
{
	char room[POINTER_ROOM];
	strbuf pointer = strbuf_within(room, sizeof(room));
	bool good;

	value_pointer_write(&pointer, from);
	good = !pointer.failed && document_set_base(doc, pointer.text);
	strbuf_free(&pointer);
	return good;
}

document *
builder_finish_as(builder *build, limen_value from)
{
	document *doc = builder_finish(build);

	if (doc == NULL || !limen_value_exists(from) || document_stand_as(doc, from))
		return doc;
	document_unref(doc);
	return NULL;
}

document *
document_copy(limen_value value)
{
	builder *build = builder_new();

	if (build == NULL)
		return NULL;
	builder_copy(build, value);
	return builder_finish_as(build, value);
}

document *
document_empty(limen_value where)
{
	const document *of = where.document;
	const node *begin = where.node;
	builder *build = builder_new();
	uint16_t origin = ORIGIN_NONE;

	if (build == NULL)
		return NULL;
	if (begin->origin < of->source_count)
		origin = builder_source(build, of->sources[begin->origin]);
	builder_begin_object(build, origin, begin->offset);
	builder_end(build);
	return builder_finish_as(build, where);
}

/*
 * Makes a document of the subtree 'value' of 'whole', which keeps the memory.  Its pointers are
 * those of 'whole', unless 'value' is in a part with its own pointer.
 */
static document *
make_part(const document *whole, limen_value value)
{
	const document *of = value.document;
	document *part = document_new();

	if (part == NULL)
		return NULL;
	if (of != whole && of->base != NULL && !document_stand_as(part, value)) {
		recycle_free(part);
		return NULL;
	}
	part->nodes = (node *)value.node;
	part->count = ((const node *)value.node)->span;
	part->sources = whole->sources;
	part->source_count = whole->source_count;
	part->whole = document_ref(whole);
	return part;
}

document *
document_share(limen_value value)
{
	const document *whole = value.document;

	if (!limen_value_exists(value))
		return NULL;
	if (value.node == whole->nodes)
		return document_ref(whole);
	/* Borrowed nodes are recorded by their position in the whole document. */
	if (whole->grafts.count > 0)
		return document_copy(value);
	return make_part(whole->whole == NULL ? whole : whole->whole, value);
}

/* Is there a text that begins with "#"?  It need not be a key. */
static bool
may_hold_comments(const node *root)
{
	for (const node *item = root; item < root + root->span; item++)
		if (item->type == LIMEN_TYPE_STRING && item->length > 0 && item->text[0] == '#')
			return true;
	return false;
}

document *
document_without_comments(limen_value value)
{
	document *doc;

	if (!limen_value_exists(value) || !may_hold_comments(value.node))
		return document_share(value);
	doc = document_copy(value);
	for (size_t i = 0; doc != NULL && i < doc->count; i++)
		if (doc->nodes[i].type == LIMEN_TYPE_OBJECT)
			object_hide_comments(&doc->nodes[i]);
	return doc;
}

static void
merge_objects(builder *build, limen_value base, limen_value over)
{
	member_lookup in_base = member_lookup_start(base.node);
	member_lookup in_over = member_lookup_start(over.node);
	limen_iter iter = limen_iter_start(base);
	limen_value key, member;

	builder_begin_like(build, over);
	while (limen_iter_next(&iter, &key, &member)) {
		builder_copy(build, key);
		merge_values(build, member, member_lookup_get(&in_over, over, key));
	}
	iter = limen_iter_start(over);
	while (limen_iter_next(&iter, &key, &member)) {
		if (member_lookup_find(&in_base, key.node) != NULL)
			continue;
		builder_copy(build, key);
		builder_copy(build, member);
	}
	builder_end(build);
	text_map_free(&in_base.keys);
	text_map_free(&in_over.keys);
}

static void
merge_values(builder *build, limen_value base, limen_value over)
{
	if (limen_value_type(base) == LIMEN_TYPE_OBJECT
	    && limen_value_type(over) == LIMEN_TYPE_OBJECT)
		merge_objects(build, base, over);
	else
		builder_copy(build, limen_value_exists(over) ? over : base);
}

document *
document_merge(limen_value base, limen_value over)
{
	builder *build = builder_new();

	if (build == NULL)
		return NULL;
	if (limen_value_exists(base) || limen_value_exists(over)) {
		merge_values(build, base, over);
	} else {
		builder_begin_object(build, ORIGIN_NONE, 0);
		builder_end(build);
	}
	return builder_finish_as(build, limen_value_exists(over) ? over : base);
}
