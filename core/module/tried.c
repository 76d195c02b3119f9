/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tried.c - lists the files that a failed load tried to read.  The policy in force may
 * use none of them, but the load is repeated when one appears or changes.
 */
#include "tried.h"

#include <string.h>

void
tried_clear(tried_inputs *tried)
{
	tried->list = NULL;
	tried->incomplete = false;
	arena_reset(&tried->memory);
}

void
tried_add(void *data, const input *known)
{
	tried_inputs *tried = data;
	input *copy = arena_alloc(&tried->memory, sizeof(*copy));
	const char *path = arena_strdup(&tried->memory, known->path);

	if (copy == NULL || path == NULL) {
		tried->incomplete = true;
		return;
	}
	*copy = *known;
	copy->path = path;
	copy->next = tried->list;
	tried->list = copy;
}
