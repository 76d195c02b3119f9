/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_set.h - which texts were there already.  Adding takes constant time
 * whatever the texts are: messages repeat what requests say, and a request may
 * make thousands of them.
 */
#ifndef LIMEN_CORE_BASE_TEXT_SET_H
#define LIMEN_CORE_BASE_TEXT_SET_H

#include "arena.h"
#include "hash.h"

/* All zero: an empty set. */
typedef struct text_set {
	const char **slots;
	size_t capacity; /* a power of two, or 0 */
	size_t count;
	hash_key key;
} text_set;

typedef enum text_set_result {
	TEXT_SET_FAILED, /* memory is short */
	TEXT_SET_ADDED,
	TEXT_SET_KNOWN
} text_set_result;

/* Adds 'text', which is not copied, in the memory of 'pool'. */
text_set_result text_set_add(text_set *set, arena *pool, const char *text);

#endif
