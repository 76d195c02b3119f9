/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_match.c - "match" of an admission entry, from the file to match.h.
 */
#include <string.h>

#include "compile.h"
#include "option/option.h"

typedef struct match_fields {
	limen_strings operations;
	limen_strings resources;
	limen_strings kinds;
	limen_strings namespaces;
	limen_strings users;
	limen_strings groups;
	limen_value labels;
	limen_value selector;
	limen_value fields;
	limen_strings containers;
	limen_value namespace_selector;
	limen_strings classifiers;
	limen_value exceptions;
} match_fields;

#define TERM_ROWS                                                                           \
	LIMEN_OPT_STRINGS(match_fields, operations, .key = "operations",                    \
	                  .help = "CREATE, UPDATE, DELETE, CONNECT"),                       \
	LIMEN_OPT_STRINGS(match_fields, resources, .key = "resources",                      \
	                  .help = "\"pods\", \"pods/resize\", \"*/*\""),                    \
	LIMEN_OPT_STRINGS(match_fields, kinds, .key = "kinds", .help = "\"Pod\""),          \
	LIMEN_OPT_STRINGS(match_fields, namespaces, .key = "namespaces",                    \
	                  .help = "Where the object is"),                                   \
	LIMEN_OPT_STRINGS(match_fields, users, .key = "users", .help = "Who asks"),         \
	LIMEN_OPT_STRINGS(match_fields, groups, .key = "groups",                            \
	                  .help = "Groups of who asks"),                                    \
	LIMEN_OPT_OBJECT(match_fields, labels, .key = "labels",                             \
	                 .help = "Labels of the object: a value or an array of values each"), \
	LIMEN_OPT_JSON(match_fields, selector, .key = "selector",                           \
	               .help = "Labels of the object: matchLabels, matchExpressions"),      \
	LIMEN_OPT_JSON(match_fields, fields, .key = "fields",                               \
	               .help = "What stands in the object, such as metadata.name"),         \
	LIMEN_OPT_STRINGS(match_fields, containers, .key = "containers",                    \
	                  .help = "Names of containers, of which the pod has any"),         \
	LIMEN_OPT_JSON(match_fields, namespace_selector, .key = "namespaceSelector",        \
	               .help = "Refused: labels of namespaces are not known"),              \
	LIMEN_OPT_STRINGS(match_fields, classifiers, .key = "classifiers",                  \
	                  .help = "Names of classifiers, any of them")

static const limen_option match_rows[] = {
	TERM_ROWS,
	LIMEN_OPT_JSON(match_fields, exceptions, .key = "not",
	               .help = "What is left out: an object of these keys, or an array of such"),
	LIMEN_OPT_END
};

static const limen_option exception_rows[] = { TERM_ROWS, LIMEN_OPT_END };

/* A word that no request ever has would make the entry watch over nothing. */
static bool
check_operations(const options_context *options, const limen_strings *wanted, limen_value where)
{
	static const char *const words[] = { "CREATE", "UPDATE", "DELETE", "CONNECT", NULL };
	static const limen_option row = { .choices = words };
	limen_iter iter = limen_iter_start(where);
	limen_value element;
	bool good = true;
	int word;

	for (size_t i = 0; i < wanted->count; i++) {
		limen_iter_next(&iter, NULL, &element);
		if (strchr(wanted->items[i], '*') == NULL)
			good = option_enum(&row, element, &word, options) && good;
	}
	return good;
}

/* "!" leaves out in the annotations of a LimitRange; here the entry would watch over nothing. */
static bool
refuse_exclamations(compile_context *context, limen_value terms)
{
	static const char *const keys[] = { "resources", "kinds", "namespaces", "containers" };
	limen_value element;
	bool good = true;

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		limen_iter iter = limen_iter_start(limen_value_get(terms, keys[i]));

		while (limen_iter_next(&iter, NULL, &element)) {
			const char *pattern = limen_value_string(element, NULL);

			if (pattern == NULL || *pattern != '!')
				continue;
			limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, element,
			               "'%s' matches nothing: no name begins with '!'", pattern);
			limen_diag_hint(context->diag, "write under 'not' what is left out");
			good = false;
		}
	}
	return good;
}

static bool
set_resources(compile_context *context, match_terms *terms, const limen_strings *wanted)
{
	match_resource_name *list = compile_alloc(context, wanted->count, sizeof(*list));

	if (list == NULL)
		return false;
	for (size_t i = 0; i < wanted->count; i++) {
		const char *text = wanted->items[i];
		size_t length = strcspn(text, "/");

		list[i].resource = arena_strndup(&context->policy->owned.arena, text, length);
		list[i].subresource = text[length] == '/' ? text + length + 1 : "";
		if (list[i].resource == NULL) {
			compile_no_memory(context, limen_value_none());
			return false;
		}
	}
	terms->resources = list;
	terms->resource_count = wanted->count;
	return true;
}

static bool
set_classifiers(compile_context *context, match_terms *terms, const limen_strings *wanted,
                limen_value where)
{
	size_t *items = compile_alloc(context, wanted->count, sizeof(*items));
	limen_iter iter = limen_iter_start(where);
	limen_value element;
	bool good = items != NULL;

	for (size_t i = 0; items != NULL && i < wanted->count; i++) {
		limen_iter_next(&iter, NULL, &element);
		items[i] = compile_find_classifier(context, wanted->items[i], element);
		good = good && items[i] != CLASSIFIER_ANYONE;
		context->policy->classifies_objects = true;
	}
	terms->classifiers = (index_list){ items, wanted->count };
	return good;
}

