/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_tree.c - stores the nodes of one YAML document in a flat array and its anchors in a
 * balanced tree (tsearch(3)).  It marks repeated keys by sorting the keys of each mapping.
 */
#include "yaml_tree.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A balanced tree of these keeps look-ups fast whatever names a text gives. */
typedef struct anchor {
	const char *name;
	size_t length;
	uint32_t node;
} anchor;

static int
compare_texts(const char *a, size_t a_length, const char *b, size_t b_length)
{
	if (a_length != b_length)
		return a_length < b_length ? -1 : 1;
	return a_length == 0 ? 0 : memcmp(a, b, a_length);
}

static int
compare_anchors(const void *a, const void *b)
{
	const anchor *left = a;
	const anchor *right = b;

	return compare_texts(left->name, left->length, right->name, right->length);
}

/* Anchors are in the arena. */
static void
keep_anchor(void *unused)
{
	(void)unused;
}

void
yaml_tree_reset(yaml_tree *tree)
{
	tdestroy(tree->anchors, keep_anchor);
	tree->anchors = NULL;
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
	anchor *fresh = arena_alloc(&tree->memory, sizeof(*fresh));
	void *found;

	if (fresh == NULL)
		return false;
	*fresh = (anchor){
		.name = arena_strndup(&tree->memory, name, length),
		.length = length,
	};
	if (fresh->name == NULL)
		return false;
	found = tsearch(fresh, &tree->anchors, compare_anchors);
	if (found == NULL)
		return false;
	(*(anchor **)found)->node = (uint32_t)(tree->count - 1);
	return true;
}

uint32_t
yaml_tree_find_anchor(const yaml_tree *tree, const char *name, size_t length)
{
	anchor wanted = { .name = name, .length = length };
	void *found = tfind(&wanted, &tree->anchors, compare_anchors);

	return found == NULL ? UINT32_MAX : (*(anchor **)found)->node;
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

/* A key while those of its mapping are being compared. */
typedef struct candidate {
	yaml_node *key;
	const char *text;
	uint32_t length;
} candidate;

static int
compare_candidates(const void *a, const void *b)
{
	const candidate *left = a;
	const candidate *right = b;
	int order = compare_texts(left->text, left->length, right->text, right->length);

	if (order != 0)
		return order;
	return left->key < right->key ? -1 : 1;
}

/* Collects the keys of 'mapping' that can be repeated; a second merge key adds to the first. */
static size_t
collect_keys(const yaml_tree *tree, yaml_node *mapping, candidate *out)
{
	yaml_node *end = mapping + mapping->span;
	yaml_node *key = mapping + 1;
	size_t count = 0;

	while (key < end) {
		const yaml_node *text = yaml_tree_resolve(tree, key);

		if (text->kind == YAML_SCALAR && !yaml_node_is_merge(key))
			out[count++] = (candidate){ key, text->text, text->length };
		key += key->span;
		key += key->span;
	}
	return count;
}

static void
mark_in_mapping(const yaml_tree *tree, yaml_node *mapping, candidate *room)
{
	size_t count = collect_keys(tree, mapping, room);

	qsort(room, count, sizeof(*room), compare_candidates);
	for (size_t i = 1; i < count; i++) {
		if (room[i].length == room[i - 1].length
		    && memcmp(room[i].text, room[i - 1].text, room[i].length) == 0)
			room[i - 1].key->repeated = true;
	}
}

bool
yaml_tree_mark_repeated(yaml_tree *tree)
{
	candidate *room = calloc(tree->count + 1, sizeof(*room));

	if (room == NULL)
		return false;
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->nodes[i].kind == YAML_MAPPING)
			mark_in_mapping(tree, &tree->nodes[i], room);
	}
	free(room);
	return true;
}
