/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_limits.c - "limits": what the restrictions are, and clones of them.
 */
#include "compile.h"
#include "name_lookup.h"
#include "option/option.h"
#include "module/module.h"

typedef struct limit_fields {
	const char *name;
	const char *description;
	const char *clone;
	const char *type;
	limen_value data;
	int enforce;
	bool invert;
} limit_fields;

const limen_option compile_limit_rows[] = {
	LIMEN_OPT_STRING(limit_fields, name, .key = "name", .required = true,
	                 .help = "Unique among limits"),
	LIMEN_OPT_STRING(limit_fields, description, .key = "description",
	                 .help = "What the limit is for"),
	LIMEN_OPT_STRING(limit_fields, clone, .key = "clone",
	                 .help = "An earlier limit to start from"),
	LIMEN_OPT_STRING(limit_fields, type, .key = "type", .help = "What is checked"),
	LIMEN_OPT_JSON(limit_fields, data, .key = "data", .help = "The options of the type"),
	LIMEN_OPT_ENUM(limit_fields, enforce, .key = "enforce", .choices = compile_enforce_words,
	               .fallback = "deny", .help = "Whether a rate refuses or is only recorded"),
	LIMEN_OPT_BOOL(limit_fields, invert, .key = "invert",
	               .help = "Swap pass and fail"),
	LIMEN_OPT_END
};

/* The limit that 'fields' clones, or NULL; reported also if more is wrong with the clone. */
static const entry *
find_source(compile_context *context, const limit_fields *fields, limen_value value)
{
	entry_list *limits = &context->policy->limits;
	size_t from = entry_index(limits, fields->clone);

	if (from != SIZE_MAX) {
		limits->items[from].used = true;
		return &limits->items[from];
	}
	limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, value,
	               "Limit '%s': Unable to clone undefined limit '%s'",
	               fields->name == NULL ? "?" : fields->name, fields->clone);
	limen_diag_hint(context->diag, "a limit can be cloned only below its definition");
	return NULL;
}

/* Overlays the data of 'original' with that of the clone. */
static bool
merge_data(compile_context *context, const entry *original, limit_fields *fields, limen_value value)
{
	document *merged = document_merge(original->data, fields->data);

	if (!options_keep(&context->policy->owned, merged)) {
		compile_no_memory(context, value);
		return false;
	}
	fields->data = document_root(merged);
	return true;
}

/* Type, data, invert and enforce of the limit that 'fields' clones, overlaid with its own. */
static bool
take_clone(compile_context *context, const entry *original, limit_fields *fields, limen_value value)
{
	if (fields->type != NULL)
		limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING,
		               limen_value_get(value, "type"),
		               "the type of a clone is that of the limit it is cloned from");
	fields->type = original->type;
	if (!limen_value_exists(limen_value_get(value, "invert")))
		fields->invert = original->invert;
	if (!limen_value_exists(limen_value_get(value, "enforce")))
		fields->enforce = original->observes;
	return merge_data(context, original, fields, value) && fields->type != NULL;
}

static bool
check_type(compile_context *context, const limit_fields *fields, limen_value value)
{
	if (fields->type != NULL)
		return true;
	/* A type that is not text and an entry that is not an object are reported already. */
	if (limen_value_type(value) != LIMEN_TYPE_OBJECT ||
	    limen_value_exists(limen_value_get(value, "type")))
		return false;
	limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, value,
	               "'type' is a required property");
	limen_diag_hint(context->diag, "or 'clone', to start from another limit");
	return false;
}

/*
 * An inverted limit that counts never reaches its rate: it refuses requests within the
 * rate, and a refusal gives their tokens back.
 */
static void
warn_of_inverted_count(compile_context *context, const entry *target, limen_value value)
{
	if (target->invert && target->instance != NULL && target->instance->tables != NULL)
		limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, value,
		               "Limit '%s' counts and is inverted: it passes only what exceeds its "
		               "rate", target->name);
}

/* Only what counts cannot be rehearsed in another way: others can be tried on recorded requests. */
static void
check_observing(compile_context *context, const entry *target, limen_value value)
{
	if (target->instance->tables == NULL)
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, limen_value_get(value, "enforce"),
		               "limit '%s' of type '%s' cannot have \"enforce\": \"audit\": only limits "
		               "of type rate can; use it on an application instead",
		               target->name, target->type);
	else if (target->invert)
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, limen_value_get(value, "enforce"),
		               "limit '%s' cannot have both \"enforce\": \"audit\" and \"invert\": "
		               "true: remove one of them", target->name);
	else
		compile_rehearsal(context, target);
}

static void
compile_limit(compile_context *context, entry *target, limen_value value)
{
	options_context options = { .owner = &context->policy->owned,
		                    .diag = context->diag,
		                    .lax = true };
	limit_fields fields = { .name = NULL };
	bool usable;

	options_fill(compile_limit_rows, value, &fields, &options);
	fields.data = compile_data(context, fields.data, value);
	/* Problems of the data are reported even if the entry has other problems. */
	usable = compile_is_new(context, &context->policy->limits, "limit", fields.name, value) &&
	         limen_value_exists(fields.data);
	compile_place(target, value);
	if (fields.clone != NULL) {
		const entry *original = find_source(context, &fields, value);

		usable = original != NULL && usable &&
		         take_clone(context, original, &fields, value);
	} else {
		usable = check_type(context, &fields, value) && usable;
	}
	target->name = fields.name;
	target->description = fields.description;
	target->type = fields.type;
	target->invert = fields.invert;
	target->observes = fields.enforce != 0;
	target->data = fields.data;
	if (usable)
		compile_instance(context, LIMEN_KIND_LIMIT, SECTION_LIMITS, "Limit", target,
		                 fields.data);
	warn_of_inverted_count(context, target, value);
	if (target->observes && target->instance != NULL)
		check_observing(context, target, value);
}

void
compile_limits(compile_context *context)
{
	compile_section(context, SECTION_LIMITS, &context->policy->limits, compile_limit);
}
