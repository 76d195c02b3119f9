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
	bool stop_on_failure;
	bool invert;
} application_fields;

static const limen_option application_rows[] = {
	LIMEN_OPT_STRING(application_fields, description, .key = "description",
	                 .help = "what the application does"),
	LIMEN_OPT_STRING(application_fields, classifier, .key = "classifier",
	                 .help = "the requesters it applies to; all if absent"),
	LIMEN_OPT_STRING(application_fields, identifier, .key = "identifier",
	                 .help = "in place of a classifier that is made of it alone"),
	LIMEN_OPT_JSON(application_fields, apply, .key = "apply", .required = true,
	               .help = "the limit requirements, all of which must be met, or names of limits, "
	                       "all of which must pass"),
	LIMEN_OPT_BOOL(application_fields, stop_on_failure, .key = "stop-on-failure",
	               .help = "refuse at once when it fails"),
	LIMEN_OPT_BOOL(application_fields, invert, .key = "invert",
	               .help = "pass when it would fail and fail when it would pass"),
	LIMEN_OPT_END
};

typedef struct group_fields {
	int require;
	limen_strings limits;
} group_fields;

static const limen_option group_rows[] = {
	LIMEN_OPT_ENUM(group_fields, require, .key = "require", .required = true,
	               .choices = require_words, .help = "how many of the limits must pass"),
	LIMEN_OPT_STRINGS(group_fields, limits, .key = "limits", .required = true,
	                  .help = "names of limits"),
	LIMEN_OPT_END
};

static void
compile_group(compile_context *context, group *target, limen_value value)
{
	name_lookup lookup = { .list = &context->policy->limits, .noun = "limits" };
	group_fields fields = { .require = REQUIRE_ALL };

	bool good = options_fill(group_rows, value, &fields, &context->options);

	target->require = (require)fields.require;
	/* Unknown names are reported whatever else is wrong. */
	if (good || fields.limits.count > 0)
		target->limits = names_resolve(context, &lookup, &fields.limits,
		                               limen_value_get(value, "limits"));
}

/* Makes one group of names of limits. */
static void
compile_names(compile_context *context, application *target, limen_value apply)
{
	static const limen_option row = { .key = "apply" };
	name_lookup lookup = { .list = &context->policy->limits, .noun = "limits" };
	limen_strings names;

	target->groups = compile_alloc(context, 1, sizeof(*target->groups));
	if (target->groups == NULL || !option_strings(&row, apply, &names, &context->options))
		return;
	target->groups[0].require = REQUIRE_ALL;
	target->groups[0].limits = names_resolve(context, &lookup, &names, apply);
	target->group_count = 1;
}

static void
compile_groups(compile_context *context, application *target, limen_value apply)
{
	limen_iter iter = limen_iter_start(apply);
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
	while (limen_iter_next(&iter, NULL, &value)) {
		compile_group(context, &target->groups[target->group_count], value);
		target->group_count++;
	}
}

static void
compile_application(compile_context *context, application *target, limen_value value)
{
	application_fields fields = { .description = NULL };

	target->where = value;
	target->classifier = CLASSIFIER_ANYONE;
	options_fill(application_rows, value, &fields, &context->options);
	target->description = fields.description;
	target->stop_on_failure = fields.stop_on_failure;
	target->invert = fields.invert;
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
}

void
compile_applications(compile_context *context)
{
	const conf_list *list = &context->policy->files->sections[SECTION_APPLICATIONS];
	policy *made = context->policy;

	made->applications = compile_alloc(context, list->count, sizeof(*made->applications));
	if (made->applications == NULL)
		return;
	for (size_t i = 0; i < list->count; i++) {
		compile_application(context, &made->applications[i], list->items[i].value);
		made->application_count++;
	}
}
