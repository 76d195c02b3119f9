/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector.c - makes selectors: the rules are those of LabelSelector in
 * k8s.io/apimachinery (ValidateLabelSelector).  selector_match.c uses them.
 */
#include "selector.h"

#include <stdlib.h>
#include <string.h>

#include <limen/nearest.h>

#include "options.h"

static const char *const operators[] = { "In", "NotIn", "Exists", "DoesNotExist", NULL };

const char *const selector_fields[SELECTOR_FIELD_COUNT + 1] = {
	[SELECTOR_NAME] = "metadata.name",
	[SELECTOR_NAMESPACE] = "metadata.namespace",
	"metadata.uid",
	"spec.nodeName",
	"spec.priorityClassName",
	"spec.serviceAccountName",
	NULL
};

/* One call of limen_selector_new(). */
typedef struct making {
	limen_selector *made;
	options_context options;
	bool good;
} making;

static void
refuse(making *work, limen_value where, const char *text)
{
	work->good = limen_diag_refuse(work->options.diag, where, "%s", text);
}

/* Makes room for 'count' more; NULL after a report. */
static void *
make_room(making *work, size_t count, size_t size)
{
	void *room = arena_calloc(&work->made->owned.arena, count + 1, size);

	if (room == NULL)
		work->good = problem_memory(&work->options, limen_value_none());
	return room;
}

static bool
set_one(making *work, limen_strings *out, limen_value value)
{
	const char **slot = make_room(work, 1, sizeof(*slot));

	if (slot == NULL)
		return false;
	slot[0] = option_plain_text(value, &work->options);
	*out = (limen_strings){ slot, 1 };
	return slot[0] != NULL;
}

/* ---- labels ---- */

typedef struct selector_rows {
	limen_value labels;
	limen_value expressions;
} selector_rows;

static const limen_option rows[] = {
	LIMEN_OPT_OBJECT(selector_rows, labels, .key = "matchLabels",
	                 .help = "Labels and the values they must have"),
	LIMEN_OPT_JSON(selector_rows, expressions, .key = "matchExpressions",
	               .help = "An array of {key, operator, values}"),
	LIMEN_OPT_END
};

typedef struct expression_fields {
	const char *key;
	int operator;
	limen_strings values;
} expression_fields;

static const limen_option expression_rows[] = {
	LIMEN_OPT_STRING(expression_fields, key, .key = "key", .required = true,
	                 .help = "The label"),
	LIMEN_OPT_ENUM(expression_fields, operator, .key = "operator", .required = true,
	               .choices = operators, .help = "In, NotIn, Exists or DoesNotExist"),
	LIMEN_OPT_STRINGS(expression_fields, values, .key = "values",
	                  .help = "For In and NotIn"),
	LIMEN_OPT_END
};

static selector_label *
add_label(making *work, const char *key, limen_value where)
{
	selector_label *label = &work->made->labels[work->made->label_count++];

	if (key != NULL && *key == '\0')
		refuse(work, where, "a label has a name");
	label->key = key;
	return label;
}

static void
add_expression(making *work, limen_value value)
{
	expression_fields fields = { .key = NULL };
	selector_label *label;
	bool lists;

	if (!options_fill(expression_rows, value, &fields, &work->options)) {
		work->good = false;
		return;
	}
	label = add_label(work, fields.key, value);
	label->operator = (selector_operator)fields.operator;
	label->values = fields.values;
	lists = label->operator == SELECTOR_IN || label->operator == SELECTOR_NOT_IN;
	if (lists && fields.values.count == 0)
		refuse(work, value, "'values' must be specified when 'operator' is 'In' or 'NotIn'");
	else if (!lists && fields.values.count > 0)
		refuse(work, value, "'values' may not be specified when 'operator' is 'Exists' or "
		                    "'DoesNotExist'");
}

static void
add_labels(making *work, limen_value selector)
{
	selector_rows found = { .labels = limen_value_none() };
	limen_iter iter;
	limen_value key, value;

	if (!options_fill(rows, selector, &found, &work->options)) {
		work->good = false;
		return;
	}
	if (limen_value_exists(found.expressions) &&
	    limen_value_type(found.expressions) != LIMEN_TYPE_ARRAY) {
		work->good = problem_type(&work->options, found.expressions, "array");
		return;
	}
	work->made->labels = make_room(work, limen_value_count(found.labels) +
	                                             limen_value_count(found.expressions),
	                               sizeof(selector_label));
	if (work->made->labels == NULL)
		return;
	iter = limen_iter_start(found.labels);
	while (limen_iter_next(&iter, &key, &value)) {
		const char *name = option_plain_text(key, &work->options);
		selector_label *label = add_label(work, name, value);

		if (name == NULL || !set_one(work, &label->values, value))
			work->good = false;
	}
	iter = limen_iter_start(found.expressions);
	while (limen_iter_next(&iter, NULL, &value))
		add_expression(work, value);
}

