/* SPDX-License-Identifier: Apache-2.0 */
#include "scalar/limbs.h"

#include <string.h>

#include "suite.h"

__extension__ typedef unsigned __int128 wide;

enum {
	MOST = 24
};

/* A number that looks random, with limbs at the ends of their range more often than by chance. */
static uint32_t
draw_limb(void)
{
	static uint64_t state = 88172645463325252U;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	switch (state >> 60) {
	case 0:
	case 1:
		return 0;
	case 2:
	case 3:
		return LIMBS_BASE - 1;
	case 4:
		return 1;
	case 5:
		return LIMBS_BASE / 2;
	default:
		return (uint32_t)((state >> 8) % LIMBS_BASE);
	}
}

static void
draw(uint32_t *limbs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		limbs[i] = draw_limb();
}

static void
test_count(void)
{
	CU_ASSERT_EQUAL(limbs_count(0), 0);
	CU_ASSERT_EQUAL(limbs_count(1), 1);
	CU_ASSERT_EQUAL(limbs_count(9), 1);
	CU_ASSERT_EQUAL(limbs_count(10), 2);
	CU_ASSERT_EQUAL(limbs_count(18), 2);
	CU_ASSERT_EQUAL(limbs_count(19), 3);
}

static void
test_read(void)
{
	static const struct {
		const char *digits;
		size_t zeros;
		uint32_t limbs[3];
	} cases[] = {
		{ "1", 0, { 1, 0, 0 } },
		{ "1", 8, { 100000000, 0, 0 } },
		{ "1", 9, { 0, 1, 0 } },
		{ "12", 8, { 200000000, 1, 0 } },
		{ "123456789", 0, { 123456789, 0, 0 } },
		{ "1234567890", 0, { 234567890, 1, 0 } },
		{ "1234567890123456789", 0, { 123456789, 234567890, 1 } },
		{ "999999999", 18, { 0, 0, 999999999 } },
		{ "1234", 15, { 0, 234000000, 1 } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint32_t limbs[3] = { 0 };

		limbs_read(limbs, cases[i].digits, strlen(cases[i].digits), cases[i].zeros);
		CU_ASSERT_EQUAL(memcmp(limbs, cases[i].limbs, sizeof limbs), 0);
	}
}

static void
test_compare(void)
{
	static const uint32_t small[] = { 5, 0, 0 };
	static const uint32_t large[] = { 4, 1 };
	static const uint32_t zero[] = { 0, 0 };

	CU_ASSERT_EQUAL(limbs_compare(small, 3, large, 2), -1);
	CU_ASSERT_EQUAL(limbs_compare(large, 2, small, 3), 1);
	CU_ASSERT_EQUAL(limbs_compare(small, 3, small, 1), 0);
	CU_ASSERT_EQUAL(limbs_compare(small, 1, large, 1), 1);
	CU_ASSERT_EQUAL(limbs_compare(zero, 2, small, 0), 0);
}

static void
test_increment(void)
{
	uint32_t limbs[] = { LIMBS_BASE - 2, LIMBS_BASE - 1, 7 };

	limbs_increment(limbs, 3);
	CU_ASSERT_EQUAL(limbs[0], LIMBS_BASE - 1);
	limbs_increment(limbs, 3);
	CU_ASSERT_EQUAL(limbs[0], 0);
	CU_ASSERT_EQUAL(limbs[1], 0);
	CU_ASSERT_EQUAL(limbs[2], 8);
}

/* Multiplies row by row, the way one does on paper. */
static void
multiply_plainly(uint32_t *out, const uint32_t *a, size_t a_count, const uint32_t *b,
                 size_t b_count)
{
	memset(out, 0, (a_count + b_count) * sizeof *out);
	for (size_t i = 0; i < a_count; i++) {
		uint64_t carry = 0;

		for (size_t j = 0; j < b_count; j++) {
			carry += out[i + j] + (uint64_t)a[i] * b[j];
			out[i + j] = (uint32_t)(carry % LIMBS_BASE);
			carry /= LIMBS_BASE;
		}
		out[i + b_count] = (uint32_t)carry;
	}
}

static void
test_multiply(void)
{
	int wrong = 0;

	for (size_t round = 0; round < 20000; round++) {
		size_t a_count = 1 + round % MOST;
		size_t b_count = 1 + round / MOST % MOST;
		uint32_t a[MOST];
		uint32_t b[MOST];
		uint32_t out[2 * MOST];
		uint32_t expected[2 * MOST];

		draw(a, a_count);
		draw(b, b_count);
		limbs_multiply(out, a, a_count, b, b_count);
		multiply_plainly(expected, a, a_count, b, b_count);
		wrong += memcmp(out, expected, (a_count + b_count) * sizeof *out) != 0;
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* 'a' = 'b' * 'quotient' + 'rest' */
static void
make_dividend(uint32_t *a, const uint32_t *b, size_t b_count, const uint32_t *quotient,
              size_t quotient_count, const uint32_t *rest)
{
	uint64_t carry = 0;

	multiply_plainly(a, b, b_count, quotient, quotient_count);
	a[b_count + quotient_count] = 0;
	for (size_t i = 0; i < b_count + quotient_count; i++) {
		carry += a[i] + (uint64_t)(i < b_count ? rest[i] : 0);
		a[i] = (uint32_t)(carry % LIMBS_BASE);
		carry /= LIMBS_BASE;
	}
}

static int
compare_twice(const uint32_t *rest, const uint32_t *b, size_t count)
{
	static const uint32_t two = 2;
	uint32_t twice[MOST + 1];

	multiply_plainly(twice, rest, count, &two, 1);
	return limbs_compare(twice, count + 1, b, count);
}

/* A dividend made of a quotient and a rest yields both again. */
static void
test_divide(void)
{
	int wrong = 0;

	for (size_t round = 0; round < 20000; round++) {
		size_t b_count = 1 + round % MOST;
		size_t count = 1 + round / MOST % 8;
		uint32_t a[MOST + 10] = { 0 };
		uint32_t b[MOST];
		uint32_t rest[MOST];
		uint32_t quotient[MOST] = { 0 };
		uint32_t got[MOST] = { 0 };
		int expected;

		draw(b, b_count);
		b[b_count - 1] += b[b_count - 1] == 0;
		do
			draw(rest, b_count);
		while (limbs_compare(rest, b_count, b, b_count) >= 0);
		draw(quotient, count);
		make_dividend(a, b, b_count, quotient, count, rest);
		expected = compare_twice(rest, b, b_count);
		wrong += limbs_divide(got, a, b_count + count + 1, b, b_count) != expected;
		wrong += limbs_compare(got, count + 1, quotient, count) != 0;
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "how many limbs digits fill", test_count },
		{ "reading digits", test_read },
		{ "comparing", test_compare },
		{ "adding one", test_increment },
		{ "products against multiplication on paper", test_multiply },
		{ "quotients and remainders are found again", test_divide },
		{ NULL, NULL },
	};

	return suite_run("core/limbs", tests);
}
