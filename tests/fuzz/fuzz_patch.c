/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patches: of two JSON texts, a line each, the patch that limen makes of them
 * turns one into the other in the hands of a reader of RFC 6902 and RFC 6901 that
 * stands here and works on jansson's trees.  A third line is a pointer.
 */
#include <jansson.h>
#include <string.h>

#include "document/document.h"
#include "fuzz.h"
#include "reader/reader.h"

const fuzz_target fuzz_this = { "patch", NULL, 20000 };

/* ---- an independent reader ---- */

/* Undoes the escapes of one reference token. */
static char *
read_token(const char *from, size_t length)
{
	char *token = malloc(length + 1);
	size_t used = 0;

	FUZZ_CHECK(token != NULL);
	for (size_t i = 0; i < length; i++) {
		char c = from[i];

		if (c == '~')
			c = from[++i] == '1' ? '/' : '~';
		token[used++] = c;
	}
	token[used] = '\0';
	return token;
}

/* An array index: no sign, no leading zeros. */
static bool
read_index(const char *token, size_t *out)
{
	size_t length = strspn(token, "0123456789");

	if (length == 0 || length > 9 || token[length] != '\0' || (token[0] == '0' && length > 1))
		return false;
	*out = (size_t)strtoul(token, NULL, 10);
	return true;
}

static json_t *
step(json_t *from, const char *token)
{
	size_t index;

	if (json_is_object(from))
		return json_object_get(from, token);
	return json_is_array(from) && read_index(token, &index) ? json_array_get(from, index) : NULL;
}

/* Walks to the node before the last token, which the caller frees. */
static json_t *
walk(json_t *root, const char *pointer, char **last)
{
	json_t *at = root;

	*last = NULL;
	while (*pointer == '/') {
		size_t length = strcspn(pointer + 1, "/");

		if (*last != NULL) {
			at = step(at, *last);
			free(*last);
		}
		*last = read_token(pointer + 1, length);
		pointer += length + 1;
	}
	return at;
}

static void
apply_to_array(json_t *array, const char *name, const char *token, json_t *value)
{
	size_t index = json_array_size(array);

	FUZZ_CHECK(strcmp(token, "-") == 0 || read_index(token, &index));
	if (strcmp(name, "remove") == 0)
		FUZZ_CHECK(json_array_remove(array, index) == 0);
	else if (strcmp(name, "add") == 0)
		FUZZ_CHECK(json_array_insert(array, index, value) == 0);
	else
		FUZZ_CHECK(json_array_set(array, index, value) == 0);
}

static void
apply_to_object(json_t *object, const char *name, const char *key, json_t *value)
{
	FUZZ_CHECK(json_is_object(object));
	if (strcmp(name, "add") != 0)
		FUZZ_CHECK(json_object_get(object, key) != NULL);
	if (strcmp(name, "remove") == 0)
		FUZZ_CHECK(json_object_del(object, key) == 0);
	else
		FUZZ_CHECK(json_object_set(object, key, value) == 0);
}

/* Takes 'root' and returns what it becomes. */
static json_t *
apply(json_t *root, const json_t *operation)
{
	const char *name = json_string_value(json_object_get(operation, "op"));
	const char *pointer = json_string_value(json_object_get(operation, "path"));
	json_t *value = json_deep_copy(json_object_get(operation, "value"));
	char *last;
	json_t *parent = walk(root, pointer, &last);

	FUZZ_CHECK(parent != NULL && (value != NULL || strcmp(name, "remove") == 0));
	if (last == NULL) {
		FUZZ_CHECK(value != NULL);
		json_decref(root);
		return value;
	}
	if (json_is_array(parent))
		apply_to_array(parent, name, last, value);
	else
		apply_to_object(parent, name, last, value);
	json_decref(value);
	free(last);
	return root;
}

/* ---- the properties ---- */

static json_t *
read_theirs(const char *text, size_t length)
{
	return json_loadb(text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
}

static json_t *
view(limen_value value)
{
	size_t length = 0;
	char *text = limen_value_to_json(value, 0, &length);
	json_t *made = read_theirs(text, length);

	free(text);
	return made;
}

static document *
read_back(const json_t *value)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
	document *read = json_read(NULL, text, strlen(text), 0, NULL);

	FUZZ_CHECK(read != NULL);
	free(text);
	return read;
}

