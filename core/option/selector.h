/* SPDX-License-Identifier: Apache-2.0 */
/* selector.h - the contents of the selectors of limen/selector.h. */
#ifndef LIMEN_CORE_OPTION_SELECTOR_H
#define LIMEN_CORE_OPTION_SELECTOR_H

#include <limen/option.h>
#include <limen/selector.h>

#include "base/cleanup.h"

/* The words of matchExpressions, in the order of selector_operators. */
typedef enum selector_operator {
	SELECTOR_IN = 0,
	SELECTOR_NOT_IN = 1,
	SELECTOR_EXISTS = 2,
	SELECTOR_DOES_NOT_EXIST = 3,
	SELECTOR_LIKE = 4 /* no word for it: values are patterns */
} selector_operator;

typedef struct selector_label {
	const char *key;
	selector_operator operator;
	limen_strings values;
} selector_label;

enum {
	SELECTOR_NAME = 0,
	SELECTOR_NAMESPACE = 1,
	SELECTOR_FIELD_COUNT = 6
};

/* "metadata.name" and so on, ended by NULL. */
extern const char *const selector_fields[SELECTOR_FIELD_COUNT + 1];

struct limen_selector {
	cleanup owned; /* all texts and arrays */
	selector_label *labels;
	size_t label_count;
	limen_strings fields[SELECTOR_FIELD_COUNT]; /* patterns; none: anything */
};

/* As limen_selector_new() of labels whose values are patterns; an array may give several. */
int selector_new_like(limen_value labels, limen_selector **out, limen_diag *diag);

/* Does any of 'patterns', in which "*" matches any text, match the text? */
bool match_any(const limen_strings *patterns, const char *text, size_t length);

/* Does it select everything? */
bool selector_is_empty(const limen_selector *selector);

#endif
