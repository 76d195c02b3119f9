/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_identifiers.c - "identifiers": who is asking.
 */
#include "compile.h"
#include "option/option.h"

typedef struct identifier_fields {
	const char *name;
	const char *description;
	const char *type;
	limen_value data;
	bool invert;
} identifier_fields;

const limen_option compile_identifier_rows[] = {
	LIMEN_OPT_STRING(identifier_fields, name, .key = "name", .required = true,
	                 .help = "Unique among identifiers"),
	LIMEN_OPT_STRING(identifier_fields, description, .key = "description",
	                 .help = "What the identifier is for"),
	LIMEN_OPT_STRING(identifier_fields, type, .key = "type", .required = true,
	                 .help = "How requesters are identified"),
	LIMEN_OPT_JSON(identifier_fields, data, .key = "data", .help = "The options of the type"),
	LIMEN_OPT_BOOL(identifier_fields, invert, .key = "invert",
	               .help = "Identify the requesters that do not match"),
	LIMEN_OPT_END
};

static void
compile_identifier(compile_context *context, entry *target, limen_value value)
{
	identifier_fields fields = { .name = NULL };
	bool is_new;

	options_fill(compile_identifier_rows, value, &fields, &context->options);
	fields.data = compile_data(context, fields.data, value);
	is_new = compile_is_new(context, &context->policy->identifiers, "identifier", fields.name,
	                        value);
	compile_place(target, value);
	target->name = fields.name;
	target->description = fields.description;
	target->type = fields.type;
	target->invert = fields.invert;
	/* Problems of the data are reported even if something else is wrong. */
	if (is_new && fields.type != NULL && limen_value_exists(fields.data))
		compile_instance(context, LIMEN_KIND_IDENTIFIER, SECTION_IDENTIFIERS, "Identifier",
		                 target, fields.data);
}

/*
 * Counts identifiers that may block.  The pool queues as many jobs as it runs, and
 * always refuses the other jobs of one decision.
 */
static void
count_blocking(compile_context *context)
{
	entry_list *list = &context->policy->identifiers;
	size_t workers = context->policy->workers > 0 ? (size_t)context->policy->workers
	                                              : WORKERS_DEFAULT;
	size_t blocking = 0;

	for (size_t i = 0; i < list->count; i++) {
		const instance *inst = list->items[i].instance;
		bool blocks = inst != NULL && (inst->flags & LIMEN_MODULE_BLOCKING) != 0;

		blocking += blocks;
		list->blocking = list->blocking || blocks ||
		                 (inst != NULL &&
		                  inst->module->descriptor.identifier.identify_now != NULL);
	}
	if (blocking <= workers + workers)
		return;
	limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, list->items[0].where,
	               "%zu identifiers may wait for the network, but only %zu can run or queue at "
	               "once; the others will be errors", blocking, workers + workers);
	limen_diag_hint(context->diag, "raise 'workers' in 'settings'");
}

void
compile_identifiers(compile_context *context)
{
	compile_section(context, SECTION_IDENTIFIERS, &context->policy->identifiers,
	                compile_identifier);
	count_blocking(context);
}
