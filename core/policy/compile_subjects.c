/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_subjects.c - "applications-on" and "admission-on": whether the
 * applications are asked about objects too, and admission about tasks.
 */
#include "compile.h"
#include "option/option.h"

static const char *const subject_words[] = {
	[LIMEN_SUBJECT_TASK] = "tasks",
	[LIMEN_SUBJECT_OBJECT] = "objects",
	[LIMEN_SUBJECT_OBJECT + 1] = NULL,
};

/*
 * Does the section list the subject other than 'own'?  A section can only add a subject:
 * a task that no entry decides about could only be refused, or admitted by mistake.
 */
static bool
is_widened(compile_context *context, section which, limen_subject own)
{
	static const limen_option row = { .choices = subject_words };
	const conf_list *list = &context->policy->files->sections[which];
	limen_iter iter;
	limen_value element;
	bool found[] = { false, false };

	if (list->count == 0)
		return false;
	iter = limen_iter_start(list->items[0].value);
	while (limen_iter_next(&iter, NULL, &element)) {
		int subject;

		if (option_enum(&row, element, &subject, &context->options))
			found[subject] = true;
	}
	if (!found[own])
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, list->items[0].value,
		               "'%s' must be in '%s'", subject_words[own], section_name(which));
	return found[own == LIMEN_SUBJECT_TASK ? LIMEN_SUBJECT_OBJECT : LIMEN_SUBJECT_TASK];
}

void
compile_subjects(compile_context *context)
{
	policy *made = context->policy;

	made->applies_to_objects = is_widened(context, SECTION_APPLICATIONS_ON, LIMEN_SUBJECT_TASK);
	made->admission_of_tasks = is_widened(context, SECTION_ADMISSION_ON, LIMEN_SUBJECT_OBJECT);
	made->classifies_objects = made->classifies_objects || made->applies_to_objects;
}
