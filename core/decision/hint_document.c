/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hint_document.c - makes the document of a list of hints.  Every review has one, and few
 * policies read it, so it usually is one block of memory: hints that are values of another
 * document keep their texts there.
 */
#include "hint_document.h"

#include <string.h>

#include "document/document.h"
#include "base/recycle.h"
#include "base/utf8.h"

/* The size of a document in one block. */
typedef struct plan {
	size_t nodes;
	size_t bytes;           /* of names and texts, with their NULs */
	const document *shared; /* the document of all values; NULL: no values */
} plan;

/* The places for the next node and the next text of such a document. */
typedef struct tail {
	node *next;
	char *text;
} tail;

static bool
has_sense(const limen_hint *hints, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (hints[i].text == NULL && !limen_value_exists(hints[i].value))
			return false;
	}
	return true;
}

/* Does 'doc' borrow from other documents?  Hints made of other hints do. */
static bool
holds_others(const document *doc)
{
	const document *owner = doc->whole == NULL ? doc : doc->whole;

	return owner->held_count > 0 || owner->lineage.base != NULL;
}

/*
 * Adds the size of a hint.  Returns false if one block cannot hold it: origins and
 * borrowed nodes are numbered within one document.  A chain of hints made of hints would
 * also keep all documents before it.
 */
static bool
plan_hint(plan *to, const limen_hint *hint)
{
	const document *from = hint->value.document;
	const node *value = hint->value.node;

	to->bytes += strlen(hint->name) + 1;
	to->nodes += 2;
	if (hint->text != NULL) {
		to->bytes += strlen(hint->text) + 1;
		return true;
	}
	if ((to->shared != NULL && to->shared != from) || from->source_count > 1 ||
	    from->grafts.count > 0 || holds_others(from))
		return false;
	to->shared = from;
	to->nodes += value->span - 1;
	return true;
}

static bool
plan_hints(plan *to, const limen_hint *hints, size_t count)
{
	*to = (plan){ .nodes = 1 };
	for (size_t i = 0; i < count; i++) {
		if (!plan_hint(to, &hints[i]))
			return false;
	}
	return to->nodes <= UINT32_MAX && to->bytes <= UINT32_MAX;
}

static void
put_text(tail *to, const char *text)
{
	char *end = stpcpy(to->text, text);

	*to->next++ = (node){
		.type = LIMEN_TYPE_STRING,
		.origin = ORIGIN_NONE,
		.length = (uint32_t)(end - to->text),
		.span = 1,
		.text = to->text,
	};
	to->text = end + 1;
}

/* Nodes are copied as they are, overridden members and all. */
static void
put_value(tail *to, const node *value)
{
	memcpy(to->next, value, value->span * sizeof(node));
	to->next += value->span;
}

/* Keeps the document of the values, and its source.  False: memory is short. */
static bool
hold(document *doc, const document *shared)
{
	if (shared == NULL)
		return true;
	doc->held = recycle_alloc(sizeof(const document *));
	if (doc->held == NULL)
		return false;
	doc->held[0] = document_ref(shared);
	doc->held_count = 1;
	if (shared->source_count == 1)
		document_set_source(doc, shared->sources[0]);
	return true;
}

static document *
reserve(const plan *needed)
{
	document *doc = document_new();

	if (doc == NULL)
		return NULL;
	/* The texts stand behind the nodes. */
	doc->nodes = recycle_alloc(needed->nodes * sizeof(node) + needed->bytes);
	doc->count = needed->nodes;
	if (doc->nodes != NULL && hold(doc, needed->shared))
		return doc;
	document_unref(doc);
	return NULL;
}

static int
fill(document *doc, const limen_hint *hints, size_t count, size_t bytes)
{
	char *texts = (char *)(doc->nodes + doc->count);
	tail to = { doc->nodes + 1, texts };

	doc->nodes[0] = (node){
		.type = LIMEN_TYPE_OBJECT,
		.origin = ORIGIN_NONE,
		.length = (uint32_t)count,
		.span = (uint32_t)doc->count,
	};
	for (size_t i = 0; i < count; i++) {
		put_text(&to, hints[i].name);
		if (hints[i].text != NULL)
			put_text(&to, hints[i].text);
		else
			put_value(&to, hints[i].value.node);
	}
	/* One check covers all texts: a NUL between two of them is valid UTF-8. */
	if (utf8_valid(texts, bytes) != bytes)
		return LIMEN_EINVAL;
	return object_hide_members(doc->nodes, false) ? LIMEN_OK : LIMEN_ENOMEM;
}

static bool
add_text(builder *build, const char *text)
{
	size_t length = strlen(text);

	builder_string(build, ORIGIN_NONE, 0, text, length);
	return utf8_valid(text, length) == length;
}

/* Makes a copy of everything. */
static int
copy(const limen_hint *hints, size_t count, document **out)
{
	builder *build = builder_new();
	bool good = true;

	if (build == NULL)
		return LIMEN_ENOMEM;
	builder_begin_object(build, ORIGIN_NONE, 0);
	for (size_t i = 0; i < count && good; i++) {
		good = add_text(build, hints[i].name);
		if (hints[i].text != NULL)
			good = add_text(build, hints[i].text) && good;
		else
			builder_copy(build, hints[i].value);
	}
	builder_end(build);
	if (!good) {
		builder_free(build);
		return LIMEN_EINVAL;
	}
	*out = builder_finish(build);
	return *out == NULL ? LIMEN_ENOMEM : LIMEN_OK;
}

int
hint_document_make(const limen_hint *hints, size_t count, document **out)
{
	plan needed;
	document *doc;
	int result;

	if (!has_sense(hints, count))
		return LIMEN_EINVAL;
	if (!plan_hints(&needed, hints, count))
		return copy(hints, count, out);
	doc = reserve(&needed);
	if (doc == NULL)
		return LIMEN_ENOMEM;
	result = fill(doc, hints, count, needed.bytes);
	if (result == LIMEN_OK)
		*out = doc;
	else
		document_unref(doc);
	return result;
}
