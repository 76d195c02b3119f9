/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_admission.c - "admission": compiles the entries of the admission chain,
 * and adds implicit ones for manifests.
 */
#include <string.h>

#include "compile.h"
#include "conf/conf.h"
#include "option/option.h"

static const char *const enforce_words[] = {
	[ENFORCE_DENY] = "deny",
	[ENFORCE_WARN] = "warn",
	[ENFORCE_AUDIT] = "audit",
	[ENFORCE_AUDIT + 1] = NULL,
};

static const char *const failure_words[] = { "Fail", "Ignore", NULL };
static const char *const workload_words[] = { "warn", "deny", NULL };

typedef struct admission_fields {
	const char *name;
	const char *description;
	const char *plugin;
	limen_value data;
	limen_value match;
	int enforce;
	int failure_policy;
	int workloads;
	bool enabled;
	bool manifests;
	bool retry_after;
} admission_fields;

const limen_option compile_admission_rows[] = {
	LIMEN_OPT_STRING(admission_fields, name, .key = "name", .required = true,
	                 .help = "Unique among admission entries"),
	LIMEN_OPT_STRING(admission_fields, description, .key = "description",
	                 .help = "What the entry is for"),
	LIMEN_OPT_STRING(admission_fields, plugin, .key = "plugin", .required = true,
	                 .help = "The module to call"),
	LIMEN_OPT_OBJECT(admission_fields, data, .key = "data", .fallback = "{}",
	                 .help = "The options of the plugin"),
	LIMEN_OPT_OBJECT(admission_fields, match, .key = "match", .fallback = "{}",
	                 .help = "Which requests it decides; all if absent"),
	LIMEN_OPT_ENUM(admission_fields, enforce, .key = "enforce", .choices = enforce_words,
	               .fallback = "deny", .help = "Whether a refusal counts, warns or is only "
	                                           "recorded"),
	LIMEN_OPT_ENUM(admission_fields, failure_policy, .key = "failurePolicy",
	               .choices = failure_words, .fallback = "Fail",
	               .help = "Whether an error refuses or is ignored"),
	LIMEN_OPT_ENUM(admission_fields, workloads, .key = "workloads", .choices = workload_words,
	               .fallback = "warn",
	               .help = "Whether a workload is refused whose pods would be"),
	LIMEN_OPT_BOOL(admission_fields, enabled, .key = "enabled", .fallback = "true",
	               .help = "false turns the entry off"),
	LIMEN_OPT_BOOL(admission_fields, manifests, .key = "manifests",
	               .help = "Give it the manifests in the files of the policy"),
	LIMEN_OPT_BOOL(admission_fields, retry_after, .key = "retryAfter",
	               .help = "Tell Kubernetes clients when to retry"),
	LIMEN_OPT_END
};

/* Which manifests 'plugin' takes; MANIFESTS_COUNT: none. */
static manifest_plugin
find_manifests(const char *plugin)
{
	int which = 0;

	while (which < MANIFESTS_COUNT &&
	       strcmp(plugin, manifest_plugin_name((manifest_plugin)which)) != 0)
		which++;
	return (manifest_plugin)which;
}

/* Manifests beside an explicit entry need "manifests: true" there, or it is a problem. */
static bool
check_manifests(compile_context *context, const admission_fields *fields, manifest_plugin which,
                limen_value value)
{
	const conf_list *found = which == MANIFESTS_COUNT
	                                 ? NULL
	                                 : &context->policy->files->manifests[which];
	place first;

	if (found == NULL && fields->manifests)
		return limen_diag_refuse(context->diag, limen_value_get(value, "manifests"),
		                         "there are no manifests for '%s'", fields->plugin);
	if (found == NULL || fields->manifests == (found->count > 0))
		return true;
	if (fields->manifests) {
		limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING,
		               limen_value_get(value, "manifests"),
		               "the policy holds no manifest for '%s'", fields->plugin);
		return true;
	}
	first = value_place(found->items[0].value);
	limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, value,
	               "Admission entry '%s' exists beside manifests for '%s' (%s line %u)",
	               fields->name, fields->plugin, first.file == NULL ? "the policy" : first.file,
	               first.line);
	limen_diag_hint(context->diag, "\"manifests\": true gives them to this entry");
	return false;
}

static bool
check_name(compile_context *context, const char *name, limen_value value)
{
	return compile_is_new(context, &context->policy->admission, "admission entry", name, value);
}

/* With manifests the data is a document that lives only until the instance has its copy. */
static void
open_entry(compile_context *context, entry *target, const admission_fields *fields,
           manifest_plugin which)
{
	document *merged = NULL;

	if (fields->manifests) {
		merged = compile_manifests(context, which, fields->data);
		if (merged == NULL)
			return;
	}
	compile_instance(context, LIMEN_KIND_ADMISSION, SECTION_ADMISSION, "Admission entry",
	                 target, merged == NULL ? fields->data : document_root(merged));
	document_unref(merged);
	if (target->instance != NULL && target->instance->classifiers != NULL)
		context->policy->classifies_objects = true;
}

