/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy.c - copies what a script returns.  Reference counts of a jv are not
 * atomic, so nothing that a compiled script holds may be reachable from an
 * output once another thread may run that script.
 */
#include "copy.h"

#include <math.h>

#include "extent.h"

static jv copy(extent *state, jv value, jv known, unsigned depth);

static jv
fail(jv value, const char *why)
{
	jv_free(value);
	return jv_invalid_with_msg(jv_string(why));
}

static jv
copy_array(extent *state, jv array, jv known, unsigned depth)
{
	int length = jv_array_length(jv_copy(array));
	jv made = jv_array_sized(length);

	for (int i = 0; i < length && jv_is_valid(made); i++) {
		jv before = jv_get_kind(known) == JV_KIND_ARRAY
		                    ? jv_array_get(jv_copy(known), i) : jv_invalid();
		jv element = copy(state, jv_array_get(jv_copy(array), i), before, depth + 1);

		jv_free(before);
		if (jv_is_valid(element)) {
			made = jv_array_append(made, element);
			continue;
		}
		jv_free(made);
		made = element;
	}
	jv_free(array);
	return made;
}

static jv
copy_string(jv string)
{
	jv made = jv_string_sized(jv_string_value(string), jv_string_length_bytes(jv_copy(string)));

	jv_free(string);
	return made;
}

static jv
copy_object(extent *state, jv object, jv known, unsigned depth)
{
	jv made = jv_object();
	int at = jv_object_iter(object);

	for (; jv_is_valid(made) && jv_object_iter_valid(object, at);
	     at = jv_object_iter_next(object, at)) {
		jv key = jv_object_iter_key(object, at);
		jv before = jv_get_kind(known) == JV_KIND_OBJECT
		                    ? jv_object_get(jv_copy(known), jv_copy(key)) : jv_invalid();
		jv member = copy(state, jv_object_iter_value(object, at), before, depth + 1);

		jv_free(before);
		if (jv_is_valid(member)) {
			made = jv_object_set(made, copy_string(key), member);
			continue;
		}
		jv_free(key);
		jv_free(made);
		made = member;
	}
	jv_free(object);
	return made;
}

/* Need it not be copied?  Neither is consumed. */
static bool
is_free(jv value, jv known)
{
	jv_kind kind = jv_get_kind(value);

	if (kind != JV_KIND_STRING && kind != JV_KIND_ARRAY && kind != JV_KIND_OBJECT)
		return true;
	return jv_is_valid(known) && jv_identical(jv_copy(value), jv_copy(known));
}

/* Python's int() refuses an infinity, and with it pScheduler any output that has one. */
static jv
copy(extent *state, jv value, jv known, unsigned depth)
{
	jv_kind kind = jv_get_kind(value);

	if (!extent_count(state))
		return fail(value, "The result is too large");
	if (kind == JV_KIND_NUMBER && isinf(jv_number_value(value)))
		return fail(value, "cannot convert float infinity to integer");
	if (is_free(value, known))
		return value;
	if (!extent_weigh(state, value))
		return fail(value, "The result is too large");
	if (kind == JV_KIND_STRING)
		return copy_string(value);
	if (depth >= COPY_DEPTH_MAX)
		return fail(value, "The result is nested too deeply");
	return kind == JV_KIND_ARRAY ? copy_array(state, value, known, depth)
	                             : copy_object(state, value, known, depth);
}

jv
copy_output(jv value, jv known)
{
	extent state = { .nodes = 0 };

	return copy(&state, value, known, 0);
}
