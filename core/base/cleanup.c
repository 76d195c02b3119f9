/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cleanup.c - keeps a list of release functions in an arena and calls them, newest first, before
 * it frees the arena.
 */
#include "cleanup.h"

struct cleanup_step {
	struct cleanup_step *older;
	void (*release)(void *pointer);
	void *pointer;
};

bool
cleanup_push(cleanup *list, void (*release)(void *pointer), void *pointer)
{
	struct cleanup_step *step = arena_alloc(&list->arena, sizeof(*step));

	if (step == NULL) {
		release(pointer);
		return false;
	}
	*step = (struct cleanup_step){ list->steps, release, pointer };
	list->steps = step;
	return true;
}

void
cleanup_run(cleanup *list)
{
	for (struct cleanup_step *step = list->steps; step != NULL; step = step->older)
		step->release(step->pointer);
	list->steps = NULL;
	arena_free(&list->arena);
}
