/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_tried.c - which files a load that failed has tried to read.  The policy
 * in force may know none of them, yet whoever creates or mends one expects that
 * it is read again.
 */
#include <string.h>

#include "engine.h"

/* Forgets what an earlier load tried. */
void
engine_tried_clear(limen_engine *engine)
{
	engine->tried = NULL;
	engine->tried_lost = false;
	arena_reset(&engine->tried_memory);
}

static bool
add_input(limen_engine *engine, const input *known)
{
	input *copy = arena_alloc(&engine->tried_memory, sizeof(*copy));

	if (copy == NULL)
		return false;
	*copy = *known;
	copy->path = arena_strdup(&engine->tried_memory, known->path);
	copy->next = engine->tried;
	if (copy->path != NULL)
		engine->tried = copy;
	return copy->path != NULL;
}

void
engine_tried_inputs(limen_engine *engine, const input *list)
{
	for (; list != NULL; list = list->next) {
		if (!add_input(engine, list))
			engine->tried_lost = true;
	}
}

static void
add_instance(void *data, instance *inst)
{
	if (inst != NULL)
		engine_tried_inputs(data, inst->inputs);
}

void
engine_tried_policy(limen_engine *engine, const policy *failed)
{
	const conf *files = failed->files;

	engine_each_instance(failed, add_instance, engine);
	for (size_t i = files->own_count; i < files->file_count; i++) {
		const input named = { .path = files->files[i],
			              .hash = files->file_hashes[i],
			              .missing = files->file_hashes[i] == 0 };

		engine_tried_inputs(engine, &named);
	}
}
