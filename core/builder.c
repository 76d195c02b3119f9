/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "document_layout.h"
#include "number.h"
#include "object_members.h"

/* Texts are packed into pieces of this size; longer ones get memory of their own. */
#define CHUNK_SIZE ((size_t)4096)
#define CHUNK_TEXT_MAX ((size_t)512)

/* Room for what a document gets that its base does not have. */
#define SPARE_NODES 64

/* A container that is not closed yet. */
typedef struct frame {
	uint32_t node;
	uint32_t members;
	bool object;
	bool keyed;            /* object: a key waits for its value */
	const node *copy_end;  /* builder_copy(): where the copied container ends */
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
	lineage lineage;
	size_t run_capacity;
	graft_list grafts;
	arena texts;
	char *chunk;
	size_t chunk_left;
	bool drop_comments;
	bool failed;
};

builder *
builder_new(void)
{
	return calloc(1, sizeof(builder));
}

void
builder_free(builder *build)
{
	if (build == NULL)
		return;
	for (size_t i = 0; i < build->source_count; i++)
		source_unref(build->sources[i]);
	free(build->sources);
	lineage_free(&build->lineage);
	grafts_free(&build->grafts);
	free(build->open);
	free(build->nodes);
	arena_free(&build->texts);
	free(build);
}

/* All sources of the base, so that origins are the same in both. */
static bool
share_sources(builder *build, const document *base)
{
	if (base->source_count == 0)
		return true;
	build->sources = malloc(base->source_count * sizeof(source *));
	if (build->sources == NULL)
		return false;
	for (size_t i = 0; i < base->source_count; i++)
		build->sources[i] = source_ref(base->sources[i]);
	build->source_count = base->source_count;
	return true;
}

builder *
builder_new_from(const document *base)
{
	builder *build = builder_new();

	/* Grafts are known by the numbers of nodes. */
	if (build == NULL || base->grafts.count > 0)
		return build;
	build->capacity = base->count + base->count / 8 + SPARE_NODES;
	build->nodes = malloc(build->capacity * sizeof(node));
	if (build->nodes == NULL || !share_sources(build, base)) {
		builder_free(build);
		return NULL;
	}
	build->lineage.base = document_ref(base);
	return build;
}

void
builder_drop_comments(builder *build)
{
	build->drop_comments = true;
}

