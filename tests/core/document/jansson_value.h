/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jansson_value.h - for tests that compare with computations on another JSON
 * library: values to jansson's and back, and random changes to them.
 */
#ifndef LIMEN_TESTS_CORE_JANSSON_VALUE_H
#define LIMEN_TESTS_CORE_JANSSON_VALUE_H

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "document/document.h"
#include "documents.h"
#include "reader/reader.h"

static inline json_t *
to_jansson(limen_value value)
{
	size_t length = 0;
	char *text = limen_value_to_json(value, 0, &length);
	json_t *parsed = json_loadb(text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);

	if (parsed == NULL)
		abort();
	free(text);
	return parsed;
}

static inline document *
from_jansson(const json_t *value)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17));
	document *doc = text == NULL ? NULL : json_read("random", text, strlen(text), 0, NULL);

	if (doc == NULL)
		abort();
	free(text);
	return doc;
}

/* A random value of few different keys and scalars, so that two have much in common. */
static inline json_t *
make_small(uint64_t *state, int depth)
{
	static const char *const keys[] = { "a", "b", "/", "~", "~1", "", "c d", "\xC3\xBC" };
	uint32_t kind = draw(state, depth > 3 ? 4 : 8);
	uint32_t count = draw(state, 6);
	json_t *made = kind < 6 ? json_array() : json_object();

	if (kind < 4) {
		json_decref(made);
		return kind == 0 ? json_null() : kind == 1 ? json_true()
		                                           : json_integer(draw(state, 4));
	}
	for (uint32_t i = 0; i < count; i++) {
		json_t *inner = make_small(state, depth + 1);

		if (kind < 6)
			json_array_append_new(made, inner);
		else
			json_object_set_new(made, keys[draw(state, 8)], inner);
	}
	return made;
}

/* Changes some of what is below 'value', which it takes. */
static inline json_t *
mutate(json_t *value, uint64_t *state, int depth)
{
	size_t i;
	const char *key;
	json_t *inner;

	if (draw(state, 6) == 0 || (!json_is_array(value) && !json_is_object(value))) {
		json_decref(value);
		return make_small(state, depth);
	}
	if (json_is_object(value)) {
		json_t *copy = json_copy(value);

		json_object_foreach(copy, key, inner) {
			uint32_t what = draw(state, 5);

			if (what == 0)
				json_object_del(value, key);
			else if (what == 1)
				json_object_set_new(value, key,
				                    mutate(json_incref(inner), state, depth + 1));
		}
		json_decref(copy);
		if (draw(state, 3) == 0)
			json_object_set_new(value, "new", make_small(state, depth + 1));
		return value;
	}
	for (i = 0; i < json_array_size(value); i++) {
		uint32_t what = draw(state, 8);

		inner = json_array_get(value, i);
		if (what == 0)
			json_array_remove(value, i);
		else if (what == 1)
			json_array_insert_new(value, i, make_small(state, depth + 1));
		else if (what == 2)
			json_array_set_new(value, i, mutate(json_incref(inner), state, depth + 1));
	}
	return value;
}

#endif
