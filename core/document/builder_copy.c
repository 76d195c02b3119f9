/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builder_copy.c - puts what other documents have into a new one: node by node, or in
 * one piece where it is mostly another.
 */
#include <stdlib.h>

#include "builder.h"
#include "base/recycle.h"

/* Room for nodes that the base does not have. */
#define SPARE_NODES 64

/* All sources of the base, so that origins are the same in both. */
static bool
share_sources(builder *build, const document *base)
{
	if (base->source_count == 0)
		return true;
	build->sources = recycle_alloc(base->source_count * sizeof(source *));
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

	/*
	 * Borrowed nodes are recorded by node number, which would change.  And a chain of
	 * derived documents would keep all of its bases in memory.
	 */
	if (build == NULL || base->grafts.count > 0 || base->lineage.base != NULL)
		return build;
	build->capacity = base->count + base->count / 8 + SPARE_NODES;
	build->nodes = recycle_alloc(build->capacity * sizeof(node));
	if (build->nodes == NULL || !share_sources(build, base)) {
		builder_free(build);
		return NULL;
	}
	build->lineage.base = document_ref(base);
	return build;
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

/* Records 'pointer' for the next node. */
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
		builder_begin(build, type, origin, from->offset, node_after(from));
	else
		builder_add(build, type, origin, from->offset, from->text, from->length);
}

void
builder_graft(builder *build, limen_value value)
{
	char *pointer = value_pointer(value);

	add_graft(build, pointer);
	free(pointer);
	builder_copy(build, value);
}

/* Records that the next 'count' nodes are copies of the base's nodes from 'from' on. */
static bool
add_run(builder *build, uint32_t from, uint32_t count)
{
	lineage *line = &build->lineage;
	uint32_t index = (uint32_t)build->count;
	copied *last = line->run_count == 0 ? NULL : &line->runs[line->run_count - 1];
	copied *grown;

	if (last != NULL && last->at + last->count == index && last->from + last->count == from) {
		last->count += count;
		return true;
	}
	if (line->run_count == build->run_capacity) {
		grown = builder_grow(line->runs, &build->run_capacity, 32, sizeof(*grown));
		if (grown == NULL)
			return false;
		line->runs = grown;
	}
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): where there is room, there are runs */
	line->runs[line->run_count++] = (copied){ index, from, count };
	return true;
}

/* Nodes of the base are copied as they are, overridden members and all. */
static void
copy_from_base(builder *build, const node *from, uint32_t count)
{
	if (!builder_reserve(build, count) ||
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
		if (build->failed || !builder_enter(build, (limen_type)next->type))
			build->failed = true;
		else
			copy_from_base(build, next, next->span);
		return;
	}
	while (!build->failed) {
		/* Keys of a finished document are distinct: nothing to look for. */
		while (build->depth > depth && build->open[build->depth - 1].copy_end == next)
			builder_close(build);
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
