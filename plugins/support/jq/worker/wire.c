/* SPDX-License-Identifier: Apache-2.0 */
/* wire.c - writes and reads values.  The reader trusts no byte: it may come from a hijacked worker. */
#include "wire.h"

#include <math.h>
#include <string.h>

const char wire_too_large[] = "The result is too large";

typedef struct writing {
	wire_out *out;
	budget left;
	bool is_output;
	const char *problem;
} writing;

void
wire_bytes(wire_out *out, const void *bytes, size_t length)
{
	if (out->failed || length > out->room - out->length) {
		out->failed = true;
		return;
	}
	memcpy(out->bytes + out->length, bytes, length);
	out->length += length;
}

static void
put_head(wire_out *out, char kind, uint32_t length)
{
	wire_bytes(out, &kind, 1);
	wire_bytes(out, &length, sizeof(length));
}

void
wire_array(wire_out *out, uint32_t count)
{
	put_head(out, 'a', count);
}

static void put(writing *state, jv value, unsigned depth);

static void
put_string(writing *state, jv string)
{
	int length = jv_string_length_bytes(jv_copy(string));

	if (budget_string(&state->left, (size_t)length)) {
		put_head(state->out, 's', (uint32_t)length);
		wire_bytes(state->out, jv_string_value(string), (size_t)length);
	} else {
		state->problem = wire_too_large;
	}
	jv_free(string);
}

static void
put_array(writing *state, jv array, unsigned depth)
{
	int length = jv_array_length(jv_copy(array));

	if (!budget_array(&state->left))
		state->problem = wire_too_large;
	wire_array(state->out, (uint32_t)length);
	for (int i = 0; i < length && state->problem == NULL; i++)
		put(state, jv_array_get(jv_copy(array), i), depth + 1);
	jv_free(array);
}

static void
put_object(writing *state, jv object, unsigned depth)
{
	int length = jv_object_length(jv_copy(object));
	int at = jv_object_iter(object);

	if (!budget_object(&state->left, (size_t)length))
		state->problem = wire_too_large;
	put_head(state->out, 'o', (uint32_t)length);
	for (; state->problem == NULL && jv_object_iter_valid(object, at);
	     at = jv_object_iter_next(object, at)) {
		put_string(state, jv_object_iter_key(object, at));
		put(state, jv_object_iter_value(object, at), depth + 1);
	}
	jv_free(object);
}

static void
put_number(writing *state, double number)
{
	/* Python's int() refuses an infinity, and with it pScheduler any output that has one. */
	if (state->is_output && isinf(number))
		state->problem = "cannot convert float infinity to integer";
	wire_bytes(state->out, "d", 1);
	wire_bytes(state->out, &number, sizeof(number));
}

static void
put_scalar(writing *state, jv value)
{
	jv_kind kind = jv_get_kind(value);

	if (!budget_scalar(&state->left))
		state->problem = wire_too_large;
	else if (kind == JV_KIND_NUMBER)
		put_number(state, jv_number_value(value));
	else
		wire_bytes(state->out, kind == JV_KIND_TRUE ? "t" : kind == JV_KIND_FALSE ? "f" : "n",
		           1);
	jv_free(value);
}

static void
put(writing *state, jv value, unsigned depth)
{
	jv_kind kind = jv_get_kind(value);

	if (state->out->failed)
		state->problem = wire_too_large;
	if (depth >= BUDGET_DEPTH && (kind == JV_KIND_ARRAY || kind == JV_KIND_OBJECT))
		state->problem = "The result is nested too deeply";
	if (state->problem != NULL)
		jv_free(value);
	else if (kind == JV_KIND_STRING)
		put_string(state, value);
	else if (kind == JV_KIND_ARRAY)
		put_array(state, value, depth);
	else if (kind == JV_KIND_OBJECT)
		put_object(state, value, depth);
	else
		put_scalar(state, value);
}

