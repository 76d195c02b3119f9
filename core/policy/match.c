/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.c - compares a request with the terms and exceptions of an admission entry.  Resource
 * patterns follow the rules of Kubernetes webhooks.
 */
#include "match.h"

#include <string.h>

static outcome
outcome_of(bool holds)
{
	return holds ? OUTCOME_YES : OUTCOME_NO;
}

/* "*" also matches a text that the caller did not give. */
static bool
has_everything(const limen_strings *patterns)
{
	for (size_t i = 0; i < patterns->count; i++) {
		if (strcmp(patterns->items[i], "*") == 0)
			return true;
	}
	return false;
}

static outcome
check_text(const limen_strings *patterns, const char *text)
{
	if (patterns->count == 0)
		return OUTCOME_YES;
	if (text == NULL)
		return has_everything(patterns) ? OUTCOME_YES : OUTCOME_UNKNOWN;
	return outcome_of(match_any(patterns, text, strlen(text)));
}

static outcome
check_groups(const limen_strings *patterns, const limen_strings *groups)
{
	if (patterns->count == 0)
		return OUTCOME_YES;
	for (size_t i = 0; i < groups->count; i++) {
		if (match_any(patterns, groups->items[i], strlen(groups->items[i])))
			return OUTCOME_YES;
	}
	return OUTCOME_NO;
}

/* As rules of Kubernetes webhooks: without a slash a pattern means no subresource. */
static bool
match_resource(const match_resource_name *pattern, const match_facts *facts)
{
	return limen_glob_match(pattern->resource, facts->resource, strlen(facts->resource)) &&
	       limen_glob_match(pattern->subresource, facts->subresource, strlen(facts->subresource));
}

static outcome
check_resources(const match_terms *terms, const match_facts *facts)
{
	if (terms->resource_count == 0)
		return OUTCOME_YES;
	if (facts->resource == NULL)
		return OUTCOME_UNKNOWN;
	for (size_t i = 0; i < terms->resource_count; i++) {
		if (match_resource(&terms->resources[i], facts))
			return OUTCOME_YES;
	}
	return OUTCOME_NO;
}

static outcome
check_classifiers(const index_list *wanted, const outcome *classified)
{
	outcome found = wanted->count == 0 ? OUTCOME_YES : OUTCOME_NO;

	for (size_t i = 0; i < wanted->count && found != OUTCOME_YES; i++) {
		outcome member = classified[wanted->items[i]];

		if (member != OUTCOME_NO)
			found = member;
	}
	return found;
}

static outcome
check_terms(const match_terms *terms, const match_facts *facts, bool exempting)
{
	outcome all = check_text(&terms->operations, facts->operation);

	all = outcome_both(all, check_resources(terms, facts));
	all = outcome_both(all, check_text(&terms->kinds, facts->kind));
	all = outcome_both(all, check_text(&terms->namespaces, facts->namespace));
	all = outcome_both(all, check_text(&terms->users, facts->user));
	all = outcome_both(all, check_groups(&terms->groups, &facts->groups));
	all = outcome_both(all, match_labels(terms, facts, exempting));
	all = outcome_both(all, match_object(terms, facts, exempting));
	return outcome_both(all, check_classifiers(&terms->classifiers, facts->classified));
}

static bool
reads_objects(const match_terms *terms)
{
	return terms->labels != NULL || terms->selector != NULL || terms->containers.count > 0;
}

bool
match_reads_objects(const match *rule)
{
	for (size_t i = 0; i < rule->exception_count; i++) {
		if (reads_objects(&rule->exceptions[i]))
			return true;
	}
	return reads_objects(&rule->terms);
}

outcome
match_request(const match *rule, const match_facts *facts)
{
	outcome all = check_terms(&rule->terms, facts, false);

	for (size_t i = 0; i < rule->exception_count && all != OUTCOME_NO; i++) {
		outcome exempt = check_terms(&rule->exceptions[i], facts, true);

		all = outcome_both(all, outcome_invert(exempt, true));
	}
	return all;
}
