/* SPDX-License-Identifier: Apache-2.0 */
/* version.h - which jq this is, and what others have that it has not. */
#ifndef LIMEN_SUPPORT_JQ_VERSION_H
#define LIMEN_SUPPORT_JQ_VERSION_H

#include <stdbool.h>
#include <stddef.h>

/* Prepares libjq for use by several threads.  Any number of times. */
void version_prepare(void);

/* Returns the version of the installed libjq: "1.6".  Static. */
const char *version_installed(void);

/* Something that came with a version of jq, or went. */
typedef struct version_feature {
	const char *name;  /* of a function, with its arity, or of a format */
	const char *since; /* the first version that has it */
	const char *until; /* the first that has it no longer, or NULL */
} version_feature;

/* Returns what is known of a function or format, or NULL. */
const version_feature *version_find(const char *name, size_t length);

/* Is 'version' newer than the one installed? */
bool version_is_newer(const char *version);

#endif
