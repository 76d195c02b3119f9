/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree_hash.h - a hash of every node below a value: comparing hashes finds subtrees that
 * differ without walking them again at every level.
 */
#ifndef LIMEN_CORE_DOCUMENT_TREE_HASH_H
#define LIMEN_CORE_DOCUMENT_TREE_HASH_H

#include "tree.h"
#include "base/hash.h"

typedef struct tree_hash {
	const node *root;
	uint64_t *hashes; /* one a node, in document order */
} tree_hash;

/* Hashes everything below 'value'.  Returns false when memory is short. */
bool tree_hash_open(tree_hash *tree, limen_value value, const hash_key *key);
void tree_hash_close(tree_hash *tree);

/* Values that are equal (limen_value_equal) have equal hashes under the same key. */
uint64_t tree_hash_get(const tree_hash *tree, limen_value value);

#endif
