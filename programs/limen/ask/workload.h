/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload.h - the pods and claims that controllers make of a workload.  Only
 * these meet LimitRanges, so a workload is accepted and its pods are refused
 * where nobody looks (events of a ReplicaSet); here they are looked at at once.
 */
#ifndef LIMEN_PROGRAM_WORKLOAD_H
#define LIMEN_PROGRAM_WORKLOAD_H

#include <limen/diag.h>

/* An object that would be made.  Texts are good during the call that gives it. */
typedef struct template_object {
	const char *kind;    /* of apiVersion v1 */
	const char *json;
	const char *name;    /* that it will have, or NULL */
	const char *prefix;  /* its generateName, or NULL */
	const char *pointer; /* of the template in the workload, "/spec/template" */
	const char *field;   /* the same as a field, "spec.template" */
} template_object;

/* Is this a kind of object that has templates? */
bool workload_is(const char *api, const char *kind);

/*
 * Calls 'take' for every template in 'workload', an object of 'kind' and
 * 'api'; for none if it is no workload.  Problems go to 'diag'.
 */
void workload_expand(limen_value workload, const char *api, const char *kind, limen_diag *diag,
                     void (*take)(void *data, const template_object *one), void *data);

#endif
