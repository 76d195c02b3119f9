/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range.c - Cardinal, CardinalZero, Duration, SINumber and Probability:
 * {"range": {"lower": 5, "upper": 8}}, both ends included.
 */
#include "range.h"

#include <stdio.h>
#include <stdlib.h>

#include "parameter.h"

struct range {
	span allowed;
	char *text; /* "not in L..U", or "in L..U" if inverted */
};

static const char *const range_keys[] = { "lower", "upper", NULL };

/* An end as the policy writes it; neither numbers nor durations can hold a NUL. */
static const char *
get_text(limen_value value, int *length)
{
	size_t size = 0;
	const char *text = limen_value_string(value, &size);

	if (text == NULL)
		text = limen_value_number(value, &size);
	*length = (int)size;
	return text;
}

static char *
make_text(limen_value lower, limen_value upper, bool invert)
{
	int lower_length, upper_length;
	const char *lower_text = get_text(lower, &lower_length);
	const char *upper_text = get_text(upper, &upper_length);
	char *text = NULL;

	if (asprintf(&text, "%s %.*s..%.*s", invert ? "in" : "not in", lower_length, lower_text,
	             upper_length, upper_text) < 0)
		return NULL;
	return text;
}

static int
read_end(limen_value range, const char *key, bound *out, limen_diag *diag)
{
	limen_value end = limen_value_get(range, key);
	const char *why;

	if (!limen_value_exists(end))
		return parameter_reject(diag, range, "'%s' is a required property", key);
	why = bound_read(end, out);
	return why == NULL ? LIMEN_OK : parameter_reject(diag, end, "%s", why);
}

static int
read_span(limen_value value, span *out, limen_diag *diag)
{
	int result;

	if (limen_value_type(value) != LIMEN_TYPE_OBJECT)
		return parameter_reject(diag, value, "must be an object with 'lower' and 'upper'");
	result = parameter_check_keys(value, range_keys, LIMEN_SEVERITY_PROBLEM, diag);
	result = parameter_first(result, read_end(value, "lower", &out->lower, diag));
	result = parameter_first(result, read_end(value, "upper", &out->upper, diag));
	if (result != LIMEN_OK)
		return result;
	if (!bound_fits(&out->lower, &out->upper))
		return parameter_reject(diag, value,
		                        "'lower' and 'upper' must be of one type: integers and SI "
		                        "numbers, decimals, or ISO 8601 durations");
	if (bound_compare(&out->lower, &out->upper) > 0)
		return parameter_reject(diag, value, "'lower' is above 'upper'");
	return LIMEN_OK;
}

static int
open_range(parameter *param, limen_value limit, limen_diag *diag)
{
	limen_value value = limen_value_get(limit, "range");
	struct range *range;
	span allowed;
	int result = read_span(value, &allowed, diag);

	if (result != LIMEN_OK)
		return result;
	range = calloc(1, sizeof *range);
	if (range == NULL)
		return LIMEN_ENOMEM;
	range->allowed = allowed;
	range->text = make_text(limen_value_get(value, "lower"), limen_value_get(value, "upper"),
	                        param->invert);
	if (range->text == NULL) {
		free(range);
		return LIMEN_ENOMEM;
	}
	param->state = range;
	param->kind = allowed.lower.type == BOUND_DURATION ? KIND_DURATION : KIND_NUMBER;
	return LIMEN_OK;
}

static void
close_range(parameter *param)
{
	struct range *range = param->state;

	free(range->text);
	free(range);
}
static void
tell_missed(const parameter *param, const span *given, limen_value value, limen_reply *reply)
{
	const struct range *range = param->state;
	limen_value ends = limen_value_get(param->limit, "range");
	char derived[LIMEN_DURATION_TEXT_MAX];
	missed missing = { .param = param, .value = value };

	if (!limen_value_exists(value)) {
		limen_duration_print(given->lower.duration, derived);
		missing.derived = derived;
	}
	if (param->invert)
		missed_outside(&missing, ends, reply);
	if (!param->invert && bound_compare(&given->lower, &range->allowed.lower) < 0)
		missed_end(&missing, LIMEN_RELATION_AT_LEAST, limen_value_get(ends, "lower"),
		           reply);
	if (!param->invert && bound_compare(&given->upper, &range->allowed.upper) > 0)
		missed_end(&missing, LIMEN_RELATION_AT_MOST, limen_value_get(ends, "upper"), reply);
}

static limen_verdict
judge_span(const parameter *param, const span *given, limen_value value, limen_reply *reply)
{
	const struct range *range = param->state;
	const span *allowed = &range->allowed;
	bool inside = bound_compare(&given->lower, &allowed->lower) >= 0 &&
	              bound_compare(&given->upper, &allowed->upper) <= 0;
	bool outside = bound_compare(&given->upper, &allowed->lower) < 0 ||
	               bound_compare(&given->lower, &allowed->upper) > 0;
	/* A range that is partly inside passes neither a limit nor its inversion. */
	bool within = param->invert ? !outside : inside;

	if (within == param->invert && limen_reply_wants_bounds(reply))
		tell_missed(param, given, value, reply);
	return parameter_verdict(param, within, range->text, reply);
}

static limen_verdict
check_derived(const parameter *param, limen_value spec, limen_reply *reply)
{
	span given = { .lower = { .type = BOUND_DURATION } };
	const char *why = param->derive(spec, &given.lower.duration);

	if (why != NULL)
		return parameter_unusable(param, why, reply);
	given.upper = given.lower;
	return judge_span(param, &given, limen_value_none(), reply);
}

static limen_verdict
check_range(const parameter *param, limen_value spec, limen_value value, limen_reply *reply)
{
	const struct range *range = param->state;
	span given;
	const char *why;

	if (param->derive != NULL)
		return check_derived(param, spec, reply);
	if (!limen_value_exists(value))
		return LIMEN_PASS;
	why = span_read(&range->allowed, value, &given);
	if (why != NULL)
		return parameter_unusable(param, why, reply);
	return judge_span(param, &given, value, reply);
}

const shape range_shape = {
	.invertible = true,
	.takes_absent = true,
	.open = open_range,
	.check = check_range,
	.close = close_range,
};
