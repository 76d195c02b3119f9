/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_templates.c - "templates": where kinds of workloads have templates of pods, beside the kinds of
 * Kubernetes.  Owns the table of the latter.
 */
#include <string.h>

#include "compile.h"

#define PODS(group, kind, path, suffix) { group, kind, path, suffix, false, true }

/* ReplicationController and PodTemplate are of the core group. */
static const template_row known[] = {
	PODS("apps", "Deployment", "spec.template", "-"),
	PODS("apps", "ReplicaSet", "spec.template", "-"),
	PODS("apps", "DaemonSet", "spec.template", "-"),
	PODS("apps", "StatefulSet", "spec.template", "-0"),
	{ "apps", "StatefulSet", "spec.volumeClaimTemplates[]", "-0", true, true },
	PODS("extensions", "Deployment", "spec.template", "-"),
	PODS("extensions", "ReplicaSet", "spec.template", "-"),
	PODS("extensions", "DaemonSet", "spec.template", "-"),
	PODS("batch", "Job", "spec.template", "-"),
	PODS("batch", "CronJob", "spec.jobTemplate.spec.template", "-"),
	PODS("", "ReplicationController", "spec.template", "-"),
	PODS("", "PodTemplate", "template", "-"),
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

typedef struct template_fields {
	const char *group;
	const char *kind;
	const char *path;
} template_fields;

static const limen_option template_options[] = {
	LIMEN_OPT_STRING(template_fields, group, .key = "group", .required = true,
	                 .help = "The API group of the kind; \"\" for the core group"),
	LIMEN_OPT_STRING(template_fields, kind, .key = "kind", .required = true,
	                 .help = "The kind"),
	LIMEN_OPT_STRING(template_fields, path, .key = "path", .required = true,
	                 .help = "The field that has the template"),
	LIMEN_OPT_END
};

/* Checks for members joined by dots, each of which may end in "[]". */
static bool
is_path(const char *path)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

	for (;; path++) {
		size_t length = strspn(path, letters);

		path += length;
		if (strncmp(path, "[]", 2) == 0)
			path += 2;
		if (length == 0 || (*path != '.' && *path != '\0'))
			return false;
		if (*path == '\0')
			return true;
	}
}

static void
compile_template(compile_context *context, template_row *row, limen_value value)
{
	template_fields fields = { .group = NULL };

	options_fill(template_options, value, &fields, &context->options);
	if (fields.group == NULL || fields.kind == NULL || fields.path == NULL)
		return;
	*row = (template_row){ fields.group, fields.kind, fields.path, "-", false, false };
	if (!is_path(fields.path)) {
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM,
		               limen_value_get(value, "path"), "invalid path '%s'", fields.path);
		limen_diag_hint(context->diag, "join members by dots, and put [] behind those with "
		                               "a list: spec.template, spec.tasks[].template");
	}
	for (size_t i = 0; i < KNOWN; i++) {
		if (strcmp(known[i].group, row->group) == 0 && strcmp(known[i].kind, row->kind) == 0) {
			limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, value,
			               "limen knows the templates of kind '%s/%s' already",
			               row->group, row->kind);
			return;
		}
	}
}

void
compile_templates(compile_context *context)
{
	const conf_list *list = &context->policy->files->sections[SECTION_TEMPLATES];
	template_row *rows = compile_alloc(context, list->count, sizeof(*rows));

	for (size_t i = 0; rows != NULL && i < list->count; i++)
		compile_template(context, &rows[i], list->items[i].value);
	context->policy->templates = rows;
	context->policy->template_count = rows == NULL ? 0 : list->count;
}

const template_row *
template_next(const policy *loaded, const char *api_group, const char *kind, size_t *position)
{
	size_t count = loaded == NULL ? 0 : loaded->template_count;

	while (*position < KNOWN + count) {
		size_t i = (*position)++;
		const template_row *row = i < KNOWN ? &known[i] : &loaded->templates[i - KNOWN];

		if (strcmp(row->kind, kind) == 0 && strcmp(row->group, api_group) == 0)
			return row;
	}
	return NULL;
}
