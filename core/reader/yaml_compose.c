/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_compose.c - builds a document from a YAML tree.  It copies what aliases and merge keys
 * (yaml.org/type/merge) refer to and caps depth, values and text, so that aliases of aliases
 * cannot exhaust memory.
 */
#include "yaml_tree.h"

#include <stdlib.h>

typedef struct composer {
	yaml_reader *reader;
	const yaml_tree *tree;
	builder *build;
	uint16_t origin;
	arena scratch;
} composer;

static bool compose_node(composer *compose, const yaml_node *item, unsigned depth);
static bool compose_members(composer *compose, const yaml_node *mapping, unsigned depth);

/*
 * Counts one step of work, so that aliases of aliases cannot make the document
 * (or the work for an empty one) grow exponentially.
 */
static bool
count_step(composer *compose, const yaml_node *item)
{
	return ++compose->reader->nodes_made <= YAML_NODES_MAX ||
	       yaml_problem(compose->reader, item->offset,
	                    "there are more than %zu values, counting what aliases repeat",
	                    YAML_NODES_MAX);
}

static bool
count_text(composer *compose, const yaml_node *item)
{
	compose->reader->text_made += item->length;
	return compose->reader->text_made <= YAML_TEXT_MAX ||
	       yaml_problem(compose->reader, item->offset,
	                    "there are more than %zu bytes of text, counting what aliases repeat",
	                    YAML_TEXT_MAX);
}

static bool
check_depth(composer *compose, const yaml_node *item, unsigned depth)
{
	return depth <= READ_DEPTH_MAX ||
	       yaml_problem(compose->reader, item->offset,
	                    "nested more than %d deep, aliases included", READ_DEPTH_MAX);
}

static void
add_scalar(composer *compose, const yaml_node *item, const yaml_scalar *value)
{
	switch (value->type) {
	case LIMEN_TYPE_NULL:
		builder_null(compose->build, compose->origin, item->offset);
		return;
	case LIMEN_TYPE_BOOL:
		builder_bool(compose->build, compose->origin, item->offset, value->truth);
		return;
	case LIMEN_TYPE_STRING:
		builder_string(compose->build, compose->origin, item->offset, value->text,
		               value->length);
		return;
	default:
		builder_number(compose->build, compose->origin, item->offset, value->text,
		               value->length);
	}
}

static bool
compose_scalar(composer *compose, const yaml_node *item)
{
	yaml_scalar value;

	/* An alias to a key may be a problem: keys were not looked at as values before. */
	if (!count_text(compose, item) ||
	    !yaml_read_scalar(compose->reader, item, &compose->scratch, &value))
		return false;
	add_scalar(compose, item, &value);
	return true;
}

static bool
compose_key(composer *compose, const yaml_node *key)
{
	const yaml_node *text = yaml_tree_resolve(compose->tree, key);

	if (!count_step(compose, key) || !count_text(compose, text))
		return false;
	builder_string(compose->build, compose->origin, key->offset, text->text, text->length);
	return true;
}

/* Adds the members of the maps listed; the builder lets the last one win, YAML the first. */
static bool
merge_list(composer *compose, const yaml_node *list, unsigned depth)
{
	const yaml_node **maps = calloc(list->span, sizeof(*maps));
	const yaml_node *item = list + 1;
	size_t count = 0;
	bool done = true;

	if (maps == NULL) {
		compose->reader->no_memory = true;
		return false;
	}
	for (; done && item < list + list->span; item += item->span) {
		maps[count++] = yaml_tree_resolve(compose->tree, item);
		done = count_step(compose, item);
		if (done && maps[count - 1]->kind != YAML_MAPPING)
			done = yaml_problem(compose->reader, item->offset, "only maps can be merged");
	}
	while (done && count > 0)
		done = compose_members(compose, maps[--count], depth + 1);
	free(maps);
	return done;
}

static bool
merge_value(composer *compose, const yaml_node *item, unsigned depth)
{
	const yaml_node *value = yaml_tree_resolve(compose->tree, item);

	if (!count_step(compose, item))
		return false;
	if (value->kind == YAML_MAPPING)
		return compose_members(compose, value, depth + 1);
	if (value->kind == YAML_SEQUENCE)
		return merge_list(compose, value, depth);
	return yaml_problem(compose->reader, item->offset,
	                    "a merge key takes a map or a list of maps");
}

/*
 * Adds the members of 'mapping' to the open object: first those it merges, so
 * that its own, coming later, override them (yaml.org/type/merge).  'depth'
 * counts maps merged into maps like maps in maps: both are recursion here.
 */
static bool
compose_members(composer *compose, const yaml_node *mapping, unsigned depth)
{
	const yaml_node *end = mapping + mapping->span;
	const yaml_node *key = mapping + 1;

	if (!check_depth(compose, mapping, depth))
		return false;
	for (; key < end; key += 1 + key[1].span)
		if (yaml_node_is_merge(key) && !merge_value(compose, key + 1, depth))
			return false;
	for (key = mapping + 1; key < end; key += 1 + key[1].span) {
		if (yaml_node_is_merge(key))
			continue;
		if (!compose_key(compose, key) || !compose_node(compose, key + 1, depth + 1))
			return false;
	}
	return true;
}

static bool
compose_mapping(composer *compose, const yaml_node *mapping, unsigned depth)
{
	builder_begin_object(compose->build, compose->origin, mapping->offset);
	if (!compose_members(compose, mapping, depth))
		return false;
	builder_end(compose->build);
	return true;
}

static bool
compose_sequence(composer *compose, const yaml_node *sequence, unsigned depth)
{
	const yaml_node *end = sequence + sequence->span;
	const yaml_node *item = sequence + 1;

	if (!check_depth(compose, sequence, depth))
		return false;
	builder_begin_array(compose->build, compose->origin, sequence->offset);
	for (; item < end; item += item->span)
		if (!compose_node(compose, item, depth + 1))
			return false;
	builder_end(compose->build);
	return true;
}

/* 'depth' is that of the node itself if it is a container, from 1. */
static bool
compose_node(composer *compose, const yaml_node *item, unsigned depth)
{
	const yaml_node *meant = yaml_tree_resolve(compose->tree, item);

	if (!count_step(compose, item))
		return false;
	if (meant->kind == YAML_SCALAR)
		return compose_scalar(compose, meant);
	if (meant->kind == YAML_SEQUENCE)
		return compose_sequence(compose, meant, depth);
	return compose_mapping(compose, meant, depth);
}

document *
yaml_compose(yaml_reader *reader, const yaml_tree *tree)
{
	composer compose = { .reader = reader, .tree = tree, .scratch = ARENA_INIT };
	document *doc = NULL;

	compose.build = builder_new();
	if (compose.build == NULL) {
		reader->no_memory = true;
		return NULL;
	}
	if ((reader->flags & READ_COMMENTS) != 0)
		builder_drop_comments(compose.build);
	compose.origin = builder_source(compose.build, reader->source);
	if (compose_node(&compose, tree->nodes, 1)) {
		doc = builder_finish(compose.build);
		reader->no_memory = doc == NULL;
	} else {
		builder_free(compose.build);
	}
	arena_free(&compose.scratch);
	return doc;
}
