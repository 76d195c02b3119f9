/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include "scalar/cidr_range.h"

#include <stdlib.h>
#include <string.h>

static cidr_range
range(uint64_t first, uint64_t last)
{
	return (cidr_range){ .first = { .low = first }, .last = { .low = last } };
}

static cidr_range
range_of(const char *text)
{
	limen_network network = { .prefix = 0 };

	CU_ASSERT_EQUAL_FATAL(limen_network_parse(text, strlen(text), 0, &network), LIMEN_OK);
	return cidr_range_of(&network);
}

static void
test_ends_of_networks(void)
{
	static const struct {
		const char *text;
		cidr_range ends;
	} rows[] = {
		{ "0.0.0.0/0", { { 0, 0 }, { 0, UINT32_MAX } } },
		{ "255.255.255.255", { { 0, UINT32_MAX }, { 0, UINT32_MAX } } },
		{ "10.0.0.0/8", { { 0, 0x0a000000 }, { 0, 0x0affffff } } },
		{ "::/0", { { 0, 0 }, { UINT64_MAX, UINT64_MAX } } },
		{ "::/63", { { 0, 0 }, { 1, UINT64_MAX } } },
		{ "::/64", { { 0, 0 }, { 0, UINT64_MAX } } },
		{ "::/65", { { 0, 0 }, { 0, UINT64_MAX >> 1 } } },
		{ "::/127", { { 0, 0 }, { 0, 1 } } },
		{ "::1", { { 0, 1 }, { 0, 1 } } },
		{ "8000::/1", { { (uint64_t)1 << 63, 0 }, { UINT64_MAX, UINT64_MAX } } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cidr_range ends = range_of(rows[i].text);

		CU_ASSERT_EQUAL(memcmp(&ends, &rows[i].ends, sizeof(ends)), 0);
	}
}

static void
test_number_arithmetic(void)
{
	cidr_number one_high = { 1, 0 };
	cidr_number one_low = { 0, 1 };
	cidr_number less = cidr_number_difference(one_high, one_low);

	CU_ASSERT(less.high == 0 && less.low == UINT64_MAX);
	CU_ASSERT_TRUE(cidr_number_at_most(one_low, one_high));
	CU_ASSERT_FALSE(cidr_number_at_most(one_high, one_low));
	CU_ASSERT_TRUE(cidr_number_at_most(one_high, one_high));
	CU_ASSERT_EQUAL(cidr_number_shift((cidr_number){ 5, 9 }, 0), 9);
	CU_ASSERT_EQUAL(cidr_number_shift((cidr_number){ 5, 0 }, 64), 5);
	CU_ASSERT_EQUAL(cidr_number_shift((cidr_number){ 6, 0 }, 65), 3);
	CU_ASSERT_EQUAL(cidr_number_shift((cidr_number){ 1, 2 }, 1), ((uint64_t)1 << 63) + 1);
	CU_ASSERT_EQUAL(cidr_number_shift((cidr_number){ UINT64_MAX, 0 }, 127), 1);
}

static void
test_merge(void)
{
	cidr_range touching[] = { range(5, 9), range(0, 4), range(11, 11) };
	cidr_range nested[] = { range(0, 100), range(3, 4), range(50, 101), range(0, 1) };
	cidr_range whole[] = { range_of("::/1"), range_of("8000::/1"), range_of("::/0") };

	CU_ASSERT_EQUAL(cidr_range_merge(touching, 0), 0);
	CU_ASSERT_EQUAL(cidr_range_merge(touching, 3), 2);
	CU_ASSERT(touching[0].first.low == 0 && touching[0].last.low == 9);
	CU_ASSERT(touching[1].first.low == 11 && touching[1].last.low == 11);
	CU_ASSERT_EQUAL(cidr_range_merge(nested, 4), 1);
	CU_ASSERT(nested[0].first.low == 0 && nested[0].last.low == 101);
	CU_ASSERT_EQUAL(cidr_range_merge(whole, 3), 1);
	CU_ASSERT_EQUAL(whole[0].last.high, UINT64_MAX);
}

/* Arrays of a small universe, compared with one flag for each number. */
#define UNIVERSE 64

static size_t
random_ranges(cidr_range *ranges, bool *flags)
{
	size_t count = (size_t)random() % 8;

	memset(flags, 0, UNIVERSE);
	for (size_t i = 0; i < count; i++) {
		uint64_t first = (uint64_t)random() % UNIVERSE;
		uint64_t last = first + (uint64_t)random() % (UNIVERSE - first);

		if (random() % 2 == 0 && first + 3 < UNIVERSE && last > first + 3)
			last = first + 3;
		ranges[i] = range(first, last);
		for (uint64_t number = first; number <= last; number++)
			flags[number] = true;
	}
	return cidr_range_merge(ranges, count);
}

static bool
check_ranges(const cidr_range *ranges, size_t count, const bool *flags)
{
	bool found[UNIVERSE] = { false };

	for (size_t i = 0; i < count; i++) {
		if (ranges[i].first.low > ranges[i].last.low)
			return false;
		if (i > 0 && ranges[i].first.low <= ranges[i - 1].last.low)
			return false;
		for (uint64_t number = ranges[i].first.low; number <= ranges[i].last.low; number++)
			found[number] = true;
	}
	return memcmp(found, flags, sizeof(found)) == 0;
}

static void
test_subtract(void)
{
	srandom(2);
	for (size_t round = 0; round < 50000; round++) {
		cidr_range ranges[8];
		cidr_range holes[8];
		cidr_range rest[16];
		bool in[UNIVERSE];
		bool out[UNIVERSE];
		size_t count = random_ranges(ranges, in);
		size_t hole_count = random_ranges(holes, out);
		size_t left = cidr_range_subtract(ranges, count, holes, hole_count, rest);

		CU_ASSERT_TRUE_FATAL(left <= count + hole_count);
		CU_ASSERT_TRUE_FATAL(check_ranges(ranges, count, in));
		for (size_t i = 0; i < UNIVERSE; i++)
			in[i] = in[i] && !out[i];
		CU_ASSERT_TRUE_FATAL(check_ranges(rest, left, in));
	}
}

static void
test_subtract_edges(void)
{
	cidr_range all = range_of("::/0");
	cidr_range ends[] = { range_of("::"), range_of("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff") };
	cidr_range rest[3];

	CU_ASSERT_EQUAL(cidr_range_subtract(&all, 1, &all, 1, rest), 0);
	CU_ASSERT_EQUAL(cidr_range_subtract(&all, 1, ends, 2, rest), 1);
	CU_ASSERT(rest[0].first.high == 0 && rest[0].first.low == 1);
	CU_ASSERT(rest[0].last.high == UINT64_MAX && rest[0].last.low == UINT64_MAX - 1);
	CU_ASSERT_EQUAL(cidr_range_subtract(ends, 2, &all, 1, rest), 0);
	CU_ASSERT_EQUAL(cidr_range_subtract(ends, 2, NULL, 0, rest), 2);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the first and last address of a network", test_ends_of_networks },
		{ "arithmetic of 128 bits", test_number_arithmetic },
		{ "ranges that touch or overlap are merged", test_merge },
		{ "subtraction agrees with a flag for each number", test_subtract },
		{ "subtraction at the first and last address", test_subtract_edges },
		{ NULL, NULL },
	};

	return suite_run("core/cidr_range", tests);
}
