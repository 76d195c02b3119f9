/* SPDX-License-Identifier: Apache-2.0 */
/*
 * si.c - parses, compares and converts SI numbers.  The syntax is that of pScheduler's
 * limits.py; fraction.c multiplies the decimals by the unit exactly.
 */
#include <limen/si.h>

#include <string.h>

#include "base/ascii.h"
#include "fraction.h"

static const wide largest = ((wide)1 << 127) - 1;

/* The parts of a number's text. */
struct parts {
	bool negative;
	const char *whole;
	size_t whole_count;
	const char *fraction;
	size_t fraction_count;
	wide unit;
};

static size_t
count_digits(const char *text, const char *end)
{
	size_t count = 0;

	while (text + count < end && ascii_is_digit(text[count]))
		count++;
	return count;
}

static char
to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
read_unit(const char *text, const char *end, wide *unit)
{
	static const char letters[] = "kmgtpezy";
	wide step = 1000;
	const char *letter;

	*unit = 1;
	if (text == end)
		return true;
	letter = memchr(letters, to_lower(*text), sizeof letters - 1);
	if (letter == NULL)
		return false;
	text++;
	if (text < end && to_lower(*text) == 'i') {
		step = 1024;
		text++;
	}
	for (ptrdiff_t i = 0; i <= letter - letters; i++)
		*unit *= step;
	return text == end;
}

/* The shape is that of pScheduler's Python side (limits.py), which takes signs and blanks. */
static bool
read_parts(const char *text, const char *end, struct parts *parts)
{
	*parts = (struct parts){ .negative = text < end && *text == '-' };
	if (parts->negative)
		text++;
	parts->whole = text;
	parts->whole_count = count_digits(text, end);
	text += parts->whole_count;
	if (parts->whole_count == 0)
		return false;
	if (text < end && *text == '.') {
		text++;
		parts->fraction = text;
		parts->fraction_count = count_digits(text, end);
		text += parts->fraction_count;
		if (parts->fraction_count == 0)
			return false;
	}
	while (text < end && (*text == ' ' || (*text >= '\t' && *text <= '\r')))
		text++;
	return read_unit(text, end, &parts->unit);
}

static bool
read_whole(const struct parts *parts, wide *out)
{
	wide value = 0;

	for (size_t i = 0; i < parts->whole_count; i++) {
		unsigned digit = (unsigned)(parts->whole[i] - '0');

		if (value > (largest - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (value > largest / parts->unit)
		return false;
	*out = value * parts->unit;
	return true;
}

int
limen_si_parse(const char *text, size_t length, limen_si *out)
{
	struct parts parts;
	fraction_term term;
	fraction_sum behind;
	wide value;

	if (text == NULL || out == NULL)
		return LIMEN_EINVAL;
	if (!read_parts(text, text + length, &parts))
		return LIMEN_EINVAL;
	if (!read_whole(&parts, &value))
		return LIMEN_ERANGE;
	term = (fraction_term){
		.digits = parts.fraction,
		.count = parts.fraction_count,
		.unit = parts.unit,
	};
	behind = fraction_total(&term, 1);
	/* Towards minus infinity is away from zero below zero. */
	if (parts.negative && (behind.tenths != 0 || behind.more))
		behind.whole++;
	if (behind.whole > largest - value)
		return LIMEN_ERANGE;
	value += behind.whole;
	*out = (limen_si){
		.high = (uint64_t)(value >> 64),
		.low = (uint64_t)value,
		.negative = parts.negative && value != 0,
	};
	return LIMEN_OK;
}

limen_si
limen_si_from_int(int64_t value)
{
	uint64_t low = (uint64_t)value;

	return (limen_si){ .low = value < 0 ? 0 - low : low, .negative = value < 0 };
}

static wide
get_magnitude(const limen_si *number)
{
	return number == NULL ? 0 : (wide)number->high << 64 | number->low;
}

int
limen_si_compare(const limen_si *a, const limen_si *b)
{
	wide left = get_magnitude(a);
	wide right = get_magnitude(b);
	bool left_negative = left != 0 && a->negative;
	bool right_negative = right != 0 && b->negative;

	if (left_negative != right_negative)
		return left_negative ? -1 : 1;
	if (left == right)
		return 0;
	return (left < right) == left_negative ? 1 : -1;
}

double
limen_si_real(const limen_si *number)
{
	double magnitude = (double)get_magnitude(number);

	return magnitude != 0 && number->negative ? -magnitude : magnitude;
}
