/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decimal.c - parses decimal numbers in place and compares them.  The power of ten of the first
 * digit is compared before the digits.
 */
#include "range.h"

/* Has 128 bits; sums of it wrap around. */
__extension__ typedef unsigned __int128 wide;

#define EXPONENT_MAX 1000000000

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads what follows "e"; the whole of 'text' must be it. */
static bool
read_exponent(const char *text, size_t length, int64_t *out)
{
	bool negative = length > 0 && text[0] == '-';
	size_t i = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
	int64_t value = 0;

	if (i == length)
		return false;
	for (; i < length; i++) {
		if (!is_digit(text[i]))
			return false;
		if (value <= EXPONENT_MAX)
			value = value * 10 + (text[i] - '0');
	}
	*out = negative ? -value : value;
	return true;
}

/*
 * Finds the digits that count in the mantissa at the start of 'text', with
 * powers of ten as if there were no exponent.  Returns the mantissa's length.
 */
static size_t
read_mantissa(const char *text, size_t length, decimal *out)
{
	const char *point = NULL;
	int64_t power = 0; /* of the digit at hand, as if all of them were behind the point */
	int64_t whole = 0; /* digits before the point */
	size_t i = 0;

	for (; i < length && (is_digit(text[i]) || (text[i] == '.' && point == NULL)); i++) {
		if (text[i] == '.') {
			point = text + i;
			continue;
		}
		power--;
		whole += point == NULL ? 1 : 0;
		if (text[i] == '0')
			continue;
		if (out->text == NULL) {
			out->text = text + i;
			out->top = power;
		}
		out->length = (size_t)(text + i + 1 - out->text);
		out->bottom = power;
	}
	out->top += whole;
	out->bottom += whole;
	return i;
}

bool
decimal_read(const char *text, size_t length, decimal *out)
{
	decimal number = { .negative = length > 0 && text[0] == '-' };
	size_t start = number.negative ? 1 : 0;
	size_t end = start + read_mantissa(text + start, length - start, &number);
	int64_t exponent = 0;

	if (end == start)
		return false;
	if (end < length && text[end] != 'e' && text[end] != 'E')
		return false;
	if (end < length && !read_exponent(text + end + 1, length - end - 1, &exponent))
		return false;
	if (number.length == 0) {
		*out = (decimal){ .length = 0 };
		return true;
	}
	if (exponent > EXPONENT_MAX || exponent < -EXPONENT_MAX)
		return false;
	number.top += exponent;
	number.bottom += exponent;
	*out = number;
	return true;
}

decimal
decimal_from_si(const limen_si *number)
{
	wide rest = (wide)number->high << 64 | number->low;
	decimal result = { .negative = number->negative && rest != 0 };
	char reversed[DECIMAL_SI_DIGITS];
	size_t count = 0;

	if (rest == 0)
		return result;
	for (; rest % 10 == 0; rest /= 10)
		result.bottom++;
	for (; rest != 0; rest /= 10)
		reversed[count++] = (char)('0' + (int)(rest % 10));
	for (size_t i = 0; i < count; i++)
		result.digits[i] = reversed[count - 1 - i];
	result.length = count;
	result.top = result.bottom + (int64_t)count - 1;
	return result;
}

bool
decimal_is_whole(const decimal *number)
{
	return number->length == 0 || number->bottom >= 0;
}

/* Compares digits that begin at the same power of ten. */
static int
compare_digits(const decimal *a, const decimal *b)
{
	const char *left = a->text != NULL ? a->text : a->digits;
	const char *right = b->text != NULL ? b->text : b->digits;
	const char *left_end = left + a->length;
	const char *right_end = right + b->length;

	while (left < left_end && right < right_end) {
		if (*left == '.') {
			left++;
		} else if (*right == '.') {
			right++;
		} else if (*left != *right) {
			return *left < *right ? -1 : 1;
		} else {
			left++;
			right++;
		}
	}
	/* The last digit of each is not zero, so the longer one is larger. */
	return (left < left_end) - (right < right_end);
}

static int
compare_magnitudes(const decimal *a, const decimal *b)
{
	if (a->length == 0 || b->length == 0)
		return (a->length != 0) - (b->length != 0);
	if (a->top != b->top)
		return a->top < b->top ? -1 : 1;
	return compare_digits(a, b);
}

int
decimal_compare(const decimal *a, const decimal *b)
{
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	return a->negative ? compare_magnitudes(b, a) : compare_magnitudes(a, b);
}
