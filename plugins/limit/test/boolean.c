/* SPDX-License-Identifier: Apache-2.0 */
/*
 * boolean.c - Boolean: {"match": true}.  A test that does not have the
 * parameter counts as having it false.
 */
#include "parameter.h"

static limen_verdict
check_boolean(const parameter *param, limen_value spec, limen_value value, limen_reply *reply)
{
	bool match = false;
	bool given = false;

	(void)spec;
	limen_value_bool(limen_value_get(param->limit, "match"), &match);
	if (limen_value_exists(value) && !limen_value_bool(value, &given))
		return parameter_unusable(param, "is not a boolean", reply);
	return parameter_verdict(param, given == match, "testing not allowed", reply);
}

const shape boolean_shape = {
	.kind = KIND_BOOLEAN,
	.takes_absent = true,
	.check = check_boolean,
};
