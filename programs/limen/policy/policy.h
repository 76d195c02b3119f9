/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy.h - makes engines with the options of the command line, and loads policies from files,
 * directories, pipes and standard input.
 */
#ifndef LIMEN_PROGRAM_POLICY_H
#define LIMEN_PROGRAM_POLICY_H

#include <limen/documents.h>
#include <limen/engine.h>

#include "cli/command.h"

/* Returns the default policy: $LIMEN_POLICY, or the installed directory. */
const char *policy_default(void);

/* Makes an engine; 'flags' are LIMEN_ENGINE_*.  Never NULL. */
limen_engine *policy_engine(const common_options *common, unsigned flags);

/* As policy_engine(); 'namespace' (NULL: default) is for manifests without one. */
limen_engine *policy_engine_for(const common_options *common, unsigned flags,
                                const char *namespace);

/*
 * Loads the policy 'path': a file, a directory, "-" for standard input, a URL, or a file that
 * holds a URL.  Unless the engine is passive, waits a limited time for downloads of its
 * modules. Returns true, or false with at least one problem in 'diag' or, if the policy cannot
 * be read at all, with the reason in '*why' to g_free().
 */
bool policy_load(limen_engine *engine, const char *path, limen_diag *diag, char **why);

/*
 * As policy_load(), for the paths of all --policy, ended by NULL, which together are one policy.
 * NULL stands for the default policy.  Several must be files or directories.
 */
bool policy_load_all(limen_engine *engine, char *const *paths, limen_diag *diag, char **why);

/* As policy_load_all(), but prints the problems. */
bool policy_open(limen_engine *engine, char *const *paths);

/* Returns the paths of all --policy, or the default policy, as one text to g_free(). */
char *policy_names(char *const *paths);

/* As policy_load(), for several files that together are one policy. */
bool policy_load_files(limen_engine *engine, const char *const *paths, size_t count,
                       limen_diag *diag);

/* As policy_load(), for 'length' bytes of text; its problems have no file. */
bool policy_load_text(limen_engine *engine, const char *text, size_t length, limen_diag *diag);

/*
 * Returns the documents of a file, to see what it holds, or NULL if it cannot be parsed.  Streams are
 * not read: they can be read only once.
 */
limen_documents *policy_peek(const char *path);

/* Returns true if 'path' can be read only once, like standard input and pipes. */
bool policy_is_stream(const char *path);

/*
 * Returns the description of the policy in force as the only document; free it with
 * limen_documents_free().
 */
limen_documents *policy_describe(limen_engine *engine);

/*
 * Returns true if an entry of the policy loaded by 'engine' counts in a store, so that
 * decisions depend on earlier ones.
 */
bool policy_counts(limen_engine *engine);

/* Returns an empty list; ends the program when memory is short. */
limen_diag *policy_diag(void);

#endif
