/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bound.c - reads and compares bounds: numbers, SI numbers and ISO 8601 durations.  The ends of
 * a range decide whether its values may be durations, fractions or SI numbers.
 */
#include "range.h"

static const char *
read_text(const char *text, size_t length, bound *out)
{
	limen_si number;
	int result;

	/* No SI number begins with the letter that every duration begins with. */
	if (length > 0 && text[0] == 'P') {
		out->type = BOUND_DURATION;
		result = limen_duration_parse(text, length, 0, &out->duration, NULL);
		if (result == LIMEN_ERANGE)
			return "is too long a duration";
		return result == LIMEN_OK ? NULL : "is not a valid ISO 8601 duration";
	}
	result = limen_si_parse(text, length, &number);
	if (result == LIMEN_ERANGE)
		return "is too large a number";
	if (result != LIMEN_OK)
		return "is neither an ISO 8601 duration nor a number with an SI unit";
	out->type = BOUND_SI;
	out->number = decimal_from_si(&number);
	return NULL;
}

const char *
bound_read(limen_value value, bound *out)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);

	*out = (bound){ .type = BOUND_INTEGER };
	if (text != NULL)
		return read_text(text, length, out);
	text = limen_value_number(value, &length);
	if (text == NULL)
		return "is neither a number nor a string";
	if (!decimal_read(text, length, &out->number))
		return "is not a finite number";
	if (limen_value_type(value) != LIMEN_TYPE_INTEGER)
		out->type = BOUND_DECIMAL;
	return NULL;
}

int
bound_compare(const bound *a, const bound *b)
{
	if (a->type != BOUND_DURATION)
		return decimal_compare(&a->number, &b->number);
	return (a->duration > b->duration) - (a->duration < b->duration);
}

/* SI numbers are whole numbers: they go with integers, and not with decimals. */
bool
bound_fits(const bound *a, const bound *b)
{
	if ((a->type == BOUND_DURATION) != (b->type == BOUND_DURATION))
		return false;
	return !(a->type == BOUND_SI && b->type == BOUND_DECIMAL) &&
	       !(a->type == BOUND_DECIMAL && b->type == BOUND_SI);
}

/*
 * Integers between 0 and 1 may as well be the ends of a range of
 * probabilities; any other range of integers is for whole numbers.
 */
static bool
takes_fractions(const span *range)
{
	static const decimal zero = { .length = 0 };
	static const decimal one = { .length = 1, .digits = "1" };

	if (range->lower.type == BOUND_DECIMAL || range->upper.type == BOUND_DECIMAL)
		return true;
	return decimal_compare(&range->lower.number, &zero) >= 0 &&
	       decimal_compare(&range->upper.number, &one) <= 0;
}
static const char *
read_value(const span *range, limen_value value, bound *out)
{
	bool units = range->lower.type != BOUND_DECIMAL && range->upper.type != BOUND_DECIMAL;
	const char *why = bound_read(value, out);

	if (range->lower.type == BOUND_DURATION)
		return out->type == BOUND_DURATION ? why : "is not a valid ISO 8601 duration";
	if (why != NULL || out->type == BOUND_DURATION || (out->type == BOUND_SI && !units))
		return units ? "is not a number, with or without an SI unit" : "is not a number";
	if (!decimal_is_whole(&out->number) && !takes_fractions(range))
		return "is not a whole number";
	return NULL;
}

const char *
span_read(const span *range, limen_value value, span *out)
{
	limen_value lower = limen_value_get(value, "lower");
	limen_value upper = limen_value_get(value, "upper");
	const char *why;

	if (limen_value_type(value) != LIMEN_TYPE_OBJECT) {
		why = read_value(range, value, &out->lower);
		out->upper = out->lower;
		return why;
	}
	why = read_value(range, lower, &out->lower);
	if (why == NULL)
		why = read_value(range, upper, &out->upper);
	if (why == NULL && bound_compare(&out->lower, &out->upper) > 0)
		why = "has a lower end above its upper end";
	return why;
}
