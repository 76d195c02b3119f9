/* SPDX-License-Identifier: Apache-2.0 */
/* wire.c - writes and reads values.  The reader trusts no byte: a worker may be hijacked. */
#include "wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A message has a few levels around values that are as deep as values may be. */
#define LEVELS_MAX (BUDGET_DEPTH + 8)

const char wire_too_large[] = "The result is too large";

typedef struct writing {
	wire_out *out;
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

void
wire_head(wire_out *out, char letter, uint32_t count)
{
	wire_bytes(out, &letter, 1);
	wire_bytes(out, &count, sizeof(count));
}

static void put(writing *state, jv value, unsigned depth);

static void
put_members(writing *state, jv value, unsigned depth)
{
	if (depth >= BUDGET_DEPTH) {
		state->problem = "The result is nested too deeply";
	} else if (jv_get_kind(value) == JV_KIND_ARRAY) {
		wire_head(state->out, 'a', (uint32_t)jv_array_length(jv_copy(value)));
		jv_array_foreach(value, i, element)
			put(state, element, depth + 1);
	} else {
		wire_head(state->out, 'o', (uint32_t)jv_object_length(jv_copy(value)));
		jv_object_foreach(value, key, member) {
			put(state, key, depth + 1);
			put(state, member, depth + 1);
		}
	}
}

static void
put_scalar(writing *state, jv value)
{
	jv_kind kind = jv_get_kind(value);
	double number;

	if (kind == JV_KIND_STRING) {
		uint32_t length = (uint32_t)jv_string_length_bytes(jv_copy(value));

		wire_head(state->out, 's', length);
		wire_bytes(state->out, jv_string_value(value), length);
	} else if (kind == JV_KIND_NUMBER) {
		number = jv_number_value(value);
		/* Python's int() refuses an infinity, and with it pScheduler any output that has one. */
		if (state->is_output && isinf(number))
			state->problem = "cannot convert float infinity to integer";
		wire_bytes(state->out, "d", 1);
		wire_bytes(state->out, &number, sizeof(number));
	} else {
		wire_bytes(state->out, kind == JV_KIND_TRUE ? "t" : kind == JV_KIND_FALSE ? "f" : "n",
		           1);
	}
}

/* Writes 'value' (consumed).  Parts of it may be shared: an output is of no use after a problem. */
static void
put(writing *state, jv value, unsigned depth)
{
	jv_kind kind = jv_get_kind(value);

	if (!state->out->failed && (state->problem == NULL || !state->is_output)) {
		if (kind == JV_KIND_ARRAY || kind == JV_KIND_OBJECT)
			put_members(state, value, depth);
		else
			put_scalar(state, value);
	}
	jv_free(value);
}

const char *
wire_put(wire_out *out, jv value, bool is_output)
{
	writing state = { .out = out, .is_output = is_output };

	put(&state, value, 0);
	return state.problem == NULL && out->failed ? wire_too_large : state.problem;
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
get_array(wire_in *from, uint32_t count, unsigned depth)
{
	jv result = jv_array_sized((int)count);

	for (uint32_t i = 0; i < count; i++) {
		jv element = get(from, depth + 1);

		if (!jv_is_valid(element)) {
			jv_free(result);
			return element;
		}
		result = jv_array_append(result, element);
	}
	return result;
}

static jv
get_object(wire_in *from, uint32_t count, unsigned depth)
{
	jv result = jv_object();
	collisions keys;
	bool good = collisions_open(&keys, count);

	for (uint32_t i = 0; i < count && good; i++) {
		jv key = get(from, LEVELS_MAX);
		jv member = get(from, depth + 1);

		good = jv_get_kind(key) == JV_KIND_STRING && jv_is_valid(member) &&
		       collisions_add(&keys, key);
		if (good) {
			result = jv_object_set(result, key, member);
		} else {
			jv_free(key);
			jv_free(member);
		}
	}
	free(keys.chains);
	if (good)
		return result;
	jv_free(result);
	return jv_invalid();
}
/* Reads the head of a value; returns its kind, or INVALID. */
static jv_kind
take_head(wire_in *from, uint32_t *count)
{
	static const char letters[] = "ntfdsao"; /* the last three have a count */
	static const jv_kind kinds[] = { JV_KIND_NULL, JV_KIND_TRUE, JV_KIND_FALSE,
		                         JV_KIND_NUMBER, JV_KIND_STRING, JV_KIND_ARRAY,
		                         JV_KIND_OBJECT };
	const char *found;
	char letter;

	if (!wire_take(from, &letter, 1))
		return JV_KIND_INVALID;
	found = memchr(letters, letter, sizeof(letters) - 1);
	/* Each byte and each member that is counted needs at least one of the bytes left. */
	if (found == NULL || (found >= letters + 4 &&
	                      (!wire_take(from, count, sizeof(*count)) || *count > from->left)))
		return JV_KIND_INVALID;
	return kinds[found - letters];
}

static jv
get(wire_in *from, unsigned depth)
{
	uint32_t count = 0;
	double number = 0;
	jv_kind kind = depth > LEVELS_MAX ? JV_KIND_INVALID : take_head(from, &count);

	if (kind == JV_KIND_INVALID)
		return jv_invalid();
	if (!budget_take(&from->budget, kind, count)) {
		from->is_spent = true;
		return jv_invalid();
	}
	switch (kind) {
	case JV_KIND_STRING:
		from->at += count;
		from->left -= count;
		return jv_string_sized(from->at - count, (int)count);
	case JV_KIND_ARRAY:
		return get_array(from, count, depth);
	case JV_KIND_OBJECT:
		return get_object(from, count, depth);
	case JV_KIND_NUMBER:
		return wire_take(from, &number, sizeof(number)) ? jv_number(number) : jv_invalid();
	default:
		return kind == JV_KIND_NULL ? jv_null() : jv_bool(kind == JV_KIND_TRUE);
	}
}

jv
wire_value(wire_in *from)
{
	return get(from, 0);
}