static const limen_option strings_row = { .type = LIMEN_OPTION_STRINGS };

/* Patterns: a text, or an array of texts. */
static bool
set_patterns(making *work, limen_strings *out, limen_value value)
{
	if (limen_value_type(value) == LIMEN_TYPE_ARRAY)
		return option_strings(&strings_row, value, out, &work->options);
	return set_one(work, out, value);
}

static void
add_like(making *work, limen_value labels)
{
	limen_iter iter = limen_iter_start(labels);
	limen_value key, value;

	work->made->labels = make_room(work, limen_value_count(labels), sizeof(selector_label));
	while (work->made->labels != NULL && limen_iter_next(&iter, &key, &value)) {
		selector_label *label = &work->made->labels[work->made->label_count++];

		label->operator = SELECTOR_LIKE;
		label->key = option_plain_text(key, &work->options);
		if (!set_patterns(work, &label->values, value) || label->key == NULL)
			work->good = false;
	}
}

/* ---- fields ---- */

static void
refuse_field(making *work, limen_value object, limen_value key)
{
	const char *near = limen_nearest_of(limen_value_string(key, NULL), selector_fields);
	char hint[64];

	if (near != NULL)
		snprintf(hint, sizeof(hint), "did you mean '%s'?", near);
	problem_unexpected(work->options.diag, LIMEN_SEVERITY_PROBLEM, object, key,
	                   near == NULL ? NULL : hint);
	work->good = false;
}

static void
add_field(making *work, limen_value object, limen_value key, limen_value value)
{
	size_t field = 0;
	limen_strings *patterns;

	while (field < SELECTOR_FIELD_COUNT && !limen_value_is(key, selector_fields[field]))
		field++;
	if (field == SELECTOR_FIELD_COUNT) {
		refuse_field(work, object, key);
		return;
	}
	patterns = &work->made->fields[field];
	if (!set_patterns(work, patterns, value))
		work->good = false;
	else if (patterns->count == 0)
		refuse(work, value, "an empty array selects nothing");
}

static void
add_fields(making *work, limen_value fields)
{
	limen_value key, value;

	if (limen_value_type(fields) != LIMEN_TYPE_OBJECT) {
		work->good = problem_type(&work->options, fields, "object");
		return;
	}
	for (limen_iter iter = limen_iter_start(fields); limen_iter_next(&iter, &key, &value);)
		add_field(work, fields, key, value);
}

/* Copies 'value' into the selector, whose texts borrow from the copy.  None: memory is short. */
static limen_value
keep(making *work, limen_value value)
{
	document *copy = document_copy(value);

	if (options_keep(&work->made->owned, copy))
		return document_root(copy);
	work->good = problem_memory(&work->options, value);
	return limen_value_none();
}

static int
make(limen_value labels, void (*add)(making *work, limen_value labels), limen_value fields,
     limen_selector **out, limen_diag *diag)
{
	making work = { .made = calloc(1, sizeof(*work.made)), .good = true };

	if (work.made == NULL)
		return LIMEN_ENOMEM;
	work.options = (options_context){ .owner = &work.made->owned, .diag = diag };
	if (limen_value_exists(labels))
		labels = keep(&work, labels);
	if (limen_value_exists(fields))
		fields = keep(&work, fields);
	if (limen_value_exists(labels))
		add(&work, labels);
	if (limen_value_exists(fields))
		add_fields(&work, fields);
	if (work.good) {
		*out = work.made;
		return LIMEN_OK;
	}
	limen_selector_free(work.made);
	return LIMEN_EINVAL;
}

int
limen_selector_new(limen_value labels, limen_value fields, limen_selector **out, limen_diag *diag)
{
	return out == NULL ? LIMEN_EINVAL : make(labels, add_labels, fields, out, diag);
}

int
selector_new_like(limen_value labels, limen_selector **out, limen_diag *diag)
{
	return make(labels, add_like, limen_value_none(), out, diag);
}

bool
selector_is_empty(const limen_selector *selector)
{
	size_t count = selector->label_count;

	for (size_t i = 0; i < SELECTOR_FIELD_COUNT; i++)
		count += selector->fields[i].count;
	return count == 0;
}

void
limen_selector_free(limen_selector *selector)
{
	if (selector == NULL)
		return;
	cleanup_run(&selector->owned);
	free(selector);
}
