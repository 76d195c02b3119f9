/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_tree.h - one YAML document as written: tags, anchors and aliases are not resolved
 * yet.  Nodes stand in one flat array in the order of the text; those of a mapping are
 * key, value, key, value.
 *
 * A document cannot be built while the text is read.  A merge key takes members that come
 * before those of its mapping, even if it stands behind them.  An alias repeats what its anchor
 * names: a key as it was written, or the same text with its type as a value.
 */
#ifndef LIMEN_CORE_READER_YAML_TREE_H
#define LIMEN_CORE_READER_YAML_TREE_H

#include "base/arena.h"
#include "base/text_map.h"
#include "yaml_reader.h"
#include "yaml_scalar.h"

typedef enum yaml_kind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING, YAML_ALIAS } yaml_kind;

typedef struct yaml_node {
	uint8_t kind;
	uint8_t tag;
	bool plain;    /* scalar: written without quotes */
	bool key;      /* stands where a mapping has its keys */
	bool repeated; /* key: stands again further down in the same mapping */
	uint32_t offset;
	uint32_t span;    /* nodes in this subtree, itself included; 0 until it is closed */
	uint32_t target;  /* alias: the node it refers to, never an alias itself */
	uint32_t length;
	const char *text; /* scalar: as written, not NUL-terminated */
} yaml_node;

typedef struct yaml_tree {
	yaml_node *nodes;
	size_t count;
	size_t capacity;
	size_t depth; /* containers that are open */
	uint32_t open[READ_DEPTH_MAX];
	bool keyed[READ_DEPTH_MAX]; /* mapping: the value of a key comes next */
	text_map anchors; /* the number of the last node of each name, from 1 */
	arena memory; /* texts */
} yaml_tree;

#define YAML_TREE_INIT { .memory = ARENA_INIT }

/* Takes all nodes and anchors out. */
void yaml_tree_reset(yaml_tree *tree);
void yaml_tree_free(yaml_tree *tree);

/*
 * Adds a node where the text goes on; a sequence or mapping stays open until
 * yaml_tree_end().  Fewer than READ_DEPTH_MAX may be open.  Returns the node,
 * good until the next is added, or NULL when memory is short.
 */
yaml_node *yaml_tree_add(yaml_tree *tree, yaml_kind kind, size_t offset);
void yaml_tree_end(yaml_tree *tree);

/* Does a key come next? */
bool yaml_tree_wants_key(const yaml_tree *tree);

/* Gives the node added last a name.  Returns false when memory is short. */
bool yaml_tree_set_anchor(yaml_tree *tree, const char *name, size_t length);

/* Returns the index of the last node with this anchor, or UINT32_MAX. */
uint32_t yaml_tree_find_anchor(const yaml_tree *tree, const char *name, size_t length);

/* Returns the node, or the node it refers to if it is an alias. */
const yaml_node *yaml_tree_resolve(const yaml_tree *tree, const yaml_node *item);

/* Is 'key' a merge key (yaml.org/type/merge)? */
bool yaml_node_is_merge(const yaml_node *key);

/* Marks the keys that are repeated.  Returns false when memory is short. */
bool yaml_tree_mark_repeated(yaml_tree *tree);

/* ---- from text to trees (yaml_load.c), and from trees to documents (yaml_compose.c) ---- */

/* The value of a scalar, in 'scratch', which is emptied.  Reports and returns false if it has none. */
bool yaml_read_scalar(yaml_reader *reader, const yaml_node *item, arena *scratch, yaml_scalar *out);

typedef struct yaml_loader yaml_loader;

/* 'reader' and its text must outlive the loader.  Returns NULL when memory is short. */
yaml_loader *yaml_loader_new(yaml_reader *reader);
void yaml_loader_free(yaml_loader *loader);

/*
 * Puts the next document of the text into 'tree'.  Returns false at the end of the text
 * and after a fatal error; the reader knows which.  A tree with problems is complete,
 * but may leave out parts of the text.
 */
bool yaml_loader_next(yaml_loader *loader, yaml_tree *tree);

/*
 * Makes a document of a tree that was read without problems.  Returns NULL
 * after a problem, which the reader has counted.
 */
document *yaml_compose(yaml_reader *reader, const yaml_tree *tree);

#endif
