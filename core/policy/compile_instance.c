/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_instance.c - the module that an entry names, and an instance of it: that of
 * the policy in force where it can serve on.
 */
#include <limen/nearest.h>
#include <stdio.h>
#include <string.h>

#include "compile.h"
#include "module/module.h"
#include "name_lookup.h"
#include "option/option.h"

typedef struct type_guess {
	limen_nearest best;
	char word[80]; /* the scan's names are gone when it returns */
} type_guess;

static void
offer_type(void *data, const char *type)
{
	type_guess *guess = data;

	limen_nearest_offer(&guess->best, type);
	if (guess->best.word != type)
		return;
	snprintf(guess->word, sizeof(guess->word), "%s", type);
	guess->best.word = guess->word;
}

static void
count_type(void *data, const char *type)
{
	(void)type;
	++*(size_t *)data;
}

/* Is there any module?  Without one the module path is wrong, and not the policy. */
static bool
has_modules(const module_path *path)
{
	size_t count = path->added != NULL;

	for (int kind = LIMEN_KIND_IDENTIFIER; count == 0 && kind <= LIMEN_KIND_STORE; kind++)
		loader_each_type(path, (limen_kind)kind, count_type, &count);
	return count > 0;
}

/* Says where modules were looked for, once a load: if one directory is wrong, many are missing. */
static void
tell_directories(compile_context *context, limen_kind kind, const char *type, bool has_some)
{
	const module_path *path = &context->policy->path;
	strbuf text = STRBUF_INIT;
	const char *directories;

	if (context->path_told) {
		if (has_some)
			limen_diag_hint(context->diag, "no file %s/%s.so there, either",
			                limen_kind_name(kind), type);
		return;
	}
	context->path_told = true;
	for (size_t i = 0; i < path->count; i++)
		strbuf_addf(&text, "%s%s", i == 0 ? "" : ", ", path->directories[i]);
	directories = text.failed ? "the directories" : text.text;
	if (has_some) {
		limen_diag_hint(context->diag,
		                "no file %s/%s.so in %s (see 'limen module list'); " MODULE_PATH_HINT,
		                limen_kind_name(kind), type, directories);
	} else {
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "Unable to load modules: there is none in %s", directories);
		limen_diag_hint(context->diag, MODULE_PATH_HINT);
	}
	strbuf_free(&text);
}

/* "Limit 'X' has unsupported type 'T'", and what could have been meant. */
static void
report_type(compile_context *context, limen_kind kind, const char *noun, const entry *target)
{
	const module_path *path = &context->policy->path;
	limen_value word = limen_value_get(target->where,
	                                   kind == LIMEN_KIND_ADMISSION ? "plugin" : "type");
	type_guess guess = { .best = limen_nearest_to(target->type) };

	if (!has_modules(path)) {
		tell_directories(context, kind, target->type, false);
		return;
	}
	limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM,
	               limen_value_exists(word) ? word : target->where,
	               "%s '%s' has unsupported type '%s'", noun, target->name, target->type);
	if (names_may_guess(context))
		loader_each_type(path, kind, offer_type, &guess);
	if (guess.best.word != NULL)
		limen_diag_hint(context->diag, "did you mean '%s'?", guess.best.word);
	else
		tell_directories(context, kind, target->type, true);
}

static const module *
find_known(const compile_context *context, limen_kind kind, const char *type)
{
	for (size_t i = 0; i < context->module_count; i++) {
		const limen_module_head *head = &context->modules[i]->descriptor.head;

		if (head->kind == kind && strcmp(head->name, type) == 0)
			return context->modules[i];
	}
	return NULL;
}

static const module *
find_module(compile_context *context, limen_kind kind, const char *noun, const entry *target)
{
	const module *found = find_known(context, kind, target->type);
	size_t warnings = limen_diag_count(context->diag, LIMEN_SEVERITY_WARNING);
	int result;

	if (found != NULL)
		return found;
	result = loader_get(&context->policy->path, kind, target->type, &found, context->diag,
	                    target->where);
	if (result == LIMEN_ENOENT)
		report_type(context, kind, noun, target);
	else if (result != LIMEN_OK)
		context->module_failed = true;
	else if (context->module_count < MODULES_KNOWN &&
	         limen_diag_count(context->diag, LIMEN_SEVERITY_WARNING) == warnings)
		context->modules[context->module_count++] = found;
	return found;
}

/* Returns the entry 'name' of section 'which' in the policy in force, or NULL. */
static const entry *
find_old(const policy *old, section which, const char *name)
{
	switch (which) {
	case SECTION_IDENTIFIERS:
		return entry_find(&old->identifiers, name);
	case SECTION_LIMITS:
		return entry_find(&old->limits, name);
	case SECTION_ADMISSION:
		return entry_find(&old->admission, name);
	case SECTION_STORES:
		return entry_find(&old->stores, name);
	case SECTION_REWRITE:
		return old->rewriter;
	case SECTION_PRIORITY:
		return old->prioritizer;
	default:
		return NULL;
	}
}

/* A new instance, or the old one if it can serve on. */
static instance *
get_instance(compile_context *compiling, section which, const instance_wish *wish,
             instance_context *context)
{
	const entry *old = compiling->old == NULL ? NULL : find_old(compiling->old, which, wish->name);
	instance *known = old == NULL ? NULL : old->instance;

	/* Only an instance of the same module is a predecessor. */
	if (known != NULL && known->module != wish->module)
		known = NULL;
	if (known != NULL && instance_fits(known, wish, context))
		return instance_ref(known);
	context->predecessor = known;
	compiling->policy->is_renewed = true;
	return instance_new(wish, context);
}

static instance_context
context_of(compile_context *context, limen_kind kind)
{
	return (instance_context){
		.background = context->inputs->background,
		.tried = &context->inputs->tried,
		.diag = context->diag,
		/* A store in a store could be in itself. */
		.find_store = kind == LIMEN_KIND_STORE ? NULL : compile_find_store,
		/* Classifiers are made of identifiers, and stores answer for all who use them. */
		.find_classifier = kind == LIMEN_KIND_STORE || kind == LIMEN_KIND_IDENTIFIER
		                           ? NULL
		                           : compile_asks_classifier,
		.find_data = context,
		.files = context->policy->files,
	};
}

void
compile_rehearsal(compile_context *context, const entry *target)
{
	const instance_context shared = context_of(context, LIMEN_KIND_LIMIT);

	store_rehearse(target->instance, &shared);
}

void
compile_instance(compile_context *context, limen_kind kind, section which, const char *noun,
                 entry *target, limen_value data)
{
	const module *found = find_module(context, kind, noun, target);
	instance_wish wish = {
		.module = found,
		.section = section_name(which),
		.name = target->name,
		.data = data,
	};
	instance_context shared = context_of(context, kind);

	if (found == NULL)
		return;
	target->instance = get_instance(context, which, &wish, &shared);
}

bool
compile_options(compile_context *context, limen_kind kind, const char *noun, const entry *target,
                limen_value data)
{
	const module *found = find_module(context, kind, noun, target);
	void *scratch;

	if (found == NULL)
		return false;
	scratch = compile_alloc(context, 1, found->descriptor.head.instance_size + 1U);
	return scratch != NULL && options_fill(found->options, data, scratch, &context->options);
}
