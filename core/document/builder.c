/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builder.c - adds nodes to a document under construction.  It owns the growing node array, the
 * stack of open containers, the sources and the texts until builder_finish() hands all but the
 * stack to the document.
 */
#include <stdlib.h>

#include "builder.h"
#include "scalar/scalar.h"
#include "object_members.h"
#include "base/recycle.h"
#include "base/strbuf.h"
#include "base/utf8.h"

/* Sources searched for a duplicate, from either end; others may be listed twice. */
#define SOURCES_SEEN ((size_t)32)

builder *
builder_new(void)
{
	return recycle_zeroed(sizeof(builder));
}

void
builder_free(builder *build)
{
	if (build == NULL)
		return;
	for (size_t i = 0; i < build->source_count; i++)
		source_unref(build->sources[i]);
	recycle_free(build->sources);
	grafts_free(&build->grafts);
	recycle_free(build->open);
	recycle_free(build->nodes);
	arena_free(&build->texts);
	recycle_free(build);
}

void
builder_drop_comments(builder *build)
{
	build->drop_comments = true;
}

/* Values that modules set have a source each: those in the middle are not looked at. */
static size_t
find_source(const builder *build, const source *from)
{
	size_t count = build->source_count;
	size_t middle = count > 2 * SOURCES_SEEN ? count - SOURCES_SEEN : SOURCES_SEEN;

	for (size_t i = 0; i < count && i < SOURCES_SEEN; i++) {
		if (build->sources[i] == from)
			return i;
	}
	for (size_t i = count; i > middle; i--) {
		if (build->sources[i - 1] == from)
			return i - 1;
	}
	return SIZE_MAX;
}

uint16_t
builder_source(builder *build, source *from)
{
	size_t count = build->source_count;
	size_t known = find_source(build, from);
	source **grown;

	if (known != SIZE_MAX)
		return (uint16_t)known;
	if (count >= ORIGIN_NONE) /* without a source the document loses only its places */
		return ORIGIN_NONE;
	grown = recycle_resize(build->sources, (count + 1) * sizeof(source *));
	if (grown == NULL) {
		build->failed = true;
		return ORIGIN_NONE;
	}
	grown[count] = source_ref(from);
	build->sources = grown;
	build->source_count = count + 1;
	return (uint16_t)count;
}

/* Returns an array of at least one more element than '*capacity', or NULL. */
void *
builder_grow(void *array, size_t *capacity, size_t first, size_t size)
{
	size_t wanted = *capacity == 0 ? first : *capacity * 2;
	void *grown;

	if (wanted > UINT32_MAX || wanted > SIZE_MAX / size)
		return NULL;
	grown = recycle_resize(array, wanted * size);
	if (grown != NULL)
		*capacity = wanted;
	return grown;
}

bool
builder_reserve(builder *build, size_t more)
{
	while (build->capacity - build->count < more) {
		node *grown = builder_grow(build->nodes, &build->capacity, 32, sizeof(node));

		if (grown == NULL)
			return false;
		build->nodes = grown;
	}
	return true;
}

/* Counts a node of 'type' in the container it goes into; false if it does not fit there. */
bool
builder_enter(builder *build, limen_type type)
{
	frame *top;

	if (build->depth == 0)
		return build->count == 0;
	top = &build->open[build->depth - 1];
	if (!top->object) {
		top->members++;
		return true;
	}
	if (!top->keyed && type != LIMEN_TYPE_STRING)
		return false;
	top->members += top->keyed ? 1 : 0;
	top->keyed = !top->keyed;
	return true;
}

/* Adds a node, and for strings and numbers a copy of 'text'. */
bool
builder_add(builder *build, limen_type type, uint16_t origin, uint32_t offset, const char *text,
         size_t length)
{
	bool textual = type == LIMEN_TYPE_STRING || type == LIMEN_TYPE_INTEGER ||
	               type == LIMEN_TYPE_REAL;

	if (build->failed || !builder_enter(build, type) || !builder_reserve(build, 1)) {
		build->failed = true;
		return false;
	}
	if (textual) {
		text = length < UINT32_MAX ? arena_strndup(&build->texts, text, length) : NULL;
		if (text == NULL) {
			build->failed = true;
			return false;
		}
	}
	build->nodes[build->count++] = (node){
		.type = (uint8_t)type,
		.origin = origin,
		.offset = offset,
		.length = (uint32_t)length,
		.span = 1,
		.text = text,
	};
	return true;
}

