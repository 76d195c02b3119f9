/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_classifiers.c - "classifiers": how identifiers are grouped, and the names of
 * classifiers elsewhere.
 */
#include <limen/nearest.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "name_lookup.h"
#include "option/option.h"
#include "verdict.h"

typedef struct classifier_fields {
	const char *name;
	const char *description;
	limen_strings identifiers;
	int require;
} classifier_fields;

const limen_option compile_classifier_rows[] = {
	LIMEN_OPT_STRING(classifier_fields, name, .key = "name", .required = true,
	                 .help = "Unique among classifiers"),
	LIMEN_OPT_STRING(classifier_fields, description, .key = "description",
	                 .help = "What the classifier is for"),
	LIMEN_OPT_STRINGS(classifier_fields, identifiers, .key = "identifiers", .required = true,
	                  .help = "Names of identifiers"),
	LIMEN_OPT_ENUM(classifier_fields, require, .key = "require", .choices = require_words,
	               .fallback = "any", .help = "How many of them must be identified"),
	LIMEN_OPT_END
};

/* "require" came with schema 4; before, pScheduler refuses the key. */
static void
check_require(compile_context *context, limen_value value)
{
	limen_value given = limen_value_get(value, "require");

	if (context->schema >= 4 || !limen_value_exists(given))
		return;
	limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, value,
	               "Additional properties are not allowed ('require' was unexpected)");
	limen_diag_hint(context->diag, "'require' needs schema 4");
}

static void
check_duplicate(compile_context *context, const char *name, limen_value value)
{
	policy *loaded = context->policy;
	size_t same = classifier_index(loaded, name);

	if (same != SIZE_MAX)
		compile_duplicate(context, "classifier", name, value,
		                  loaded->classifiers[same].where);
}

/* Returns true if an identifier matches every requester, so that none is without one. */
static bool
identifies_all(const policy *loaded)
{
	for (size_t i = 0; i < loaded->identifiers.count; i++) {
		const entry *item = &loaded->identifiers.items[i];

		if (item->type != NULL && strcmp(item->type, "always") == 0 && !item->invert)
			return true;
	}
	return false;
}

/* "Classification goes on" without any identifier (pscheduler-limits, "none"). */
static void
allow_strangers(compile_context *context, const classifier *target)
{
	policy *loaded = context->policy;

	if (target->require != REQUIRE_NONE || identifies_all(loaded))
		return;
	loaded->classifies_strangers = true;
	limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, target->where,
	               "classifier '%s' matches requesters that no identifier matches; "
	               "pScheduler 5.2 refuses them", target->name == NULL ? "" : target->name);
	limen_diag_hint(context->diag, "with an identifier of type \"always\" both classify them");
}

static void
compile_classifier(compile_context *context, classifier *target, limen_value value)
{
	classifier_fields fields = { .name = NULL };
	name_lookup lookup = { .list = &context->policy->identifiers,
		               .noun = "identifiers" };
	bool good = options_fill(compile_classifier_rows, value, &fields, &context->options);

	check_require(context, value);
	target->where = value;
	if (fields.name != NULL)
		check_duplicate(context, fields.name, value);
	target->name = fields.name;
	target->description = fields.description;
	target->require = (require)fields.require;
	allow_strangers(context, target);
	/* Unknown names are reported whatever else is wrong. */
	if (good || fields.identifiers.count > 0)
		target->identifiers = names_resolve(context, &lookup, &fields.identifiers,
		                                    limen_value_get(value, "identifiers"));
}

/*
 * Makes a classifier of the identifier that an application names, which has its name.  Names that
 * are taken or unknown are reported with the application.
 */
static void
add_of_identifier(compile_context *context, limen_value where)
{
	policy *loaded = context->policy;
	const char *name = limen_value_string(where, NULL);
	size_t *index;
	size_t found = name == NULL ? SIZE_MAX : entry_index(&loaded->identifiers, name);

	if (found == SIZE_MAX || classifier_index(loaded, name) != SIZE_MAX)
		return;
	index = compile_alloc(context, 1, sizeof(*index));
	if (index == NULL)
		return;
	*index = found;
	loaded->identifiers.items[found].used = true;
	loaded->classifiers[loaded->classifier_count++] = (classifier){
		.name = loaded->identifiers.items[found].name,
		.require = REQUIRE_ANY,
		.identifiers = { index, 1 },
		.where = where,
	};
}

