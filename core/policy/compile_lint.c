/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_lint.c - warns of parts of a valid policy that have no effect, admit everything or can
 * be evaded.  Warnings never change a result.
 */
#include <string.h>

#include "compile.h"
#include "module/module.h"

static void
note_unused(compile_context *context, bool used, const char *noun, const char *name,
            limen_value where)
{
	if (!used)
		limen_diag_add(context->diag, LIMEN_NOTE, where, "nothing uses the %s '%s'", noun,
		               name);
}

/* Scripts see the names of all identifiers and classifiers, so with scripts all are used. */
static void
note_unused_names(compile_context *context)
{
	const policy *made = context->policy;
	bool scripts = made->rewriter != NULL || made->prioritizer != NULL;

	for (size_t i = 0; !scripts && i < made->identifiers.count; i++)
		note_unused(context, made->identifiers.items[i].used, "identifier",
		            made->identifiers.items[i].name, made->identifiers.items[i].where);
	for (size_t i = 0; !scripts && i < made->classifier_count; i++)
		note_unused(context, made->classifiers[i].used, "classifier",
		            made->classifiers[i].name, made->classifiers[i].where);
	for (size_t i = 0; i < made->limits.count; i++)
		note_unused(context, made->limits.items[i].used, "limit",
		            made->limits.items[i].name, made->limits.items[i].where);
}

/* Returns the first limit of 'target' that counts, such as a rate, or NULL. */
static const entry *
find_counting(const policy *made, const application *target)
{
	for (size_t i = 0; i < target->group_count; i++) {
		const index_list *list = &target->groups[i].limits;

		for (size_t k = 0; k < list->count; k++)
			if (made->limits.items[list->items[k]].instance->tables != NULL)
				return &made->limits.items[list->items[k]];
	}
	return NULL;
}

static bool
asks_for(const application *target, size_t limit)
{
	for (size_t i = 0; i < target->group_count; i++)
		for (size_t k = 0; k < target->groups[i].limits.count; k++)
			if (target->groups[i].limits.items[k] == limit)
				return true;
	return false;
}

/* Returns true if 'later' applies to all requesters of 'earlier'. */
static bool
covers(const policy *made, const application *later, const application *earlier)
{
	const classifier *one;

	if (later->classifier == CLASSIFIER_ANYONE || later->classifier == earlier->classifier)
		return true;
	one = &made->classifiers[later->classifier];
	for (size_t i = 0; one->require == REQUIRE_ANY && i < one->identifiers.count; i++)
		if (strcmp(made->identifiers.items[one->identifiers.items[i]].type, "always") == 0)
			return true;
	return false;
}

/* Returns true if 'later' asks for nothing that 'earlier' does not ask for, and counts nothing. */
static bool
readmits(const policy *made, const application *later, const application *earlier)
{
	if (later->invert || find_counting(made, later) != NULL || !covers(made, later, earlier))
		return false;
	for (size_t i = 0; i < later->group_count; i++) {
		const index_list *list = &later->groups[i].limits;

		for (size_t k = 0; k < list->count; k++)
			if (strcmp(made->limits.items[list->items[k]].type, "pass-fail") != 0 &&
			    !asks_for(earlier, list->items[k]))
				return false;
	}
	return true;
}

static void
warn_of_readmission(compile_context *context, size_t number, const entry *rate)
{
	const policy *made = context->policy;
	const application *earlier = &made->applications[number];

	for (size_t i = number + 1; i < made->application_count; i++) {
		if (!readmits(made, &made->applications[i], earlier))
			continue;
		limen_diag_add(context->diag, LIMEN_WARNING, earlier->where,
		               "application %zu admits what limit '%s' refuses here", i + 1,
		               rate->name);
		limen_diag_hint(context->diag, "\"stop-on-failure\": true makes the refusal final");
		return;
	}
}

void
compile_lint(compile_context *context)
{
	const policy *made = context->policy;

	if (made->application_count > 0)
		note_unused_names(context);
	for (size_t i = 0; i < made->application_count; i++) {
		const application *one = &made->applications[i];
		const entry *rate = find_counting(made, one);

		if (one->group_count == 0)
			limen_diag_add(context->diag, LIMEN_WARNING, limen_value_get(one->where, "apply"),
			               "'apply' is empty, so the application %s every request",
			               one->invert ? "fails" : "passes");
		if (rate != NULL && !one->stop_on_failure && !one->invert)
			warn_of_readmission(context, i, rate);
	}
}
