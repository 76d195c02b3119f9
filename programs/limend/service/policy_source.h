/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_source.h - where the policy of the daemon comes from: a file, a
 * directory, a URL, or a file that holds a URL.
 *
 * The engine watches the files that it reads itself.  What it does not know of, a file
 * that holds a URL, is looked at here, and what is at a URL is fetched again.  One thread
 * at a time may use a source.
 */
#ifndef LIMEND_POLICY_SOURCE_H
#define LIMEND_POLICY_SOURCE_H

#include <limen/engine.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct policy_source policy_source;

typedef enum policy_refresh {
	POLICY_REFRESH_FAILED,
	POLICY_REFRESH_SAME, /* as what was loaded last, which was not loaded again */
	POLICY_REFRESH_LOADED,
	POLICY_REFRESH_STOPPED,
} policy_refresh;

/* 'name' is a path or a URL. */
policy_source *policy_source_new(const char *name);
void policy_source_free(policy_source *self);

/*
 * Loads the policy, which is fetched again if it is at a URL.  False, with at
 * least one problem in 'diag', if what was in force stays.
 */
bool policy_source_load(policy_source *self, limen_engine *engine, limen_diag *diag);

/* Was the policy at a URL when it was loaded last, even if nothing could be fetched? */
bool policy_source_is_fetched(const policy_source *self);

/*
 * Fetches such a policy, and loads it if it is another one; one in files is loaded again as it
 * is.  There is at least one problem in 'diag' if that failed.  Gives up, in about a second, if 'stop' becomes true.
 */
policy_refresh policy_source_refresh(policy_source *self, limen_engine *engine,
                                     const atomic_bool *stop, limen_diag *diag);

/*
 * Has a file changed since it was loaded last, of which the engine knows nothing?  One that
 * held a URL, or one that holds one now.  It is so until it is loaded.
 */
bool policy_source_is_stale(policy_source *self);

/*
 * Will a file that the engine could not load be loaded from here, as it has become one that
 * holds a URL?  From any thread.
 */
bool policy_source_takes_over(const policy_source *self);

#endif
