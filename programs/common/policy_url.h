/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_url.h - fetches policies: the name of the policy is a URL, or the policy file holds
 * one instead (pScheduler 5.0).
 *
 * The engine does not know URLs.  A program that reloads fetches again.  The fetched text must
 * be a policy: a URL in it is not followed.
 */
#ifndef LIMEN_PROGRAM_POLICY_URL_H
#define LIMEN_PROGRAM_POLICY_URL_H

#include <glib.h>
#include <limen/engine.h>
#include <stdbool.h>

/*
 * Returns true if 'name', given where a path could be, is a URL.  Only "SCHEME://" and "file:"
 * count: a path may hold a colon.
 */
bool policy_url_is(const char *name);

/*
 * Returns the URL that the file at 'path' holds, to g_free(), or NULL if it is not a small file
 * with one word that has a scheme.  Adds a warning to 'diag' if every user may change the file.
 */
char *policy_url_in_file(const char *path, limen_diag *diag);

/*
 * Returns an error, to g_free(), if several 'paths', ended by NULL, cannot be one policy: each must
 * be a file or a directory, not a URL or a file that holds one.  Returns NULL if they can, and for
 * a single path.
 */
char *policy_url_among(char *const *paths);

typedef struct policy_text {
	char *text;
	size_t length;
	char *shown; /* the URL as the name of the policy, without a password and a query */
} policy_text;

/*
 * Fetches 'url' (http, https, file) with TLS verified; the status must be 200.  Returns false,
 * with a problem in 'diag', on failure or if 'stop' returns true (called about once a second;
 * may be NULL).
 */
bool policy_url_fetch(const char *url, bool (*stop)(void *data), void *data, limen_diag *diag,
                      policy_text *out);

void policy_text_clear(policy_text *content);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(policy_text, policy_text_clear)

/* Fetches and loads.  Returns the result of the load, or LIMEN_EIO if the fetch failed. */
int policy_url_load(limen_engine *engine, const char *url, limen_diag *diag);

#endif
