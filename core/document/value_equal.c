/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Equality of JSON values.  Recursion is bounded by DOCUMENT_DEPTH_MAX, and
 * every node is compared once: objects are walked side by side, and only
 * members that are out of step are looked up.
 */
#include "document_layout.h"
#include "member_lookup.h"
#include "scalar/scalar.h"

static bool equal_nodes(const node *a, const node *b);

/*
 * Numbers of 64 bits are compared exactly, and so are larger integers, with whatever it may
 * be: a double has 53 bits of them.  Everything else is compared as doubles.
 */
static bool
equal_numbers(const node *a, const node *b)
{
	int64_t whole_a, whole_b;
	double real_a, real_b;
	bool fits;

	if (node_has_text(a, b->text, b->length))
		return true;
	fits = number_int(a->text, a->length, &whole_a);
	if (number_int(b->text, b->length, &whole_b) != fits)
		return false;
	if (fits)
		return whole_a == whole_b;
	if (a->type == LIMEN_TYPE_INTEGER || b->type == LIMEN_TYPE_INTEGER)
		return number_is_same(a->text, a->length, b->text, b->length);
	return number_real(a->text, &real_a) && number_real(b->text, &real_b) && real_a == real_b;
}

static bool
equal_arrays(const node *a, const node *b)
{
	const node *left = a + 1;
	const node *right = b + 1;

	if (a->length != b->length)
		return false;
	for (uint32_t i = 0; i < a->length; i++) {
		if (!equal_nodes(left, right))
			return false;
		left = node_after(left);
		right = node_after(right);
	}
	return true;
}

static bool
equal_objects(const node *a, const node *b)
{
	member_lookup look = member_lookup_start(b);
	const node *key = a + 1;
	bool equal = a->length == b->length;

	for (uint32_t i = 0; equal && i < a->length; i++) {
		const node *other;

		key = node_live_key(key);
		other = member_lookup_find(&look, key);
		equal = other != NULL && equal_nodes(key + 1, other + 1);
		key = node_after(key + 1);
	}
	text_map_free(&look.keys);
	return equal;
}

static bool
is_number(const node *item)
{
	return item->type == LIMEN_TYPE_INTEGER || item->type == LIMEN_TYPE_REAL;
}

static bool
equal_nodes(const node *a, const node *b)
{
	if (is_number(a) && is_number(b))
		return equal_numbers(a, b);
	if (a->type != b->type)
		return false;
	switch ((limen_type)a->type) {
	case LIMEN_TYPE_BOOL:
		return (a->text != NULL) == (b->text != NULL);
	case LIMEN_TYPE_STRING:
		return node_has_text(a, b->text, b->length);
	case LIMEN_TYPE_ARRAY:
		return equal_arrays(a, b);
	case LIMEN_TYPE_OBJECT:
		return equal_objects(a, b);
	default:
		return true;
	}
}

bool
limen_value_equal(limen_value a, limen_value b)
{
	if (a.node == NULL || b.node == NULL)
		return a.node == b.node;
	return a.node == b.node || equal_nodes(a.node, b.node);
}
