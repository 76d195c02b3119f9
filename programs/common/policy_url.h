/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_url.h - a policy that is fetched: the name of the policy is a URL, or
 * the file of the policy holds one instead (pScheduler 5.0).
 *
 * The engine knows nothing of this.  A program that reloads fetches again.  One
 * level only: what is fetched is a policy, never another URL.
 */
#ifndef LIMEN_PROGRAM_POLICY_URL_H
#define LIMEN_PROGRAM_POLICY_URL_H

#include <glib.h>
#include <limen/engine.h>
#include <stdbool.h>

/*
 * Is 'name', given where a path could stand, a URL?  Only "SCHEME://" and "file:"
 * are: a path may hold a colon.
 */
bool policy_url_is(const char *name);

/*
 * Returns the URL that the file at 'path' holds, to g_free(), or NULL if it is
 * no small file that holds one word with a scheme.  If everybody may change it, 'diag'
 * receives a warning.
 */
char *policy_url_in_file(const char *path, limen_diag *diag);

/*
 * Fetches 'url' (http, https, file) with TLS verified, whose status must be 200,
 * and loads what comes as limen_engine_load_text() does, under the name of the URL
 * without a password.  Its result, or LIMEN_EIO with a problem in 'diag'.
 */
int policy_url_load(limen_engine *engine, const char *url, limen_diag *diag);

#endif
