/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descriptor.h - a loaded module as the core uses it: the descriptor copied into
 * structs of the core's own size, so that no caller asks for versions.
 *
 * Modules are found and kept by loader.c; they live as long as the process.
 */
#ifndef LIMEN_CORE_MODULE_DESCRIPTOR_H
#define LIMEN_CORE_MODULE_DESCRIPTOR_H

#include <limen/module.h>

#include "base/arena.h"
#include "file/file.h"

/* The flags of this ABI. */
#define KNOWN_MODULE_FLAGS                                                                 \
	((uint64_t)(LIMEN_MODULE_SERIALIZE | LIMEN_MODULE_BLOCKING | LIMEN_MODULE_RUNS_ONLY | \
	            LIMEN_MODULE_WHOLE_REASONS | LIMEN_MODULE_WAITING | LIMEN_MODULE_LOOKUPS | \
	            LIMEN_MODULE_WINDOWS))

typedef union descriptor {
	limen_module_head head;
	limen_identifier_module identifier;
	limen_rewriter_module rewriter;
	limen_limit_module limit;
	limen_admission_module admission;
	limen_prioritizer_module prioritizer;
	limen_store_module store;
} descriptor;

typedef struct module {
	descriptor descriptor;
	limen_option *options; /* normalised copy in 'memory', ended by LIMEN_OPTION_NONE */
	arena memory;
	char *file; /* NULL: the program has added the module */
	file_identity identity; /* of 'file' when it was loaded; loader.c */
	const limen_module_head *raw; /* what the file exports; NULL: nothing */
	bool accepted; /* false: it was refused, but stays loaded */
	bool initialised; /* its 'init' has succeeded */
	struct module *next;
} module;

/*
 * Checks 'raw', the symbol a file exports, and copies it into 'out'.  'kind' and
 * 'type' are what the file's place says it is; without a file they are 0 and NULL.
 * Problems are about 'where'.
 */
bool module_normalise(const limen_module_head *raw, limen_kind kind, const char *type,
                      module *out, limen_diag *diag, limen_value where);

#endif
