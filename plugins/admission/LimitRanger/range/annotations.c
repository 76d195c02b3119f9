/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotations.c - reads the annotations for limen, which an API server keeps and ignores:
 * "limen.policy/items" narrows the items of a LimitRange (the LimitRange proposal means to
 * select by name, uid, labels and fields), "limen.policy/namespaces" applies it to several
 * namespaces.
 *
 * Both hold JSON text.  Its problems are told with the place of the annotation
 * and the pointer within the text.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../support/unknown_key.h"
#include "range.h"

/* Reading one annotation. */
typedef struct reading {
	range_reader *reader;
	const char *key;
	limen_value where;
	limen_documents **text; /* the LimitRange, which borrows from it, owns it */
	limen_diag *diag; /* of what the text holds */
} reading;

static const char *const item_keys[] = {
	"selector", "fields", "containers", "defaulting", "report", NULL
};
const char *const range_defaulting_words[] = { "upstream", "none", "require", NULL };
const char *const range_report_words[] = { "first", "all", NULL };

static void
refuse(const reading *at, limen_value where, const char *text)
{
	limen_diag_add(at->diag, LIMEN_SEVERITY_PROBLEM, where, "%s", text);
}

/*
 * Tells what was found in the text as problems of the manifest.  A stored LimitRange counts
 * without what its annotation says in vain.
 */
static void
tell(const reading *at)
{
	range_reader *reader = at->reader;

	for (size_t i = 0; i < limen_diag_count(at->diag, LIMEN_SEVERITY_NOTE); i++) {
		const limen_problem *one = limen_diag_get(at->diag, i);

		if (one->severity != LIMEN_SEVERITY_PROBLEM)
			continue;
		limen_diag_add(reader->diag,
		               reader->stored ? LIMEN_SEVERITY_WARNING : LIMEN_SEVERITY_PROBLEM,
		               at->where, "metadata.annotations[%s]%s: %s", at->key,
		               one->pointer == NULL ? "" : one->pointer, one->text);
		if (one->hint != NULL)
			limen_diag_hint(reader->diag, "%s", one->hint);
		if (!reader->stored && reader->result == LIMEN_OK)
			reader->result = LIMEN_ECONFIG;
	}
}

/* Returns the array in the text of the annotation, or none after a report. */
static limen_value
parse(const reading *at)
{
	size_t length = 0;
	const char *text = limen_value_string(at->where, &length);
	limen_value root;
	int result;

	if (text == NULL) {
		refuse(at, limen_value_none(), "must be a string");
		return limen_value_none();
	}
	result = limen_documents_parse("annotation.json", text, length, 0, at->text, at->diag);
	if (result == LIMEN_ENOMEM)
		at->reader->result = LIMEN_ENOMEM;
	if (result != LIMEN_OK)
		return limen_value_none();
	root = limen_documents_get(*at->text, 0);
	if (limen_value_type(root) == LIMEN_TYPE_ARRAY)
		return root;
	refuse(at, root, "must be an array");
	return limen_value_none();
}

/* Reads an array of texts that are not empty. */
static void
read_names(const reading *at, limen_value array, name_list *out)
{
	limen_value element;

	if (limen_value_type(array) != LIMEN_TYPE_ARRAY || limen_value_count(array) == 0) {
		refuse(at, array, "must be an array of names");
		return;
	}
	out->items = calloc(limen_value_count(array), sizeof *out->items);
	if (out->items == NULL) {
		at->reader->result = LIMEN_ENOMEM;
		return;
	}
	for (limen_iter iter = limen_iter_start(array); limen_iter_next(&iter, NULL, &element);) {
		size_t length = 0;
		const char *text = limen_value_string(element, &length);

		if (text == NULL || length == 0 || strlen(text) != length || strcmp(text, "!") == 0)
			refuse(at, element, "must be a name");
		else
			out->items[out->count++] = text;
	}
}

/* Reads names, of which those behind a "!" are exceptions to the others. */
static void
read_patterns(const reading *at, limen_value array, const char *noun, name_list *out)
{
	bool named = false;

	read_names(at, array, out);
	for (size_t i = 0; i < out->count; i++)
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are names */
		named = named || *out->items[i] != '!';
	if (out->count > 0 && !named)
		limen_diag_add(at->diag, LIMEN_SEVERITY_PROBLEM, array,
		               "only exceptions are given: name a %s, or \"*\", too", noun);
}

/* ---- limen.policy/items ---- */

static void
read_word(const reading *at, limen_value value, const char *const *words, const char *rule,
          int *out)
{
	if (!limen_value_exists(value))
		return;
	for (int word = 0; words[word] != NULL; word++) {
		if (limen_value_is(value, words[word])) {
			*out = word;
			return;
		}
	}
	refuse(at, value, rule);
}

/* Each label is looked up among those of an object, which may be hundreds of thousands. */
#define LABELS_MAX      100
#define TOO_MANY_LABELS "asks for more than 100 labels"

static void
read_selector(const reading *at, limen_value object, range_item *item)
{
	limen_value labels = limen_value_get(object, "selector");
	limen_value fields = limen_value_get(object, "fields");
	limen_value key, value;

	if (!limen_value_exists(labels) && !limen_value_exists(fields))
		return;
	if (limen_selector_new(labels, fields, &item->selector, at->diag) == LIMEN_ENOMEM)
		at->reader->result = LIMEN_ENOMEM;
	if (limen_value_count(limen_value_get(labels, "matchLabels")) +
	            limen_value_count(limen_value_get(labels, "matchExpressions")) > LABELS_MAX)
		refuse(at, labels, TOO_MANY_LABELS);
	for (limen_iter iter = limen_iter_start(fields); limen_iter_next(&iter, &key, &value);) {
		const char *name = limen_value_string(key, NULL);

		if (item->type == ITEM_CLAIM && strncmp(name, "spec.", strlen("spec.")) == 0)
			refuse(at, value, "claims have no such field");
	}
}

