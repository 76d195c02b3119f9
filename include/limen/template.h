/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/template.h - the pods and claims that Kubernetes workloads would make, and which
 * controller made an object.
 */
#ifndef LIMEN_TEMPLATE_H
#define LIMEN_TEMPLATE_H

#include <limen/value.h>

LIMEN_BEGIN_DECLS

/*
 * Returns the element of metadata.ownerReferences that is the controller of 'object', or none.
 * Its members are "apiVersion", "kind" and "name", among others.
 */
LIMEN_API limen_value limen_object_controller(limen_value object);

LIMEN_END_DECLS

#endif
