/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_subjects.c - "applications-on" and "admission-on": whether the
 * applications are asked about objects and HTTP requests too, and admission about tasks; and what
 * the policy reads of HTTP requests.
 */
#include <string.h>

#include "compile.h"

static const char *const application_words[] = {
	[LIMEN_SUBJECT_TASK] = "tasks",
	[LIMEN_SUBJECT_OBJECT] = "objects",
	[LIMEN_SUBJECT_HTTP] = "http",
	NULL,
};

static const char *const admission_words[] = {
	[LIMEN_SUBJECT_TASK] = "tasks",
	[LIMEN_SUBJECT_OBJECT] = "objects",
	NULL,
};

#define SUBJECTS (LIMEN_SUBJECT_HTTP + 1)

/*
 * Replaces the default in 'found' by the subjects of a section, if there is one.  It must have its
 * 'own': a task that no entry decides about could only be refused, or admitted by mistake.
 */
static void
read_subjects(compile_context *context, section which, const char *const *words,
              limen_subject own, bool found[SUBJECTS])
{
	const limen_option row = { .choices = words };
	const conf_list *list = &context->policy->files->sections[which];
	limen_value element;

	if (list->count == 0)
		return;
	memset(found, 0, SUBJECTS * sizeof(*found));
	for (limen_iter iter = limen_iter_start(list->items[0].value);
	     limen_iter_next(&iter, NULL, &element);) {
		int subject;

		if (option_enum(&row, element, &subject, &context->options))
			found[subject] = true;
	}
	if (!found[own])
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, list->items[0].value,
		               "'%s' must be in '%s'", words[own], section_name(which));
}

/* ---- what the policy reads of HTTP requests ---- */

/* The headers of all instances that a decision about an HTTP request may call. */
typedef struct needs_list {
	compile_context *context;
	const char **names; /* in byte order; NULL: only counted */
	size_t count;
	bool secret; /* none but secrets */
} needs_list;

static void
add_name(needs_list *list, const char *name)
{
	size_t i = list->count;

	if (list->names == NULL) {
		list->count++;
		return;
	}
	while (i > 0 && strcmp(list->names[i - 1], name) > 0)
		i--;
	if (i > 0 && strcmp(list->names[i - 1], name) == 0)
		return;
	memmove(list->names + i + 1, list->names + i, (list->count - i) * sizeof(*list->names));
	list->names[i] = name;
	list->count++;
}

static void
add_needs(needs_list *list, const entry *target)
{
	const instance *inst = target == NULL ? NULL : target->instance;

	if (inst == NULL || (inst->flags & LIMEN_MODULE_RUNS_ONLY) != 0)
		return;
	list->context->policy->needs.parts |= inst->http_parts;
	for (const header_use *use = inst->headers; use != NULL; use = use->next)
		if (use->secret || !list->secret)
			add_name(list, use->name);
}

static void
add_all(needs_list *list)
{
	const policy *loaded = list->context->policy;

	for (size_t i = 0; i < loaded->identifiers.count; i++)
		add_needs(list, &loaded->identifiers.items[i]);
	add_needs(list, loaded->prioritizer);
	for (size_t i = 0; i < loaded->limits.count; i++)
		if (loaded->limits.items[i].used)
			add_needs(list, &loaded->limits.items[i]);
}

/* Lists the headers that the policy reads, or those of them that are secrets. */
static const char *const *
list_headers(compile_context *context, bool secret)
{
	needs_list list = { .context = context, .secret = secret };

	add_all(&list);
	list.names = compile_alloc(context, list.count + 1, sizeof(*list.names));
	list.count = 0;
	if (list.names != NULL)
		add_all(&list);
	return list.names;
}

void
compile_subjects(compile_context *context)
{
	bool applications[SUBJECTS] = { [LIMEN_SUBJECT_TASK] = true, [LIMEN_SUBJECT_HTTP] = true };
	bool admission[SUBJECTS] = { [LIMEN_SUBJECT_OBJECT] = true };
	policy *loaded = context->policy;

	read_subjects(context, SECTION_APPLICATIONS_ON, application_words, LIMEN_SUBJECT_TASK,
	              applications);
	loaded->applies_to_objects = applications[LIMEN_SUBJECT_OBJECT];
	loaded->applies_to_http = applications[LIMEN_SUBJECT_HTTP];
	read_subjects(context, SECTION_ADMISSION_ON, admission_words, LIMEN_SUBJECT_OBJECT,
	              admission);
	loaded->admission_of_tasks = admission[LIMEN_SUBJECT_TASK];
	loaded->classifies_objects = loaded->classifies_objects || loaded->applies_to_objects;
	loaded->needs.headers = list_headers(context, false);
	loaded->secret_headers = list_headers(context, true);
}
