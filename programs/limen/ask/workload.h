/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload.h - expands a workload into the pods and claims that its controllers would create.
 * LimitRanges apply only to these: the cluster accepts the workload, and refuses the pods later
 * in events of the ReplicaSet.  The expansion shows the refusal at once.
 */
#ifndef LIMEN_PROGRAM_WORKLOAD_H
#define LIMEN_PROGRAM_WORKLOAD_H

#include <glib.h>
#include <limen/documents.h>

/* An object that would be made. */
typedef struct template_object {
	const char *kind;        /* of apiVersion v1 */
	limen_documents *object; /* NULL: there are problems */
	limen_value template;    /* in the workload; none if it has none */
	char *name;              /* its future name, or NULL */
	char *prefix;            /* its generateName, or NULL */
	char *pointer;           /* of the template in the workload, "/spec/template" */
	char *field;             /* the same as a field, "spec.template" */
} template_object;

/*
 * Warns of keys of a Pod, a claim or a template that are probably misspelt: LimitRanges would not
 * see what stands there.  'place' is put before fields, as "spec.template.".
 */
void workload_lint(limen_value object, const char *place, limen_diag *diag);

/*
 * Returns the field of the first thing like a pod template in an object of any kind, such as
 * "spec.template", to g_free(), or NULL.
 */
char *workload_like(limen_value object);

/* Returns true if objects of this kind have templates. */
bool workload_is(const char *api, const char *kind);

/*
 * Returns an array of the templates in 'workload', an object of 'kind' and 'api'; empty if that
 * is not a workload.  Problems go to 'diag'.
 */
GPtrArray *workload_expand(limen_value workload, const char *api, const char *kind,
                           limen_diag *diag);

#endif
