/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree_hash.c - hashes a value and every node below it, from the last node to the first.  Equal
 * numbers hash alike, and the order of members does not count.
 */
#include "tree_hash.h"

#include <stdlib.h>

#include "document_layout.h"
#include "scalar/scalar.h"

/* All types of number hash alike; those that are equal have the same double. */
static uint64_t
hash_number(const hash_key *key, const node *item)
{
	double real = 0;

	if (!number_real(item->text, &real) || real == 0)
		real = 0; /* no minus in front of it */
	return hash_bytes(key, &real, sizeof(real));
}

static uint64_t
hash_scalar(const hash_key *key, const node *item)
{
	switch ((limen_type)item->type) {
	case LIMEN_TYPE_STRING:
		return hash_bytes(key, item->text, item->length) + LIMEN_TYPE_STRING;
	case LIMEN_TYPE_INTEGER:
	case LIMEN_TYPE_REAL:
		return hash_number(key, item);
	case LIMEN_TYPE_BOOL:
		return item->text != NULL ? 1 : 2;
	default:
		return 3;
	}
}

static uint64_t
hash_array(const tree_hash *tree, const hash_key *key, const node *item)
{
	const node *element = item + 1;
	uint64_t words[2] = { LIMEN_TYPE_ARRAY, 0 };

	for (uint32_t i = 0; i < item->length; i++) {
		words[1] = tree->hashes[element - tree->root];
		words[0] = hash_bytes(key, words, sizeof(words));
		element = node_after(element);
	}
	return words[0];
}

/* A sum, because the order of members does not count. */
static uint64_t
hash_object(const tree_hash *tree, const hash_key *key, const node *item)
{
	const node *name = item + 1;
	uint64_t sum = LIMEN_TYPE_OBJECT;

	for (uint32_t i = 0; i < item->length; i++) {
		uint64_t words[2];

		name = node_live_key(name);
		words[0] = tree->hashes[name - tree->root];
		words[1] = tree->hashes[name + 1 - tree->root];
		sum += hash_bytes(key, words, sizeof(words));
		name = node_after(name + 1);
	}
	return sum;
}

bool
tree_hash_open(tree_hash *tree, limen_value value, const hash_key *key)
{
	const node *root = value.node;

	tree->root = root;
	tree->hashes = calloc(root->span, sizeof(*tree->hashes));
	if (tree->hashes == NULL)
		return false;
	/* From the back, so that members come before what holds them. */
	for (size_t i = root->span; i > 0; i--) {
		const node *item = root + i - 1;

		if (item->type == LIMEN_TYPE_ARRAY)
			tree->hashes[i - 1] = hash_array(tree, key, item);
		else if (item->type == LIMEN_TYPE_OBJECT)
			tree->hashes[i - 1] = hash_object(tree, key, item);
		else
			tree->hashes[i - 1] = hash_scalar(key, item);
	}
	return true;
}

void
tree_hash_close(tree_hash *tree)
{
	free(tree->hashes);
	tree->hashes = NULL;
}

uint64_t
tree_hash_get(const tree_hash *tree, limen_value value)
{
	return tree->hashes[(const node *)value.node - tree->root];
}
