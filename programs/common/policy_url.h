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

typedef struct policy_text {
	char *text;
	size_t length;
	char *shown; /* the URL as the name of the policy, without a password and a query */
} policy_text;

/*
 * Fetches 'url' (http, https, file) with TLS verified, whose status must be 200.  False, with a
 * problem in 'diag', if that fails, or 'stop' (asked about once a second; may be NULL) says so.
 */
bool policy_url_fetch(const char *url, bool (*stop)(void *data), void *data, limen_diag *diag,
                      policy_text *out);

/* Loads what was fetched as limen_engine_load_text() does. */
int policy_text_load(limen_engine *engine, const policy_text *content, limen_diag *diag);

void policy_text_clear(policy_text *content);

/* All of it.  The result of the load, or LIMEN_EIO if nothing could be fetched. */
int policy_url_load(limen_engine *engine, const char *url, limen_diag *diag);

#endif