/* Compared by limen, as to jansson 1 and 1.0 are not equal; but in doubles, which jansson has. */
static void
check_same(const json_t *made, limen_value wanted)
{
	json_t *goal = view(wanted);
	document *left = read_back(made);
	document *right = read_back(goal);

	FUZZ_CHECK(limen_value_equal(document_root(left), document_root(right)));
	document_unref(left);
	document_unref(right);
	json_decref(goal);
}

static void
check_patch(const document *before, const document *after)
{
	document *patch = document_diff(document_root(before), document_root(after));
	json_t *operations = view(document_root(patch));
	json_t *made = view(document_root(before));
	json_t *goal = view(document_root(after));
	size_t i;
	json_t *operation;

	FUZZ_CHECK(patch != NULL);
	/* Numbers and keys that jansson does not have. */
	if (made != NULL && goal != NULL && operations != NULL) {
		json_array_foreach(operations, i, operation)
			made = apply(made, operation);
		check_same(made, document_root(after));
	}
	json_decref(operations);
	json_decref(made);
	json_decref(goal);
	document_unref(patch);
}

/* ---- changes that add members ---- */

enum { CHANGES_MAX = 40 };

typedef struct change_list {
	change items[CHANGES_MAX];
	size_t count;
} change_list;

/* Sets the members of 'from' in 'object' and in what is below it; some are there already. */
static void
add_members(change_list *list, limen_value object, limen_value from)
{
	limen_iter members = limen_iter_start(from);
	limen_iter inner = limen_iter_start(object);
	limen_value key, value;

	while (limen_value_type(object) == LIMEN_TYPE_OBJECT && list->count < CHANGES_MAX &&
	       limen_iter_next(&members, &key, &value)) {
		change *made = &list->items[list->count];

		if (limen_value_type(key) != LIMEN_TYPE_STRING)
			return;
		*made = (change){ .kind = CHANGE_SET, .target = object, .value = value };
		made->key = limen_value_string(key, &made->key_length);
		if (!limen_value_exists(limen_value_member(object, made->key, made->key_length)) ||
		    made->key_length % 4 == 3)
			list->count++;
	}
	while (list->count < CHANGES_MAX && limen_iter_next(&inner, NULL, &value))
		add_members(list, value, from);
}

/* The patch that is written from them is the one that is found between the documents. */
static void
check_adding(const document *before, const document *from)
{
	change_list list = { .count = 0 };
	document *after, *wanted, *found;

	add_members(&list, document_root(before), document_root(from));
	after = document_apply(before, list.items, list.count);
	wanted = document_diff(document_root(before), document_root(after));
	found = document_patch(before, list.items, list.count);
	FUZZ_CHECK(after != NULL && wanted != NULL);
	if (found != NULL) {
		char *left = limen_value_to_json(document_root(found), 0, NULL);
		char *right = limen_value_to_json(document_root(wanted), 0, NULL);

		FUZZ_CHECK(left != NULL && right != NULL && strcmp(left, right) == 0);
		free(left);
		free(right);
	}
	document_unref(after);
	document_unref(wanted);
	document_unref(found);
}

static void
check_pointer(const document *in, const char *text, size_t length)
{
	limen_path *path;
	json_t *root = view(document_root(in));
	char *last;
	json_t *found;

	if (root != NULL && limen_path_new(text, length, &path) == LIMEN_OK) {
		limen_value value = limen_value_find(document_root(in), path);

		found = walk(root, limen_path_text(path), &last);
		found = last == NULL ? found : step(found, last);
		FUZZ_CHECK(limen_value_exists(value) == (found != NULL));
		if (found != NULL)
			check_same(found, value);
		free(last);
		limen_path_free(path);
	}
	json_decref(root);
}

static size_t
line_length(const char *text, size_t size)
{
	const char *end = memchr(text, '\n', size);

	return end == NULL ? size : (size_t)(end - text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	size_t first = line_length(text, size);
	size_t rest = first < size ? first + 1 : size;
	size_t second = line_length(text + rest, size - rest);
	size_t last = rest + second < size ? rest + second + 1 : size;
	document *before = json_read(NULL, text, first, 0, NULL);
	document *after = json_read(NULL, text + rest, second, 0, NULL);

	if (before != NULL && after != NULL)
		check_patch(before, after);
	if (before != NULL && after != NULL)
		check_adding(before, after);
	if (before != NULL && memchr(text + last, '\0', size - last) == NULL)
		check_pointer(before, text + last, line_length(text + last, size - last));
	document_unref(before);
	document_unref(after);
	return 0;
}