static void
free_selector(void *selector)
{
	limen_selector_free(selector);
}

/* Keeps what limen_selector_new() has returned. */
static bool
set_selector(compile_context *context, const limen_selector **out, limen_selector *selector, int result)
{
	/* An empty selector counts as none: it must not hide that 'not' has no terms. */
	if (result == LIMEN_OK && selector_is_empty(selector)) {
		limen_selector_free(selector);
		return true;
	}
	if (result == LIMEN_OK && !cleanup_push(&context->policy->owned, free_selector, selector))
		result = LIMEN_ENOMEM;
	if (result == LIMEN_ENOMEM)
		compile_no_memory(context, limen_value_none());
	*out = result == LIMEN_OK ? selector : NULL;
	return result == LIMEN_OK;
}

static bool
set_selectors(compile_context *context, match_terms *terms, const match_fields *fields)
{
	limen_selector *made = NULL;
	bool good = true;
	int result;

	if (limen_value_exists(fields->labels)) {
		result = selector_new_like(fields->labels, &made, context->diag);
		good = set_selector(context, &terms->labels, made, result);
	}
	if (limen_value_exists(fields->selector) || limen_value_exists(fields->fields)) {
		result = limen_selector_new(fields->selector, fields->fields, &made, context->diag);
		good = set_selector(context, &terms->selector, made, result) && good;
	}
	return good;
}

/*
 * A request carries the object, not its namespace.  To leave the key out would
 * make the entry apply to all namespaces; to apply it to none would be worse.
 */
static bool
refuse_namespace_selector(compile_context *context, const match_fields *fields)
{
	if (!limen_value_exists(fields->namespace_selector))
		return true;
	limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, fields->namespace_selector,
	               "the labels of namespaces are not known here");
	limen_diag_hint(context->diag, "name them in 'namespaces', or let the configuration of "
	                               "the webhook select them");
	return false;
}

static bool
compile_terms(compile_context *context, const limen_option *rows, match_terms *terms,
              match_fields *fields, limen_value value)
{
	bool good;

	if (!options_fill(rows, value, fields, &context->options))
		return false;
	terms->operations = fields->operations;
	terms->kinds = fields->kinds;
	terms->namespaces = fields->namespaces;
	terms->users = fields->users;
	terms->groups = fields->groups;
	good = check_operations(&context->options, &fields->operations,
	                        limen_value_get(value, "operations"));
	good = refuse_exclamations(context, value) && good;
	good = set_resources(context, terms, &fields->resources) && good;
	terms->containers = fields->containers;
	good = set_selectors(context, terms, fields) && good;
	good = refuse_namespace_selector(context, fields) && good;
	return set_classifiers(context, terms, &fields->classifiers,
	                       limen_value_get(value, "classifiers")) && good;
}

static bool
is_empty(const match_terms *terms)
{
	return terms->operations.count + terms->resource_count + terms->kinds.count +
	       terms->namespaces.count + terms->users.count + terms->groups.count +
	       terms->containers.count + terms->classifiers.count == 0 &&
	       terms->labels == NULL && terms->selector == NULL;
}

/* Labels are part of the object, so its author exempts it from the entry. */
static void
warn_of_labels(compile_context *context, const match_terms *terms, limen_value value)
{
	if ((terms->labels == NULL && terms->selector == NULL) ||
	    terms->users.count + terms->groups.count + terms->classifiers.count > 0)
		return;
	limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, value,
	               "any user who can create the object can exempt it by setting these labels or fields");
	limen_diag_hint(context->diag, "add the 'users', 'groups' or 'classifiers' that may");
}

static bool
compile_exception(compile_context *context, match_terms *terms, limen_value value)
{
	match_fields fields = { .labels = limen_value_none() };

	if (!compile_terms(context, exception_rows, terms, &fields, value))
		return false;
	if (!is_empty(terms)) {
		warn_of_labels(context, terms, value);
		return true;
	}
	return limen_diag_refuse(context->diag, value,
	                         "an empty 'not' would leave out every request");
}

static bool
compile_exceptions(compile_context *context, match *target, limen_value value)
{
	bool several = limen_value_type(value) == LIMEN_TYPE_ARRAY;
	size_t count = several ? limen_value_count(value) : 1;
	match_terms *list = compile_alloc(context, count, sizeof(*list));
	limen_iter iter = limen_iter_start(value);
	limen_value element = value;
	bool good = list != NULL;

	for (size_t i = 0; list != NULL && i < count; i++) {
		if (several)
			limen_iter_next(&iter, NULL, &element);
		good = compile_exception(context, &list[i], element) && good;
	}
	target->exceptions = list;
	target->exception_count = count;
	return good;
}

bool
compile_match(compile_context *context, match *target, limen_value value)
{
	match_fields fields = { .labels = limen_value_none() };
	bool good = compile_terms(context, match_rows, &target->terms, &fields, value);

	if (limen_value_exists(fields.exceptions))
		good = compile_exceptions(context, target, fields.exceptions) && good;
	return good;
}

bool
compile_match_is_empty(const match *rule)
{
	return is_empty(&rule->terms) && rule->exception_count == 0;
}
