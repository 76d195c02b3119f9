/* SPDX-License-Identifier: Apache-2.0 */
/*
 * member_lookup.h - finds members of an object by key, for callers that look up many of
 * them.  Takes linear time in the number of members, for any keys.
 */
#ifndef LIMEN_CORE_DOCUMENT_MEMBER_LOOKUP_H
#define LIMEN_CORE_DOCUMENT_MEMBER_LOOKUP_H

#include "base/text_map.h"
#include "tree.h"

typedef struct member_lookup {
	limen_value object;
	text_map keys; /* of a large one */
} member_lookup;

/* Anything but an object has no members.  Returns false when memory is short. */
bool member_lookup_open(member_lookup *lookup, limen_value object);
void member_lookup_close(member_lookup *lookup);

/* Returns the member whose key is the string 'key', or none. */
limen_value member_lookup_get(const member_lookup *lookup, limen_value key);

#endif
