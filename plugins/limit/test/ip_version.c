/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ip_version.c - IPVersion: {"match": 6}, and IPVersionList:
 * {"enumeration": [4, 6]}.  The parameter may be one version or a list of
 * them, each of which must be (or, inverted, must not be) allowed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parameter.h"

struct versions {
	bool four;
	bool six;
};

static int
read_version(struct versions *versions, limen_value value, limen_diag *diag)
{
	int64_t version;

	if (!limen_value_int(value, &version) || (version != 4 && version != 6))
		return parameter_reject(diag, value, "must be an IP version, 4 or 6");
	if (version == 4)
		versions->four = true;
	else
		versions->six = true;
	return LIMEN_OK;
}

static int
read_enumeration(struct versions *versions, limen_value list, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(list);
	limen_value element;
	int result = LIMEN_OK;

	if (limen_value_type(list) != LIMEN_TYPE_ARRAY)
		return parameter_reject(diag, list, "must be a list of IP versions, 4 and 6");
	if (limen_value_count(list) == 0)
		limen_diag_add(diag, LIMEN_WARNING, list, "is empty, so no value matches it");
	while (limen_iter_next(&iter, NULL, &element))
		result = parameter_first(result, read_version(versions, element, diag));
	return result;
}

static int
open_versions(parameter *param, limen_value limit, limen_diag *diag)
{
	limen_value match = limen_value_get(limit, "match");
	struct versions *versions = calloc(1, sizeof *versions);
	int result;

	if (versions == NULL)
		return parameter_exhausted(diag);
	if (limen_value_exists(match))
		result = read_version(versions, match, diag);
	else
		result = read_enumeration(versions, limen_value_get(limit, "enumeration"), diag);
	if (result != LIMEN_OK) {
		free(versions);
		return result;
	}
	param->state = versions;
	param->kind = KIND_VERSION;
	return LIMEN_OK;
}

static limen_verdict
judge_version(const parameter *param, limen_value value, limen_reply *reply)
{
	const struct versions *versions = param->state;
	int64_t version;
	char text[64];

	if (!limen_value_int(value, &version) || (version != 4 && version != 6))
		return parameter_unusable(param, "is not an IP version, 4 or 6", reply);
	snprintf(text, sizeof text, "IPv%" PRId64 " is not allowed", version);
	return parameter_verdict(param, version == 4 ? versions->four : versions->six, text, reply);
}

static limen_verdict
check_versions(const parameter *param, limen_value spec, limen_value value, limen_reply *reply)
{
	(void)spec;
	return parameter_each(param, value, judge_version, reply);
}

const shape version_shape = {
	.invertible = true,
	.open = open_versions,
	.check = check_versions,
};
