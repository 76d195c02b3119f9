/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/selector.h - which objects a rule is about: label selectors of
 * Kubernetes, and fields of the object.
 *
 * A selector never changes once it is made: any number of threads may use it.
 */
#ifndef LIMEN_SELECTOR_H
#define LIMEN_SELECTOR_H

#include <limen/diag.h>
#include <limen/value.h>

LIMEN_BEGIN_DECLS

/* Labels and fields together: an object is selected if both say so. */
typedef struct limen_selector limen_selector;

/*
 * Makes a selector.  'labels' is a LabelSelector: an object of matchLabels and
 * matchExpressions.  'fields' is an object of paths (metadata.name,
 * metadata.namespace, metadata.uid, spec.nodeName, spec.priorityClassName,
 * spec.serviceAccountName) and what is there: a pattern or an array of patterns.
 * Either may be none, which selects everything.  Nothing of them is kept.
 * Returns LIMEN_OK; LIMEN_EINVAL with every problem and its place in 'diag'; or
 * LIMEN_ENOMEM.
 */
LIMEN_API int limen_selector_new(limen_value labels, limen_value fields, limen_selector **out,
                                 limen_diag *diag);

/* Frees 'selector'. */
LIMEN_API void limen_selector_free(limen_selector *selector);

/*
 * Is 'object' selected?  LIMEN_PASS: yes; LIMEN_FAIL: no; LIMEN_ERROR: what would
 * tell is of a wrong type.  'in_namespace' and 'name' are those of the request;
 * where one is NULL or empty, the object's counts.  An object without a name has
 * its generateName; any other field that is not there is the empty text.
 */
LIMEN_API limen_verdict limen_selector_match(const limen_selector *selector, limen_value object,
                                             const char *in_namespace, const char *name);

LIMEN_END_DECLS

#endif
