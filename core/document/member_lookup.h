/* SPDX-License-Identifier: Apache-2.0 */
/*
 * member_lookup.h - finds members of an object by key, for callers that look up many of
 * them.  Takes linear time in the number of members, for any keys, unless memory is short.
 */
#ifndef LIMEN_CORE_DOCUMENT_MEMBER_LOOKUP_H
#define LIMEN_CORE_DOCUMENT_MEMBER_LOOKUP_H

#include "base/text_map.h"
#include "tree.h"

/* Its map is freed with text_map_free(). */
typedef struct member_lookup {
	const node *object;
	const node *next; /* the key behind the one found last in step */
	uint32_t left;    /* keys from 'next' on */
	bool tried;       /* to fill 'keys' */
	text_map keys;    /* of a large one */
} member_lookup;

static inline member_lookup
member_lookup_start(const node *object)
{
	return (member_lookup){ .object = object, .next = object + 1, .left = object->length };
}

/* Returns the key with the text of 'wanted', or NULL. */
const node *member_lookup_find(member_lookup *lookup, const node *wanted);

/* Returns the member of 'object', which is looked into, whose key is the string 'key', or none. */
limen_value member_lookup_get(member_lookup *lookup, limen_value object, limen_value key);

#endif
