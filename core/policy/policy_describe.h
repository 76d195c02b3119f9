/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_describe.h - writes how the parts of a policy refer to each other, for
 * limen_engine_describe().
 */
#ifndef LIMEN_CORE_POLICY_POLICY_DESCRIBE_H
#define LIMEN_CORE_POLICY_POLICY_DESCRIBE_H

#include <limen/builder.h>

#include "compiled.h"

/* "classifiers", by name, each with the identifiers it is made of. */
void policy_describe_classifiers(limen_builder *build, const policy *current);

/* "application-list": in order, each with its groups of limits. */
void policy_describe_applications(limen_builder *build, const policy *current);

/* Adds the members that only entries of the admission chain have. */
void policy_describe_rule(limen_builder *build, const policy *current, const admission_rule *rule);

/*
 * Writes the member "counts" of a rule, of what it decided since the load: how often it was asked and
 * 'matches': matched, else refused and would have refused; and errors.
 */
void policy_describe_counts(limen_builder *build, const policy *current, size_t rule, bool matches);

#endif
