/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload.h - expands a workload into the pods and claims that its controllers would create.
 * LimitRanges apply only to these: the cluster accepts the workload, and refuses the pods later
 * in events of the ReplicaSet.  The expansion shows the refusal at once.
 */
#ifndef LIMEN_PROGRAM_WORKLOAD_H
#define LIMEN_PROGRAM_WORKLOAD_H

#include <limen/engine.h>
#include <limen/template.h>

/* Returns true for a pod or a claim, the kinds that LimitRanges are about. */
bool workload_is_limited(const char *api, const char *kind);

/*
 * Returns the field of the first thing like a pod template in an object of any kind, such as
 * "spec.template", to g_free(), or NULL.
 */
char *workload_like(limen_value object);

/*
 * Returns true if objects of this kind have templates: those of Kubernetes, and those that the policy
 * in 'engine' (may be NULL) names.
 */
bool workload_is(limen_engine *engine, const char *api, const char *kind);

/*
 * Calls 'each' with 'data' for the templates in 'workload', an object of 'kind' and 'api'; not at all
 * if that is not a workload.  Problems go to 'diag'.
 */
void workload_expand(limen_engine *engine, limen_value workload, const char *api,
                     const char *kind, void (*each)(void *data, const limen_template *found),
                     void *data, limen_diag *diag);

#endif
