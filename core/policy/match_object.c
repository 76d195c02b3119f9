/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match_object.c - "labels", "selector", "fields" and "containers" of a match:
 * what the object itself says.
 */
#include "match.h"

static bool
is_absent(limen_value value)
{
	limen_type type = limen_value_type(value);

	return type == LIMEN_TYPE_NONE || type == LIMEN_TYPE_NULL;
}

/* ---- labels ---- */

/* A label of a wrong type is unknown, not absent: it must not exempt from a rule. */
static outcome
check_label(const match_label *wanted, limen_value labels)
{
	limen_value value = limen_value_get(labels, wanted->name);
	size_t length = 0;
	const char *text = limen_value_string(value, &length);

	if (!limen_value_exists(value))
		return OUTCOME_NO;
	/* The API reads null as the empty text. */
	if (limen_value_type(value) == LIMEN_TYPE_NULL)
		text = "";
	if (text == NULL)
		return OUTCOME_UNKNOWN;
	return match_any(&wanted->values, text, length) ? OUTCOME_YES : OUTCOME_NO;
}

static outcome
check_labels(const match_terms *terms, const match_facts *facts, limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");
	limen_value labels = limen_value_get(metadata, "labels");
	outcome all = OUTCOME_YES;

	(void)facts;
	if ((!is_absent(metadata) && limen_value_type(metadata) != LIMEN_TYPE_OBJECT) ||
	    (!is_absent(labels) && limen_value_type(labels) != LIMEN_TYPE_OBJECT))
		return OUTCOME_UNKNOWN;
	for (size_t i = 0; i < terms->label_count; i++) {
		outcome one = check_label(&terms->labels[i], labels);

		if (one == OUTCOME_NO)
			return OUTCOME_NO;
		all = one == OUTCOME_UNKNOWN ? one : all;
	}
	return all;
}

/* ---- containers and selectors ---- */

/* Is a container of 'list' among those wanted? */
static outcome
find_container(const limen_strings *wanted, limen_value list)
{
	limen_iter iter = limen_iter_start(list);
	outcome found = OUTCOME_NO;
	limen_value element;

	if (!is_absent(list) && limen_value_type(list) != LIMEN_TYPE_ARRAY)
		return OUTCOME_UNKNOWN;
	while (limen_iter_next(&iter, NULL, &element)) {
		size_t length = 0;
		limen_value name = limen_value_get(element, "name");
		const char *text = is_absent(name) ? "" : limen_value_string(name, &length);

		if (text == NULL)
			found = OUTCOME_UNKNOWN;
		else if (match_any(wanted, text, length))
			return OUTCOME_YES;
	}
	return found;
}

static outcome
check_containers(const limen_strings *wanted, limen_value object)
{
	limen_value spec = limen_value_get(object, "spec");
	outcome regular, init;

	if (wanted->count == 0)
		return OUTCOME_YES;
	regular = find_container(wanted, limen_value_get(spec, "containers"));
	init = find_container(wanted, limen_value_get(spec, "initContainers"));
	if (regular == OUTCOME_YES || init == OUTCOME_YES)
		return OUTCOME_YES;
	return regular == OUTCOME_NO && init == OUTCOME_NO ? OUTCOME_NO : OUTCOME_UNKNOWN;
}

static outcome
check_object(const match_terms *terms, const match_facts *facts, limen_value object)
{
	outcome of_containers = check_containers(&terms->containers, object);
	limen_verdict selected = terms->selector == NULL
	                                 ? LIMEN_PASS
	                                 : limen_selector_match(terms->selector, object,
	                                                        facts->namespace, facts->name);

	if (selected == LIMEN_FAIL || of_containers == OUTCOME_NO)
		return OUTCOME_NO;
	return selected == LIMEN_PASS ? of_containers : OUTCOME_UNKNOWN;
}

/* ---- both objects ---- */

/*
 * An update has two objects.  Kubernetes selects it if either fits; to be exempt
 * both must, or a label could be put on to get out.
 */
static outcome
check_both(const match_terms *terms, const match_facts *facts, bool exempting,
           outcome (*check)(const match_terms *terms, const match_facts *facts,
                            limen_value object))
{
	/* The outcome 'first' of either object decides; after it OUTCOME_UNKNOWN does. */
	const outcome first = exempting ? OUTCOME_NO : OUTCOME_YES;
	const outcome last = exempting ? OUTCOME_YES : OUTCOME_NO;
	bool seen[] = { [OUTCOME_UNKNOWN] = false, [OUTCOME_YES] = false, [OUTCOME_NO] = false };

	for (size_t i = 0; i < sizeof(facts->objects) / sizeof(facts->objects[0]); i++) {
		if (limen_value_type(facts->objects[i]) == LIMEN_TYPE_OBJECT)
			seen[check(terms, facts, facts->objects[i])] = true;
	}
	if (seen[first])
		return first;
	if (seen[OUTCOME_UNKNOWN])
		return OUTCOME_UNKNOWN;
	return seen[last] ? last : OUTCOME_NO;
}

outcome
match_labels(const match_terms *terms, const match_facts *facts, bool exempting)
{
	if (terms->label_count == 0)
		return OUTCOME_YES;
	return check_both(terms, facts, exempting, check_labels);
}

outcome
match_object(const match_terms *terms, const match_facts *facts, bool exempting)
{
	if (terms->selector == NULL && terms->containers.count == 0)
		return OUTCOME_YES;
	return check_both(terms, facts, exempting, check_object);
}
