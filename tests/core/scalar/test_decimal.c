/* SPDX-License-Identifier: Apache-2.0 */
#include "scalar/decimal.h"

#include <stdio.h>
#include <string.h>

#include "suite.h"

enum {
	BUFFER = 64,
	ROOM = 4
};

/* Digits with room in front, in memory of the caller. */
static decimal
make(char buffer[BUFFER], const char *digits, int64_t exponent)
{
	snprintf(buffer + ROOM, BUFFER - ROOM, "%s", digits);
	return (decimal){
		.digits = buffer + ROOM,
		.count = strlen(digits),
		.exponent = exponent,
	};
}

static bool
is_number(const decimal *number, const char *digits, int64_t exponent)
{
	return number->count == strlen(digits) &&
	       memcmp(number->digits, digits, number->count) == 0 && number->exponent == exponent;
}

static void
test_strip(void)
{
	static const struct {
		const char *digits;
		const char *stripped;
		int64_t exponent;
	} cases[] = {
		{ "", "", 0 },	      { "1", "1", 0 },	       { "0010", "1", 1 },
		{ "101", "101", 0 },  { "0101000", "101", 3 }, { "9000000000", "9", 9 },
		{ "0009", "9", 0 },
	};
	char buffer[BUFFER];
	decimal number;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		number = make(buffer, cases[i].digits, 0);
		decimal_strip(&number);
		CU_ASSERT(is_number(&number, cases[i].stripped, cases[i].exponent));
	}
	number = make(buffer, "0000", 7);
	decimal_strip(&number);
	CU_ASSERT_EQUAL(number.count, 0);
}

static void
test_multiply(void)
{
	static const struct {
		const char *a;
		const char *b;
		const char *product;
	} cases[] = {
		{ "1", "1", "01" },
		{ "0", "1024", "00000" },
		{ "5", "2", "10" },
		{ "999", "1024", "1022976" },
		{ "1", "1152921504606846976", "01152921504606846976" },
		{ "99999999999999999999", "1152921504606846976",
		  "115292150460684697598847078495393153024" },
		{ "9999999999", "9999999999", "99999999980000000001" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t a = strlen(cases[i].a);
		size_t b = strlen(cases[i].b);
		char out[BUFFER] = "";

		decimal_multiply(out, cases[i].a, a, cases[i].b, b);
		CU_ASSERT_STRING_EQUAL(out, cases[i].product);
		decimal_multiply(out, cases[i].b, b, cases[i].a, a);
		CU_ASSERT_STRING_EQUAL(out, cases[i].product);
	}
}

static void
test_round_up(void)
{
	static const struct {
		const char *digits;
		int64_t exponent;
		int64_t scale;
		const char *rounded;
		int64_t result;
	} cases[] = {
		{ "", 0, 5, "", 0 },
		{ "123", 0, 0, "123", 0 },
		{ "123", 0, -1, "123", 0 },
		{ "123", 0, 1, "13", 1 },
		{ "120", 0, 1, "12", 1 },
		{ "123", 0, 2, "2", 2 },
		{ "100", 0, 2, "1", 2 },
		{ "123", 0, 3, "1", 3 },
		{ "123", 0, 9, "1", 9 },
		{ "199", 0, 1, "20", 1 },
		{ "999", 0, 1, "1", 3 },
		{ "999", 0, 2, "1", 3 },
		{ "991", -12, -11, "1", -9 },
		{ "1", -2147483647, -9, "1", -9 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char buffer[BUFFER];
		decimal number = make(buffer, cases[i].digits, cases[i].exponent);

		decimal_round_up(&number, cases[i].scale);
		CU_ASSERT(is_number(&number, cases[i].rounded, cases[i].result));
	}
}

static void
test_add_and_subtract(void)
{
	static const struct {
		const char *a;
		const char *b;
		const char *sum;
	} cases[] = {
		{ "0", "", "0" },	{ "0", "0", "0" },	  { "1", "2", "3" },
		{ "099", "1", "100" },	{ "099", "99", "198" },	  { "0999999", "1", "1000000" },
		{ "105", "95", "200" }, { "0123", "0877", "1000" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char buffer[BUFFER];
		size_t length = strlen(cases[i].a);

		snprintf(buffer, sizeof buffer, "%s", cases[i].a);
		decimal_add(buffer + length, cases[i].b, strlen(cases[i].b));
		CU_ASSERT_STRING_EQUAL(buffer, cases[i].sum);
		decimal_subtract(buffer + length, cases[i].b, strlen(cases[i].b));
		CU_ASSERT_STRING_EQUAL(buffer, cases[i].a);
	}
}

static void
test_compare(void)
{
	static const struct {
		const char *a;
		const char *b;
		int order;
	} cases[] = {
		{ "1", "1", 0 },     { "1", "2", -1 },	 { "12", "1", 1 },    { "10", "1", 0 },
		{ "1000", "1", 0 },  { "1001", "1", 1 }, { "2", "10", 1 },    { "19", "2", -1 },
		{ "123", "124", -1 }, { "", "1", -1 },	 { "", "0", 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t a = strlen(cases[i].a);
		size_t b = strlen(cases[i].b);

		CU_ASSERT_EQUAL(decimal_compare(cases[i].a, a, cases[i].b, b), cases[i].order);
		CU_ASSERT_EQUAL(decimal_compare(cases[i].b, b, cases[i].a, a), -cases[i].order);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "zeros at both ends", test_strip },
		{ "multiplying", test_multiply },
		{ "rounding up", test_round_up },
		{ "adding and subtracting", test_add_and_subtract },
		{ "comparing", test_compare },
		{ NULL, NULL },
	};

	return suite_run("core/decimal", tests);
}
