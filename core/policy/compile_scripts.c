/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_scripts.c - "rewrite" and "priority".  What pScheduler puts there is
 * a jq transform; limen lets "type" name another module, and everything but
 * limen's own keys is that module's data.
 */
#include <math.h>

#include "compile.h"
#include "option/option.h"

/* The members of 'value' that are the module's. */
static document *
module_data(limen_value value, section which)
{
	builder *build = builder_new();
	limen_value key, member;

	if (build == NULL)
		return NULL;
	builder_begin_object(build, ORIGIN_NONE, 0);
	for (limen_iter iter = limen_iter_start(value); limen_iter_next(&iter, &key, &member);) {
		if (limen_value_is(key, "type") ||
		    (which == SECTION_PRIORITY && limen_value_is(key, "default")))
			continue;
		builder_copy(build, key);
		builder_copy(build, member);
	}
	builder_end(build);
	return builder_finish_as(build, value);
}

static const char *
script_type(compile_context *context, limen_value value)
{
	limen_value type = limen_value_get(value, "type");

	if (!limen_value_exists(type))
		return "jq";
	if (limen_value_type(type) != LIMEN_TYPE_STRING)
		problem_type(&context->options, type, "string");
	return limen_value_string(type, NULL);
}

static entry *
compile_script(compile_context *context, limen_kind kind, section which, const char *noun)
{
	const conf_list *list = &context->policy->files->sections[which];
	entry *target;
	document *data;

	if (list->count == 0)
		return NULL;
	target = compile_alloc(context, 1, sizeof(*target));
	data = module_data(list->items[0].value, which);
	if (target == NULL || data == NULL) {
		document_unref(data);
		compile_no_memory(context, list->items[0].value);
		return NULL;
	}
	target->name = section_name(which);
	target->type = script_type(context, list->items[0].value);
	compile_place(target, list->items[0].value);
	if (target->type != NULL)
		compile_instance(context, kind, which, noun, target, document_root(data));
	document_unref(data);
	return target;
}

void
compile_scripts(compile_context *context)
{
	policy *loaded = context->policy;
	const conf_list *priority = &loaded->files->sections[SECTION_PRIORITY];
	limen_value initial;

	loaded->rewriter = compile_script(context, LIMEN_KIND_REWRITER, SECTION_REWRITE, "Rewriter");
	loaded->prioritizer = compile_script(context, LIMEN_KIND_PRIORITIZER, SECTION_PRIORITY,
	                                   "Prioritizer");
	if (priority->count == 0)
		return;
	initial = limen_value_get(priority->items[0].value, "default");
	if (limen_value_exists(initial) &&
	    (!limen_value_real(initial, &loaded->initial_priority) ||
	     !isfinite(loaded->initial_priority)))
		problem_type(&context->options, initial, "number");
}
