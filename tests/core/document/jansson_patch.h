/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jansson_patch.h - applies patches (RFC 6902), independently of the core.
 */
#ifndef LIMEN_TESTS_CORE_JANSSON_PATCH_H
#define LIMEN_TESTS_CORE_JANSSON_PATCH_H

#include <CUnit/CUnit.h>
#include <string.h>

#include "jansson_value.h"

/* Takes the last part off 'path' (and changes it), decodes it, and finds what it is a part of. */
static json_t *
find_parent(json_t *root, char *path, char **last)
{
	json_t *at = root;

	for (;;) {
		char *part = path + 1;
		char *end = strchr(part, '/');
		char *to = part;

		if (end != NULL)
			*end = '\0';
		for (char *from = part; *from != '\0'; from++, to++) {
			*to = *from;
			if (*from == '~')
				*to = *++from == '1' ? '/' : '~';
		}
		*to = '\0';
		*last = part;
		if (end == NULL)
			return at;
		at = json_is_array(at) ? json_array_get(at, strtoul(part, NULL, 10))
		                       : json_object_get(at, part);
		path = end;
		*path = '/';
	}
}

static void
apply_to_array(json_t *array, const char *operation, size_t index, json_t *value)
{
	int result;

	if (strcmp(operation, "add") == 0)
		result = json_array_insert(array, index, value);
	else if (strcmp(operation, "remove") == 0)
		result = json_array_remove(array, index);
	else
		result = json_array_set(array, index, value);
	CU_ASSERT_EQUAL(result, 0);
}

static void
apply_to_object(json_t *object, const char *operation, const char *key, json_t *value)
{
	bool exists = json_object_get(object, key) != NULL;
	int result;

	CU_ASSERT_EQUAL(exists, strcmp(operation, "add") != 0);
	if (strcmp(operation, "remove") == 0)
		result = json_object_del(object, key);
	else
		result = json_object_set(object, key, value);
	CU_ASSERT_EQUAL(result, 0);
}

/* Applies one operation to 'root', which it takes, and returns the new root. */
static json_t *
apply_operation(json_t *root, const json_t *operation)
{
	const char *name = json_string_value(json_object_get(operation, "op"));
	char *path = strdup(json_string_value(json_object_get(operation, "path")));
	json_t *value = json_deep_copy(json_object_get(operation, "value"));
	char *last = path;
	json_t *parent;

	if (path[0] == '\0') {
		json_decref(root);
		free(path);
		return value;
	}
	parent = find_parent(root, path, &last);
	CU_ASSERT_PTR_NOT_NULL_FATAL(parent);
	if (json_is_array(parent))
		apply_to_array(parent, name, strtoul(last, NULL, 10), value);
	else
		apply_to_object(parent, name, last, value);
	json_decref(value);
	free(path);
	return root;
}

static json_t *
apply_patch(json_t *root, const document *patch)
{
	json_t *operations = to_jansson(document_root(patch));
	json_t *made = json_deep_copy(root);
	json_t *operation;
	size_t i;

	json_array_foreach(operations, i, operation)
		made = apply_operation(made, operation);
	json_decref(operations);
	return made;
}

#endif