uint16_t
builder_source(builder *build, source *from)
{
	size_t count = build->source_count;
	source **grown;

	for (size_t i = count; i > 0; i--) {
		if (build->sources[i - 1] == from)
			return (uint16_t)(i - 1);
	}
	if (count >= ORIGIN_NONE) /* places get lost rather than the document */
		return ORIGIN_NONE;
	grown = realloc(build->sources, (count + 1) * sizeof(source *));
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
grow_array(void *array, size_t *capacity, size_t first, size_t size)
{
	size_t wanted = *capacity == 0 ? first : *capacity * 2;
	void *grown;

	if (wanted > UINT32_MAX || wanted > SIZE_MAX / size)
		return NULL;
	grown = realloc(array, wanted * size);
	if (grown != NULL)
		*capacity = wanted;
	return grown;
}

static bool
reserve_nodes(builder *build, size_t more)
{
	while (build->capacity - build->count < more) {
		node *grown = grow_array(build->nodes, &build->capacity, 32, sizeof(node));

		if (grown == NULL)
			return false;
		build->nodes = grown;
	}
	return true;
}

static const char *
copy_text(builder *build, const char *text, size_t length)
{
	char *copy;

	if (length > CHUNK_TEXT_MAX)
		return length < UINT32_MAX ? arena_strndup(&build->texts, text, length) : NULL;
	if (length >= build->chunk_left) {
		build->chunk = arena_alloc(&build->texts, CHUNK_SIZE);
		build->chunk_left = build->chunk == NULL ? 0 : CHUNK_SIZE;
		if (build->chunk == NULL)
			return NULL;
	}
	copy = build->chunk;
	if (length > 0)
		memcpy(copy, text, length);
	copy[length] = '\0';
	build->chunk += length + 1;
	build->chunk_left -= length + 1;
	return copy;
}

/* Counts a node of 'type' in the container it goes into; false if it does not fit there. */
static bool
enter_parent(builder *build, limen_type type)
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
static bool
add_node(builder *build, limen_type type, uint16_t origin, uint32_t offset, const char *text,
         size_t length)
{
	bool textual = type == LIMEN_TYPE_STRING || type == LIMEN_TYPE_INTEGER ||
	               type == LIMEN_TYPE_REAL;

	if (build->failed || !enter_parent(build, type) || !reserve_nodes(build, 1)) {
		build->failed = true;
		return false;
	}
	if (textual) {
		text = copy_text(build, text, length);
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
	add_node(build, LIMEN_TYPE_NULL, origin, offset, NULL, 0);
}

void
builder_bool(builder *build, uint16_t origin, uint32_t offset, bool value)
{
	add_node(build, LIMEN_TYPE_BOOL, origin, offset, value ? "t" : NULL, 0);
}

void
builder_number(builder *build, uint16_t origin, uint32_t offset, const char *text, size_t length)
{
	limen_type type = number_is_integer(text, length) ? LIMEN_TYPE_INTEGER : LIMEN_TYPE_REAL;

	add_node(build, type, origin, offset, text, length);
}

void
builder_string(builder *build, uint16_t origin, uint32_t offset, const char *text, size_t length)
{
	add_node(build, LIMEN_TYPE_STRING, origin, offset, text, length);
}

static bool
reserve_frame(builder *build)
{
	frame *grown;

	if (build->depth >= DOCUMENT_DEPTH_MAX)
		return false;
	if (build->depth < build->open_capacity)
		return true;
	grown = grow_array(build->open, &build->open_capacity, 16, sizeof(frame));
	if (grown == NULL)
		return false;
	build->open = grown;
	return true;
}

static void
begin_container(builder *build, limen_type type, uint16_t origin, uint32_t offset,
                const node *copy_end)
{
	if (!add_node(build, type, origin, offset, NULL, 0))
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
builder_begin_array(builder *build, uint16_t origin, uint32_t offset)
{
	begin_container(build, LIMEN_TYPE_ARRAY, origin, offset, NULL);
}

void
builder_begin_object(builder *build, uint16_t origin, uint32_t offset)
{
	begin_container(build, LIMEN_TYPE_OBJECT, origin, offset, NULL);
}

/* Takes the innermost container off the stack and tells its node how large it is. */
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

/* Remembers 'pointer' as that of the node that comes next. */
static void
add_graft(builder *build, const char *pointer)
{
	if (pointer == NULL || !grafts_add(&build->grafts, (uint32_t)build->count, pointer))
		build->failed = true;
}

static void
copy_node(builder *build, origin_map *map, const node *from)
{
	uint16_t origin = map_origin(build, map, from->origin);
	limen_type type = (limen_type)from->type;
	const char *own = grafts_find(&map->from->grafts, (uint32_t)(from - map->from->nodes));

	if (own != NULL)
		add_graft(build, own);

	if (node_is_container(from))
		begin_container(build, type, origin, from->offset, node_after(from));
	else
		add_node(build, type, origin, from->offset, from->text, from->length);
}

void
builder_graft(builder *build, limen_value value)
{
	char *pointer = value_pointer(value);

	add_graft(build, pointer);
	free(pointer);
	builder_copy(build, value);
}

/* Remembers that the next 'count' nodes are those of the base from 'from' on. */
static bool
add_run(builder *build, uint32_t from, uint32_t count)
{
	lineage *line = &build->lineage;
	uint32_t at = (uint32_t)build->count;
	copied *last = line->run_count == 0 ? NULL : &line->runs[line->run_count - 1];
	copied *grown;

	if (last != NULL && last->at + last->count == at && last->from + last->count == from) {
		last->count += count;
		return true;
	}
	if (line->run_count == build->run_capacity) {
		grown = grow_array(line->runs, &build->run_capacity, 32, sizeof(*grown));
		if (grown == NULL)
			return false;
		line->runs = grown;
	}
	line->runs[line->run_count++] = (copied){ at, from, count };
	return true;
}

/* Nodes of the base are copied as they are, overridden members and all. */
static void
copy_from_base(builder *build, const node *from, uint32_t count)
{
	if (!reserve_nodes(build, count) ||
	    !add_run(build, (uint32_t)(from - build->lineage.base->nodes), count)) {
		build->failed = true;
		return;
	}
	memcpy(&build->nodes[build->count], from, count * sizeof(node));
	build->count += count;
}

void
builder_copy_members(builder *build, limen_value first, const node *end, uint32_t count)
{
	const node *key = first.node;

	if (build->failed)
		return;
	if (first.document == build->lineage.base) {
		build->open[build->depth - 1].members += count;
		copy_from_base(build, key, (uint32_t)(end - key));
		return;
	}
	for (; key < end; key = node_after(key + 1)) {
		if ((key->flags & NODE_DEAD) != 0)
			continue;
		builder_copy(build, (limen_value){ first.document, key });
		builder_copy(build, (limen_value){ first.document, key + 1 });
	}
}

void
builder_copy(builder *build, limen_value value)
{
	origin_map map = { value.document, ORIGIN_NONE, ORIGIN_NONE };
	const node *next = value.node;
	const node *end = next == NULL ? NULL : node_after(next);
	size_t depth = build->depth;

	if (next == NULL) {
		build->failed = true;
		return;
	}
	if (value.document == build->lineage.base) {
		if (build->failed || !enter_parent(build, (limen_type)next->type))
			build->failed = true;
		else
			copy_from_base(build, next, next->span);
		return;
	}
	while (!build->failed) {
		/* Keys of a finished document are distinct: nothing to look for. */
		while (build->depth > depth && build->open[build->depth - 1].copy_end == next)
			close_container(build);
		if (next == end)
			break;
		if (next != value.node && (next->flags & NODE_DEAD) != 0) {
			next = node_after(next + 1);
			continue;
		}
		copy_node(build, &map, next);
		next++;
	}
}

document *
builder_finish(builder *build)
{
	document *doc = NULL;
	node *fitted;

	if (!build->failed && build->depth == 0 && build->count > 0)
		doc = calloc(1, sizeof(*doc));
	if (doc == NULL) {
		builder_free(build);
		return NULL;
	}
	/* What is mostly another needs no fitting, for it was not guessed how large it gets. */
	fitted = build->lineage.base != NULL
	                 ? build->nodes
	                 : realloc(build->nodes, build->count * sizeof(node));
	atomic_init(&doc->references, 1);
	atomic_init(&doc->ancestry, NULL);
	doc->nodes = fitted == NULL ? build->nodes : fitted;
	doc->count = build->count;
	doc->sources = build->sources;
	doc->source_count = build->source_count;
	doc->texts = build->texts;
	doc->lineage = build->lineage;
	doc->grafts = build->grafts;
	free(build->open);
	free(build);
	return doc;
}
