/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cost.c - the options "cost" and "cost-default", and the cost of a request by them.
 */
#include "cost.h"

#include <stdlib.h>
#include <string.h>

#define EXPECTED "a cost: use a number from 0 to 1000000, header:NAME or path:/POINTER"

int
cost_open(cost *rules, limen_opening *opening, limen_diag *diag)
{
	const char *text = limen_value_string(rules->option, NULL);
	char *shown;

	rules->constant = 1;
	if (!limen_value_exists(rules->option) ||
	    (limen_value_int(rules->option, &rules->constant) && rules->constant >= 0 &&
	     rules->constant <= COST_MAX))
		return LIMEN_OK;
	rules->constant = -1;
	if (text != NULL)
		return part_open(&rules->part, text, EXPECTED, rules->option, opening, diag);
	shown = limen_value_to_json(rules->option, 0, NULL);
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, rules->option, "%.100s is not " EXPECTED,
	               shown == NULL ? "it" : shown);
	free(shown);
	return LIMEN_EINVAL;
}

void
cost_close(cost *rules)
{
	part_close(&rules->part);
}

/* Reads a text of digits alone.  Returns false for any other. */
static bool
read_digits(const char *text, size_t length, int64_t *number)
{
	if (text == NULL || length == 0 || length > 7 || strspn(text, "0123456789") != length)
		return false;
	*number = atoll(text);
	return true;
}

int64_t
cost_read(const cost *rules, const limen_request *req)
{
	limen_value value;
	size_t length = 0;
	const char *text;
	int64_t number;

	if (rules->constant >= 0)
		return rules->constant;
	value = part_value(&rules->part, req);
	text = limen_value_string(value, &length);
	if ((limen_value_int(value, &number) || read_digits(text, length, &number)) &&
	    number >= 1 && number <= COST_MAX)
		return number;
	return rules->fallback;
}