size_t
compile_find_of_identifier(compile_context *context, const char *name, limen_value where)
{
	const name_lookup lookup = { .list = &context->policy->identifiers,
		                     .noun = "identifiers" };
	size_t member = entry_index(&context->policy->identifiers, name);
	size_t found = classifier_index(context->policy, name);
	classifier *target = found == SIZE_MAX ? NULL : &context->policy->classifiers[found];

	if (member == SIZE_MAX) {
		names_report(context, &lookup, name, where);
	} else if (target != NULL && target->require != REQUIRE_NONE &&
	           target->identifiers.count == 1 && target->identifiers.items[0] == member) {
		target->used = true;
		return found;
	} else if (target != NULL) {
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, where,
		               "'%s' is both an identifier and a classifier of others", name);
		limen_diag_hint(context->diag, "write 'classifier', or rename the identifier");
	}
	return CLASSIFIER_ANYONE;
}

void
compile_classifiers(compile_context *context)
{
	const conf_list *list = &context->policy->files->sections[SECTION_CLASSIFIERS];
	const conf_list *users = &context->policy->files->sections[SECTION_APPLICATIONS];
	policy *loaded = context->policy;

	loaded->classifiers = compile_alloc(context, list->count + users->count,
	                                  sizeof(*loaded->classifiers));
	if (loaded->classifiers == NULL)
		return;
	for (size_t i = 0; i < list->count; i++) {
		compile_classifier(context, &loaded->classifiers[i], list->items[i].value);
		loaded->classifier_count++;
	}
	for (size_t i = 0; i < users->count; i++)
		add_of_identifier(context, limen_value_get(users->items[i].value, "identifier"));
}

static void
report_classifier(compile_context *context, limen_severity severity, const char *name,
                  limen_value where)
{
	policy *loaded = context->policy;
	size_t count = names_may_guess(context) ? loaded->classifier_count : 0;
	limen_nearest best = limen_nearest_to(name);

	for (size_t i = 0; i < count; i++)
		if (loaded->classifiers[i].name != NULL)
			limen_nearest_offer(&best, loaded->classifiers[i].name);
	limen_diag_add(context->diag, severity, where, "Unknown classifiers: %s", name);
	if (best.word != NULL)
		limen_diag_hint(context->diag, "did you mean '%s'?", best.word);
	else if (entry_index(&loaded->identifiers, name) != SIZE_MAX)
		limen_diag_hint(context->diag, "'%s' is an identifier: name a classifier of it", name);
}

size_t
compile_find_classifier(compile_context *context, const char *name, limen_value where)
{
	size_t found = classifier_index(context->policy, name);

	if (found != SIZE_MAX) {
		context->policy->classifiers[found].used = true;
		return found;
	}
	report_classifier(context, LIMEN_SEVERITY_PROBLEM, name, where);
	return CLASSIFIER_ANYONE;
}

bool
compile_asks_classifier(void *data, const char *name, limen_value where)
{
	compile_context *context = data;

	if (limen_value_exists(where) || classifier_index(context->policy, name) != SIZE_MAX)
		return compile_find_classifier(context, name, where) != CLASSIFIER_ANYONE;
	return false;
}

/* Warns of calls of classifiers_has() in a line of a script whose classifier does not exist. */
static void
check_line(compile_context *context, limen_value line)
{
	static const char call[] = "classifiers_has(";
	char *code = compile_script_code(line);
	const char *text = code;

	while (text != NULL && (text = strstr(text, call)) != NULL) {
		size_t length;
		char *name;

		text += sizeof(call) - 1;
		text += strspn(text, " ");
		length = *text == '"' ? strcspn(text + 1, "\"\\") : 0;
		name = length > 0 && text[1 + length] == '"' ? strndup(text + 1, length) : NULL;
		if (name != NULL && classifier_index(context->policy, name) == SIZE_MAX)
			report_classifier(context, LIMEN_SEVERITY_WARNING, name, line);
		free(name);
	}
	free(code);
}

void
compile_check_script(compile_context *context, const entry *script)
{
	limen_value lines = script == NULL ? limen_value_none()
	                                   : limen_value_get(script->where, "script");
	limen_iter iter = limen_iter_start(lines);
	char *text = compile_script_code(lines);
	limen_value line;

	/* A part of a policy may have no classifiers, and a script a function of its own. */
	if (text != NULL && context->policy->classifier_count > 0 &&
	    strstr(text, "def classifiers_has") == NULL) {
		if (limen_value_type(lines) == LIMEN_TYPE_STRING)
			check_line(context, lines);
		while (limen_value_type(lines) == LIMEN_TYPE_ARRAY &&
		       limen_iter_next(&iter, NULL, &line))
			check_line(context, line);
	}
	free(text);
}
