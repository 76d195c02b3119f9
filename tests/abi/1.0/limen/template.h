/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/template.h - the pods and claims that Kubernetes workloads would make, and which
 * controller made an object.
 *
 * The functions keep nothing: any number of threads may call them, for one document too.
 */
#ifndef LIMEN_TEMPLATE_H
#define LIMEN_TEMPLATE_H

#include <limen/diag.h>
#include <limen/value.h>

LIMEN_BEGIN_DECLS

/*
 * A template in a workload, and the object that a controller would make of it.  The struct grows
 * at its end only; absent texts are NULL.
 */
typedef struct limen_template {
	const char *kind;          /* "Pod" or "PersistentVolumeClaim", of apiVersion v1 */
	limen_value value;         /* the template in the workload; none if it is missing */
	limen_value object;        /* a manifest: the API server would still add its defaults */
	const char *name;          /* of the object: "web-0" */
	const char *generate_name; /* in place of a name: "web-" */
	const char *field;         /* of the template: "spec.template" */
} limen_template;

/*
 * Calls 'each' with 'data' for each template of 'workload', an object of the kind 'kind' in the API
 * group 'group' ("": the core group).  The templates of Kubernetes' own kinds are known; the
 * policy in force in 'engine' (may be NULL) names others in "templates".  The struct, its texts and
 * 'object' are good during the call.  Lists that are no arrays are problems in 'diag' (may be NULL).
 * 'each' may be NULL.  Returns LIMEN_OK, LIMEN_ENOENT if objects of this kind have no templates, or
 * LIMEN_ENOMEM.  Any thread.
 */
LIMEN_API int limen_engine_each_template(limen_engine *engine, const char *group,
                                         const char *kind, limen_value workload,
                                         void (*each)(void *data, const limen_template *found),
                                         void *data, limen_diag *diag);

/*
 * Returns the element of metadata.ownerReferences that is the controller of 'object', or none.
 * Its members are "apiVersion", "kind" and "name", among others.
 */
LIMEN_API limen_value limen_object_controller(limen_value object);

LIMEN_END_DECLS

#endif
