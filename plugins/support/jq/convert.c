/* SPDX-License-Identifier: Apache-2.0 */
/*
 * convert.c - documents as jq values.  Every number goes through a double, as
 * in pScheduler (pyjq), and not through jq's parser, which from
 * 1.7 on keeps how it was written.
 */
#include <math.h>
#include <stdlib.h>

#include "budget.h"
#include "jq.h"

/* A document with more text than this is not given to scripts; budget.h has further bounds. */
#define BYTES_MAX ((size_t)16 << 20)

typedef struct conversion {
	budget left;
	size_t bytes; /* of strings */
	const char *error;
} conversion;

static jv convert(conversion *state, limen_value value);

static jv
refuse(conversion *state)
{
	state->error = "The input is too large for a script";
	return jv_null();
}

static jv
convert_string(conversion *state, limen_value value)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);

	if (length > BYTES_MAX - state->bytes ||
	    !budget_string(&state->left, length))
		return refuse(state);
	state->bytes += length;
	return jv_string_sized(text, (int)length);
}

static jv
convert_number(conversion *state, limen_value value)
{
	double number = 0;

	/* Python's own words for an integer that is too large. */
	if (!limen_value_real(value, &number) || isinf(number))
		state->error = "int too large to convert to float";
	return jv_number(number);
}

static jv
convert_array(conversion *state, limen_value array)
{
	limen_iter iter = limen_iter_start(array);
	size_t count = limen_value_count(array);
	limen_value element;
	jv made;

	if (count > state->left.values || !budget_array(&state->left))
		return refuse(state);
	made = jv_array_sized((int)count);
	while (state->error == NULL && limen_iter_next(&iter, NULL, &element))
		made = jv_array_append(made, convert(state, element));
	return made;
}

static jv
convert_object(conversion *state, limen_value object)
{
	limen_iter iter = limen_iter_start(object);
	size_t count = limen_value_count(object);
	limen_value key, member;
	jv made;
	collisions keys;

	if (!budget_object(&state->left, count))
		return refuse(state);
	made = jv_object();
	if (!collisions_open(&keys, count))
		state->error = limen_result_text(LIMEN_ENOMEM);
	while (state->error == NULL && limen_iter_next(&iter, &key, &member)) {
		jv name = convert_string(state, key);

		if (state->error == NULL && !collisions_add(&keys, name))
			state->error = "The keys of an object in the input collide on purpose";
		if (state->error == NULL)
			made = jv_object_set(made, name, convert(state, member));
		else
			jv_free(name);
	}
	collisions_close(&keys);
	return made;
}

static jv
convert_scalar(conversion *state, limen_value value)
{
	bool truth = false;

	if (!budget_scalar(&state->left))
		return refuse(state);
	switch (limen_value_type(value)) {
	case LIMEN_TYPE_BOOL:
		limen_value_bool(value, &truth);
		return jv_bool(truth);
	case LIMEN_TYPE_INTEGER:
	case LIMEN_TYPE_REAL:
		return convert_number(state, value);
	default:
		return jv_null();
	}
}

static jv
convert(conversion *state, limen_value value)
{
	if (state->error != NULL)
		return jv_null();
	switch (limen_value_type(value)) {
	case LIMEN_TYPE_STRING:
		return convert_string(state, value);
	case LIMEN_TYPE_ARRAY:
		return convert_array(state, value);
	case LIMEN_TYPE_OBJECT:
		return convert_object(state, value);
	default:
		return convert_scalar(state, value);
	}
}

jv
jq_from_value(limen_value value)
{
	conversion state = { .left = budget_start(1) };
	jv made = convert(&state, value);

	if (state.error == NULL)
		return made;
	jv_free(made);
	return jv_invalid_with_msg(jv_string(state.error));
}
