/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantities against GMP: texts that look random are read into exact fractions
 * by code of this file, and every result of limen/quantity.h is held against
 * what GMP makes of them (kubernetes 1.3 and 1.7).
 */
#include <gmp.h>

#include "quantity_case.h"
#include "suite.h"

enum {
	ROUNDS = 4000,
	DIGITS_MAX = 64,
	EXPONENT_MAX = 30
};

typedef struct suffix {
	const char *text;
	int base; /* 10, 2, or 0: an exponent is drawn */
	int power;
} suffix;

static const suffix suffixes[] = {
	{ "n", 10, -9 }, { "u", 10, -6 }, { "m", 10, -3 }, { "", 10, 0 },   { "k", 10, 3 },
	{ "M", 10, 6 },  { "G", 10, 9 },  { "T", 10, 12 }, { "P", 10, 15 }, { "E", 10, 18 },
	{ "Ki", 2, 10 }, { "Mi", 2, 20 }, { "Gi", 2, 30 }, { "Ti", 2, 40 }, { "Pi", 2, 50 },
	{ "Ei", 2, 60 }, { "e", 0, 0 },
};

#define SUFFIX_COUNT (sizeof(suffixes) / sizeof(suffixes[0]))

/* ---- the other way to the same numbers ---- */

static void
scale(mpq_t value, unsigned long base, int power)
{
	mpz_t factor;

	mpz_init(factor);
	mpz_ui_pow_ui(factor, base, (unsigned long)(power < 0 ? -power : power));
	if (power < 0)
		mpz_mul(mpq_denref(value), mpq_denref(value), factor);
	else
		mpz_mul(mpq_numref(value), mpq_numref(value), factor);
	mpq_canonicalize(value);
	mpz_clear(factor);
}

/* Reads the digits of 'text', their point included, and returns what follows. */
static const char *
read_digits(mpq_t value, const char *text)
{
	bool negative = *text == '-';
	int decimals = -1;

	mpq_set_ui(value, 0, 1);
	for (text += negative || *text == '+'; strchr("0123456789.", *text) != NULL; text++) {
		if (*text == '\0')
			break;
		if (*text == '.') {
			decimals = 0;
			continue;
		}
		decimals += decimals >= 0;
		mpz_mul_ui(mpq_numref(value), mpq_numref(value), 10);
		mpz_add_ui(mpq_numref(value), mpq_numref(value), (unsigned long)(*text - '0'));
	}
	if (negative)
		mpq_neg(value, value);
	if (decimals > 0)
		scale(value, 10, -decimals);
	return text;
}

/* The exact value of a text; returns its suffix, NULL for an exponent. */
static const suffix *
read_exact(mpq_t value, const char *text)
{
	const char *rest = read_digits(value, text);

	if ((*rest == 'e' || *rest == 'E') && rest[1] != '\0' && strcmp(rest, "Ei") != 0) {
		scale(value, 10, atoi(rest + 1));
		return NULL;
	}
	for (size_t i = 0; i < SUFFIX_COUNT; i++) {
		if (suffixes[i].base == 0 || strcmp(suffixes[i].text, rest) != 0)
			continue;
		scale(value, (unsigned long)suffixes[i].base, suffixes[i].power);
		return &suffixes[i];
	}
	abort();
}

/* Away from zero to a multiple of 10^power, which is negative. */
static void
round_away(mpq_t value, int power)
{
	mpz_t whole;

	mpz_init(whole);
	scale(value, 10, -power);
	if (mpq_sgn(value) < 0)
		mpz_fdiv_q(whole, mpq_numref(value), mpq_denref(value));
	else
		mpz_cdiv_q(whole, mpq_numref(value), mpq_denref(value));
	mpq_set_z(value, whole);
	scale(value, 10, power);
	mpz_clear(whole);
}

/* What a quantity of this text is: finer than nano is rounded, binary ones end at 2^63-1. */
static void
read_reference(mpq_t value, const char *text)
{
	const suffix *unit = read_exact(value, text);
	mpq_t most, size;

	round_away(value, -9);
	if (unit == NULL || unit->base != 2)
		return;
	mpq_inits(most, size, NULL);
	mpq_set_str(most, "9223372036854775807", 10);
	mpq_abs(size, value);
	if (mpq_cmp(size, most) > 0) {
		if (mpq_sgn(value) < 0)
			mpq_neg(most, most);
		mpq_set(value, most);
	}
	mpq_clears(most, size, NULL);
}

/* ---- cases ---- */

