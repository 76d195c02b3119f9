/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers with SI units against GMP's fractions, read by code that stands here:
 * an optional "-", digits, an optional fraction, blanks, an optional unit.
 */
#include <ctype.h>
#include <gmp.h>
#include <string.h>

#include "fuzz.h"

#include <limen/si.h>

const fuzz_target fuzz_this = { "si", NULL, 20000 };

enum { WORD_MAX = 300 };

/* The value of a unit, or 0 if it is none. */
static void
read_unit(const char *text, mpz_t out)
{
	static const char letters[] = "kmgtpezy";
	const char *letter = *text == '\0' ? NULL : strchr(letters, tolower((unsigned char)*text));
	bool binary = letter != NULL && tolower((unsigned char)text[1]) == 'i';

	mpz_set_ui(out, *text == '\0');
	if (letter != NULL && text[1 + binary] == '\0')
		mpz_ui_pow_ui(out, binary ? 1024 : 1000, (unsigned long)(letter - letters + 1));
}

static void
whole_of(const limen_si *number, mpz_t out)
{
	mpz_set_ui(out, number->high);
	mpz_mul_2exp(out, out, 64);
	mpz_add_ui(out, out, number->low);
	if (number->negative)
		mpz_neg(out, out);
}

/* Reads a text that is known to have the form. */
static void
read_reference(const char *text, mpz_t out)
{
	mpz_t number, divisor;
	bool negative = *text == '-';
	bool pointed = false;

	mpz_init(number);
	mpz_init_set_ui(divisor, 1);
	for (text += negative; *text == '.' || isdigit((unsigned char)*text); text++) {
		if (*text == '.') {
			pointed = true;
			continue;
		}
		mpz_mul_ui(number, number, 10);
		mpz_add_ui(number, number, (unsigned long)(*text - '0'));
		if (pointed)
			mpz_mul_ui(divisor, divisor, 10);
	}
	text += strspn(text, " \t\n\r\f\v");
	read_unit(text, out);
	FUZZ_CHECK(mpz_sgn(out) != 0);
	mpz_mul(out, out, number);
	if (negative)
		mpz_neg(out, out);
	mpz_fdiv_q(out, out, divisor);
	mpz_clears(number, divisor, NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[WORD_MAX + 1];
	limen_si found;
	int result;
	mpz_t wanted, whole;

	if (size > WORD_MAX || memchr(data, '\0', size) != NULL)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	result = limen_si_parse(text, size, &found);
	if (result == LIMEN_EINVAL)
		return 0;
	mpz_inits(wanted, whole, NULL);
	read_reference(text, wanted);
	FUZZ_CHECK((result == LIMEN_OK) == (mpz_sizeinbase(wanted, 2) <= 127));
	if (result == LIMEN_OK) {
		limen_si zero = limen_si_from_int(0);

		whole_of(&found, whole);
		FUZZ_CHECK(mpz_cmp(whole, wanted) == 0);
		FUZZ_CHECK(limen_si_compare(&found, &found) == 0);
		FUZZ_CHECK((limen_si_compare(&found, &zero) > 0) == (mpz_sgn(wanted) > 0));
		FUZZ_CHECK((limen_si_compare(&found, &zero) < 0) == (mpz_sgn(wanted) < 0));
	}
	mpz_clears(wanted, whole, NULL);
	return 0;
}
