/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request_json.c - documents as jansson trees (limen/json.h).  The only file of the
 * core that knows jansson.
 */
#include <limen/json.h>
#include <string.h>

/* The key under which a request keeps its tree: this variable's address. */
static const char attachment_key;

static json_t *
number_to_json(limen_value value)
{
	int64_t integer;
	double real;

	if (limen_value_type(value) == LIMEN_TYPE_INTEGER && limen_value_int(value, &integer))
		return json_integer(integer);
	/* Not representable as such: the nearest double, as Python and jq would have it. */
	return limen_value_real(value, &real) ? json_real(real) : NULL;
}

static json_t *
scalar_to_json(limen_value value)
{
	size_t length;
	const char *text;
	bool flag = false;

	switch (limen_value_type(value)) {
	case LIMEN_TYPE_NULL:
		return json_null();
	case LIMEN_TYPE_BOOL:
		limen_value_bool(value, &flag);
		return json_boolean(flag);
	case LIMEN_TYPE_INTEGER:
	case LIMEN_TYPE_REAL:
		return number_to_json(value);
	case LIMEN_TYPE_STRING:
		text = limen_value_string(value, &length);
		return json_stringn_nocheck(text, length);
	default:
		return NULL;
	}
}

/* Documents are at most a few thousand levels deep (READ_DEPTH_MAX and merges). */
json_t *
limen_value_json(limen_value value)
{
	bool is_object = limen_value_type(value) == LIMEN_TYPE_OBJECT;
	limen_iter iter = limen_iter_start(value);
	limen_value key, member;
	json_t *tree;
	int failed = 0;

	if (!is_object && limen_value_type(value) != LIMEN_TYPE_ARRAY)
		return scalar_to_json(value);
	tree = is_object ? json_object() : json_array();
	while (tree != NULL && failed == 0 && limen_iter_next(&iter, &key, &member)) {
		json_t *child = limen_value_json(member);
		size_t length = 0;
		const char *name = is_object ? limen_value_string(key, &length) : "";

		if (child == NULL || strlen(name) != length) {
			json_decref(child);
			failed = 1;
		} else if (is_object) {
			failed = json_object_set_new_nocheck(tree, name, child);
		} else {
			failed = json_array_append_new(tree, child);
		}
	}
	if (failed == 0)
		return tree;
	json_decref(tree);
	return NULL;
}

static void
drop_tree(void *tree)
{
	json_decref(tree);
}

const json_t *
limen_request_json(const limen_request *req)
{
	json_t *tree = limen_request_attachment(req, &attachment_key);

	if (tree != NULL)
		return tree;
	tree = limen_value_json(limen_request_document(req));
	if (tree == NULL ||
	    limen_request_attach(req, &attachment_key, tree, drop_tree) != LIMEN_OK)
		return NULL;
	return tree;
}
