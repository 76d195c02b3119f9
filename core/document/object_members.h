/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_members.h - hides members of a new object that do not count.  As in Python's
 * json, the last of several members with the same key counts.
 */
#ifndef LIMEN_CORE_DOCUMENT_OBJECT_MEMBERS_H
#define LIMEN_CORE_DOCUMENT_OBJECT_MEMBERS_H

#include "tree.h"

/*
 * Marks members of 'object' as NODE_DEAD and subtracts them from its length: those
 * overridden by a later one and, if 'comments', those whose key begins with "#".
 * Takes linear time for any keys.  Returns false when memory is short.
 */
bool object_hide_members(node *object, bool comments);

/* Hides members whose key begins with "#"; the object must have no NODE_DEAD member yet. */
void object_hide_comments(node *object);

/* Two keys that are the same have the same print; others rarely do. */
typedef uint32_t key_print;

static inline key_print
key_get_print(const node *key)
{
	uint32_t length = key->length;

	/* The middle byte of an empty key is its terminating NUL. */
	return length << 8 | (unsigned char)key->text[length / 2];
}

/*
 * Is it certain that no two of 'count' keys are the same?  Of many that is not
 * looked into, because it costs a step for each pair.  Never a part of the reader of
 * JSON, which would have to give up registers for it.
 */
__attribute__((noinline)) bool many_prints_differ(const key_print *prints, size_t count);

/* The same; most objects have two or three keys. */
static inline bool
prints_differ(const key_print *prints, size_t count)
{
	if (count == 2)
		return prints[0] != prints[1];
	if (count == 3)
		return prints[0] != prints[1] && prints[0] != prints[2] && prints[1] != prints[2];
	return many_prints_differ(prints, count);
}

#endif
