/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy.h - makes engines the way every command wants them and loads policies
 * from files, directories, pipes and standard input.
 */
#ifndef LIMEN_PROGRAM_POLICY_H
#define LIMEN_PROGRAM_POLICY_H

#include <limen/documents.h>
#include <limen/engine.h>

#include "cli/command.h"

/* The policy where none is named: $LIMEN_POLICY, or the installed directory. */
const char *policy_default(void);

/* Makes an engine; 'flags' are LIMEN_ENGINE_*.  Never NULL. */
limen_engine *policy_engine(const common_options *common, unsigned flags);

/* As policy_engine(), with the namespace of manifests that name none (NULL: default). */
limen_engine *policy_engine_for(const common_options *common, unsigned flags,
                                const char *namespace);

/*
 * Loads the policy 'path': a file, a directory, "-" for standard input, a URL, or
 * a file that holds a URL; and waits, with a bound, for what its modules download
 * unless the engine is passive.  Returns true, or false with at
 * least one problem in 'diag' or, if the policy cannot be read at all, the
 * reason in '*why' to g_free().
 */
bool policy_load(limen_engine *engine, const char *path, limen_diag *diag, char **why);

/* As policy_load(), but says itself what is wrong. */
bool policy_open(limen_engine *engine, const char *path);

/* The same as policy_load() for several files that are one policy together. */
bool policy_load_files(limen_engine *engine, const char *const *paths, size_t count,
                       limen_diag *diag);

/* The same for 'length' bytes of text, whose problems have no file. */
bool policy_load_text(limen_engine *engine, const char *text, size_t length, limen_diag *diag);

/* Can 'path' be read only once, as the standard input and pipes can? */
bool policy_is_stream(const char *path);

/* Returns the description of the policy in force as its only document, for limen_documents_free(). */
limen_documents *policy_describe(limen_engine *engine);

/* Returns a list, or ends the program when memory is short. */
limen_diag *policy_diag(void);

#endif