void
builder_null(builder *build, uint16_t origin, uint32_t offset)
{
	builder_add(build, LIMEN_TYPE_NULL, origin, offset, NULL, 0);
}

void
builder_bool(builder *build, uint16_t origin, uint32_t offset, bool value)
{
	builder_add(build, LIMEN_TYPE_BOOL, origin, offset, value ? "t" : NULL, 0);
}

void
builder_number(builder *build, uint16_t origin, uint32_t offset, const char *text, size_t length)
{
	limen_type type = number_is_integer(text, length) ? LIMEN_TYPE_INTEGER : LIMEN_TYPE_REAL;

	builder_add(build, type, origin, offset, text, length);
}

void
builder_string(builder *build, uint16_t origin, uint32_t offset, const char *text, size_t length)
{
	builder_add(build, LIMEN_TYPE_STRING, origin, offset, text, length);
}

static bool
reserve_frame(builder *build)
{
	frame *grown;

	if (build->depth >= DOCUMENT_DEPTH_MAX)
		return false;
	if (build->depth < build->open_capacity)
		return true;
	grown = builder_grow(build->open, &build->open_capacity, 16, sizeof(frame));
	if (grown == NULL)
		return false;
	build->open = grown;
	return true;
}

void
builder_begin(builder *build, limen_type type, uint16_t origin, uint32_t offset,
                const node *copy_end)
{
	if (!builder_add(build, type, origin, offset, NULL, 0))
		return;
	if (!reserve_frame(build)) {
		build->failed = true;
		return;
	}
	build->open[build->depth++] = (frame){
		.node = (uint32_t)(build->count - 1),
		.object = type == LIMEN_TYPE_OBJECT,
		.copy_end = copy_end,
	};
}

void
builder_text(builder *build, const char *text)
{
	builder_string(build, ORIGIN_NONE, 0, text, strlen(text));
}

static void
add_repaired(builder *build, const char *text, size_t length)
{
	strbuf valid = STRBUF_INIT;

	while (length > 0) {
		size_t good = utf8_valid(text, length);

		strbuf_add(&valid, text, good);
		if (good == length)
			break;
		strbuf_adds(&valid, "\xEF\xBF\xBD"); /* U+FFFD REPLACEMENT CHARACTER */
		text += good + 1;
		length -= good + 1;
	}
	if (valid.failed)
		build->failed = true;
	else
		builder_string(build, ORIGIN_NONE, 0, valid.text, valid.length);
	strbuf_free(&valid);
}

void
builder_repaired(builder *build, const char *text)
{
	size_t length = strlen(text);

	if (utf8_valid(text, length) == length)
		builder_string(build, ORIGIN_NONE, 0, text, length);
	else
		add_repaired(build, text, length);
}

void
builder_begin_array(builder *build, uint16_t origin, uint32_t offset)
{
	builder_begin(build, LIMEN_TYPE_ARRAY, origin, offset, NULL);
}

void
builder_begin_object(builder *build, uint16_t origin, uint32_t offset)
{
	builder_begin(build, LIMEN_TYPE_OBJECT, origin, offset, NULL);
}

/* Pops the innermost container off the stack and stores its size in its node. */
node *
builder_close(builder *build)
{
	const frame *top = &build->open[--build->depth];
	node *closed = &build->nodes[top->node];

	closed->span = (uint32_t)(build->count - top->node);
	closed->length = top->members;
	return closed;
}

void
builder_end(builder *build)
{
	node *closed;

	if (build->failed || build->depth == 0 || build->open[build->depth - 1].keyed) {
		build->failed = true;
		return;
	}
	closed = builder_close(build);
	if (closed->type == LIMEN_TYPE_OBJECT &&
	    !object_hide_members(closed, build->drop_comments))
		build->failed = true;
}

document *
builder_finish(builder *build)
{
	document *doc = NULL;
	node *fitted;

	if (!build->failed && build->depth == 0 && build->count > 0)
		doc = document_new();
	if (doc == NULL) {
		builder_free(build);
		return NULL;
	}
	fitted = recycle_resize(build->nodes, build->count * sizeof(node));
	doc->nodes = fitted == NULL ? build->nodes : fitted;
	doc->count = build->count;
	doc->sources = build->sources;
	doc->source_count = build->source_count;
	doc->texts = build->texts;
	doc->grafts = build->grafts;
	recycle_free(build->open);
	recycle_free(build);
	return doc;
}
