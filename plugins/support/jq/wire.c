/* SPDX-License-Identifier: Apache-2.0 */
/* wire.c - a letter for the kind of each value, then its length, then what is in it. */
#include "wire.h"

#include <stdint.h>
#include <string.h>

#include "copy.h"
#include "crowd.h"

/* A message is a few levels around values that are as deep as values may be. */
#define DEPTH_MAX (COPY_DEPTH_MAX + 8)

typedef struct writing {
	text *out;
	size_t nodes;
	size_t weight;
} writing;

static bool put(writing *state, jv value, unsigned depth);

static void
put_head(text *out, char kind, int length)
{
	uint32_t counted = (uint32_t)length;

	text_addc(out, kind);
	text_add(out, (const char *)&counted, sizeof(counted));
}

static bool
put_string(writing *state, jv string)
{
	int length = jv_string_length_bytes(jv_copy(string));
	text *out = state->out;

	put_head(out, 's', length);
	if (weight_add_string(&state->weight, (size_t)length, WIRE_WEIGHT_MAX) &&
	    out->length + (size_t)length <= WIRE_BYTES_MAX)
		text_add(out, jv_string_value(string), (size_t)length);
	else
		out->failed = true;
	jv_free(string);
	return !out->failed;
}

static bool
put_array(writing *state, jv array, unsigned depth)
{
	int length = jv_array_length(jv_copy(array));
	bool good = weight_add_array(&state->weight, (size_t)length, WIRE_WEIGHT_MAX);

	put_head(state->out, 'a', length);
	for (int i = 0; i < length && good; i++)
		good = put(state, jv_array_get(jv_copy(array), i), depth + 1);
	jv_free(array);
	return good;
}

static bool
put_object(writing *state, jv object, unsigned depth)
{
	int length = jv_object_length(jv_copy(object));
	bool good = weight_add_object(&state->weight, (size_t)length, WIRE_WEIGHT_MAX);
	int at = jv_object_iter(object);

	put_head(state->out, 'o', length);
	for (; good && jv_object_iter_valid(object, at); at = jv_object_iter_next(object, at)) {
		good = put_string(state, jv_object_iter_key(object, at)) &&
		       put(state, jv_object_iter_value(object, at), depth + 1);
	}
	jv_free(object);
	return good;
}

static bool
put_scalar(text *out, jv value)
{
	double number;

	switch (jv_get_kind(value)) {
	case JV_KIND_NULL:
		text_addc(out, 'n');
		break;
	case JV_KIND_TRUE:
		text_addc(out, 't');
		break;
	case JV_KIND_FALSE:
		text_addc(out, 'f');
		break;
	case JV_KIND_NUMBER:
		number = jv_number_value(value);
		text_addc(out, 'd');
		text_add(out, (const char *)&number, sizeof(number));
		break;
	default:
		out->failed = true;
	}
	jv_free(value);
	return !out->failed;
}

static bool
put(writing *state, jv value, unsigned depth)
{
	if (++state->nodes > WIRE_NODES_MAX || depth > DEPTH_MAX || state->out->failed ||
	    state->out->length > WIRE_BYTES_MAX) {
		jv_free(value);
		return false;
	}
	switch (jv_get_kind(value)) {
	case JV_KIND_STRING:
		return put_string(state, value);
	case JV_KIND_ARRAY:
		return put_array(state, value, depth);
	case JV_KIND_OBJECT:
		return put_object(state, value, depth);
	default:
		return put_scalar(state->out, value);
	}
}

bool
wire_put(text *out, jv value)
{
	writing state = { .out = out };

	return put(&state, value, 0) && !out->failed && out->length <= WIRE_BYTES_MAX;
}

typedef struct reading {
	const char *at;
	size_t left;
	size_t nodes;
	size_t weight;
} reading;

static jv get(reading *from, unsigned depth);

static bool
get_bytes(reading *from, void *out, size_t length)
{
	if (length > from->left)
		return false;
	memcpy(out, from->at, length);
	from->at += length;
	from->left -= length;
	return true;
}

static jv
get_string(reading *from)
{
	uint32_t length;
	jv made;

	if (!get_bytes(from, &length, sizeof(length)) || length > from->left ||
	    !weight_add_string(&from->weight, length, WIRE_WEIGHT_MAX))
		return jv_invalid();
	made = jv_string_sized(from->at, (int)length);
	from->at += length;
	from->left -= length;
	return made;
}

static jv
get_key(reading *from)
{
	char kind;

	if (!get_bytes(from, &kind, 1) || kind != 's')
		return jv_invalid();
	return get_string(from);
}

static jv
get_array(reading *from, unsigned depth)
{
	uint32_t count;
	jv made;

	/* Each element takes a byte. */
	if (!get_bytes(from, &count, sizeof(count)) || count > from->left ||
	    !weight_add_array(&from->weight, count, WIRE_WEIGHT_MAX))
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

/* Returns an invalid value if the next member cannot be there. */
static jv
get_member(reading *from, crowd *keys, jv *key, unsigned depth)
{
	*key = get_key(from);
	if (!jv_is_valid(*key) || !crowd_add(keys, *key))
		return jv_invalid();
	return get(from, depth + 1);
}

static jv
get_members(reading *from, uint32_t count, crowd *keys, unsigned depth)
{
	jv made = jv_object();

	for (uint32_t i = 0; i < count; i++) {
		jv key;
		jv member = get_member(from, keys, &key, depth);

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
get_object(reading *from, unsigned depth)
{
	uint32_t count;
	crowd keys;
	jv made;

	/* Each member takes more than a byte. */
	if (!get_bytes(from, &count, sizeof(count)) || count > from->left ||
	    !weight_add_object(&from->weight, count, WIRE_WEIGHT_MAX) ||
	    !crowd_open(&keys, count))
		return jv_invalid();
	made = get_members(from, count, &keys, depth);
	crowd_close(&keys);
	return made;
}

static jv
get_number(reading *from)
{
	double number;

	return get_bytes(from, &number, sizeof(number)) ? jv_number(number) : jv_invalid();
}

static jv
get(reading *from, unsigned depth)
{
	char kind;

	if (++from->nodes > WIRE_NODES_MAX || depth > DEPTH_MAX || !get_bytes(from, &kind, 1))
		return jv_invalid();
	switch (kind) {
	case 'n':
		return jv_null();
	case 't':
		return jv_true();
	case 'f':
		return jv_false();
	case 'd':
		return get_number(from);
	case 's':
		return get_string(from);
	case 'a':
		return get_array(from, depth);
	case 'o':
		return get_object(from, depth);
	default:
		return jv_invalid();
	}
}

jv
wire_get(const char *bytes, size_t length)
{
	reading from = { .at = bytes, .left = length };
	jv made = get(&from, 0);

	if (from.left == 0)
		return made;
	jv_free(made);
	return jv_invalid();
}
