/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_describe.c - writes the classifiers, the applications and the admission rules of a policy
 * for limen_engine_describe().
 */
#include "policy_describe.h"

#include "verdict.h"

static void
describe_place(limen_sink *sink, limen_value where)
{
	place stands = value_place(where);

	if (stands.file != NULL)
		limen_sink_string(sink, "file", stands.file);
	limen_sink_int(sink, "line", stands.line);
}

static void
list_entries(limen_sink *sink, const char *key, const entry_list *list, const index_list *chosen)
{
	sink_begin_list(sink, key);
	for (size_t i = 0; i < chosen->count; i++)
		sink_item(sink, list->items[chosen->items[i]].name);
	sink_end(sink);
}

void
policy_describe_classifiers(limen_sink *sink, const policy *current)
{
	sink_begin(sink, "classifiers");
	for (size_t i = 0; i < current->classifier_count; i++) {
		const classifier *one = &current->classifiers[i];

		sink_begin(sink, one->name);
		limen_sink_string(sink, "description", one->description);
		limen_sink_string(sink, "require", require_words[one->require]);
		limen_sink_int(sink, "identifiers", (int64_t)one->identifiers.count);
		list_entries(sink, "members", &current->identifiers, &one->identifiers);
		describe_place(sink, one->where);
		sink_end(sink);
	}
	sink_end(sink);
}

static void
describe_groups(limen_sink *sink, const policy *current, const application *one)
{
	sink_begin_list(sink, "apply");
	for (size_t i = 0; i < one->group_count; i++) {
		sink_begin_item(sink);
		limen_sink_string(sink, "require", require_words[one->groups[i].require]);
		list_entries(sink, "limits", &current->limits, &one->groups[i].limits);
		sink_end(sink);
	}
	sink_end(sink);
}

void
policy_describe_applications(limen_sink *sink, const policy *current)
{
	sink_begin_list(sink, "application-list");
	for (size_t i = 0; i < current->application_count; i++) {
		const application *one = &current->applications[i];

		sink_begin_item(sink);
		limen_sink_string(sink, "description", one->description);
		limen_sink_string(sink, "classifier",
		                one->classifier == CLASSIFIER_ANYONE
		                        ? NULL
		                        : current->classifiers[one->classifier].name);
		limen_sink_bool(sink, "stop-on-failure", one->stop_on_failure);
		limen_sink_bool(sink, "invert", one->invert);
		describe_groups(sink, current, one);
		describe_place(sink, one->where);
		sink_end(sink);
	}
	sink_end(sink);
}

/* Lists only classifiers: user and group names would leak to all who may read the policy. */
static void
list_classifiers(limen_sink *sink, const policy *current, const index_list *chosen)
{
	sink_begin_list(sink, "classifiers");
	for (size_t i = 0; i < chosen->count; i++)
		sink_item(sink, current->classifiers[chosen->items[i]].name);
	sink_end(sink);
}

void
policy_describe_rule(limen_sink *sink, const policy *current, const admission_rule *rule)
{
	static const char *const words[] = { [ENFORCE_DENY] = "deny", [ENFORCE_WARN] = "warn",
		                             [ENFORCE_AUDIT] = "audit" };

	limen_sink_string(sink, "enforce", words[rule->enforce]);
	limen_sink_string(sink, "failurePolicy", rule->ignore_errors ? "Ignore" : "Fail");
	list_classifiers(sink, current, &rule->match.terms.classifiers);
}
