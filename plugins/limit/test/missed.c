/* SPDX-License-Identifier: Apache-2.0 */
/*
 * missed.c - writes the value of a parameter and the bound it missed into the reply.  At most 8
 * elements of a list are shown, and long texts are cut.
 */
#include "parameter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Caps on the named elements of a list and on the bytes of a text. */
#define SHOWN 8
#define TEXT_MAX 400

/* "A, B, C" of an array, and a single value as it is. */
static void
print_all(limen_value list, char out[TEXT_MAX])
{
	limen_iter iter = limen_iter_start(list);
	bool array = limen_value_type(list) == LIMEN_TYPE_ARRAY;
	limen_value element = list;
	size_t shown = 0;
	size_t used = 0;

	out[0] = '\0';
	while (shown < SHOWN && used < TEXT_MAX - 1 &&
	       (array ? limen_iter_next(&iter, NULL, &element) : shown == 0)) {
		/* Texts as they are, everything else as JSON. */
		const char *text = limen_value_string(element, NULL);
		char *json = text != NULL ? NULL : limen_value_to_json(element, 0, NULL);
		int length = snprintf(out + used, TEXT_MAX - used, "%s%s", shown == 0 ? "" : ", ",
		                      text != NULL ? text : json != NULL ? json : "?");

		free(json);
		used += (size_t)length;
		shown++;
	}
	if (used < TEXT_MAX - 1 && array && limen_value_count(list) > shown)
		snprintf(out + used, TEXT_MAX - used, " and %zu more",
		         limen_value_count(list) - shown);
}

static void
tell(const char *key, limen_value value, const char *derived, limen_relation relation,
     const char *bound, limen_reply *reply)
{
	char have[TEXT_MAX];
	char *field = NULL;

	if (asprintf(&field, "test.spec.%s", key) < 0)
		return;
	if (limen_value_exists(value))
		print_all(value, have);
	limen_reply_bound(reply, field, limen_value_exists(value) ? have : derived, relation,
	                  bound);
	free(field);
}

void
missed_end(const missed *missing, limen_relation relation, limen_value end, limen_reply *reply)
{
	char bound[TEXT_MAX];

	print_all(end, bound);
	tell(missing->param->key, missing->value, missing->derived, relation, bound, reply);
}

void
missed_outside(const missed *missing, limen_value range, limen_reply *reply)
{
	char lower[TEXT_MAX];
	char upper[TEXT_MAX];
	char bound[2 * TEXT_MAX + 2];

	print_all(limen_value_get(range, "lower"), lower);
	print_all(limen_value_get(range, "upper"), upper);
	snprintf(bound, sizeof bound, "%s..%s", lower, upper);
	tell(missing->param->key, missing->value, missing->derived, LIMEN_RELATION_OUTSIDE, bound,
	     reply);
}

static void
tell_string(const parameter *param, limen_value value, limen_reply *reply)
{
	limen_value match = limen_value_get(param->limit, "match");
	limen_value style = limen_value_get(match, "style");
	bool negated = false;
	limen_relation relation;
	char bound[TEXT_MAX];
	char text[TEXT_MAX + 16];

	limen_value_bool(limen_value_get(match, "invert"), &negated);
	negated = negated != param->invert;
	if (limen_value_is(style, "exact"))
		relation = negated ? LIMEN_RELATION_NONE_OF : LIMEN_RELATION_ONE_OF;
	else
		relation = negated ? LIMEN_RELATION_NOT_MATCHING : LIMEN_RELATION_MATCHING;
	print_all(limen_value_get(match, "match"), bound);
	snprintf(text, sizeof text, limen_value_is(style, "contains") ? "*%s*" : "%s", bound);
	tell(param->key, value, NULL, relation, text, reply);
}

void
missed_tell(const parameter *param, limen_value spec, limen_value value, limen_reply *reply)
{
	static const char *const keys[] = { "match", "enumeration", "cidr" };
	limen_relation relation = param->invert ? LIMEN_RELATION_NONE_OF : LIMEN_RELATION_ONE_OF;
	const char *key = param->key;
	limen_value allowed = limen_value_none();
	char bound[TEXT_MAX];

	if (param->shape == &range_shape)
		return;
	if (param->shape == &string_shape) {
		tell_string(param, value, reply);
		return;
	}
	if (param->shape == &cidr_shape && strcmp(key, "endpoint") == 0) {
		/* One that is in the range is enough. */
		key = limen_value_exists(limen_value_get(spec, "dest")) ? "dest" : "source";
		value = limen_value_get(spec, key);
	}
	for (size_t i = 0; i < sizeof keys / sizeof *keys && !limen_value_exists(allowed); i++)
		allowed = limen_value_get(param->limit, keys[i]);
	print_all(allowed, bound);
	tell(key, value, NULL, relation, bound, reply);
}
