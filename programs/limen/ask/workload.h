/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload.h - expands a workload into the pods and claims that its controllers would create.
 * LimitRanges apply only to these: the cluster accepts the workload, and refuses the pods later
 * in events of the ReplicaSet.  The expansion shows the refusal at once.
 */
#ifndef LIMEN_PROGRAM_WORKLOAD_H
#define LIMEN_PROGRAM_WORKLOAD_H

#include <limen/diag.h>

/* An object that would be made.  Texts are valid during the call of 'take' only. */
typedef struct template_object {
	const char *kind;    /* of apiVersion v1 */
	const char *json;
	const char *name;    /* its future name, or NULL */
	const char *prefix;  /* its generateName, or NULL */
	const char *pointer; /* of the template in the workload, "/spec/template" */
	const char *field;   /* the same as a field, "spec.template" */
} template_object;

/* Returns true if objects of this kind have templates. */
bool workload_is(const char *api, const char *kind);

/*
 * Calls 'take' for every template in 'workload', an object of 'kind' and 'api'; makes no call
 * if that is not a workload.  Problems go to 'diag'.
 */
void workload_expand(limen_value workload, const char *api, const char *kind, limen_diag *diag,
                     void (*take)(void *data, const template_object *one), void *data);

#endif
