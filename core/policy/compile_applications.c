/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_applications.c - "applications": compiles which limits apply to which classifiers.
 */
#include "compile.h"
#include "name_lookup.h"
#include "option/option.h"
#include "verdict.h"

typedef struct application_fields {
	const char *description;
	const char *classifier;
	const char *identifier;
	limen_value apply;
	int enforce;
	bool stop_on_failure;
	bool invert;
} application_fields;

const limen_option compile_application_rows[] = {
	LIMEN_OPT_STRING(application_fields, description, .key = "description",
	                 .help = "What the application does"),
	LIMEN_OPT_STRING(application_fields, classifier, .key = "classifier",
	                 .help = "The requesters it applies to; all if absent"),
	LIMEN_OPT_STRING(application_fields, identifier, .key = "identifier",
	                 .help = "In place of a classifier that is made of it alone"),
	LIMEN_OPT_JSON(application_fields, apply, .key = "apply", .required = true,
	               .help = "The limit requirements, all of which must be met, or names of limits, "
	                       "all of which must pass"),
	LIMEN_OPT_ENUM(application_fields, enforce, .key = "enforce",
	               .choices = compile_enforce_words, .fallback = "deny",
	               .help = "Whether it decides or is only recorded"),
	LIMEN_OPT_BOOL(application_fields, stop_on_failure, .key = "stop-on-failure",
	               .help = "Refuse at once when it fails"),
	LIMEN_OPT_BOOL(application_fields, invert, .key = "invert",
	               .help = "Swap pass and fail"),
	LIMEN_OPT_END
};

typedef struct group_fields {
	int require;
	limen_strings limits;
} group_fields;

const limen_option compile_group_rows[] = {
	LIMEN_OPT_ENUM(group_fields, require, .key = "require", .required = true,
	               .choices = require_words, .help = "How many of the limits must pass"),
	LIMEN_OPT_STRINGS(group_fields, limits, .key = "limits", .required = true,
	                  .help = "Names of limits"),
	LIMEN_OPT_END
};

/* Reports why a limit that only observes cannot be in a group of 'owner'; false: it can. */
static bool
report_observing(compile_context *context, const application *owner, const group *target,
                 const char *limit, limen_value where)
{
	static const char alone[] =
		"its group has no other limit and would pass every request: add a limit, or "
		"give the application \"enforce\": \"audit\"";
	const char *reason = target->require != REQUIRE_ALL
	                             ? "its group does not require all of its limits: write "
	                               "\"require\": \"all\""
	                     : owner->invert ? "the application is inverted: remove \"invert\""
	                     : target->limits.count == 0 ? alone
	                                                 : NULL;

	if (reason != NULL)
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, where,
		               "limit '%s' has \"enforce\": \"audit\", and %s", limit, reason);
	return reason != NULL;
}

/* Moves the limits that only observe into a list of their own. */
static void
split_group(compile_context *context, const application *owner, group *target, limen_value where)
{
	const entry_list *limits = &context->policy->limits;
	size_t *deciding = compile_alloc(context, target->limits.count, sizeof(size_t));
	size_t *observing = compile_alloc(context, target->limits.count, sizeof(size_t));
	index_list all = target->limits;

	if (deciding == NULL || observing == NULL)
		return;
	target->limits = (index_list){ deciding, 0 };
	target->observing = (index_list){ observing, 0 };
	for (size_t i = 0; i < all.count; i++) {
		if (all.items[i] != SIZE_MAX && limits->items[all.items[i]].observes)
			observing[target->observing.count++] = all.items[i];
		else
			deciding[target->limits.count++] = all.items[i];
	}
	for (size_t i = 0; i < target->observing.count; i++)
		if (report_observing(context, owner, target, limits->items[observing[i]].name, where))
			return;
}

static void
set_limits(compile_context *context, const application *owner, group *target,
           const limen_strings *wanted, limen_value where)
{
	name_lookup lookup = { .list = &context->policy->limits, .noun = "limits" };

	target->limits = names_resolve(context, &lookup, wanted, where);
	for (size_t i = 0; i < target->limits.count; i++) {
		size_t index = target->limits.items[i];

		if (index == SIZE_MAX)
			continue;
		if (context->policy->limits.items[index].observes) {
			split_group(context, owner, target, where);
			return;
		}
	}
}