const char *
wire_output(wire_out *out, jv value)
{
	writing state = { .out = out, .left = budget_start(1), .is_output = true };

	put(&state, value, 0);
	return state.problem == NULL && out->failed ? wire_too_large : state.problem;
}

bool
wire_input(wire_out *out, jv value)
{
	/* Modules add a little to the documents they were given. */
	writing state = { .out = out, .left = budget_start(2) };

	put(&state, value, 0);
	return state.problem == NULL && !out->failed;
}

bool
wire_take(wire_in *from, void *out, size_t length)
{
	if (length > from->left)
		return false;
	memcpy(out, from->at, length);
	from->at += length;
	from->left -= length;
	return true;
}

static jv get(wire_in *from, unsigned depth);

static jv
get_string(wire_in *from)
{
	uint32_t length;
	jv made;

	if (!wire_take(from, &length, sizeof(length)) || length > from->left ||
	    !budget_string(&from->budget, length))
		return jv_invalid();
	made = jv_string_sized(from->at, (int)length);
	from->at += length;
	from->left -= length;
	return made;
}

static jv
get_array(wire_in *from, unsigned depth)
{
	uint32_t count;
	jv made;

	/* Each element takes a byte, and the memory of 'count' elements is reserved at once. */
	if (!wire_take(from, &count, sizeof(count)) || count > from->left ||
	    count > from->budget.values || !budget_array(&from->budget))
		return jv_invalid();
	made = jv_array_sized((int)count);
	for (uint32_t i = 0; i < count; i++) {
		jv element = get(from, depth + 1);

		if (!jv_is_valid(element)) {
			jv_free(made);
			return element;
		}
		made = jv_array_append(made, element);
	}
	return made;
}

/* Returns the next key; an invalid value if it cannot be one. */
static jv
get_key(wire_in *from, collisions *keys)
{
	char kind;
	jv key;

	if (!wire_take(from, &kind, 1) || kind != 's')
		return jv_invalid();
	key = get_string(from);
	if (!jv_is_valid(key) || collisions_add(keys, key))
		return key;
	jv_free(key);
	return jv_invalid();
}

static jv
get_members(wire_in *from, uint32_t count, collisions *keys, unsigned depth)
{
	jv made = jv_object();

	for (uint32_t i = 0; i < count; i++) {
		jv key = get_key(from, keys);
		jv member = jv_is_valid(key) ? get(from, depth + 1) : jv_invalid();

		if (!jv_is_valid(member)) {
			jv_free(key);
			jv_free(made);
			return member;
		}
		made = jv_object_set(made, key, member);
	}
	return made;
}

static jv
get_object(wire_in *from, unsigned depth)
{
	uint32_t count;
	collisions keys;
	jv made;

	/* Each member takes more than a byte. */
	if (!wire_take(from, &count, sizeof(count)) || count > from->left ||
	    !budget_object(&from->budget, count) || !collisions_open(&keys, count))
		return jv_invalid();
	made = get_members(from, count, &keys, depth);
	collisions_close(&keys);
	return made;
}

static jv
get_scalar(wire_in *from, char kind)
{
	double number;

	if (!budget_scalar(&from->budget))
		return jv_invalid();
	switch (kind) {
	case 'n':
		return jv_null();
	case 't':
		return jv_true();
	case 'f':
		return jv_false();
	case 'd':
		return wire_take(from, &number, sizeof(number)) ? jv_number(number) : jv_invalid();
	default:
		return jv_invalid();
	}
}

/* A message has a few levels around values that are as deep as values may be. */
static jv
get(wire_in *from, unsigned depth)
{
	char kind;

	if (depth > BUDGET_DEPTH + 8 || !wire_take(from, &kind, 1))
		return jv_invalid();
	switch (kind) {
	case 's':
		return get_string(from);
	case 'a':
		return get_array(from, depth);
	case 'o':
		return get_object(from, depth);
	default:
		return get_scalar(from, kind);
	}
}

jv
wire_value(wire_in *from)
{
	return get(from, 0);
}
