/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builder_copy.c - copies nodes of other documents, texts and origins included, into a new one.
 */
#include <stdlib.h>

#include "builder.h"

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