static void
compile_group(compile_context *context, const application *owner, group *target, limen_value value)
{
	group_fields fields = { .require = REQUIRE_ALL };

	bool good = options_fill(compile_group_rows, value, &fields, &context->options);

	target->require = (require)fields.require;
	/* Unknown names are reported whatever else is wrong. */
	if (good || fields.limits.count > 0)
		set_limits(context, owner, target, &fields.limits,
		           limen_value_get(value, "limits"));
}

/* Makes one group of names of limits. */
static void
compile_names(compile_context *context, application *target, limen_value apply)
{
	static const limen_option row = { .key = "apply" };
	limen_strings names;

	target->groups = compile_alloc(context, 1, sizeof(*target->groups));
	if (target->groups == NULL || !option_strings(&row, apply, &names, &context->options))
		return;
	target->groups[0].require = REQUIRE_ALL;
	set_limits(context, target, &target->groups[0], &names, apply);
	target->group_count = 1;
}

static void
compile_groups(compile_context *context, application *target, limen_value apply)
{
	limen_value value;

	if (limen_value_type(apply) != LIMEN_TYPE_ARRAY) {
		problem_type(&context->options, apply, "array");
		if (limen_value_type(apply) == LIMEN_TYPE_STRING)
			limen_diag_hint(context->diag, "write an array: [ %.100s ]",
			                limen_value_string(apply, NULL));
		return;
	}
	if (limen_value_type(limen_value_at(apply, 0)) == LIMEN_TYPE_STRING) {
		compile_names(context, target, apply);
		return;
	}
	target->groups = compile_alloc(context, limen_value_count(apply), sizeof(*target->groups));
	if (target->groups == NULL)
		return;
	for (limen_iter iter = limen_iter_start(apply); limen_iter_next(&iter, NULL, &value);) {
		compile_group(context, target, &target->groups[target->group_count], value);
		target->group_count++;
	}
}

/* Gives the limits of an application that only observes tables that nothing else counts in. */
static void
open_rehearsal(compile_context *context, const application *target)
{
	for (size_t i = 0; i < target->group_count; i++) {
		const index_list *list = &target->groups[i].limits;

		for (size_t k = 0; k < list->count; k++)
			if (list->items[k] != SIZE_MAX &&
			    context->policy->limits.items[list->items[k]].instance != NULL)
				compile_rehearsal(context,
				                  &context->policy->limits.items[list->items[k]]);
	}
}

static void
compile_application(compile_context *context, application *target, limen_value value)
{
	application_fields fields = { .description = NULL };

	target->where = value;
	target->classifier = CLASSIFIER_ANYONE;
	options_fill(compile_application_rows, value, &fields, &context->options);
	target->description = fields.description;
	target->stop_on_failure = fields.stop_on_failure;
	target->invert = fields.invert;
	target->observes = fields.enforce != 0;
	if (fields.identifier != NULL)
		target->classifier = compile_find_of_identifier(context, fields.identifier,
		                                                limen_value_get(value, "identifier"));
	if (fields.identifier != NULL && fields.classifier != NULL)
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, value,
		               "'classifier' and 'identifier' cannot both be given");
	else if (fields.classifier != NULL)
		target->classifier = compile_find_classifier(context, fields.classifier,
		                                             limen_value_get(value, "classifier"));
	if (limen_value_exists(fields.apply))
		compile_groups(context, target, fields.apply);
	if (target->observes)
		open_rehearsal(context, target);
}

void
compile_applications(compile_context *context)
{
	const conf_list *list = &context->policy->files->sections[SECTION_APPLICATIONS];
	policy *loaded = context->policy;

	loaded->applications = compile_alloc(context, list->count, sizeof(*loaded->applications));
	if (loaded->applications == NULL)
		return;
	for (size_t i = 0; i < list->count; i++) {
		compile_application(context, &loaded->applications[i], list->items[i].value);
		loaded->application_count++;
	}
}
