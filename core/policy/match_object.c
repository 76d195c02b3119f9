/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match_object.c - "labels", "selector", "fields" and "containers" of a match:
 * what the object itself says.
 */
#include "match.h"

/* ---- containers and selectors ---- */

/* Is a container of 'list' among those wanted? */
static outcome
find_container(const limen_strings *wanted, limen_value list)
{
	outcome found = OUTCOME_NO;
	limen_value element;

	if (limen_value_type(list) > LIMEN_TYPE_NULL && limen_value_type(list) != LIMEN_TYPE_ARRAY)
		return OUTCOME_UNKNOWN;
	for (limen_iter iter = limen_iter_start(list); limen_iter_next(&iter, NULL, &element);) {
		size_t length = 0;
		limen_value name = limen_value_get(element, "name");
		const char *text = limen_value_type(name) <= LIMEN_TYPE_NULL
		                           ? ""
		                           : limen_value_string(name, &length);

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
check_selector(const limen_selector *selector, const match_facts *facts, limen_value object)
{
	limen_verdict selected = selector == NULL
	                                 ? LIMEN_PASS
	                                 : limen_selector_match(selector, object,
	                                                        facts->namespace, facts->name);

	return verdict_outcome(LIMEN_KIND_LIMIT, selected, false);
}

static outcome
check_labels(const match_terms *terms, const match_facts *facts, limen_value object)
{
	return check_selector(terms->labels, facts, object);
}

static outcome
check_object(const match_terms *terms, const match_facts *facts, limen_value object)
{
	return outcome_both(check_containers(&terms->containers, object),
	                    check_selector(terms->selector, facts, object));
}

/* ---- both objects ---- */

/*
 * An update has two objects.  Kubernetes selects it if either fits; to be exempt
 * both must, or a label could be put on to get out.
 */
static outcome
check_both(const match_terms *terms, const match_facts *facts, bool exempting,
           outcome (*check)(const match_terms *terms, const match_facts *facts, limen_value object))
{
	/* The outcome 'first' of either object decides; after it OUTCOME_UNKNOWN does. */
	const outcome first = exempting ? OUTCOME_NO : OUTCOME_YES;
	const outcome last = exempting ? OUTCOME_YES : OUTCOME_NO;
	bool seen[] = { [OUTCOME_UNKNOWN] = false, [OUTCOME_YES] = false, [OUTCOME_NO] = false };

	for (size_t i = 0; i < sizeof(facts->objects) / sizeof(facts->objects[0]); i++)
		if (limen_value_type(facts->objects[i]) == LIMEN_TYPE_OBJECT)
			seen[check(terms, facts, facts->objects[i])] = true;
	if (seen[first])
		return first;
	if (seen[OUTCOME_UNKNOWN])
		return OUTCOME_UNKNOWN;
	return seen[last] ? last : OUTCOME_NO;
}

outcome
match_labels(const match_terms *terms, const match_facts *facts, bool exempting)
{
	if (terms->labels == NULL)
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
