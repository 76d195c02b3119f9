/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments.c - rejects unknown, repeated and malformed arguments with a fault of status 400,
 * suggests a similar name for an unknown argument, and finds arguments by name.
 */
#include "arguments.h"

#include <limen/nearest.h>
#include <string.h>

#include "remaining.h"

static bool
refuse_unknown(const char *name, const char *const *known, fault *why)
{
	const char *near = limen_nearest_of(name, known);

	if (near == NULL)
		return fault_set(why, 400, "Unknown argument '%.100s'", name);
	return fault_set(why, 400, "Unknown argument '%.100s'; did you mean '%s'?", name, near);
}

bool
arguments_check(const arguments *all, const char *const *known, fault *why)
{
	for (size_t i = 0; i < all->count; i++) {
		const http_pair *one = &all->pairs[i];
		limen_duration ignored;

		if (!g_strv_contains(known, one->name))
			return refuse_unknown(one->name, known, why);
		if (arguments_find(all, one->name) != one->value)
			return fault_set(why, 400, "The argument '%s' appears twice", one->name);
		if (!g_utf8_validate_len(one->value, one->length, NULL))
			return fault_set(why, 400, "The argument '%s' is not UTF-8",
			                 one->name);
		/* http_remaining() ignores an invalid timeout, so it is refused here. */
		if (strcmp(one->name, "timeout") == 0 && !remaining_parse(one->value, &ignored))
			return fault_set(why, 400,
			                 "The argument 'timeout' must be a duration such as 2s");
	}
	return true;
}

const char *
arguments_find(const arguments *all, const char *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->pairs[i].name, name) == 0)
			return all->pairs[i].value;
	return NULL;
}

bool
arguments_verdict(const arguments *all, bool *verdict, fault *why)
{
	const char *status = arguments_find(all, "status");

	*verdict = status != NULL;
	if (status == NULL || strcmp(status, "verdict") == 0)
		return true;
	return fault_set(why, 400, "The argument 'status' must be 'verdict'");
}
