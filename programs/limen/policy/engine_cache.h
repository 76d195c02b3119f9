/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_cache.h - caches the engines of a batch: lines with the same policy share an engine,
 * and so the state of its rate limits.
 *
 * At most ENGINE_CACHE_MAX policies are kept; the least recently used one is evicted, and
 * loaded again when a line names it.  A policy that fails to load is cached, too, with its
 * problems.
 */
#ifndef LIMEN_PROGRAM_ENGINE_CACHE_H
#define LIMEN_PROGRAM_ENGINE_CACHE_H

#include <limen/engine.h>

#include "cli/command.h"

#define ENGINE_CACHE_MAX 1000

typedef struct engine_cache engine_cache;

/* One policy; owned by the cache and valid until the next look-up. */
typedef struct cached_engine {
	limen_engine *engine; /* NULL: the policy did not load */
	limen_diag *diag;
	char *why;            /* why the policy could not be read, or NULL */
	bool from_file;       /* its problems have file positions */
} cached_engine;

/*
 * 'flags' (LIMEN_ENGINE_*) and 'namespace' apply to all engines; 'namespace' (NULL: default) is
 * for manifests without one.
 */
engine_cache *engine_cache_new(const common_options *common, unsigned flags, const char *namespace);
void engine_cache_free(engine_cache *cache);

/*
 * Returns the policy of 'paths' (policy_load_all()); the cache compares paths as text.  'foreign':
 * the path comes from a line of input, so the policy may not name module directories.
 */
const cached_engine *engine_cache_paths(engine_cache *cache, char *const *paths, bool foreign);

/* Returns the policy given as 'value' in a line; equal values share an engine. */
const cached_engine *engine_cache_value(engine_cache *cache, limen_value value);

#endif
