/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_describe.c - writes the classifiers, the applications and the admission rules of a policy
 * for limen_engine_describe().
 */
#include "policy_describe.h"

#include <stdio.h>
#include <stdlib.h>

#include "verdict.h"

static void
describe_place(limen_builder *build, limen_value where)
{
	place stands = value_place(where);

	if (stands.file != NULL)
		limen_builder_text(build, "file", stands.file);
	limen_builder_int(build, "line", stands.line);
}

void
policy_describe_counts(limen_builder *build, const policy *current, size_t rule, bool matches)
{
	int64_t sums[RULE_OUTCOMES] = { 0 };
	int64_t total = 0;

	for (size_t i = 0; i < RULE_SHARES * RULE_OUTCOMES; i++) {
		const rule_counts *share = &current->counts[i / RULE_OUTCOMES * current->rule_count];
		int64_t found = (int64_t)atomic_load_explicit(&share[rule].of[i % RULE_OUTCOMES],
		                                              memory_order_relaxed);

		sums[i % RULE_OUTCOMES] += found;
		total += found;
	}
	limen_builder_object(build, "counts");
	limen_builder_int(build, "asked", total);
	if (matches) {
		limen_builder_int(build, "matched", sums[OUTCOME_YES]);
	} else {
		limen_builder_int(build, "refused", sums[OUTCOME_NO]);
		limen_builder_int(build, "would", sums[RULE_WOULD]);
	}
	limen_builder_int(build, "errors", sums[OUTCOME_UNKNOWN]);
	limen_builder_end(build);
}

static void
list_entries(limen_builder *build, const char *key, const entry_list *list, const index_list *chosen)
{
	limen_builder_array(build, key);
	for (size_t i = 0; i < chosen->count; i++)
		limen_builder_text(build, NULL, list->items[chosen->items[i]].name);
	limen_builder_end(build);
}

void
policy_describe_classifiers(limen_builder *build, const policy *current)
{
	limen_builder_object(build, "classifiers");
	for (size_t i = 0; i < current->classifier_count; i++) {
		const classifier *target = &current->classifiers[i];

		limen_builder_object(build, target->name);
		limen_builder_text(build, "description", target->description);
		limen_builder_text(build, "require", require_words[target->require]);
		limen_builder_int(build, "identifiers", (int64_t)target->identifiers.count);
		list_entries(build, "members", &current->identifiers, &target->identifiers);
		describe_place(build, target->where);
		policy_describe_counts(build, current, target->rule, true);
		limen_builder_end(build);
	}
	limen_builder_end(build);
}

static void
describe_groups(limen_builder *build, const policy *current, const application *target)
{
	limen_builder_array(build, "apply");
	for (size_t i = 0; i < target->group_count; i++) {
		limen_builder_object(build, NULL);
		limen_builder_text(build, "require", require_words[target->groups[i].require]);
		list_entries(build, "limits", &current->limits, &target->groups[i].limits);
		if (target->groups[i].observing.count > 0)
			list_entries(build, "observing", &current->limits, &target->groups[i].observing);
		limen_builder_end(build);
	}
	limen_builder_end(build);
}

void
policy_describe_applications(limen_builder *build, const policy *current)
{
	limen_builder_array(build, "application-list");
	for (size_t i = 0; i < current->application_count; i++) {
		const application *target = &current->applications[i];

		limen_builder_object(build, NULL);
		limen_builder_text(build, "description", target->description);
		limen_builder_text(build, "classifier",
		                target->classifier == CLASSIFIER_ANYONE
		                        ? NULL
		                        : current->classifiers[target->classifier].name);
		limen_builder_bool(build, "stop-on-failure", target->stop_on_failure);
		limen_builder_bool(build, "invert", target->invert);
		if (target->observes)
			limen_builder_text(build, "enforce", "audit");
		describe_groups(build, current, target);
		describe_place(build, target->where);
		policy_describe_counts(build, current, target->rule, false);
		limen_builder_end(build);
	}
	limen_builder_end(build);
}

/* Lists only classifiers: user and group names would leak to all who may read the policy. */
static void
list_classifiers(limen_builder *build, const policy *current, const index_list *chosen)
{
	limen_builder_array(build, "classifiers");
	for (size_t i = 0; i < chosen->count; i++)
		limen_builder_text(build, NULL, current->classifiers[chosen->items[i]].name);
	limen_builder_end(build);
}

static void
list_texts(limen_builder *build, const char *key, const limen_strings *texts)
{
	if (texts->count == 0)
		return;
	limen_builder_array(build, key);
	for (size_t i = 0; i < texts->count; i++)
		limen_builder_text(build, NULL, texts->items[i]);
	limen_builder_end(build);
}

static void
list_resources(limen_builder *build, const match_terms *terms)
{
	if (terms->resource_count == 0)
		return;
	limen_builder_array(build, "resources");
	for (size_t i = 0; i < terms->resource_count; i++) {
		const match_resource_name *name = &terms->resources[i];

		char *text = NULL;

		if (asprintf(&text, "%s%s%s", name->resource,
		             name->subresource[0] == '\0' ? "" : "/", name->subresource) < 0)
			text = NULL;
		limen_builder_text(build, NULL, text);
		free(text);
	}
	limen_builder_end(build);
}

void
policy_describe_rule(limen_builder *build, const policy *current, const admission_rule *rule)
{
	static const char *const words[] = { [ENFORCE_DENY] = "deny", [ENFORCE_WARN] = "warn",
		                             [ENFORCE_AUDIT] = "audit" };

	limen_builder_text(build, "enforce", words[rule->enforce]);
	limen_builder_text(build, "failurePolicy", rule->ignore_errors ? "Ignore" : "Fail");
	limen_builder_text(build, "workloads", rule->refuses_workloads ? "deny" : "warn");
	list_resources(build, &rule->match.terms);
	list_texts(build, "kinds", &rule->match.terms.kinds);
	list_classifiers(build, current, &rule->match.terms.classifiers);
}