/* Makes room for one more entry, which stands at 'where'. */
static entry *
append_entry(policy *loaded, const char *name, const char *type, limen_value where)
{
	entry *target = &loaded->admission.items[loaded->admission.count];

	loaded->admission.count++;
	compile_place(target, where);
	target->name = name;
	target->type = type;
	return target;
}

static void
compile_entry(compile_context *context, limen_value value)
{
	policy *loaded = context->policy;
	admission_rule *rule = &loaded->admission_rules[loaded->admission.count];
	admission_fields fields = { .name = NULL };
	manifest_plugin which = MANIFESTS_COUNT;
	entry *target;
	bool usable;

	options_fill(compile_admission_rows, value, &fields, &context->options);
	if (limen_value_exists(fields.match))
		compile_match(context, &rule->match, fields.match);
	/* Problems of the data are reported even if the entry has other problems. */
	usable = check_name(context, fields.name, value) && limen_value_exists(fields.data);
	if (fields.name != NULL && fields.plugin != NULL) {
		which = find_manifests(fields.plugin);
		usable = check_manifests(context, &fields, which, value) && usable;
	} else {
		usable = false;
	}
	rule->enabled = fields.enabled;
	rule->enforce = context->inputs->enforce ? ENFORCE_DENY : (enforce)fields.enforce;
	rule->ignore_errors = fields.failure_policy > 0;
	rule->retry_after = fields.retry_after;
	rule->refuses_workloads = fields.workloads > 0;
	if (rule->refuses_workloads && rule->enforce != ENFORCE_DENY)
		limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING,
		               limen_value_get(value, "workloads"),
		               "'workloads': 'deny' has no effect with 'enforce': '%s'",
		               enforce_words[rule->enforce]);
	target = append_entry(loaded, fields.name, fields.plugin, value);
	target->description = fields.description;
	if (usable && fields.enabled)
		open_entry(context, target, &fields, which);
}

static bool
has_plugin(const entry_list *list, const char *plugin)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].type != NULL && strcmp(list->items[i].type, plugin) == 0)
			return true;
	return false;
}

/* Adds an implicit entry for manifests whose plugin has no entry. */
static void
add_implicit(compile_context *context, manifest_plugin which)
{
	const conf_list *manifests = &context->policy->files->manifests[which];
	admission_fields fields = { .manifests = true };
	const char *name = manifest_plugin_name(which);
	limen_value first;

	if (manifests->count == 0 || has_plugin(&context->policy->admission, name))
		return;
	first = manifests->items[0].value;
	context->policy->admission_rules[context->policy->admission.count].enabled = true;
	if (check_name(context, name, first))
		open_entry(context, append_entry(context->policy, name, name, first), &fields,
		           which);
}

/* Removes disabled entries: later code sees only enabled ones. */
static void
drop_disabled(policy *loaded)
{
	entry_list *list = &loaded->admission;
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (!loaded->admission_rules[i].enabled)
			continue;
		list->items[kept] = list->items[i];
		loaded->admission_rules[kept] = loaded->admission_rules[i];
		kept++;
	}
	if (kept == list->count)
		return;
	list->count = kept;
	/* The index holds positions, which have changed. */
	name_index_free(&list->names);
	list->names = (name_index){ .covered = 0 };
	entry_index(list, "");
}

void
compile_admission(compile_context *context)
{
	policy *loaded = context->policy;
	const conf_list *list = &loaded->files->sections[SECTION_ADMISSION];
	size_t room = list->count + MANIFESTS_COUNT;

	loaded->admission.items = compile_alloc(context, room, sizeof(*loaded->admission.items));
	loaded->admission_rules = compile_alloc(context, room, sizeof(*loaded->admission_rules));
	if (loaded->admission.items == NULL || loaded->admission_rules == NULL)
		return;
	for (size_t i = 0; i < list->count; i++)
		compile_entry(context, list->items[i].value);
	/* In the order in which kube-apiserver asks these plugins. */
	for (int i = 0; i < MANIFESTS_COUNT; i++)
		add_implicit(context, (manifest_plugin)i);
	loaded->decides_objects = loaded->admission.count > 0;
	drop_disabled(loaded);
	for (size_t i = 0; i < loaded->admission.count; i++) {
		const instance *inst = loaded->admission.items[i].instance;
		match *rule = &loaded->admission_rules[i].match;

		rule->everything = compile_match_is_empty(rule);
		if (inst != NULL && inst->module->descriptor.admission.mutate != NULL)
			loaded->changes_objects = true;
		if (inst != NULL && (inst->flags & LIMEN_MODULE_LOOKUPS) != 0)
			loaded->admission.blocking = true;
	}
}
