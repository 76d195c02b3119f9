/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector_match.c - matches objects against selectors.  A value of a wrong type
 * gives LIMEN_ERROR, so that it does not exempt an object from a rule.
 */
#include <string.h>

#include "selector.h"

bool
match_any(const limen_strings *patterns, const char *text, size_t length)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (limen_glob_match(patterns->items[i], text, length))
			return true;
	return false;
}

static bool
is_among(const limen_strings *values, const char *text, size_t length)
{
	for (size_t i = 0; i < values->count; i++)
		if (strlen(values->items[i]) == length &&
		    memcmp(values->items[i], text, length) == 0)
			return true;
	return false;
}

static limen_verdict
verdict_of(bool holds)
{
	return holds ? LIMEN_PASS : LIMEN_FAIL;
}

/* Negative operators hold for objects without the label, as in Kubernetes. */
static limen_verdict
match_label(const selector_label *wanted, limen_value labels)
{
	limen_value value = limen_value_get(labels, wanted->key);
	size_t length = 0;
	const char *text = limen_value_string(value, &length);

	if (wanted->operator == SELECTOR_EXISTS)
		return verdict_of(limen_value_exists(value));
	if (wanted->operator == SELECTOR_DOES_NOT_EXIST)
		return verdict_of(!limen_value_exists(value));
	if (!limen_value_exists(value))
		return verdict_of(wanted->operator == SELECTOR_NOT_IN);
	if (limen_value_type(value) == LIMEN_TYPE_NULL)
		text = "";
	if (text == NULL)
		return LIMEN_ERROR;
	if (wanted->operator == SELECTOR_LIKE)
		return verdict_of(match_any(&wanted->values, text, length));
	return verdict_of(is_among(&wanted->values, text, length) ==
	                  (wanted->operator == SELECTOR_IN));
}

static limen_verdict
match_labels(const limen_selector *selector, limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");
	limen_value labels = limen_value_get(metadata, "labels");
	limen_type outer = limen_value_type(metadata);
	limen_type inner = limen_value_type(labels);
	limen_verdict all = LIMEN_PASS;

	if (selector->label_count == 0)
		return LIMEN_PASS;
	if ((outer > LIMEN_TYPE_NULL && outer != LIMEN_TYPE_OBJECT) ||
	    (inner > LIMEN_TYPE_NULL && inner != LIMEN_TYPE_OBJECT))
		return LIMEN_ERROR;
	for (size_t i = 0; i < selector->label_count; i++) {
		limen_verdict verdict = match_label(&selector->labels[i], labels);

		if (verdict == LIMEN_FAIL)
			return LIMEN_FAIL;
		all = verdict == LIMEN_ERROR ? LIMEN_ERROR : all;
	}
	return all;
}

/* Returns the text at a path of two steps, "" if it is missing, NULL if it is not text. */
static const char *
find_text(limen_value object, const char *path, size_t *length)
{
	const char *dot = strchr(path, '.');
	limen_value parent = limen_value_member(object, path, (size_t)(dot - path));
	limen_value value = limen_value_get(parent, dot + 1);

	*length = 0;
	if (limen_value_type(parent) <= LIMEN_TYPE_NULL ||
	    (limen_value_type(parent) == LIMEN_TYPE_OBJECT &&
	     limen_value_type(value) <= LIMEN_TYPE_NULL))
		return "";
	return limen_value_string(value, length);
}

static limen_verdict
match_field(const limen_selector *selector, size_t field, limen_value object, const char *known)
{
	size_t length = 0;
	const char *text;

	if (known != NULL && *known != '\0')
		return verdict_of(match_any(&selector->fields[field], known, strlen(known)));
	text = find_text(object, selector_fields[field], &length);
	/* Controllers leave the end of a name to the API server. */
	if (field == SELECTOR_NAME && text != NULL && length == 0)
		text = find_text(object, "metadata.generateName", &length);
	return text == NULL ? LIMEN_ERROR
	                    : verdict_of(match_any(&selector->fields[field], text, length));
}

limen_verdict
limen_selector_match(const limen_selector *selector, limen_value object,
                     const char *in_namespace, const char *name)
{
	limen_verdict all = selector == NULL ? LIMEN_ERROR : match_labels(selector, object);

	for (size_t i = 0; selector != NULL && i < SELECTOR_FIELD_COUNT && all != LIMEN_FAIL; i++) {
		const char *known = i == SELECTOR_NAME        ? name
		                    : i == SELECTOR_NAMESPACE ? in_namespace
		                                              : NULL;
		limen_verdict verdict;

		if (selector->fields[i].count == 0)
			continue;
		verdict = match_field(selector, i, object, known);
		if (verdict != LIMEN_PASS)
			all = verdict;
	}
	return all;
}
