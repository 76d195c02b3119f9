/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include "scalar/cidr_range.h"

#include <stdlib.h>
#include <string.h>

#define WIDE(high, low) ((wide)(high) << 64 | (low))

static cidr_range
range(uint64_t first, uint64_t last)
{
	return (cidr_range){ .first = first, .last = last };
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
		{ "0.0.0.0/0", { WIDE(0, 0), WIDE(0, UINT32_MAX) } },
		{ "255.255.255.255", { WIDE(0, UINT32_MAX), WIDE(0, UINT32_MAX) } },
		{ "10.0.0.0/8", { WIDE(0, 0x0a000000), WIDE(0, 0x0affffff) } },
		{ "::/0", { WIDE(0, 0), WIDE(UINT64_MAX, UINT64_MAX) } },
		{ "::/63", { WIDE(0, 0), WIDE(1, UINT64_MAX) } },
		{ "::/64", { WIDE(0, 0), WIDE(0, UINT64_MAX) } },
		{ "::/65", { WIDE(0, 0), WIDE(0, UINT64_MAX >> 1) } },
		{ "::/127", { WIDE(0, 0), WIDE(0, 1) } },
		{ "::1", { WIDE(0, 1), WIDE(0, 1) } },
		{ "8000::/1", { WIDE((uint64_t)1 << 63, 0), WIDE(UINT64_MAX, UINT64_MAX) } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cidr_range ends = range_of(rows[i].text);

		CU_ASSERT_EQUAL(memcmp(&ends, &rows[i].ends, sizeof(ends)), 0);
	}
}

static void
test_merge(void)
{
	cidr_range touching[] = { range(5, 9), range(0, 4), range(11, 11) };
	cidr_range nested[] = { range(0, 100), range(3, 4), range(50, 101), range(0, 1) };
	cidr_range whole[] = { range_of("::/1"), range_of("8000::/1"), range_of("::/0") };

	CU_ASSERT_EQUAL(cidr_range_merge(touching, 0), 0);
	CU_ASSERT_EQUAL(cidr_range_merge(touching, 3), 2);
	CU_ASSERT(touching[0].first == 0 && touching[0].last == 9);
	CU_ASSERT(touching[1].first == 11 && touching[1].last == 11);
	CU_ASSERT_EQUAL(cidr_range_merge(nested, 4), 1);
	CU_ASSERT(nested[0].first == 0 && nested[0].last == 101);
	CU_ASSERT_EQUAL(cidr_range_merge(whole, 3), 1);
	CU_ASSERT(whole[0].last == WIDE(UINT64_MAX, UINT64_MAX));
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
		if (ranges[i].first > ranges[i].last)
			return false;
		if (i > 0 && ranges[i].first <= ranges[i - 1].last)
			return false;
		for (uint64_t number = (uint64_t)ranges[i].first; number <= ranges[i].last; number++)
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
	CU_ASSERT(rest[0].first == 1);
	CU_ASSERT(rest[0].last == WIDE(UINT64_MAX, UINT64_MAX - 1));
	CU_ASSERT_EQUAL(cidr_range_subtract(ends, 2, &all, 1, rest), 0);
	CU_ASSERT_EQUAL(cidr_range_subtract(ends, 2, NULL, 0, rest), 2);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the first and last address of a network", test_ends_of_networks },
		{ "ranges that touch or overlap are merged", test_merge },
		{ "subtraction agrees with a flag for each number", test_subtract },
		{ "subtraction at the first and last address", test_subtract_edges },
		{ NULL, NULL },
	};

	return suite_run("core/cidr_range", tests);
}
