/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builder.c - adds nodes, new ones or copies, to a document under construction.  It owns the growing node array, the
 * stack of open containers, the sources and the texts until builder_finish() hands all but the
 * stack to the document.
 */
#include <stdlib.h>

#include "document_layout.h"
#include "scalar/scalar.h"
#include "object_members.h"
#include "base/recycle.h"
#include "base/strbuf.h"
#include "base/utf8.h"

/* Sources searched for a duplicate, from either end; others may be listed twice. */
#define SOURCES_SEEN ((size_t)32)

/* A container that is not closed yet. */
typedef struct frame {
	uint32_t node;
	uint32_t members;
	bool object;
	bool keyed; /* object: a key waits for its value */
} frame;

struct builder {
	node *nodes;
	size_t count;
	size_t capacity;
	frame *open;
	size_t depth;
	size_t open_capacity;
	source **sources;
	size_t source_count;
	graft_list grafts;
	arena texts;
	bool drop_comments;
	bool failed;
};

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

bool
builder_wants_key(const builder *build)
{
	return build->depth > 0 && build->open[build->depth - 1].object &&
	       !build->open[build->depth - 1].keyed;
}

void
builder_fail(builder *build)
{
	build->failed = true;
}

/* Values that modules set have a source each: those in the middle are not looked at. */
static size_t
find_source(const builder *build, const source *from)
{
	size_t count = build->source_count;
	size_t middle = count > 2 * SOURCES_SEEN ? count - SOURCES_SEEN : SOURCES_SEEN;

	for (size_t i = 0; i < count && i < SOURCES_SEEN; i++)
		if (build->sources[i] == from)
			return i;
	for (size_t i = count; i > middle; i--)
		if (build->sources[i - 1] == from)
			return i - 1;
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
static void *
grow(void *array, size_t *capacity, size_t first, size_t size)
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

static bool
reserve_node(builder *build)
{
	node *grown;

	if (build->count < build->capacity)
		return true;
	grown = grow(build->nodes, &build->capacity, 32, sizeof(node));
	if (grown == NULL)
		return false;
	build->nodes = grown;
	return true;
}

/* Counts a node of 'type' in the container it goes into; false if it does not fit there. */
static bool
enter(builder *build, limen_type type)
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

/* Adds a node; 'text' lives as long as the document. */
static bool
add_node(builder *build, limen_type type, uint16_t origin, uint32_t offset, const char *text,
         size_t length)
{
	if (build->failed || !enter(build, type) || !reserve_node(build)) {
		build->failed = true;
		return false;
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

/* Adds a node, and for strings and numbers a copy of 'text'. */
static bool
add(builder *build, limen_type type, uint16_t origin, uint32_t offset, const char *text,
    size_t length)
{
	bool textual = type == LIMEN_TYPE_STRING || type == LIMEN_TYPE_INTEGER ||
	               type == LIMEN_TYPE_REAL;

	if (textual && !build->failed) {
		text = length < UINT32_MAX ? arena_strndup(&build->texts, text, length) : NULL;
		build->failed = text == NULL;
	}
	return add_node(build, type, origin, offset, text, length);
}

void
builder_null(builder *build, uint16_t origin, uint32_t offset)
{
	add(build, LIMEN_TYPE_NULL, origin, offset, NULL, 0);
}

void
builder_bool(builder *build, uint16_t origin, uint32_t offset, bool value)
{
	add(build, LIMEN_TYPE_BOOL, origin, offset, value ? "t" : NULL, 0);
}

void
builder_number(builder *build, uint16_t origin, uint32_t offset, const char *text, size_t length)
{
	limen_type type = number_is_integer(text, length) ? LIMEN_TYPE_INTEGER : LIMEN_TYPE_REAL;

	add(build, type, origin, offset, text, length);
}

void
builder_string(builder *build, uint16_t origin, uint32_t offset, const char *text, size_t length)
{
	add(build, LIMEN_TYPE_STRING, origin, offset, text, length);
}

static bool
reserve_frame(builder *build)
{
	frame *grown;

	if (build->depth >= DOCUMENT_DEPTH_MAX)
		return false;
	if (build->depth < build->open_capacity)
		return true;
	grown = grow(build->open, &build->open_capacity, 16, sizeof(frame));
	if (grown == NULL)
		return false;
	build->open = grown;
	return true;
}

static void
begin(builder *build, limen_type type, uint16_t origin, uint32_t offset)
{
	if (!add(build, type, origin, offset, NULL, 0))
		return;
	if (!reserve_frame(build)) {
		build->failed = true;
		return;
	}
	build->open[build->depth++] = (frame){
		.node = (uint32_t)(build->count - 1),
		.object = type == LIMEN_TYPE_OBJECT,
	};
}

void
builder_text(builder *build, const char *text)
{
	builder_string(build, ORIGIN_NONE, 0, text, strlen(text));
}

void
builder_constant(builder *build, const char *text)
{
	add_node(build, LIMEN_TYPE_STRING, ORIGIN_NONE, 0, text, strlen(text));
}

void
builder_repaired(builder *build, const char *text)
{
	size_t length = strlen(text);
	strbuf valid = STRBUF_INIT;
	size_t good = utf8_valid(text, length);

	if (good == length) {
		builder_string(build, ORIGIN_NONE, 0, text, length);
		return;
	}
	for (; good < length; good = utf8_valid(text, length)) {
		strbuf_add(&valid, text, good);
		strbuf_adds(&valid, "\xEF\xBF\xBD"); /* U+FFFD REPLACEMENT CHARACTER */
		text += good + 1;
		length -= good + 1;
	}
	strbuf_add(&valid, text, length);
	if (valid.failed)
		build->failed = true;
	else
		builder_string(build, ORIGIN_NONE, 0, valid.text, valid.length);
	strbuf_free(&valid);
}

void
builder_begin_array(builder *build, uint16_t origin, uint32_t offset)
{
	begin(build, LIMEN_TYPE_ARRAY, origin, offset);
}

void
builder_begin_object(builder *build, uint16_t origin, uint32_t offset)
{
	begin(build, LIMEN_TYPE_OBJECT, origin, offset);
}

/* Pops the innermost container off the stack and stores its size in its node. */
static node *
close_container(builder *build)
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
	closed = close_container(build);
	if (closed->type == LIMEN_TYPE_OBJECT &&
	    !object_hide_members(closed, build->drop_comments))
		build->failed = true;
}

/* ---- copies of other documents, with their places ---- */

/* The origins of one document's nodes in another; neighbours mostly share one. */
typedef struct origin_map {
	const document *from;
	uint16_t last;
	uint16_t last_mapped;
} origin_map;

static uint16_t
map_origin(builder *build, origin_map *map, uint16_t origin)
{
	if (origin == ORIGIN_NONE || origin >= map->from->source_count)
		return ORIGIN_NONE;
	if (origin != map->last) {
		map->last = origin;
		map->last_mapped = builder_source(build, map->from->sources[origin]);
	}
	return map->last_mapped;
}

/* Records 'pointer' for the next node. */
static void
add_graft(builder *build, const char *pointer)
{
	if (pointer == NULL || !grafts_add(&build->grafts, (uint32_t)build->count, pointer))
		build->failed = true;
}

/* Keys of a finished document are distinct.  Recursion is as deep as the document. */
static void
copy_node(builder *build, origin_map *map, const node *from)
{
	uint16_t origin = map_origin(build, map, from->origin);
	const char *own = grafts_find(&map->from->grafts, (uint32_t)(from - map->from->nodes));
	const node *next = from + 1;

	if (own != NULL)
		add_graft(build, own);
	if (!node_is_container(from)) {
		add(build, (limen_type)from->type, origin, from->offset, from->text, from->length);
		return;
	}
	begin(build, (limen_type)from->type, origin, from->offset);
	for (uint32_t left = from->length; left > 0 && !build->failed; left--) {
		if (from->type == LIMEN_TYPE_OBJECT) {
			next = node_live_key(next);
			copy_node(build, map, next++);
		}
		copy_node(build, map, next);
		next = node_after(next);
	}
	if (!build->failed)
		close_container(build);
}

void
builder_copy(builder *build, limen_value value)
{
	origin_map map = { value.document, ORIGIN_NONE, ORIGIN_NONE };
	const node *from = value.node;

	if (from == NULL)
		build->failed = true;
	else if (value.document == NULL)
		builder_string(build, ORIGIN_NONE, 0, from->text, from->length);
	else
		copy_node(build, &map, from);
}

void
builder_begin_like(builder *build, limen_value value)
{
	origin_map map = { value.document, ORIGIN_NONE, ORIGIN_NONE };
	const node *from = value.node;

	begin(build, (limen_type)from->type, map_origin(build, &map, from->origin), from->offset);
}

void
builder_graft(builder *build, limen_value value)
{
	char *pointer = value_pointer(value);

	add_graft(build, pointer);
	free(pointer);
	builder_copy(build, value);
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
