/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <limen/cidr.h>

#include <stdlib.h>
#include <string.h>

static limen_network
network_of(const char *text)
{
	limen_network network = { .prefix = 0 };

	CU_ASSERT_EQUAL_FATAL(limen_network_parse(text, strlen(text), 0, &network), LIMEN_OK);
	return network;
}

static limen_cidr_set *
new_set(const char *const *texts, const char *const *excluded)
{
	limen_network networks[16];
	limen_network holes[16];
	size_t count = 0;
	size_t hole_count = 0;
	limen_cidr_set *set;

	for (; texts[count] != NULL; count++)
		networks[count] = network_of(texts[count]);
	for (; excluded != NULL && excluded[hole_count] != NULL; hole_count++)
		holes[hole_count] = network_of(excluded[hole_count]);
	set = limen_cidr_set_new(networks, count, holes, hole_count);
	CU_ASSERT_PTR_NOT_NULL_FATAL(set);
	return set;
}

static bool
holds(const limen_cidr_set *set, const char *text)
{
	limen_network network = network_of(text);

	return limen_cidr_set_contains(set, &network.address);
}

static bool
touches(const limen_cidr_set *set, const char *text)
{
	limen_network network = network_of(text);

	return limen_cidr_set_overlaps(set, &network);
}

static void
test_membership(void)
{
	static const char *const texts[] = { "10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "::1",
		                             NULL };
	limen_cidr_set *set = new_set(texts, NULL);

	CU_ASSERT_FALSE(limen_cidr_set_is_empty(set));
	CU_ASSERT_FALSE(holds(set, "9.255.255.255"));
	CU_ASSERT_TRUE(holds(set, "10.0.0.0"));
	CU_ASSERT_TRUE(holds(set, "10.255.255.255"));
	CU_ASSERT_FALSE(holds(set, "11.0.0.0"));
	CU_ASSERT_FALSE(holds(set, "192.0.2.6"));
	CU_ASSERT_TRUE(holds(set, "192.0.2.7"));
	CU_ASSERT_FALSE(holds(set, "192.0.2.8"));
	CU_ASSERT_FALSE(holds(set, "::ffff:10.0.0.1"));
	CU_ASSERT_FALSE(holds(set, "::10.0.0.1"));
	CU_ASSERT_FALSE(holds(set, "0.0.0.1"));
	CU_ASSERT_TRUE(holds(set, "::1"));
	CU_ASSERT_FALSE(holds(set, "::"));
	CU_ASSERT_TRUE(holds(set, "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"));
	CU_ASSERT_FALSE(holds(set, "2001:db9::"));
	CU_ASSERT_FALSE(holds(set, "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff"));
	limen_cidr_set_free(set);
}

/* A requester may itself be a network; limits.rst, ip-cidr-list. */
static void
test_overlap(void)
{
	static const char *const texts[] = { "10.0.0.0/8", "2001:db8::/32", NULL };
	limen_cidr_set *set = new_set(texts, NULL);

	CU_ASSERT_TRUE(touches(set, "0.0.0.0/0"));
	CU_ASSERT_TRUE(touches(set, "::/0"));
	CU_ASSERT_TRUE(touches(set, "8.0.0.0/6"));
	CU_ASSERT_TRUE(touches(set, "10.1.0.0/16"));
	CU_ASSERT_FALSE(touches(set, "8.0.0.0/7"));
	CU_ASSERT_FALSE(touches(set, "12.0.0.0/6"));
	CU_ASSERT_FALSE(touches(set, "2001:db9::/32"));
	CU_ASSERT_TRUE(touches(set, "2001:d00::/24"));
	limen_cidr_set_free(set);
}

