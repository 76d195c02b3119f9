/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranges.h - the LimitRanges of a policy, with the defaults that an API server
 * gives them: what LimitRanger says it holds, and never a second reading.
 */
#ifndef LIMEN_PROGRAM_RANGES_H
#define LIMEN_PROGRAM_RANGES_H

#include <limen/documents.h>

#include "cli/command.h"

typedef struct ranges {
	limen_documents *description; /* of the engine; what 'items' point into */
	GArray *items; /* of limen_value, LimitRange objects by namespace and name */
} ranges;

/*
 * Loads 'policy' and lists its LimitRanges.  Returns false after messages.
 * 'namespace' (NULL: default) is that of manifests which name none.
 */
bool ranges_load(ranges *out, const common_options *common, const char *policy,
                 const char *namespace);

/* Drops those that are in another namespace, or have another name; NULL: any. */
void ranges_keep(ranges *of, const char *namespace, const char *name);

void ranges_clear(ranges *of);

/* The name (or generateName), the namespace, the time of creation ("" if there is none). */
const char *ranges_name(limen_value range);
const char *ranges_namespace(limen_value range);
const char *ranges_created(limen_value range);

/* Prints them as one object or, unless 'single', as a List of Kubernetes, in JSON or YAML. */
void ranges_print(const ranges *of, bool single, bool yaml);

#endif
