/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantities: up to three, blanks between them, against GMP's fractions, read by
 * code that stands here (docs/reference/quantities.md gives the grammar).
 */
#include <gmp.h>
#include <string.h>

#include "fuzz.h"

#include <limen/quantity.h>

const fuzz_target fuzz_this = { "quantity", NULL, 20000 };

enum {
	WORD_MAX = 200,
	/* From the first to the last that is not 0. */
	TEXT_DIGITS = 64,
	SUM_DIGITS = 128,
	/* GMP writes numbers out: larger exponents are for limen alone. */
	EXPONENT_MAX = 400
};

typedef struct unit {
	const char *text;
	int base;
	int power;
} unit;

static const unit units[] = {
	{ "n", 10, -9 }, { "u", 10, -6 }, { "m", 10, -3 }, { "", 10, 0 },   { "k", 10, 3 },
	{ "M", 10, 6 },  { "G", 10, 9 },  { "T", 10, 12 }, { "P", 10, 15 }, { "E", 10, 18 },
	{ "Ki", 2, 10 }, { "Mi", 2, 20 }, { "Gi", 2, 30 }, { "Ti", 2, 40 }, { "Pi", 2, 50 },
	{ "Ei", 2, 60 },
};

/* One quantity, both ways. */
typedef struct number {
	limen_quantity quantity;
	mpq_t value;
	bool valued; /* 'value' is known */
} number;

/* ---- the other way to the same numbers ---- */

static void
scale(mpq_t value, unsigned long base, long power)
{
	mpz_t factor;

	mpz_init(factor);
	mpz_ui_pow_ui(factor, base, (unsigned long)labs(power));
	if (power < 0)
		mpz_mul(mpq_denref(value), mpq_denref(value), factor);
	else
		mpz_mul(mpq_numref(value), mpq_numref(value), factor);
	mpq_canonicalize(value);
	mpz_clear(factor);
}

/* Reads sign, digits and point; returns what follows. */
static const char *
read_digits(const char *text, mpq_t value)
{
	bool negative = *text == '-';
	bool pointed = false;
	long decimals = 0;

	mpq_set_ui(value, 0, 1);
	for (text += *text == '-' || *text == '+'; *text != '\0'; text++) {
		if (*text == '.' && !pointed) {
			pointed = true;
			continue;
		}
		if (*text < '0' || *text > '9')
			break;
		decimals += pointed;
		mpz_mul_ui(mpq_numref(value), mpq_numref(value), 10);
		mpz_add_ui(mpq_numref(value), mpq_numref(value), (unsigned long)(*text - '0'));
	}
	scale(value, 10, -decimals);
	if (negative)
		mpq_neg(value, value);
	return text;
}

/* Away from zero to whole billionths. */
static void
round_away(mpq_t value)
{
	mpz_t whole;

	mpz_init(whole);
	scale(value, 10, 9);
	if (mpq_sgn(value) < 0)
		mpz_fdiv_q(whole, mpq_numref(value), mpq_denref(value));
	else
		mpz_cdiv_q(whole, mpq_numref(value), mpq_denref(value));
	mpq_set_z(value, whole);
	scale(value, 10, -9);
	mpz_clear(whole);
}

/* Values with a binary suffix end at 2^63-1. */
static void
cap(mpq_t value)
{
	mpq_t most;

	mpq_init(most);
	mpq_set_str(most, mpq_sgn(value) < 0 ? "-9223372036854775807" : "9223372036854775807", 10);
	if (mpz_cmpabs(mpq_numref(value), mpq_numref(most)) > 0 &&
	    mpz_cmp_ui(mpq_denref(value), 1) == 0)
		mpq_set(value, most);
	else if (mpq_cmp(value, most) * mpq_sgn(value) > 0)
		mpq_set(value, most);
	mpq_clear(most);
}

