/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_lint.c - warns of parts of a valid policy that have no effect, admit everything or can
 * be evaded.  Warnings never change a result.
 */
#include <string.h>

#include "compile.h"
#include "module/module.h"

/* The number of later applications that each is compared with: bounds the time of large policies. */
#define NEXT_MAX 64

static void
note_unused(compile_context *context, bool used, const char *noun, const char *name,
            limen_value where)
{
	if (!used)
		limen_diag_add(context->diag, LIMEN_SEVERITY_NOTE, where,
		               "nothing uses the %s '%s'", noun, name);
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

/* Sets or clears the marks of the limits that 'target' asks for. */
static void
mark(const application *target, bool *marks, bool set)
{
	for (size_t i = 0; i < target->group_count; i++)
		for (size_t k = 0; k < target->groups[i].limits.count; k++)
			marks[target->groups[i].limits.items[k]] = set;
}

/* Returns true if all groups of 'target' require all of their limits. */
static bool
requires_all(const application *target)
{
	for (size_t i = 0; i < target->group_count; i++)
		if (target->groups[i].require != REQUIRE_ALL)
			return false;
	return true;
}

/* Returns true for a limit that passes always. */
static bool
always_passes(const entry *limit)
{
	bool pass = false;

	return strcmp(limit->type, "pass-fail") == 0 &&
	       limen_value_bool(limen_value_get(limit->data, "pass"), &pass) &&
	       pass != limit->invert;
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

/* Returns true if 'later' requires only limits of 'earlier', which have marks, and counts nothing. */
static bool
readmits(const policy *made, const application *later, const application *earlier,
         const bool *marks)
{
	if (later->invert || !requires_all(later) || find_counting(made, later) != NULL ||
	    !covers(made, later, earlier))
		return false;
	for (size_t i = 0; i < later->group_count; i++) {
		const index_list *list = &later->groups[i].limits;

		for (size_t k = 0; k < list->count; k++)
			if (!marks[list->items[k]] &&
			    !always_passes(&made->limits.items[list->items[k]]))
				return false;
	}
	return true;
}

/* 'marks' has a place for each limit, and all are clear. */
static void
warn_of_readmission(compile_context *context, size_t number, const entry *rate, bool *marks)
{
	const policy *made = context->policy;
	const application *earlier = &made->applications[number];

	mark(earlier, marks, true);
	for (size_t i = number + 1; i < made->application_count && i <= number + NEXT_MAX; i++) {
		if (!readmits(made, &made->applications[i], earlier, marks))
			continue;
		limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, earlier->where,
		               "application %zu admits what limit '%s' refuses here", i + 1,
		               rate->name);
		limen_diag_hint(context->diag, "\"stop-on-failure\": true makes the refusal final");
		break;
	}
	mark(earlier, marks, false);
}

void
compile_lint(compile_context *context)
{
	const policy *made = context->policy;
	bool *marks = compile_alloc(context, made->limits.count + 1, sizeof *marks);

	if (made->application_count > 0)
		note_unused_names(context);
	for (size_t i = 0; i < made->application_count; i++) {
		const application *one = &made->applications[i];
		const entry *rate = find_counting(made, one);

		if (one->group_count == 0)
			limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING,
			               limen_value_get(one->where, "apply"),
			               "'apply' is empty, so the application %s every request",
			               one->invert ? "fails" : "passes");
		if (marks != NULL && rate != NULL && !one->stop_on_failure && !one->invert &&
		    requires_all(one))
			warn_of_readmission(context, i, rate, marks);
	}
}
