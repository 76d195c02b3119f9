/* SPDX-License-Identifier: Apache-2.0 */
/*
 * latency.c - computes the duration of a latency test, packet-count times packet-interval, for
 * limits on its "duration".  The product is exact: no floating point is used.
 */
#include "latency.h"

#include <stdio.h>
#include <string.h>

#define INTERVAL_TEXT_MAX 64

/* The interval goes through the text of a duration, so that 0.1 seconds are exact. */
static bool
read_interval(limen_value value, limen_duration *out)
{
	char text[INTERVAL_TEXT_MAX];
	size_t length = 0;
	const char *number = limen_value_number(value, &length);
	int size;

	if (number == NULL || length >= sizeof text)
		return false;
	size = snprintf(text, sizeof text, "PT%.*sS", (int)length, number);
	if (size < 0 || (size_t)size >= sizeof text)
		return false;
	return limen_duration_parse(text, (size_t)size, 0, out, NULL) == LIMEN_OK;
}

static const char *
derive_duration(limen_value spec, limen_duration *out)
{
	limen_value count = limen_value_get(spec, "packet-count");
	limen_value interval = limen_value_get(spec, "packet-interval");
	limen_duration pause;
	int64_t packets;

	if (!limen_value_exists(count) || !limen_value_exists(interval))
		return "cannot be computed: the test needs packet-count and packet-interval";
	if (!limen_value_int(count, &packets) || packets < 0)
		return "cannot be computed: packet-count is not a count";
	if (!read_interval(interval, &pause))
		return "cannot be computed: packet-interval is not a plain number of seconds";
	if (__builtin_mul_overflow(packets, pause, out))
		return "cannot be computed: packet-count is too large";
	return NULL;
}

void
latency_attach(const char *test, parameter *param)
{
	if (strcmp(test, "latency") != 0 || param->kind != KIND_DURATION)
		return;
	if (param->key_length == strlen("duration") && strcmp(param->key, "duration") == 0)
		param->derive = derive_duration;
}