static void
draw_literal(char out[CASE_TEXT])
{
	const suffix *unit = &suffixes[draw_number(SUFFIX_COUNT)];
	unsigned count = 1 + draw_number(draw_number(2) == 0 ? 6 : DIGITS_MAX);
	unsigned point = draw_number(2) == 0 ? draw_number(count + 1) : count + 1;
	size_t used = 0;

	if (draw_number(4) == 0)
		out[used++] = draw_number(2) == 0 ? '-' : '+';
	for (unsigned i = 0; i < count; i++) {
		if (i == point)
			out[used++] = '.';
		out[used++] = (char)('0' + (draw_number(3) == 0 ? 0 : draw_number(10)));
	}
	used += (size_t)snprintf(out + used, CASE_TEXT - used, "%s", unit->text);
	if (unit->base == 0)
		snprintf(out + used, CASE_TEXT - used, "%d",
		         (int)draw_number(2 * EXPONENT_MAX) - EXPONENT_MAX);
}

typedef struct operand {
	char text[CASE_TEXT];
	limen_quantity quantity;
	mpq_t value;
} operand;

static void
draw_operand(operand *out)
{
	draw_literal(out->text);
	out->quantity = read_quantity(out->text);
	mpq_init(out->value);
	read_reference(out->value, out->text);
}

static void
clear_operand(operand *one)
{
	limen_quantity_clear(&one->quantity);
	mpq_clear(one->value);
}

/* Is 'quantity', as it is printed, exactly 'expected'? */
static bool
equals(const limen_quantity *quantity, const mpq_t expected)
{
	char *text = limen_quantity_to_text(quantity);
	mpq_t value;
	bool same;

	if (text == NULL)
		return false;
	mpq_init(value);
	read_exact(value, text);
	same = mpq_equal(value, expected) != 0;
	if (!same)
		printf("# printed %s\n", text);
	mpq_clear(value);
	free(text);
	return same;
}

static int
sign_of(int order)
{
	return (order > 0) - (order < 0);
}

#define EXPECT(condition, ...)                     \
	do {                                       \
		bool met = (condition);            \
		if (!met)                          \
			printf("# " __VA_ARGS__);  \
		CU_ASSERT_TRUE(met);               \
	} while (0)

static void
test_parse(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		operand one;

		draw_operand(&one);
		EXPECT(equals(&one.quantity, one.value), "%s\n", one.text);
		EXPECT(limen_quantity_sign(&one.quantity) == mpq_sgn(one.value), "%s\n",
		       one.text);
		EXPECT(limen_quantity_is_integer(&one.quantity) ==
		               (mpz_cmp_ui(mpq_denref(one.value), 1) == 0),
		       "%s\n", one.text);
		clear_operand(&one);
	}
}

static void
test_round(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		operand one;
		mpq_t before;
		bool exact;

		draw_operand(&one);
		mpq_init(before);
		mpq_set(before, one.value);
		round_away(one.value, -3);
		exact = limen_quantity_round_up(&one.quantity, LIMEN_QUANTITY_MILLI);
		EXPECT(equals(&one.quantity, one.value), "%s rounded\n", one.text);
		EXPECT(exact == (mpq_equal(before, one.value) != 0), "%s exact\n", one.text);
		mpq_clear(before);
		clear_operand(&one);
	}
}

/* Draws that are equal by chance are rare, so some are made. */
static void
draw_pair(operand *a, operand *b, bool same)
{
	draw_operand(a);
	draw_operand(b);
	if (!same)
		return;
	limen_quantity_clear(&b->quantity);
	limen_quantity_copy(&a->quantity, &b->quantity);
	mpq_set(b->value, a->value);
}

static void
test_compare(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		operand a, b;

		draw_pair(&a, &b, i % 8 == 0);
		EXPECT(limen_quantity_compare(&a.quantity, &b.quantity) ==
		               sign_of(mpq_cmp(a.value, b.value)),
		       "%s with %s\n", a.text, b.text);
		clear_operand(&a);
		clear_operand(&b);
	}
}

static void
test_add(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		operand a, b;
		mpq_t sum;
		bool minus = i % 2 == 0;
		int result;

		draw_pair(&a, &b, i % 16 == 0);
		mpq_init(sum);
		if (minus)
			mpq_sub(sum, a.value, b.value);
		else
			mpq_add(sum, a.value, b.value);
		result = minus ? limen_quantity_subtract(&a.quantity, &b.quantity)
		               : limen_quantity_add(&a.quantity, &b.quantity);
		EXPECT(result == LIMEN_OK && equals(&a.quantity, sum), "%s %s %s\n", a.text,
		       minus ? "-" : "+", b.text);
		mpq_clear(sum);
		clear_operand(&a);
		clear_operand(&b);
	}
}

