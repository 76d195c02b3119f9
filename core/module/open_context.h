/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open_context.h - the context of a module's 'open'.  It lives on the stack of
 * instance.c for that one call.
 */
#ifndef LIMEN_CORE_MODULE_OPEN_CONTEXT_H
#define LIMEN_CORE_MODULE_OPEN_CONTEXT_H

#include "file/file.h"
#include "instance.h"

struct limen_opening {
	instance *instance;
	const instance_context *context;
	const instance *predecessor; /* may be NULL */
	const conf *files;
	uint64_t unknown_flags; /* what limen_opening_add_flags() was given and is no flag */
};

/* Reports that memory is short; returns LIMEN_ENOMEM. */
int opening_no_memory(limen_diag *diag);

/*
 * Records the text read at 'path' (NULL: reading failed), so that a reload can detect
 * changes; false when memory is short.
 */
bool opening_remember(instance *inst, const char *path, const char *text, size_t length);

/* The same for a directory and its policy files (folder.h). */
bool opening_remember_folder(instance *inst, const char *path, const folder *list);

#endif
