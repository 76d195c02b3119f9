/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.c - compares a request with the terms and exceptions of an admission entry.  Resource
 * patterns follow the rules of Kubernetes webhooks.
 */
#include "match.h"

#include <string.h>

#include "base/utf8.h"

/* The keys of "match", as check_terms() compares them. */
enum {
	KEY_OPERATIONS,
	KEY_RESOURCES,
	KEY_KINDS,
	KEY_NAMESPACES,
	KEY_USERS,
	KEY_GROUPS,
	KEY_LABELS,
	KEY_OBJECT, /* "selector", "fields" and "containers" */
	KEY_CLASSIFIERS,
	KEYS
};

/* "*" also matches a text that the caller did not give. */
static bool
has_everything(const limen_strings *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (strcmp(patterns->items[i], "*") == 0)
			return true;
	return false;
}

static outcome
check_text(const limen_strings *patterns, const char *text)
{
	if (patterns->count == 0)
		return OUTCOME_YES;
	if (text == NULL)
		return has_everything(patterns) ? OUTCOME_YES : OUTCOME_UNKNOWN;
	return match_any(patterns, text, strlen(text)) ? OUTCOME_YES : OUTCOME_NO;
}

static outcome
check_groups(const limen_strings *patterns, const limen_strings *groups)
{
	if (patterns->count == 0)
		return OUTCOME_YES;
	for (size_t i = 0; i < groups->count; i++)
		if (match_any(patterns, groups->items[i], strlen(groups->items[i])))
			return OUTCOME_YES;
	return OUTCOME_NO;
}

static outcome
check_resources(const match_terms *terms, const match_facts *facts)
{
	if (terms->resource_count == 0)
		return OUTCOME_YES;
	if (facts->resource == NULL)
		return OUTCOME_UNKNOWN;
	for (size_t i = 0; i < terms->resource_count; i++) {
		const match_resource_name *pattern = &terms->resources[i];

		/* As rules of Kubernetes webhooks: a pattern without a slash means no subresource. */
		if (limen_glob_match(pattern->resource, facts->resource, strlen(facts->resource)) &&
		    limen_glob_match(pattern->subresource, facts->subresource,
		                     strlen(facts->subresource)))
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

/* Stores the outcome of each key in 'found' and returns that of all. */
static outcome
check_terms(const match_terms *terms, const match_facts *facts, bool exempting, outcome *found)
{
	outcome all = OUTCOME_YES;

	found[KEY_OPERATIONS] = check_text(&terms->operations, facts->operation);
	found[KEY_RESOURCES] = check_resources(terms, facts);
	found[KEY_KINDS] = check_text(&terms->kinds, facts->kind);
	found[KEY_NAMESPACES] = check_text(&terms->namespaces, facts->namespace);
	found[KEY_USERS] = check_text(&terms->users, facts->user);
	found[KEY_GROUPS] = check_groups(&terms->groups, &facts->groups);
	found[KEY_LABELS] = match_labels(terms, facts, exempting);
	found[KEY_OBJECT] = match_object(terms, facts, exempting);
	found[KEY_CLASSIFIERS] = check_classifiers(&terms->classifiers, facts->classified);
	for (size_t i = 0; i < KEYS; i++)
		all = outcome_both(all, found[i]);
	return all;
}

static bool
reads_objects(const match_terms *terms)
{
	return terms->labels != NULL || terms->selector != NULL || terms->containers.count > 0;
}

bool
match_reads_objects(const match *rule)
{
	for (size_t i = 0; i < rule->exception_count; i++)
		if (reads_objects(&rule->exceptions[i]))
			return true;
	return reads_objects(&rule->terms);
}

outcome
match_request(const match *rule, const match_facts *facts)
{
	outcome found[KEYS];
	outcome all = check_terms(&rule->terms, facts, false, found);

	for (size_t i = 0; i < rule->exception_count && all != OUTCOME_NO; i++) {
		outcome exempt = check_terms(&rule->exceptions[i], facts, true, found);

		all = outcome_both(all, outcome_invert(exempt, true));
	}
	return all;
}

/* Describes the first key that does not match. */
static const char *
describe_miss(const outcome *found, const match_facts *facts, arena *memory)
{
	static const char *const texts[KEYS] = {
		[KEY_GROUPS] = "match: groups include none of the user's",
		[KEY_LABELS] = "match: labels differ from the object's",
		[KEY_OBJECT] = "match: selector, fields or containers do not fit the object",
		[KEY_CLASSIFIERS] = "match: classifiers include none of the request's",
	};
	static const char *const names[] = { "operations", "resources", "kinds", "namespaces",
		                             "users" };
	const char *const values[] = { facts->operation, facts->resource, facts->kind,
		                       facts->namespace, facts->user };
	const char *subresource = facts->subresource;
	char *text;
	size_t key = 0;

	while (key < KEYS - 1 && found[key] != OUTCOME_NO)
		key++;
	if (texts[key] != NULL)
		return texts[key];
	if (values[key][0] == '\0')
		return arena_printf(memory, "match: %s are given, and the request has none",
		                    names[key]);
	if (key != KEY_RESOURCES)
		subresource = "";
	text = arena_printf(memory, "match: %s do not include '%s%s%s'", names[key], values[key],
	                    subresource[0] == '\0' ? "" : "/", subresource);
	utf8_one_line(text);
	return text;
}

const char *
match_reason(const match *rule, const match_facts *facts, arena *memory)
{
	outcome found[KEYS];

	if (check_terms(&rule->terms, facts, false, found) == OUTCOME_NO)
		return describe_miss(found, facts, memory);
	for (size_t i = 0; i < rule->exception_count; i++)
		if (check_terms(&rule->exceptions[i], facts, true, found) == OUTCOME_YES)
			return rule->exception_count == 1
			               ? "not: the exception matches"
			               : arena_printf(memory, "not: exception %zu of %zu matches",
			                              i + 1, rule->exception_count);
	return NULL;
}
