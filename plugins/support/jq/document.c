/* SPDX-License-Identifier: Apache-2.0 */
/*
 * document.c - documents as jq values.  Every number goes through a double, as in pScheduler
 * (pyjq), and not through jq's parser, which from 1.7 on keeps how it was written.  The documents
 * of a request are attached to it so that all scripts of a decision share one conversion (on each
 * thread: reference counts of a jv are not atomic).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
refuse(conversion *state, const char *error)
{
	state->error = error;
	return jv_null();
}

static jv
convert_string(conversion *state, limen_value value)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);

	state->bytes += length;
	if (state->bytes > BYTES_MAX || !budget_take(&state->left, JV_KIND_STRING, length))
		return refuse(state, "The input is too large for a script");
	return jv_string_sized(text, (int)length);
}

static jv
convert_array(conversion *state, limen_value array)
{
	limen_iter iter = limen_iter_start(array);
	jv result = jv_array_sized((int)limen_value_count(array));
	limen_value element;

	while (state->error == NULL && limen_iter_next(&iter, NULL, &element))
		result = jv_array_append(result, convert(state, element));
	return result;
}

static jv
convert_object(conversion *state, limen_value object)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key, member;
	jv result = jv_object();
	collisions keys;

	if (!collisions_open(&keys, limen_value_count(object)))
		state->error = limen_result_text(LIMEN_ENOMEM);
	while (state->error == NULL && limen_iter_next(&iter, &key, &member)) {
		jv name = convert_string(state, key);

		if (state->error == NULL && !collisions_add(&keys, name))
			state->error = "The keys of an object in the input collide on purpose";
		if (state->error == NULL)
			result = jv_object_set(result, name, convert(state, member));
		else
			jv_free(name);
	}
	free(keys.chains);
	return result;
}
/* Returns anything once there is an error. */
static jv
convert(conversion *state, limen_value value)
{
	limen_type type = limen_value_type(value);
	jv_kind kind = type == LIMEN_TYPE_ARRAY    ? JV_KIND_ARRAY
	               : type == LIMEN_TYPE_OBJECT ? JV_KIND_OBJECT : JV_KIND_NULL;
	bool truth = false;
	double number = INFINITY; /* Python's own words for an integer that is too large */

	if (type == LIMEN_TYPE_STRING)
		return convert_string(state, value);
	if (!budget_take(&state->left, kind, kind == JV_KIND_NULL ? 0 : limen_value_count(value)))
		return refuse(state, "The input is too large for a script");
	switch (type) {
	case LIMEN_TYPE_ARRAY:
		return convert_array(state, value);
	case LIMEN_TYPE_OBJECT:
		return convert_object(state, value);
	case LIMEN_TYPE_BOOL:
		limen_value_bool(value, &truth);
		return jv_bool(truth);
	case LIMEN_TYPE_INTEGER:
	case LIMEN_TYPE_REAL:
		limen_value_real(value, &number);
		return isinf(number) ? refuse(state, "int too large to convert to float")
		                     : jv_number(number);
	default:
		return jv_null();
	}
}

jv
jq_from_value(limen_value value)
{
	conversion state = { .left = budget_start(1) };
	jv result = convert(&state, value);

	if (state.error == NULL)
		return result;
	jv_free(result);
	return jv_invalid_with_msg(jv_string(state.error));
}

/* The addresses are the keys. */
static const char newest_key, original_key, hints_key;

static void
destroy(void *data)
{
	jv_free(*(jv *)data);
	free(data);
}

static jv
attached(const limen_request *req, const void *key, limen_value (*get)(const limen_request *req))
{
	jv *kept = limen_request_attachment(req, key);
	jv result;

	if (kept != NULL)
		return jv_copy(*kept);
	result = jq_from_value(get(req));
	kept = malloc(sizeof(*kept));
	if (kept == NULL)
		return result;
	*kept = jv_copy(result);
	limen_request_attach(req, key, kept, destroy);
	return result;
}

jv
jq_document(const limen_request *req)
{
	return attached(req, &newest_key, limen_request_document);
}

jv
jq_original(const limen_request *req)
{
	if (limen_request_generation(req) == 0)
		return jq_document(req);
	return attached(req, &original_key, limen_request_original);
}

jv
jq_hints(const limen_request *req)
{
	return attached(req, &hints_key, limen_request_hints);
}

/*
 * ---- the values of a JSON text, before it is read: a document takes 24 bytes for each, so that a
 * text of two bytes a value takes twelve times its length ----
 */

/* A value begins at the start, after a comma, and in a container that does not end at once. */
bool
jq_text_fits(const char *text, size_t length)
{
	size_t values = 1;
	bool opened = false; /* a container, and nothing was in it yet */

	for (size_t i = 0; i < length && values <= BUDGET_VALUES; i++) {
		char c = text[i];

		if (strchr(" \t\n\r", c) != NULL)
			continue;
		if (c == ',' || (opened && c != ']' && c != '}'))
			values++;
		opened = c == '[' || c == '{';
		if (c != '"')
			continue;
		/* To the closing quote of the string. */
		for (i++; i < length && text[i] != '"'; i++)
			i += text[i] == '\\';
	}
	return values <= BUDGET_VALUES;
}
