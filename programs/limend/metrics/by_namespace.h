/* SPDX-License-Identifier: Apache-2.0 */
/*
 * by_namespace.h - counts refusals of Kubernetes objects, and those that entries would have made
 * if they enforced, by namespace and entry.  Memory is bounded: namespaces beyond a number are
 * counted together as "other".
 */
#ifndef LIMEND_BY_NAMESPACE_H
#define LIMEND_BY_NAMESPACE_H

#include "audit/decision_log.h"

/* Most namespaces that can be asked for; each entry has a series of Prometheus for each. */
#define NAMESPACES_MAX 10000

typedef struct by_namespace by_namespace;

/* Makes counts for 'most' namespaces, NAMESPACES_MAX at most. */
by_namespace *by_namespace_new(size_t most);
void by_namespace_free(by_namespace *self);

/* Counts a decision about an object, from any thread; others are not counted. */
void by_namespace_count(by_namespace *self, const record *facts);

/* Writes limend_refusals_by_namespace_total. */
void by_namespace_write(by_namespace *self, GString *out);

#endif
