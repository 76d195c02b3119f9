/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_cache.h - the engines of a batch: lines that name the same policy share
 * one, and with it the state of its rate limits.
 *
 * At most ENGINE_CACHE_MAX policies are kept; the one that was not asked for
 * longest is dropped and loaded afresh when it is named again.  A policy that
 * does not load is remembered, too, with its problems.
 */
#ifndef LIMEN_PROGRAM_ENGINE_CACHE_H
#define LIMEN_PROGRAM_ENGINE_CACHE_H

#include <limen/engine.h>

#include "cli/command.h"

#define ENGINE_CACHE_MAX 1000

typedef struct engine_cache engine_cache;

/* One policy; belongs to the cache and is good until the next look-up. */
typedef struct cached_engine {
	limen_engine *engine; /* NULL: the policy did not load */
	limen_diag *diag;
	char *why;            /* why it could not even be read, or NULL */
	bool from_file;       /* its problems have places */
} cached_engine;

/*
 * 'flags', LIMEN_ENGINE_*, are those of all its engines; 'namespace' (NULL: default) is
 * that of manifests which name none.
 */
engine_cache *engine_cache_new(const common_options *common, unsigned flags,
                               const char *namespace);
void engine_cache_free(engine_cache *cache);

/*
 * Returns the policy at 'path'; the same string is the same policy.  'foreign': who asks
 * named it, so that it may not name directories of modules.
 */
const cached_engine *engine_cache_path(engine_cache *cache, const char *path, bool foreign);

/* Returns the policy 'value' of who asks; equal values are the same policy. */
const cached_engine *engine_cache_value(engine_cache *cache, limen_value value);

#endif
