/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_describe.h - how the parts of a policy hang together, as members of what
 * limen_engine_describe() writes.
 */
#ifndef LIMEN_CORE_POLICY_POLICY_DESCRIBE_H
#define LIMEN_CORE_POLICY_POLICY_DESCRIBE_H

#include "host/host.h"
#include "compiled.h"

/* "classifiers", by name, each with the identifiers it is made of. */
void policy_describe_classifiers(limen_sink *sink, const policy *current);

/* "application-list": in order, each with its groups of limits. */
void policy_describe_applications(limen_sink *sink, const policy *current);

/* What an entry of the admission chain has beyond what every entry has. */
void policy_describe_rule(limen_sink *sink, const policy *current, const admission_rule *rule);

#endif
