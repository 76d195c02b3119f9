/* SPDX-License-Identifier: Apache-2.0 */
/* templates.h - the templates of a workload, and the pods and claims that they would make. */
#ifndef LIMEN_CORE_DECISION_TEMPLATES_H
#define LIMEN_CORE_DECISION_TEMPLATES_H

#include <limen/template.h>

#include "pipeline.h"

/* Told of each template, with what stood there before an update (or none), and its object. */
typedef void template_method(void *data, const limen_template *found, limen_value old,
                             document *object);

/*
 * Calls 'each' (may be NULL) for each template of 'workload'; 'old' is the workload before an update,
 * or none.  Returns as limen_engine_each_template() does.
 */
int templates_each(const policy *loaded, const char *api_group, const char *kind,
                   limen_value workload,
                   limen_value old, template_method *each, void *data, limen_diag *diag);

#endif
