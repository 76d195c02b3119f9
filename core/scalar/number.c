/* SPDX-License-Identifier: Apache-2.0 */
/*
 * number.c - scans the text of JSON numbers (RFC 8259, section 6), converts it to integers and
 * doubles, compares two texts by value and writes integers.  Only number_real() uses floating
 * point; it parses in the C locale.
 */
#include "scalar.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

/* Beyond this an exponent cannot be balanced by digits of any text that fits in memory. */
#define EXPONENT_MAX (INT64_MAX / 4)

static size_t
skip_digits(const char *text, size_t length, size_t at)
{
	while (at < length && ascii_is_digit(text[at]))
		at++;
	return at;
}

static size_t
skip_exponent(const char *text, size_t length, size_t at)
{
	size_t next = at + 1;

	if (at >= length || (text[at] != 'e' && text[at] != 'E'))
		return at;
	if (next < length && (text[next] == '+' || text[next] == '-'))
		next++;
	return next >= length || !ascii_is_digit(text[next]) ? at : skip_digits(text, length, next);
}

size_t
number_scan(const char *text, size_t length)
{
	size_t at = length > 0 && text[0] == '-' ? 1 : 0;

	if (at >= length || !ascii_is_digit(text[at]))
		return 0;
	at = text[at] == '0' ? at + 1 : skip_digits(text, length, at);
	if (at + 1 < length && text[at] == '.' && ascii_is_digit(text[at + 1]))
		at = skip_digits(text, length, at + 1);
	return skip_exponent(text, length, at);
}

bool
number_is_integer(const char *text, size_t length)
{
	size_t at = length > 0 && text[0] == '-' ? 1 : 0;

	return at < length && skip_digits(text, length, at) == length;
}

static int64_t
read_exponent(const char *text, size_t length, size_t at)
{
	bool negative = at < length && text[at] == '-';
	int64_t exponent = 0;

	if (at < length && (text[at] == '-' || text[at] == '+'))
		at++;
	for (; at < length && exponent < EXPONENT_MAX / 10; at++)
		exponent = exponent * 10 + (text[at] - '0');
	return negative ? -exponent : exponent;
}

/* The digits of a number without its sign, one after the other. */
typedef struct digit_walk {
	const char *at;
	const char *end; /* of the digits; the exponent follows */
} digit_walk;

/* Zeros follow the last one. */
static char
next_digit(digit_walk *walk)
{
	if (walk->at < walk->end && *walk->at == '.')
		walk->at++;
	return walk->at < walk->end ? *walk->at++ : '0';
}

/* Begins at the first digit that counts, and stores how many are before the point. */
static digit_walk
walk_digits(const char *text, size_t length, int64_t *before)
{
	size_t whole = skip_digits(text, length, 0);
	size_t end = whole < length && text[whole] == '.' ? skip_digits(text, length, whole + 1)
	                                                  : whole;
	digit_walk walk = { text, text + end };

	*before = (int64_t)whole + (end < length ? read_exponent(text, length, end + 1) : 0);
	while (walk.at < walk.end && (*walk.at == '0' || *walk.at == '.')) {
		*before -= *walk.at == '0' ? 1 : 0;
		walk.at++;
	}
	return walk;
}

static bool
has_same_digits(digit_walk a, digit_walk b)
{
	while (a.at < a.end || b.at < b.end)
		if (next_digit(&a) != next_digit(&b))
			return false;
	return true;
}

static bool
is_negative(const char *text, size_t length)
{
	return length > 0 && text[0] == '-';
}

bool
number_int(const char *text, size_t length, int64_t *out)
{
	bool negative = is_negative(text, length);
	size_t sign = negative ? 1 : 0;
	uint64_t most = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
	uint64_t value = 0;
	int64_t before;
	digit_walk walk;

	/* NaN and Infinity have no digits. */
	if (length == sign || !ascii_is_digit(text[sign]))
		return false;
	walk = walk_digits(text + sign, length - sign, &before);
	for (; before > 0 && (value > 0 || walk.at < walk.end); before--) {
		unsigned digit = (unsigned)(next_digit(&walk) - '0');

		if (value > (most - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	/* Other digits behind the point than zeros are a fraction. */
	while (walk.at < walk.end)
		if (next_digit(&walk) != '0')
			return false;
	*out = (int64_t)(negative ? 0 - value : value);
	return true;
}

bool
number_is_same(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t a_sign = is_negative(a, a_length) ? 1 : 0;
	size_t b_sign = is_negative(b, b_length) ? 1 : 0;
	int64_t a_before, b_before;
	digit_walk left = walk_digits(a + a_sign, a_length - a_sign, &a_before);
	digit_walk right = walk_digits(b + b_sign, b_length - b_sign, &b_before);

	/* Zero has neither digits nor a sign. */
	if (left.at == left.end || right.at == right.end)
		return left.at == left.end && right.at == right.end;
	return a_sign == b_sign && a_before == b_before && has_same_digits(left, right);
}

bool
number_real(const char *text, double *out)
{
	/* glibc answers this request with a static object; nothing is allocated. */
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	if (plain == (locale_t)0)
		return false;
	*out = strtod_l(text, NULL, plain);
	freelocale(plain);
	return true;
}

size_t
number_write_int(int64_t value, char out[NUMBER_INT_MAX])
{
	uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char digits[NUMBER_INT_MAX];
	size_t at = sizeof(digits);
	size_t length;

	do {
		digits[--at] = (char)('0' + left % 10);
		left /= 10;
	} while (left > 0);
	if (value < 0)
		digits[--at] = '-';
	length = sizeof(digits) - at;
	memcpy(out, digits + at, length);
	return length;
}
