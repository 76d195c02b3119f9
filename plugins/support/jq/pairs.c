/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.c - counts the comparisons of parts of values with each other. */
#include "pairs.h"

#include "extent.h"

#define PAIRS_MAX 1000000

/* A comparison of two texts costs about as much as that of two numbers for so many bytes. */
#define BYTES_OF_A_PAIR 64

/* Nothing that fits below PAIRS_MAX needs to be walked deeper. */
#define DEPTH_MAX 10000

static int
bytes_pairs(jv text)
{
	return jv_string_length_bytes(jv_copy(text)) / BYTES_OF_A_PAIR;
}

/* Takes 'count' from what is left; false: nothing is. */
static bool
take(long *left, long count)
{
	*left -= count;
	return *left >= 0;
}

static bool take_parts(jv value, long *left, unsigned depth);

/* Takes a part, which is consumed, and all that is in it. */
static bool
take_part(jv part, long *left, unsigned depth)
{
	bool good = take(left, 1) && take_parts(part, left, depth + 1);

	jv_free(part);
	return good;
}

/* Takes the parts of 'value', not consumed. */
static bool
take_parts(jv value, long *left, unsigned depth)
{
	jv_kind kind = jv_get_kind(value);
	bool good = depth < DEPTH_MAX;

	if (kind == JV_KIND_STRING)
		return take(left, bytes_pairs(value));
	if (kind == JV_KIND_ARRAY) {
		int length = jv_array_length(jv_copy(value));

		for (int i = 0; i < length && good; i++)
			good = take_part(jv_array_get(jv_copy(value), i), left, depth);
	} else if (kind == JV_KIND_OBJECT) {
		for (int at = jv_object_iter(value); good && jv_object_iter_valid(value, at);
		     at = jv_object_iter_next(value, at))
			good = take_part(jv_object_iter_key(value, at), left, depth) &&
			       take_part(jv_object_iter_value(value, at), left, depth);
	}
	return good;
}

/* May all that is in 'value' be looked at 'times' times? */
static bool
may_repeat(jv value, int times)
{
	long left = PAIRS_MAX / (times < 1 ? 1 : times);

	return take_parts(value, &left, 0);
}

static int
count_of(jv value)
{
	return jv_get_kind(value) == JV_KIND_NUMBER ? (int)jv_number_value(value)
	                                            : jv_array_length(jv_copy(value));
}

/* Two elements are compared until one of them has no more parts: so the smaller counts. */
bool
pairs_may_compare(jv a, jv b)
{
	if (may_repeat(a, count_of(b)))
		return true;
	return jv_get_kind(b) == JV_KIND_ARRAY && may_repeat(b, count_of(a));
}

static bool take_search(jv a, jv b, long *left, unsigned depth);

static bool
take_arrays(jv a, jv b, long *left, unsigned depth)
{
	int a_length = jv_array_length(jv_copy(a));
	int b_length = jv_array_length(jv_copy(b));
	bool good = true;

	for (int i = 0; i < b_length && good; i++) {
		for (int j = 0; j < a_length && good; j++)
			good = take_search(jv_array_get(jv_copy(a), j),
			                   jv_array_get(jv_copy(b), i), left, depth + 1);
	}
	return good;
}

static bool
take_objects(jv a, jv b, long *left, unsigned depth)
{
	bool good = true;

	for (int at = jv_object_iter(b); good && jv_object_iter_valid(b, at);
	     at = jv_object_iter_next(b, at))
		good = take_search(jv_object_get(jv_copy(a), jv_object_iter_key(b, at)),
		                   jv_object_iter_value(b, at), left, depth + 1);
	return good;
}

/* Takes what is compared when 'b' is looked for in 'a'; both are consumed. */
static bool
take_search(jv a, jv b, long *left, unsigned depth)
{
	jv_kind kind = jv_get_kind(a);
	bool good = depth < DEPTH_MAX && take(left, depth == 0 ? 0 : 1);

	if (good && kind == jv_get_kind(b)) {
		if (kind == JV_KIND_ARRAY)
			good = take_arrays(a, b, left, depth);
		else if (kind == JV_KIND_OBJECT)
			good = take_objects(a, b, left, depth);
		else if (kind == JV_KIND_STRING)
			good = take(left, (long)bytes_pairs(a) + bytes_pairs(b));
	}
	jv_free(a);
	jv_free(b);
	return good;
}

/* Values of different kinds are printed, for the error. */
bool
pairs_may_contain(jv a, jv b)
{
	long left = PAIRS_MAX;

	if (jv_get_kind(a) != jv_get_kind(b))
		return extent_fits(a) && extent_fits(b);
	return take_search(jv_copy(a), jv_copy(b), &left, 0);
}