static void
check_keys(const reading *at, limen_value object)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key;

	while (unknown_key_next(&iter, item_keys, &key, NULL)) {
		const char *text = limen_value_string(key, NULL);

		limen_diag_add(at->diag, LIMEN_SEVERITY_PROBLEM, object,
		               "'%s' is not one of selector, fields, containers, defaulting, "
		               "report", text);
		unknown_key_hint(text, item_keys, '\'', at->diag);
	}
}

static void
read_item(const reading *at, limen_value object, range_item *item)
{
	static const char *const own[] = { "containers", "defaulting", NULL };
	limen_value containers = limen_value_get(object, "containers");

	if (limen_value_type(object) == LIMEN_TYPE_NULL)
		return;
	if (limen_value_type(object) != LIMEN_TYPE_OBJECT) {
		refuse(at, object, "must be an object or null");
		return;
	}
	check_keys(at, object);
	/* A field that has no meaning for the type of the item is a mistake. */
	for (size_t i = 0; item->type != ITEM_CONTAINER && own[i] != NULL; i++) {
		limen_value value = limen_value_get(object, own[i]);

		if (limen_value_exists(value))
			refuse(at, value, "is for items of type Container only");
	}
	read_selector(at, object, item);
	if (limen_value_exists(containers))
		read_patterns(at, containers, "container", &item->containers);
	read_word(at, limen_value_get(object, "defaulting"), range_defaulting_words,
	          "must be upstream, none or require", &item->defaulting);
	read_word(at, limen_value_get(object, "report"), range_report_words, "must be first or all",
	          &item->report);
}

/* Removes the narrowing of an invalid annotation: the item applies to its whole type. */
static void
widen(const reading *at, range_item *item)
{
	limen_selector_free(item->selector);
	free(item->containers.items);
	item->selector = NULL;
	item->containers = (name_list){ .items = NULL };
	item->defaulting = at->reader->defaulting;
	item->report = at->reader->report;
}

static void
read_items(const reading *at, limit_range *range)
{
	limen_value array = parse(at);
	limen_value object;
	size_t index = 0;
	size_t before;

	for (limen_iter iter = limen_iter_start(array); limen_iter_next(&iter, NULL, &object);) {
		if (index == range->count) {
			refuse(at, object, "spec.limits has no such item");
			break;
		}
		before = limen_diag_count(at->diag, LIMEN_SEVERITY_PROBLEM);
		read_item(at, object, &range->items[index]);
		if (at->reader->stored &&
		    limen_diag_count(at->diag, LIMEN_SEVERITY_PROBLEM) > before)
			widen(at, &range->items[index]);
		index++;
	}
}

/* ---- limen.policy/namespaces ---- */

static void
read_namespaces(const reading *at, limit_range *range)
{
	limen_value array = parse(at);

	if (!limen_value_exists(array))
		return;
	range->wide = true;
	read_patterns(at, array, "namespace", &range->namespaces);
}

static void
read_annotation(range_reader *reader, limit_range *range, const char *key,
                limen_documents **text, void (*read)(const reading *at, limit_range *range))
{
	reading at = { .reader = reader, .key = key, .text = text };

	at.where = annotation_get(range->where, key);
	if (!limen_value_exists(at.where))
		return;
	at.diag = limen_diag_new();
	if (at.diag == NULL) {
		reader->result = LIMEN_ENOMEM;
		return;
	}
	read(&at, range);
	tell(&at);
	limen_diag_free(at.diag);
}

void
range_annotations_read(range_reader *reader, limit_range *range)
{
	limen_value found = annotation_get(range->where, ANNOTATION_NAMESPACES);

	read_annotation(reader, range, ANNOTATION_ITEMS, &range->texts[0], read_items);
	if (!reader->stored)
		read_annotation(reader, range, ANNOTATION_NAMESPACES, &range->texts[1],
		                read_namespaces);
	/* The author of one namespace of a cluster could otherwise set limits for all. */
	else if (limen_value_exists(found))
		limen_diag_add(reader->diag, LIMEN_SEVERITY_WARNING, found,
		               "metadata.annotations[%s]: is ignored for LimitRanges of a cluster",
		               ANNOTATION_NAMESPACES);
}

bool
range_item_is_narrow(const range_item *item)
{
	return item->selector != NULL || item->containers.count > 0;
}

bool
name_list_has(const name_list *patterns, const char *name, size_t length)
{
	bool found = false;

	for (size_t i = 0; i < patterns->count; i++) {
		const char *pattern = patterns->items[i];
		bool excepts = *pattern == '!';

		if (!limen_glob_match(pattern + (excepts ? 1 : 0), name, length))
			continue;
		if (excepts)
			return false;
		found = true;
	}
	return found;
}

bool
range_is_for(const limit_range *range, const char *namespace)
{
	if (!range->wide)
		return strcmp(range->namespace, namespace) == 0;
	return name_list_has(&range->namespaces, namespace, strlen(namespace));
}
