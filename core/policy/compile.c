/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.c - compiles the files of a policy: the order of the parts.
 */
#include "compile.h"

#include <stdlib.h>

#include "document/document.h"

static void
compile_all(compile_context *context)
{
	/* pScheduler refuses a file without schema: such a policy is not compared with it. */
	if (context->policy->files->sections[SECTION_SCHEMA].count == 0)
		diag_mute(context->diag, "pScheduler");
	compile_settings(context);
	compile_stores(context);
	compile_identifiers(context);
	compile_classifiers(context);
	compile_scripts(context);
	compile_limits(context);
	compile_applications(context);
	compile_templates(context);
	compile_admission(context);
	compile_subjects(context);
	compile_notes(context);
	diag_mute(context->diag, NULL);
}

static void
number_entries(entry_list *list, size_t *rule)
{
	for (size_t i = 0; i < list->count; i++)
		list->items[i].rule = (*rule)++;
}

/* Numbers the rules and makes room for their counts. */
static void
compile_counts(compile_context *context)
{
	policy *loaded = context->policy;
	size_t rule = 0;

	number_entries(&loaded->identifiers, &rule);
	number_entries(&loaded->limits, &rule);
	number_entries(&loaded->admission, &rule);
	for (size_t i = 0; i < loaded->classifier_count; i++)
		loaded->classifiers[i].rule = rule++;
	for (size_t i = 0; i < loaded->application_count; i++)
		loaded->applications[i].rule = rule++;
	loaded->rule_count = rule;
	loaded->counts = compile_alloc(context, rule * RULE_SHARES, sizeof(*loaded->counts));
}

/* A list that lost entries cannot say that there was no problem. */
static int
outcome_of(const compile_context *context, size_t before)
{
	if (diag_is_incomplete(context->diag))
		return LIMEN_ENOMEM;
	if (context->module_failed)
		return LIMEN_EMODULE;
	if (limen_diag_count(context->diag, LIMEN_SEVERITY_PROBLEM) > before)
		return LIMEN_ECONFIG;
	return policy_is_complete(context->policy) ? LIMEN_OK : LIMEN_ENOMEM;
}

policy *
policy_compile(conf *files, policy_inputs *inputs, const policy *old, int *result, limen_diag *diag)
{
	policy *loaded = calloc(1, sizeof(*loaded));
	compile_context context = {
		.inputs = inputs,
		.old = old,
		.policy = loaded,
		.schema = conf_schema(files),
		.diag = diag,
		.options = { .owner = loaded == NULL ? NULL : &loaded->owned, .diag = diag },
	};
	size_t before = limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM);

	*result = LIMEN_ENOMEM;
	if (loaded == NULL) {
		conf_free(files);
		return NULL;
	}
	atomic_init(&loaded->references, 1);
	loaded->files = files;
	compile_all(&context);
	*result = outcome_of(&context, before);
	if (*result == LIMEN_OK) {
		compile_lint(&context);
		compile_wording(&context);
		compile_counts(&context);
		*result = outcome_of(&context, before);
	}
	if (*result == LIMEN_OK)
		return loaded;
	policy_each_input(loaded, tried_add, &inputs->tried);
	policy_free(loaded);
	return NULL;
}
