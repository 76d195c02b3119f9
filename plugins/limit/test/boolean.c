/* SPDX-License-Identifier: Apache-2.0 */
/*
 * boolean.c - Boolean: {"match": true}.  A test that does not have the
 * parameter counts as having it false.
 */
#include <stdlib.h>

#include "parameter.h"

static int
open_boolean(parameter *param, limen_value limit, limen_diag *diag)
{
	bool *match = malloc(sizeof *match);

	if (match == NULL)
		return parameter_exhausted(diag);
	*match = false;
	limen_value_bool(limen_value_get(limit, "match"), match);
	param->state = match;
	param->kind = KIND_BOOLEAN;
	return LIMEN_OK;
}

static limen_verdict
check_boolean(const parameter *param, limen_value spec, limen_value value, limen_reply *reply)
{
	const bool *match = param->state;
	bool given = false;

	(void)spec;
	if (limen_value_exists(value) && !limen_value_bool(value, &given))
		return parameter_unusable(param, "is not a boolean", reply);
	return parameter_verdict(param, given == *match, "testing not allowed", reply);
}

const shape boolean_shape = {
	.takes_absent = true,
	.open = open_boolean,
	.check = check_boolean,
};
