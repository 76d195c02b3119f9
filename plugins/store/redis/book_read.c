/* SPDX-License-Identifier: Apache-2.0 */
/*
 * book_read.c - the names of buckets, taken apart again.  Anybody may have written
 * what stands in Redis.
 */
#include <string.h>

#include "book.h"

typedef struct rest {
	const char *text;
	size_t length;
} rest;

static bool
skip(rest *left, const char *text, size_t length)
{
	if (left->length < length || memcmp(left->text, text, length) != 0)
		return false;
	left->text += length;
	left->length -= length;
	return true;
}

/* A number as it is printed, from 'least' on, and the character after it. */
static bool
read_number(rest *left, char end, int64_t least, int64_t *out)
{
	size_t i = 0;

	*out = 0;
	for (; i < left->length && left->text[i] >= '0' && left->text[i] <= '9'; i++) {
		if ((i > 0 && *out == 0) || __builtin_mul_overflow(*out, 10, out) ||
		    __builtin_add_overflow(*out, left->text[i] - '0', out))
			return false;
	}
	if (i == 0 || i == left->length || left->text[i] != end || *out < least)
		return false;
	left->text += i + 1;
	left->length -= i + 1;
	return true;
}

/* LENGTH ":" and as many bytes, and a ":". */
static bool
read_text(rest *left, const char **text, size_t *length)
{
	int64_t count;

	if (!read_number(left, ':', 0, &count) || (uint64_t)count >= left->length ||
	    left->text[count] != ':')
		return false;
	*text = left->text;
	*length = (size_t)count;
	left->text += count + 1;
	left->length -= (size_t)count + 1;
	return true;
}

bool
book_read(book_entry *out, const char *prefix, const char *text, size_t length)
{
	rest left = { text, length };
	const char *keys;
	size_t keys_length;

	if (!skip(&left, prefix, strlen(prefix)) || !skip(&left, "b:", 2) ||
	    !read_number(&left, '/', 1, &out->tokens) ||
	    !read_number(&left, '/', 1, &out->period) ||
	    !read_number(&left, ':', 1, &out->burst) ||
	    !book_is_exact(out->tokens, out->period, out->burst) ||
	    !read_text(&left, &out->table, &out->table_length) ||
	    !read_text(&left, &keys, &keys_length) || left.length > LIMEN_KEY_MAX ||
	    length - left.length > BOOK_PREFIX_MAX)
		return false;
	out->key = left.text;
	out->key_length = left.length;
	return true;
}