/* Reads an exponent; false if it is none or out of bounds. */
static bool
read_exponent(const char *text, long *out)
{
	const char *digits = text + (*text == '-' || *text == '+');
	size_t length = strspn(digits, "0123456789");

	if (length == 0 || digits[length] != '\0')
		return false;
	while (*digits == '0')
		digits++;
	if (strlen(digits) > 10)
		return false;
	*out = strtol(digits, NULL, 10);
	if (*text == '-')
		*out = -*out;
	return labs(*out) <= 2147483647;
}

/* Are there at most as many digits from the first to the last that is not 0? */
static bool
has_digits(const char *text, size_t most)
{
	size_t count = 0;
	size_t zeros = 0;

	for (; strchr("+-.0123456789", *text) != NULL && *text != '\0'; text++) {
		if (*text < '0')
			continue;
		zeros = *text == '0' ? zeros + (count > 0) : 0;
		count += *text != '0' || count > 0;
	}
	return count - zeros <= most;
}

/*
 * Is 'text' a quantity?  Stores its value unless its exponent is large.  Only what
 * is read has a cap: 8Ei plus 1 is a sum, and printed as such.
 */
static bool
read_reference(const char *text, bool capped, number *out)
{
	const char *rest = read_digits(text, out->value);
	bool bare = strcspn(text, "0123456789") >= (size_t)(rest - text);
	long exponent;

	out->valued = true;
	if (*text == '\0' || !has_digits(text, capped ? TEXT_DIGITS : SUM_DIGITS))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(units[i].text, rest) != 0)
			continue;
		/* Pi and Ei need a digit before them, and so do exponents below -9. */
		if (bare && units[i].base == 2 && units[i].power > 40)
			return false;
		scale(out->value, (unsigned long)units[i].base, units[i].power);
		round_away(out->value);
		if (units[i].base == 2 && capped)
			cap(out->value);
		return true;
	}
	if ((*rest != 'e' && *rest != 'E') || !read_exponent(rest + 1, &exponent))
		return false;
	if (bare && exponent < -9)
		return false;
	out->valued = labs(exponent) <= EXPONENT_MAX;
	if (out->valued) {
		scale(out->value, 10, exponent);
		round_away(out->value);
	}
	return true;
}

/* ---- the properties ---- */

/* 'quantity' is 'value': compared as texts of digits, through limen's own printing. */
static void
check_value(const limen_quantity *quantity, const mpq_t value)
{
	number again = { .quantity = LIMEN_QUANTITY_INIT };
	char *text = limen_quantity_to_text(quantity);

	mpq_init(again.value);
	FUZZ_CHECK(text != NULL && read_reference(text, false, &again));
	if (again.valued)
		FUZZ_CHECK(mpq_equal(again.value, value));
	mpq_clear(again.value);
	free(text);
}

/* Binary SI without a unit, such as 2000 for 1.953125Ki, is read as decimal SI: 2k. */
static bool
keeps_family(const limen_quantity *quantity, const char *text)
{
	return quantity->family != LIMEN_QUANTITY_BINARY_SI || text[strlen(text) - 1] == 'i';
}

/* The canonical form is read as the same number and is its own canonical form. */
static void
check_print(const limen_quantity *quantity)
{
	limen_quantity again;
	char *text = limen_quantity_to_text(quantity);
	char *same;

	FUZZ_CHECK(limen_quantity_parse(text, strlen(text), 0, &again, NULL) == LIMEN_OK);
	FUZZ_CHECK(limen_quantity_compare(quantity, &again) == 0);
	same = limen_quantity_to_text(&again);
	if (keeps_family(quantity, text))
		FUZZ_CHECK(strcmp(text, same) == 0);
	else
		check_print(&again);
	limen_quantity_clear(&again);
	free(text);
	free(same);
}

