/* SPDX-License-Identifier: Apache-2.0 */
/* extent.c - counts values part by part, and stops where it is too much. */
#include "extent.h"

#include "weight.h"

/* What walks this deep needs a few megabytes of the large stack (stack.h). */
#define DEPTH_MAX 10000

bool
extent_count(extent *so_far)
{
	return ++so_far->nodes <= VALUES_MAX;
}

bool
extent_weigh(extent *so_far, jv value)
{
	switch (jv_get_kind(value)) {
	case JV_KIND_STRING:
		return weight_add_string(&so_far->weight,
		                         (size_t)jv_string_length_bytes(jv_copy(value)),
		                         WEIGHT_MAX);
	case JV_KIND_ARRAY:
		return weight_add_array(&so_far->weight, (size_t)jv_array_length(jv_copy(value)),
		                        WEIGHT_MAX);
	case JV_KIND_OBJECT:
		return weight_add_object(&so_far->weight, (size_t)jv_object_length(jv_copy(value)),
		                         WEIGHT_MAX);
	default:
		return true;
	}
}

static bool add(extent *so_far, jv value, unsigned depth);

static bool
add_array(extent *so_far, jv array, unsigned depth)
{
	int length = jv_array_length(jv_copy(array));
	bool fits = true;

	for (int i = 0; i < length && fits; i++)
		fits = add(so_far, jv_array_get(jv_copy(array), i), depth + 1);
	return fits;
}

static bool
add_object(extent *so_far, jv object, unsigned depth)
{
	bool fits = true;

	for (int at = jv_object_iter(object); fits && jv_object_iter_valid(object, at);
	     at = jv_object_iter_next(object, at)) {
		jv key = jv_object_iter_key(object, at);

		fits = extent_weigh(so_far, key) &&
		       add(so_far, jv_object_iter_value(object, at), depth + 1);
		jv_free(key);
	}
	return fits;
}

/* Consumes 'value'. */
static bool
add(extent *so_far, jv value, unsigned depth)
{
	jv_kind kind = jv_get_kind(value);
	bool fits = depth <= DEPTH_MAX && extent_count(so_far) && extent_weigh(so_far, value);

	if (fits && kind == JV_KIND_ARRAY)
		fits = add_array(so_far, value, depth);
	else if (fits && kind == JV_KIND_OBJECT)
		fits = add_object(so_far, value, depth);
	jv_free(value);
	return fits;
}

bool
extent_fits(jv value)
{
	extent so_far = { .nodes = 0 };

	return add(&so_far, jv_copy(value), 0);
}
