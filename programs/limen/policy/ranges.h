/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranges.h - lists the LimitRanges of a policy, with the defaults that an API server sets.
 * They come from LimitRanger's own status; manifests are not parsed a second time.
 */
#ifndef LIMEN_PROGRAM_RANGES_H
#define LIMEN_PROGRAM_RANGES_H

#include <limen/documents.h>
#include <limen/engine.h>

#include "cli/command.h"

typedef struct ranges {
	limen_documents *description; /* of the engine; 'items' point into it */
	GArray *items; /* limen_value of LimitRanges, by namespace and name */
} ranges;

/*
 * Loads the policy of 'paths' (policy_open()) and lists its LimitRanges.  Returns false after
 * messages.  'namespace' (NULL: default) is for manifests without one.
 */
bool ranges_load(ranges *out, const common_options *common, char *const *paths,
                 const char *namespace);

/* As ranges_load(), for the policy that 'engine' has in force. */
void ranges_of_engine(ranges *out, limen_engine *engine);

/* Does the LimitRange apply to 'namespace'? */
bool ranges_is_for(limen_value range, const char *namespace);

/* Keeps the LimitRanges with this namespace and name; NULL matches any. */
void ranges_keep(ranges *self, const char *namespace, const char *name);

void ranges_clear(ranges *self);

/* Return the name (or generateName), the namespace, and the creation time ("" if missing). */
const char *ranges_name(limen_value range);
const char *ranges_namespace(limen_value range);
const char *ranges_created(limen_value range);

/* Prints one object if 'single', else a Kubernetes List, in JSON or YAML. */
void ranges_print(const ranges *self, bool single, bool yaml);

#endif
