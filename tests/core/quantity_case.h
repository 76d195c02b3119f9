/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity_case.h - for tests of quantities: quantities from literals, texts
 * that look random, and an independent way to the same numbers: decimal digits
 * in a row, which are added to themselves as often as a unit asks for.
 */
#ifndef LIMEN_TESTS_CORE_QUANTITY_CASE_H
#define LIMEN_TESTS_CORE_QUANTITY_CASE_H

#include <limen/quantity.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a text that is known to be right. */
static inline limen_quantity
read_quantity(const char *text)
{
	limen_quantity quantity;

	if (limen_quantity_parse(text, strlen(text), 0, &quantity, NULL) != LIMEN_OK)
		abort();
	return quantity;
}

/* Does 'quantity' print as 'expected'?  Says what it prints as if not. */
static inline bool
quantity_prints(const limen_quantity *quantity, const char *expected)
{
	char *text = limen_quantity_to_text(quantity);
	bool same = text != NULL && strcmp(text, expected) == 0;

	if (!same)
		printf("# %.100s, not %.100s\n", text == NULL ? "nothing" : text, expected);
	free(text);
	return same;
}

/* A number in [0, limit) that looks random (Marsaglia's xorshift). */
static inline unsigned
draw_number(unsigned limit)
{
	static uint64_t state = 88172645463325252U;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 20) % limit;
}

/* A fixed-point number: POINT digits before the point, the rest behind it. */
enum {
	ROW = 320,
	POINT = 200,
	CASE_TEXT = 160
};

typedef struct row {
	signed char digits[ROW];
	bool negative;
} row;

static inline void
row_add(row *sum, const row *other)
{
	int carry = 0;

	for (int i = ROW - 1; i >= 0; i--) {
		int digit = sum->digits[i] + other->digits[i] + carry;

		sum->digits[i] = (signed char)(digit % 10);
		carry = digit / 10;
	}
}

/* Subtracts magnitudes; 'other' must not be larger. */
static inline void
row_subtract(row *from, const row *other)
{
	int borrow = 0;

	for (int i = ROW - 1; i >= 0; i--) {
		int digit = from->digits[i] - other->digits[i] - borrow;

		borrow = digit < 0;
		from->digits[i] = (signed char)(digit + 10 * borrow);
	}
}

/* Compares magnitudes. */
static inline int
row_order(const row *a, const row *b)
{
	int order = memcmp(a->digits, b->digits, ROW);

	return (order > 0) - (order < 0);
}

static inline bool
row_is_zero(const row *number)
{
	static const row zero;

	return row_order(number, &zero) == 0;
}

/* Compares numbers. */
static inline int
row_compare(const row *a, const row *b)
{
	bool a_negative = a->negative && !row_is_zero(a);
	bool b_negative = b->negative && !row_is_zero(b);

	if (a_negative != b_negative)
		return a_negative ? -1 : 1;
	return a_negative ? row_order(b, a) : row_order(a, b);
}

/* Drops what stands behind 'places' decimals and rounds away from zero. */
static inline void
row_round(row *number, int places)
{
	row one = { .digits = { 0 } };
	bool dropped = false;

	for (int i = POINT + places; i < ROW; i++) {
		dropped = dropped || number->digits[i] != 0;
		number->digits[i] = 0;
	}
	one.digits[POINT + places - 1] = 1;
	if (dropped)
		row_add(number, &one);
}

static inline void
row_double(row *number, unsigned times)
{
	for (; times > 0; times--) {
		row copy = *number;

		row_add(number, &copy);
	}
}

/* What a suffix does: a power of ten, and one of two. */
static inline void
row_find_suffix(const char *suffix, int *exponent, unsigned *shift)
{
	static const char decimal[] = "num kMGTPE";
	static const char binary[] = "KMGTPE";
	const char *letter = *suffix == '\0' ? NULL : strchr(decimal, *suffix);

	*exponent = 0;
	*shift = 0;
	if (strlen(suffix) == 2 && suffix[1] == 'i')
		*shift = 10 * (unsigned)(strchr(binary, *suffix) - binary + 1);
	else if (strlen(suffix) > 1)
		*exponent = atoi(suffix + 1);
	else if (letter != NULL)
		*exponent = 3 * (int)(letter - decimal) - 9;
}

/* Reads a text of the grammar, up to the limits of the row. */
static inline row
row_read(const char *text)
{
	row number = { .negative = *text == '-' };
	row largest = { .digits = { 0 } };
	const char *most = "9223372036854775807";
	size_t sign = strspn(text, "+-");
	const char *digits = text + sign;
	size_t length = strspn(digits, "0123456789.");
	int exponent;
	unsigned shift;
	int at;

	row_find_suffix(digits + length, &exponent, &shift);
	at = POINT - (int)strcspn(digits, ".eEinumkKMGTP") - exponent;
	for (size_t i = 0; i < length; i++) {
		if (digits[i] == '.')
			continue;
		if (at >= 0 && at < ROW)
			number.digits[at] = (signed char)(digits[i] - '0');
		else if (digits[i] != '0')
			abort();
		at++;
	}
	row_double(&number, shift);
	row_round(&number, 9);
	for (int i = 0; i < 19; i++)
		largest.digits[POINT - 19 + i] = (signed char)(most[i] - '0');
	if (shift > 0 && row_order(&number, &largest) > 0)
		memcpy(number.digits, largest.digits, ROW);
	return number;
}

/* Makes up a text; 'digits' is the most it has on either side of the point. */
static inline void
draw_text(char text[CASE_TEXT], unsigned digits)
{
	static const char *const suffixes[] = { "", "", "", "n", "u", "m", "k", "M", "G", "T", "P",
		"E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" };
	size_t length = 0;
	unsigned whole = draw_number(digits + 1);
	unsigned fraction = draw_number(3) == 0 ? 1 + draw_number(digits) : 0;
	bool round = draw_number(4) == 0;

	if (draw_number(3) == 0)
		text[length++] = '-';
	for (unsigned i = 0; i < whole + (fraction == 0 && whole == 0); i++)
		text[length++] = (char)('0' + (round && i > 1 ? 0 : draw_number(10)));
	if (fraction > 0)
		text[length++] = '.';
	for (unsigned i = 0; i < fraction; i++)
		text[length++] = (char)('0' + draw_number(10));
	if (draw_number(5) > 0)
		snprintf(text + length, CASE_TEXT - length, "%s", suffixes[draw_number(18)]);
	else
		snprintf(text + length, CASE_TEXT - length, "e%d", (int)draw_number(61) - 30);
}

#endif