/* A limit against a request times a ratio; one round of four is on the edge. */
static void
test_product(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		operand a, b, c;
		mpq_t product, size;
		int order = 7;

		draw_operand(&b);
		draw_operand(&c);
		draw_operand(&a);
		mpq_inits(product, size, NULL);
		mpq_mul(product, b.value, c.value);
		mpq_abs(product, product);
		mpq_abs(size, a.value);
		CU_ASSERT_EQUAL(limen_quantity_compare_product(&a.quantity, &b.quantity,
		                                               &c.quantity, &order),
		                LIMEN_OK);
		EXPECT(order == sign_of(mpq_cmp(size, product)), "%s with %s * %s\n", a.text,
		       b.text, c.text);
		mpq_clears(product, size, NULL);
		clear_operand(&a);
		clear_operand(&b);
		clear_operand(&c);
	}
}

/* The edge itself: a times 1 is a, and one thousandth more is more. */
static void
test_product_edge(void)
{
	const limen_quantity one = limen_quantity_from_int(1, LIMEN_QUANTITY_DECIMAL_SI);
	limen_quantity step = read_quantity("1n");

	for (int i = 0; i < ROUNDS; i++) {
		operand a;
		limen_quantity more;
		int order = 7;

		draw_operand(&a);
		limen_quantity_copy(&a.quantity, &more);
		limen_quantity_compare_product(&a.quantity, &more, &one, &order);
		EXPECT(order == 0, "%s * 1\n", a.text);
		if (mpq_sgn(a.value) < 0)
			limen_quantity_subtract(&more, &step);
		else
			limen_quantity_add(&more, &step);
		limen_quantity_compare_product(&more, &one, &a.quantity, &order);
		EXPECT(order == 1, "%s and a little more\n", a.text);
		limen_quantity_clear(&more);
		clear_operand(&a);
	}
	limen_quantity_clear(&step);
}

/* Six decimals, half to even, by whole numbers: 2 * remainder against the divisor. */
static void
print_reference(const mpq_t a, const mpq_t b, char out[256])
{
	mpq_t quotient;
	mpz_t whole, rest;
	char *digits;
	size_t length;

	mpq_init(quotient);
	mpz_inits(whole, rest, NULL);
	mpq_div(quotient, a, b);
	mpq_abs(quotient, quotient);
	scale(quotient, 10, 6);
	mpz_fdiv_qr(whole, rest, mpq_numref(quotient), mpq_denref(quotient));
	mpz_mul_ui(rest, rest, 2);
	if (mpz_cmp(rest, mpq_denref(quotient)) > 0 ||
	    (mpz_cmp(rest, mpq_denref(quotient)) == 0 && mpz_odd_p(whole)))
		mpz_add_ui(whole, whole, 1);
	digits = mpz_get_str(NULL, 10, whole);
	length = strlen(digits);
	if (length <= 6)
		snprintf(out, 256, "0.%0*d%s", (int)(6 - length), 0, digits);
	else
		snprintf(out, 256, "%.*s.%s", (int)(length - 6), digits, digits + length - 6);
	if (length == 6)
		snprintf(out, 256, "0.%s", digits);
	free(digits);
	mpz_clears(whole, rest, NULL);
	mpq_clear(quotient);
}

/* Of what containers can have; what gets an exponent is for test_quantity_ratio.c. */
static void
test_ratio(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		char first[32], second[32], wanted[256], found[LIMEN_QUANTITY_RATIO_MAX];
		limen_quantity a, b;
		mpq_t x, y;

		snprintf(first, sizeof(first), "%um", draw_number(4000000));
		snprintf(second, sizeof(second), "%um", 1 + draw_number(4096));
		a = read_quantity(first);
		b = read_quantity(second);
		mpq_inits(x, y, NULL);
		read_reference(x, first);
		read_reference(y, second);
		print_reference(x, y, wanted);
		CU_ASSERT_EQUAL(limen_quantity_print_ratio(&a, &b, found), LIMEN_OK);
		EXPECT(strcmp(found, wanted) == 0, "%s / %s: %s, not %s\n", first, second, found,
		       wanted);
		mpq_clears(x, y, NULL);
		limen_quantity_clear(&a);
		limen_quantity_clear(&b);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what texts stand for", test_parse },
		{ "rounding to thousandths", test_round },
		{ "comparison", test_compare },
		{ "sums and differences", test_add },
		{ "comparison with a product", test_product },
		{ "products at their edge", test_product_edge },
		{ "ratios", test_ratio },
		{ NULL, NULL }
	};

	return suite_run("core/quantity_gmp", tests);
}
