/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exemption.c - reads the option "exempt" and finds the exemption that matches an event.  An
 * exemption matches if each of its non-empty lists does.  A classifier that is undefined is a
 * policy error; one that cannot be determined does not match.
 */
#include "event_rate_limit.h"

#include <string.h>

static const char *const key_words[EXEMPT_KEYS + 1] = {
	[EXEMPT_USER] = "user",
	[EXEMPT_GROUP] = "group",
	[EXEMPT_NAMESPACE] = "namespace",
	[EXEMPT_REASON] = "reason",
	[EXEMPT_TYPE] = "type",
	[EXEMPT_CLASSIFIER] = "classifier",
};

/* Classifiers are names, not patterns: they must be there. */
static void
check_classifiers(rate_reader *reader, const pattern_list *list, limen_opening *opening)
{
	limen_iter iter = limen_iter_start(list->values);

	for (size_t i = 0; i < list->count; i++) {
		limen_value name = pattern_list_next(list, &iter);
		int result = limen_opening_use_classifier(opening, limen_value_string(name, NULL),
		                                          name, reader->diag);

		if (result == LIMEN_ENOMEM)
			reader->result = result;
		else if (result != LIMEN_OK && reader->result == LIMEN_OK)
			reader->result = LIMEN_ECONFIG;
	}
}

static void
read_exemption(rate_reader *reader, exemption *out, limen_value object, size_t index)
{
	size_t problems = limen_diag_count(reader->diag, LIMEN_SEVERITY_PROBLEM);
	size_t patterns = 0;

	if (limen_value_type(object) != LIMEN_TYPE_OBJECT) {
		REFUSE(reader, object, "exempt[%zu]: must be an object", index);
		return;
	}
	rate_refuse_unknown(reader, object, key_words, "exempt", index);
	for (size_t i = 0; i < EXEMPT_KEYS; i++) {
		limen_value list = limen_value_get(object, key_words[i]);

		if (!pattern_list_read(&out->lists[i], list)) {
			REFUSE(reader, list,
			       "exempt[%zu].%s: must be a string or an array of strings, without NUL",
			       index, key_words[i]);
			out->lists[i].count = 0;
		}
		patterns += out->lists[i].count;
	}
	if (patterns == 0 && limen_diag_count(reader->diag, LIMEN_SEVERITY_PROBLEM) == problems)
		REFUSE(reader, object,
		       "exempt[%zu]: without a value it would exempt every event", index);
}

void
exemption_list_read(rate_reader *reader, exemption_list *out, limen_value value,
                    limen_opening *opening)
{
	limen_iter iter = limen_iter_start(value);
	limen_value object;

	out->items = rate_make_array(reader, value, "exempt", sizeof *out->items);
	while (out->items != NULL && limen_iter_next(&iter, NULL, &object)) {
		exemption *item = &out->items[out->count];

		read_exemption(reader, item, object, out->count);
		check_classifiers(reader, &item->lists[EXEMPT_CLASSIFIER], opening);
		out->count++;
	}
}
static bool
match_groups(const pattern_list *list, const event *subject)
{
	size_t count = 0;
	const char *const *groups = limen_request_groups(subject->request, &count);

	for (size_t i = 0; i < count; i++)
		if (pattern_list_match(list, groups[i], strlen(groups[i])))
			return true;
	return false;
}

/* A classifier that could not be determined does not hold: what cannot be told never exempts. */
static bool
match_classifiers(const pattern_list *list, const event *subject)
{
	limen_iter iter = limen_iter_start(list->values);

	for (size_t i = 0; i < list->count; i++) {
		const char *name = limen_value_string(pattern_list_next(list, &iter), NULL);

		if (limen_request_has_classifier(subject->request, name))
			return true;
	}
	return false;
}
/* Anything but a string, absence included, exempts nothing. */
static bool
match_list(exempt_key key, const pattern_list *list, const event *subject)
{
	event_text found = subject->namespace;

	if (key == EXEMPT_GROUP)
		return match_groups(list, subject);
	if (key == EXEMPT_CLASSIFIER)
		return match_classifiers(list, subject);
	if (key == EXEMPT_USER)
		found = event_user(subject);
	else if (key != EXEMPT_NAMESPACE)
		found.text = limen_value_string(
			limen_value_get(limen_request_document(subject->request), key_words[key]),
			&found.length);
	return found.text != NULL && pattern_list_match(list, found.text, found.length);
}

size_t
exemption_list_find(const exemption_list *list, const event *subject)
{
	for (size_t i = 0; i < list->count; i++) {
		const pattern_list *lists = list->items[i].lists;
		size_t key = 0;

		while (key < EXEMPT_KEYS && (lists[key].count == 0 ||
		                             match_list((exempt_key)key, &lists[key], subject)))
			key++;
		if (key == EXEMPT_KEYS)
			return i;
	}
	return SIZE_MAX;
}
