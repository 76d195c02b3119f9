/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_source.c - keeps the source of the last load: a text or paths.
 * A reload reads it again, even if the load failed.
 */
#include <stdlib.h>
#include <string.h>

#include "engine.h"

void
engine_source_free_list(char **list)
{
	for (size_t i = 0; list != NULL && list[i] != NULL; i++)
		free(list[i]);
	free(list);
}

void
engine_source_clear(limen_engine *engine)
{
	free(engine->source_name);
	free(engine->source_text);
	engine_source_free_list(engine->source_files);
	engine->source_name = NULL;
	engine->source_text = NULL;
	engine->source_length = 0;
	engine->source_files = NULL;
}

bool
engine_source_set_text(limen_engine *engine, const char *name, const char *text, size_t length)
{
	char *copy = malloc(length + 1);
	char *name_copy = name == NULL ? NULL : strdup(name);

	if (copy == NULL || (name != NULL && name_copy == NULL)) {
		free(copy);
		free(name_copy);
		return false;
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	engine_source_clear(engine);
	engine->source_name = name_copy;
	engine->source_text = copy;
	engine->source_length = length;
	return true;
}

char **
engine_source_copy_list(const char *const *paths, size_t count)
{
	char **list = calloc(count + 1, sizeof(*list));

	for (size_t i = 0; list != NULL && i < count; i++) {
		list[i] = strdup(paths[i]);
		if (list[i] != NULL)
			continue;
		engine_source_free_list(list);
		list = NULL;
	}
	return list;
}

bool
engine_source_set_files(limen_engine *engine, const char *const *paths, size_t count)
{
	char **list = engine_source_copy_list(paths, count);

	if (list == NULL)
		return false;
	engine_source_clear(engine);
	engine->source_files = list;
	return true;
}

static conf *
read_source(const limen_engine *engine, int *result, limen_diag *diag)
{
	if (engine->source_text != NULL)
		return conf_read_text(engine->source_name, engine->source_text,
		                      engine->source_length, result, diag);
	if (engine->source_files != NULL)
		return conf_read_paths((const char *const *)engine->source_files, result, diag);
	*result = LIMEN_ENOPOLICY;
	return NULL;
}

/* May others have written the source?  Its modules and programs are then not run. */
static bool
is_foreign(const limen_engine *engine)
{
	return (engine->flags & LIMEN_ENGINE_FOREIGN_POLICIES) != 0 ||
	       ((engine->flags & LIMEN_ENGINE_FOREIGN_TEXTS) != 0 && engine->source_text != NULL);
}

conf *
engine_source_read(const limen_engine *engine, int *result, limen_diag *diag)
{
	conf *files = read_source(engine, result, diag);

	if (files == NULL || !is_foreign(engine))
		return files;
	files->is_foreign = true;
	if (conf_refuse_modules(files, diag) && *result == LIMEN_OK)
		*result = LIMEN_ECONFIG;
	return files;
}
