/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_source.h - loads the policy of the daemon from files and directories, a URL, or a
 * file that holds a URL.
 *
 * The engine watches the files that it reads itself.  A policy source watches a file that holds
 * a URL, and fetches a URL again.  One thread at a time may use a source.
 */
#ifndef LIMEND_POLICY_SOURCE_H
#define LIMEND_POLICY_SOURCE_H

#include <limen/engine.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct policy_source policy_source;

typedef enum policy_refresh {
	POLICY_REFRESH_FAILED,
	POLICY_REFRESH_SAME, /* the text is unchanged and was not loaded again */
	POLICY_REFRESH_LOADED,
	POLICY_REFRESH_STOPPED,
} policy_refresh;

/*
 * 'names', ended by NULL, are paths that are one policy together, or one URL.  'cache' is the
 * directory where the last good text of a URL is kept; NULL: it is not kept.
 */
policy_source *policy_source_new(char *const *names, const char *cache);
void policy_source_free(policy_source *self);

/*
 * Loads the policy; one at a URL is fetched again.  On failure it returns false and adds at
 * least one problem to 'diag', and the policy in force stays.
 */
bool policy_source_load(policy_source *self, limen_engine *engine, limen_diag *diag);

/*
 * Loads the last good text of the URL from the cache, after policy_source_load() has failed and
 * before anything is in force.  Logs that, and returns true, if that was possible.
 */
bool policy_source_load_kept(policy_source *self, limen_engine *engine);

/* Was the policy at a URL at the last load, even if that load failed? */
bool policy_source_is_fetched(const policy_source *self);

/*
 * Fetches a policy at a URL and loads it if its text has changed; a policy in files is always
 * loaded again.  A failure adds at least one problem to 'diag'.  Gives up within about a second
 * when 'stop' becomes true.
 */
policy_refresh policy_source_refresh(policy_source *self, limen_engine *engine,
                                     const atomic_bool *stop, limen_diag *diag);

/*
 * Has a file changed that the engine does not watch: one that held a URL at the last load, or one
 * that holds a URL now?  Stays true until the next load.
 */
bool policy_source_is_stale(policy_source *self);

/*
 * Returns true if the engine could not load its file because the file now holds a URL, which the
 * source will load itself.  From any thread.
 */
bool policy_source_takes_over(const policy_source *self);

#endif