static bool
read_number(const char *text, number *out)
{
	int result = limen_quantity_parse(text, strlen(text), 0, &out->quantity, NULL);
	bool valid;

	mpq_init(out->value);
	valid = read_reference(text, true, out);
	FUZZ_CHECK((result == LIMEN_OK) == valid);
	if (!valid) {
		mpq_clear(out->value);
		return false;
	}
	check_print(&out->quantity);
	if (out->valued)
		check_value(&out->quantity, out->value);
	return true;
}

static int
sign(int order)
{
	return (order > 0) - (order < 0);
}

/* Has a multiple of a billionth few enough digits for a sum? */
static bool
fits(const mpq_t value)
{
	mpq_t nano;
	char *text;
	bool few;

	mpq_init(nano);
	mpq_set(nano, value);
	scale(nano, 10, 9);
	text = mpz_get_str(NULL, 10, mpq_numref(nano));
	few = has_digits(text, SUM_DIGITS);
	free(text);
	mpq_clear(nano);
	return few;
}

static void
check_sum(const number *a, const number *b, bool subtract)
{
	limen_quantity sum;
	mpq_t value;
	int result;

	FUZZ_CHECK(limen_quantity_copy(&a->quantity, &sum) == LIMEN_OK);
	result = subtract ? limen_quantity_subtract(&sum, &b->quantity)
	                  : limen_quantity_add(&sum, &b->quantity);
	FUZZ_CHECK(result == LIMEN_OK || result == LIMEN_ERANGE);
	if (a->valued && b->valued) {
		mpq_init(value);
		if (subtract)
			mpq_sub(value, a->value, b->value);
		else
			mpq_add(value, a->value, b->value);
		FUZZ_CHECK((result == LIMEN_OK) == fits(value));
		if (result == LIMEN_OK)
			check_value(&sum, value);
		mpq_clear(value);
	}
	limen_quantity_clear(&sum);
}

static void
check_product(const number *a, const number *b, const number *c)
{
	mpq_t size, product;
	char ratio[LIMEN_QUANTITY_RATIO_MAX];
	int order = 2;

	FUZZ_CHECK(limen_quantity_compare_product(&a->quantity, &b->quantity, &c->quantity,
	                                          &order) == LIMEN_OK);
	FUZZ_CHECK(order >= -1 && order <= 1);
	if (limen_quantity_sign(&b->quantity) != 0)
		FUZZ_CHECK(limen_quantity_print_ratio(&a->quantity, &b->quantity, ratio) == LIMEN_OK);
	if (!a->valued || !b->valued || !c->valued)
		return;
	mpq_inits(size, product, NULL);
	mpq_mul(product, b->value, c->value);
	mpq_abs(product, product);
	mpq_abs(size, a->value);
	FUZZ_CHECK(order == sign(mpq_cmp(size, product)));
	mpq_clears(size, product, NULL);
}

static void
check_numbers(const number *a, const number *b, const number *c)
{
	int order = limen_quantity_compare(&a->quantity, &b->quantity);

	FUZZ_CHECK(order == -limen_quantity_compare(&b->quantity, &a->quantity));
	if (a->valued && b->valued)
		FUZZ_CHECK(order == sign(mpq_cmp(a->value, b->value)));
	check_sum(a, b, false);
	check_sum(a, b, true);
	check_product(a, b, c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	number numbers[3];
	size_t count = 0;
	size_t at = 0;

	while (count < 3 && at < size) {
		const uint8_t *blank = memchr(data + at, ' ', size - at);
		size_t length = (blank == NULL ? size : (size_t)(blank - data)) - at;
		char word[WORD_MAX + 1];

		if (length <= WORD_MAX && memchr(data + at, '\0', length) == NULL) {
			memcpy(word, data + at, length);
			word[length] = '\0';
			count += read_number(word, &numbers[count]);
		}
		at += length + 1;
	}
	if (count == 3)
		check_numbers(&numbers[0], &numbers[1], &numbers[2]);
	while (count > 0) {
		count--;
		limen_quantity_clear(&numbers[count].quantity);
		mpq_clear(numbers[count].value);
	}
	return 0;
}
