/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_tree.c - stores the nodes of one YAML document in a flat array and its anchors in a map.
 * It marks repeated keys.
 */
#include "yaml_tree.h"

#include <stdlib.h>
#include <string.h>

void
yaml_tree_reset(yaml_tree *tree)
{
	text_map_free(&tree->anchors);
	tree->count = 0;
	tree->depth = 0;
	arena_reset(&tree->memory);
}

void
yaml_tree_free(yaml_tree *tree)
{
	yaml_tree_reset(tree);
	arena_free(&tree->memory);
	free(tree->nodes);
	tree->nodes = NULL;
	tree->capacity = 0;
}

static bool
reserve_node(yaml_tree *tree)
{
	size_t capacity = tree->capacity == 0 ? 64 : tree->capacity * 2;
	yaml_node *grown;

	if (tree->count < tree->capacity)
		return true;
	if (capacity > UINT32_MAX)
		return false;
	grown = reallocarray(tree->nodes, capacity, sizeof(*grown));
	if (grown == NULL)
		return false;
	tree->nodes = grown;
	tree->capacity = capacity;
	return true;
}

bool
yaml_tree_wants_key(const yaml_tree *tree)
{
	size_t top = tree->depth - 1;

	if (tree->depth == 0 || tree->nodes[tree->open[top]].kind != YAML_MAPPING)
		return false;
	return !tree->keyed[top];
}

yaml_node *
yaml_tree_add(yaml_tree *tree, yaml_kind kind, size_t offset)
{
	bool key = yaml_tree_wants_key(tree);
	yaml_node *added;

	if (!reserve_node(tree))
		return NULL;
	added = &tree->nodes[tree->count];
	*added = (yaml_node){
		.kind = (uint8_t)kind,
		.key = key,
		.offset = (uint32_t)offset,
		.span = kind == YAML_SCALAR || kind == YAML_ALIAS ? 1 : 0,
		.text = "",
	};
	if (tree->depth > 0)
		tree->keyed[tree->depth - 1] = key;
	if (added->span == 0) {
		tree->open[tree->depth] = (uint32_t)tree->count;
		tree->keyed[tree->depth++] = false;
	}
	tree->count++;
	return added;
}

void
yaml_tree_end(yaml_tree *tree)
{
	uint32_t closed = tree->open[--tree->depth];

	tree->nodes[closed].span = (uint32_t)tree->count - closed;
}

bool
yaml_tree_set_anchor(yaml_tree *tree, const char *name, size_t length)
{
	const char *copy = arena_strndup(&tree->memory, name, length);
	void **number = copy == NULL ? NULL : text_map_put(&tree->anchors, NULL, copy, length);

	if (number == NULL)
		return false;
	*number = (void *)(uintptr_t)tree->count;
	return true;
}

uint32_t
yaml_tree_find_anchor(const yaml_tree *tree, const char *name, size_t length)
{
	/* The number of the node, from 1; if there is none, 0 becomes UINT32_MAX. */
	return (uint32_t)(uintptr_t)text_map_get(&tree->anchors, name, length) - 1;
}

const yaml_node *
yaml_tree_resolve(const yaml_tree *tree, const yaml_node *item)
{
	return item->kind == YAML_ALIAS ? &tree->nodes[item->target] : item;
}

bool
yaml_node_is_merge(const yaml_node *key)
{
	if (key->kind != YAML_SCALAR)
		return false;
	if (key->tag == YAML_TAG_MERGE)
		return true;
	return key->tag == YAML_TAG_NONE && key->plain && key->length == 2
	       && memcmp(key->text, "<<", 2) == 0;
}

/* Puts 'key', whose text is that of 'text', into 'keys'; false when memory is short. */
static bool
mark_earlier(text_map *keys, yaml_node *key, const yaml_node *text)
{
	void **last = text_map_put(keys, NULL, text->text, text->length);
	yaml_node *earlier = last == NULL ? NULL : *last;

	if (last == NULL)
		return false;
	if (earlier != NULL)
		earlier->repeated = true;
	*last = key;
	return true;
}

/* A second merge key adds to the first, and so repeats nothing. */
static bool
mark_in_mapping(const yaml_tree *tree, yaml_node *mapping)
{
	text_map keys = { .count = 0 };
	yaml_node *key = mapping + 1;
	bool complete = true;

	while (complete && key < mapping + mapping->span) {
		const yaml_node *text = yaml_tree_resolve(tree, key);

		if (text->kind == YAML_SCALAR && !yaml_node_is_merge(key))
			complete = mark_earlier(&keys, key, text);
		key += key->span;
		key += key->span;
	}
	text_map_free(&keys);
	return complete;
}

bool
yaml_tree_mark_repeated(yaml_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		if (tree->nodes[i].kind == YAML_MAPPING && !mark_in_mapping(tree, &tree->nodes[i]))
			return false;
	return true;
}
