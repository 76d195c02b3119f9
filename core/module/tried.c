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

input
named_input(const conf *files, size_t index)
{
	const conf_file *file = &files->files[index];

	return (input){ .path = file->name, .hash = file->hash, .missing = file->hash == 0 };
}

static bool
add_input(tried_inputs *tried, const input *known)
{
	input *copy = arena_alloc(&tried->memory, sizeof(*copy));

	if (copy == NULL)
		return false;
	*copy = *known;
	copy->path = arena_strdup(&tried->memory, known->path);
	copy->next = tried->list;
	if (copy->path != NULL)
		tried->list = copy;
	return copy->path != NULL;
}

void
tried_add(tried_inputs *tried, const input *list)
{
	for (; list != NULL; list = list->next)
		if (!add_input(tried, list))
			tried->incomplete = true;
}
