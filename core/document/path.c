/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RFC 6901 pointers, split and unescaped once so that following them compares
 * texts only.  A path is one block of memory.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "path.h"

static bool
is_pointer(const char *text, size_t length)
{
	if (length > 0 && text[0] != '/')
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] != '~')
			continue;
		if (i + 1 == length || (text[i + 1] != '0' && text[i + 1] != '1'))
			return false;
	}
	return utf8_valid(text, length) == length;
}

/* RFC 6901 section 4: digits without a leading zero.  "-" names no element that exists. */
static size_t
read_index(const char *text, size_t length)
{
	size_t index = 0;

	if (length == 0 || (length > 1 && text[0] == '0'))
		return INDEX_NONE;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return INDEX_NONE;
		if (__builtin_mul_overflow(index, 10, &index) ||
		    __builtin_add_overflow(index, (size_t)(text[i] - '0'), &index))
			return INDEX_NONE;
	}
	return index;
}

/* Unescapes one token into 'room' and returns the first byte behind it. */
static char *
unescape(const char *text, size_t length, char *room)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '~')
			*room++ = text[++i] == '0' ? '~' : '/';
		else
			*room++ = text[i];
	}
	return room;
}

static void
split(limen_path *path, const char *pointer, size_t length, char *room)
{
	size_t offset = 0;

	for (size_t i = 0; i < path->count; i++) {
		const char *begin = pointer + ++offset;
		const char *slash = memchr(begin, '/', length - offset);
		size_t size = slash == NULL ? length - offset : (size_t)(slash - begin);
		char *end = unescape(begin, size, room);

		path->tokens[i].text = room;
		path->tokens[i].length = (size_t)(end - room);
		path->tokens[i].index = read_index(room, path->tokens[i].length);
		room = end;
		offset += size;
	}
}

int
limen_path_new(const char *pointer, size_t length, limen_path **out)
{
	size_t count = 0;
	limen_path *path;
	char *copy;

	if (pointer == NULL || out == NULL || length > SIZE_MAX / 64 || !is_pointer(pointer, length))
		return LIMEN_EINVAL;
	for (size_t i = 0; i < length; i++)
		count += pointer[i] == '/';
	path = malloc(sizeof(*path) + count * sizeof(path_token) + 2 * length + 1);
	if (path == NULL)
		return LIMEN_ENOMEM;
	copy = (char *)&path->tokens[count];
	if (length > 0)
		memcpy(copy, pointer, length);
	copy[length] = '\0';
	path->pointer = copy;
	path->count = count;
	split(path, copy, length, copy + length + 1);
	*out = path;
	return LIMEN_OK;
}

void
limen_path_free(limen_path *path)
{
	free(path);
}

const char *
limen_path_text(const limen_path *path)
{
	return path == NULL ? NULL : path->pointer;
}

limen_value
limen_value_find(limen_value root, const limen_path *path)
{
	limen_value value = path == NULL ? limen_value_none() : root;

	for (size_t i = 0; limen_value_exists(value) && i < path->count; i++) {
		const path_token *next = &path->tokens[i];

		if (limen_value_type(value) == LIMEN_TYPE_ARRAY)
			value = limen_value_at(value, next->index);
		else
			value = limen_value_member(value, next->text, next->length);
	}
	return value;
}