static void
test_exclusion(void)
{
	static const char *const texts[] = { "0.0.0.0/0", "::/0", NULL };
	static const char *const excluded[] = { "0.0.0.0",
		                                "10.0.0.0/8",
		                                "255.255.255.255",
		                                "::",
		                                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
		                                NULL };
	limen_cidr_set *set = new_set(texts, excluded);

	CU_ASSERT_FALSE(holds(set, "0.0.0.0"));
	CU_ASSERT_TRUE(holds(set, "0.0.0.1"));
	CU_ASSERT_TRUE(holds(set, "9.255.255.255"));
	CU_ASSERT_FALSE(holds(set, "10.0.0.0"));
	CU_ASSERT_FALSE(holds(set, "10.255.255.255"));
	CU_ASSERT_TRUE(holds(set, "11.0.0.0"));
	CU_ASSERT_TRUE(holds(set, "255.255.255.254"));
	CU_ASSERT_FALSE(holds(set, "255.255.255.255"));
	CU_ASSERT_FALSE(touches(set, "10.2.0.0/16"));
	CU_ASSERT_TRUE(touches(set, "10.0.0.0/7"));
	CU_ASSERT_FALSE(holds(set, "::"));
	CU_ASSERT_TRUE(holds(set, "::1"));
	CU_ASSERT_TRUE(holds(set, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe"));
	CU_ASSERT_FALSE(holds(set, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
	limen_cidr_set_free(set);
}

/* Networks of 64 bits and less are kept apart from finer ones; a question may touch both. */
static void
test_halves(void)
{
	static const char *const texts[] = { "2001:db8:0:1::/64", "2001:db8:0:3::/65",
		                             "2001:db8:0:5::1", "2001:db8:0:6::/64", NULL };
	static const char *const joined[] = { "2001:db8:0:2::/64", "2001:db8:0:3::", NULL };
	limen_cidr_set *set = new_set(texts, NULL);
	limen_cidr_set *touching = new_set(joined, NULL);

	CU_ASSERT_FALSE(holds(set, "2001:db8:0:0:ffff:ffff:ffff:ffff"));
	CU_ASSERT_TRUE(holds(set, "2001:db8:0:1::"));
	CU_ASSERT_TRUE(holds(set, "2001:db8:0:1:ffff:ffff:ffff:ffff"));
	CU_ASSERT_FALSE(holds(set, "2001:db8:0:2::"));
	CU_ASSERT_TRUE(holds(set, "2001:db8:0:3:7fff:ffff:ffff:ffff"));
	CU_ASSERT_FALSE(holds(set, "2001:db8:0:3:8000::"));
	CU_ASSERT_FALSE(holds(set, "2001:db8:0:5::"));
	CU_ASSERT_TRUE(holds(set, "2001:db8:0:5::1"));
	CU_ASSERT_FALSE(touches(set, "2001:db8:0:3:8000::/65"));
	CU_ASSERT_TRUE(touches(set, "2001:db8:0:2::/63"));
	CU_ASSERT_TRUE(touches(set, "2001:db8:0:4::/62"));
	CU_ASSERT_FALSE(touches(set, "2001:db8:0:4::/64"));
	CU_ASSERT_TRUE(holds(touching, "2001:db8:0:2::"));
	CU_ASSERT_TRUE(holds(touching, "2001:db8:0:3::"));
	CU_ASSERT_FALSE(holds(touching, "2001:db8:0:3::1"));
	limen_cidr_set_free(set);
	limen_cidr_set_free(touching);
}

static void
test_empty(void)
{
	static const char *const texts[] = { "10.0.0.0/8", NULL };
	static const char *const excluded[] = { "10.0.0.0/9", "10.128.0.0/9", NULL };
	limen_cidr_set *none = limen_cidr_set_new(NULL, 0, NULL, 0);
	limen_cidr_set *cut = new_set(texts, excluded);
	limen_address unknown = { .family = 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(none);
	CU_ASSERT_TRUE(limen_cidr_set_is_empty(none));
	CU_ASSERT_TRUE(limen_cidr_set_is_empty(cut));
	CU_ASSERT_FALSE(touches(none, "0.0.0.0/0"));
	CU_ASSERT_FALSE(touches(cut, "0.0.0.0/0"));
	CU_ASSERT_FALSE(touches(cut, "::/0"));
	CU_ASSERT_FALSE(limen_cidr_set_contains(cut, &unknown));
	limen_cidr_set_free(none);
	limen_cidr_set_free(cut);
	limen_cidr_set_free(NULL);
}

static void
test_too_many(void)
{
	limen_network network = network_of("::1");

	CU_ASSERT_PTR_NULL(limen_cidr_set_new(&network, SIZE_MAX, NULL, 0));
	CU_ASSERT_PTR_NULL(limen_cidr_set_new(&network, 1, &network, SIZE_MAX));
}

/*
 * 'dense' draws from a few addresses only, so that networks nest and touch; otherwise they are
 * spread over the family and the set needs its index.
 */
static limen_network
random_network(uint8_t family, bool dense)
{
	unsigned bits = family == 4 ? 32 : 128;
	limen_network network = { .address.family = family };
	unsigned fixed = dense ? bits - 10 : 4;

	network.prefix = (uint8_t)(fixed + (unsigned)random() % (bits - fixed + 1));
	for (unsigned bit = 0; bit < network.prefix; bit++) {
		bool set = dense && bit < fixed ? bit % 3 == 0 : random() % 2 == 0;

		if (set)
			network.address.bytes[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
	}
	return network;
}

static bool
list_contains(const limen_network *list, size_t count, const limen_network *one)
{
	for (size_t i = 0; i < count; i++) {
		if (limen_network_overlaps(&list[i], one))
			return true;
	}
	return false;
}

static bool
covers_bits(const limen_network *wide, const limen_network *narrow)
{
	return wide->prefix <= narrow->prefix && limen_network_overlaps(wide, narrow);
}

/* Of one network each, so that no two of them could cover it together. */
static void
test_covers_one(void)
{
	size_t wrong = 0;

	srandom(5);
	for (size_t i = 0; i < 20000; i++) {
		limen_network one = random_network(i % 2 == 0 ? 4 : 6, true);
		limen_network other = random_network(i % 16 == 0 ? 6 : one.address.family, true);
		limen_cidr_set *set = limen_cidr_set_new(&one, 1, NULL, 0);

		CU_ASSERT_PTR_NOT_NULL_FATAL(set);
		wrong += limen_cidr_set_covers(set, &other) != covers_bits(&one, &other);
		limen_cidr_set_free(set);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* Every address in it, no more: where the set ends, neighbours and holes. */
static void
test_covers(void)
{
	static const struct {
		const char *network;
		bool covered;
	} cases[] = {
		{ "10.0.0.0/23", true },    { "10.0.0.0/22", false },
		{ "10.0.0.128/25", true },  { "10.0.2.0/24", false },
		{ "10.0.4.0/24", false },   { "10.0.4.0/25", true },
		{ "10.0.4.192/26", true },  { "10.0.4.128/26", false },
		{ "0.0.0.0/0", false },     { "255.255.255.255/32", true },
		{ "255.255.255.254/31", false }, { "2001:db8::/32", true },
		{ "2001:db8::/31", false }, { "2001:db8::1/128", true },
		{ "::/0", false },          { "::ffff:10.0.0.0/120", false },
	};
	static const char *const listed[] = { "10.0.0.0/24", "10.0.1.0/24", "10.0.4.0/24",
		                              "255.255.255.255/32", "2001:db8::/32" };
	limen_network networks[5];
	limen_network hole;
	limen_cidr_set *set;
	limen_cidr_set *empty = limen_cidr_set_new(NULL, 0, NULL, 0);

	for (size_t i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(limen_network_parse(listed[i], strlen(listed[i]), 0, &networks[i]),
		                LIMEN_OK);
	CU_ASSERT_EQUAL(limen_network_parse("10.0.4.128/26", 13, 0, &hole), LIMEN_OK);
	set = limen_cidr_set_new(networks, 5, &hole, 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(set);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_network asked;

		CU_ASSERT_EQUAL(limen_network_parse(cases[i].network, strlen(cases[i].network), 0,
		                                    &asked),
		                LIMEN_OK);
		CU_ASSERT_EQUAL(limen_cidr_set_covers(set, &asked), cases[i].covered);
		CU_ASSERT_FALSE(limen_cidr_set_covers(empty, &asked));
	}
	limen_cidr_set_free(set);
	limen_cidr_set_free(empty);
}

/* An address near an edge of 'network': its first or last, or a neighbour of one. */
static limen_network
random_probe(const limen_network *network)
{
	size_t size = network->address.family == 4 ? 4 : 16;
	limen_network probe = *network;
	int step = (int)(random() % 3) - 1;

	for (size_t bit = probe.prefix; bit < size * 8 && random() % 8 != 0; bit++)
		probe.address.bytes[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
	probe.prefix = (uint8_t)(size * 8);
	for (size_t i = size; step != 0 && i-- > 0;) {
		int sum = probe.address.bytes[i] + step;

		probe.address.bytes[i] = (uint8_t)sum;
		step = sum < 0 ? -1 : sum > 255;
	}
	return probe;
}

static void
compare_with_list(size_t count, size_t excluded_count, bool dense)
{
	limen_network *list = calloc(count + excluded_count, sizeof(*list));
	limen_network *excluded = list + count;
	limen_cidr_set *set;
	size_t wrong = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	for (size_t i = 0; i < count + excluded_count; i++)
		list[i] = random_network(random() % 2 == 0 ? 4 : 6, dense);
	set = limen_cidr_set_new(list, count, excluded, excluded_count);
	CU_ASSERT_PTR_NOT_NULL_FATAL(set);
	for (size_t i = 0; i < 300; i++) {
		size_t pick = (size_t)random() % (count + excluded_count);
		limen_network probe = random_probe(&list[pick]);
		bool expected = list_contains(list, count, &probe) &&
		                !list_contains(excluded, excluded_count, &probe);

		wrong += limen_cidr_set_contains(set, &probe.address) != expected;
		wrong += limen_cidr_set_overlaps(set, &probe) != expected;
		wrong += limen_cidr_set_covers(set, &probe) != expected;
		probe = random_network(random() % 2 == 0 ? 4 : 6, dense);
		wrong += excluded_count == 0 &&
		         limen_cidr_set_overlaps(set, &probe) != list_contains(list, count, &probe);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	limen_cidr_set_free(set);
	free(list);
}

static void
test_against_list(void)
{
	srandom(3);
	for (size_t round = 0; round < 300; round++) {
		compare_with_list(1 + (size_t)random() % 20, (size_t)random() % 20, true);
		compare_with_list(1 + (size_t)random() % 20, (size_t)random() % 20, false);
		compare_with_list(1 + (size_t)random() % 20, 0, true);
	}
}

static void
test_large_against_list(void)
{
	static const size_t counts[] = { 510, 514, 600, 3000 };

	srandom(4);
	for (size_t i = 0; i < 4 * sizeof(counts) / sizeof(*counts); i++) {
		compare_with_list(counts[i % 4], 0, false);
		compare_with_list(counts[i % 4], counts[i % 4] / 3, false);
		compare_with_list(counts[i % 4], 50, true);
	}
}

/* Single addresses one apart: exactly as many ranges as networks, on both sides of the index. */
static void
test_index_threshold(void)
{
	for (size_t count = 255; count <= 258; count++) {
		limen_network list[258] = { { .prefix = 32 } };
		limen_cidr_set *set;
		size_t wrong = 0;

		for (size_t i = 0; i < count; i++) {
			list[i] = (limen_network){ .address = { .family = 4 }, .prefix = 32 };
			list[i].address.bytes[2] = (uint8_t)(i / 128);
			list[i].address.bytes[3] = (uint8_t)(i % 128 * 2);
		}
		set = limen_cidr_set_new(list, count, NULL, 0);
		CU_ASSERT_PTR_NOT_NULL_FATAL(set);
		for (size_t i = 0; i < count; i++) {
			limen_address odd = list[i].address;

			odd.bytes[3]++;
			wrong += !limen_cidr_set_contains(set, &list[i].address);
			wrong += limen_cidr_set_contains(set, &odd);
		}
		CU_ASSERT_EQUAL(wrong, 0);
		limen_cidr_set_free(set);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "an address is in the set or not, at every edge", test_membership },
		{ "a network overlaps the set", test_overlap },
		{ "excluded networks are taken out", test_exclusion },
		{ "networks on both sides of 64 bits", test_halves },
		{ "a set may be empty", test_empty },
		{ "a count no memory could hold is refused", test_too_many },
		{ "small sets agree with a linear list", test_against_list },
		{ "indexed sets agree with a linear list", test_large_against_list },
		{ "sets around the size that gets an index", test_index_threshold },
		{ "a set covers what lies in one of its networks", test_covers_one },
		{ "a set covers a network of which it holds every address", test_covers },
		{ NULL, NULL },
	};

	return suite_run("core/cidr_set", tests);
}
