/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_cidr.c - is an address in a list of networks?  Random networks and random
 * addresses, half of which are in the list.
 */
#include <limen/cidr.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "harness.h"

enum {
	ADDRESSES = 1 << 16
};

typedef struct list {
	limen_network *networks;
	size_t count;
	limen_cidr_set *set;
	limen_address *addresses;
	size_t next;
} list;

static void
fill(uint8_t *bytes, size_t count, uint64_t *state)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)(bench_random(state) >> 24);
}

/* As in tables of routes: most IPv4 networks have 24 bits, most of IPv6 48. */
static limen_network
make_network(unsigned family, uint64_t *state)
{
	uint64_t dice = bench_random(state) % 16;
	limen_network made = { .address = { .family = (uint8_t)family } };
	unsigned prefix = family == 4 ? (dice < 9 ? 24 : (unsigned)(16 + dice))
	                              : (dice < 9 ? 48 : (unsigned)(24 + 2 * dice));

	fill(made.address.bytes, family == 4 ? 4 : 16, state);
	/* 2000::/3 is what is routed. */
	if (family == 6)
		made.address.bytes[0] = (uint8_t)(0x20 | (made.address.bytes[0] & 0x1f));
	made.prefix = (uint8_t)prefix;
	for (unsigned bit = prefix; bit < (family == 4 ? 32U : 128U); bit++)
		made.address.bytes[bit / 8] &= (uint8_t) ~(0x80U >> bit % 8);
	return made;
}

static void
make_addresses(list *made, unsigned family, uint64_t *state)
{
	made->addresses = calloc(ADDRESSES, sizeof(*made->addresses));
	if (made->addresses == NULL)
		bench_die("out of memory");
	for (size_t i = 0; i < ADDRESSES; i++) {
		const limen_network *near = &made->networks[bench_random(state) % made->count];
		limen_address *out = &made->addresses[i];
		unsigned whole = near->prefix / 8U;

		out->family = (uint8_t)family;
		fill(out->bytes, family == 4 ? 4 : 16, state);
		if (bench_random(state) % 2 == 0) {
			memcpy(out->bytes, near->address.bytes, whole);
			if (near->prefix % 8 != 0)
				out->bytes[whole] = near->address.bytes[whole];
		}
	}
}

static void
look_up(void *data, size_t calls)
{
	list *where = data;

	for (size_t i = 0; i < calls; i++) {
		bool held = limen_cidr_set_contains(where->set, &where->addresses[where->next]);

		bench_use(held);
		where->next = (where->next + 1) % ADDRESSES;
	}
}

static void
build(void *data)
{
	list *where = data;

	limen_cidr_set_free(where->set);
	where->set = limen_cidr_set_new(where->networks, where->count, NULL, 0);
	if (where->set == NULL)
		bench_die("out of memory");
}

/* What the set keeps, beside half a megabyte that any list may have. */
static void
measure_memory(list *where, const char *name)
{
	struct mallinfo2 before, after;

	if (!allocations_known()) {
		bench_skip(name, "this build brings an allocator of its own");
		return;
	}
	limen_cidr_set_free(where->set);
	where->set = NULL;
	before = mallinfo2();
	build(where);
	after = mallinfo2();
	bench_figure(name, (double)(after.uordblks + after.hblkhd - before.uordblks - before.hblkhd),
	             "bytes", 16.0 * (double)where->count + 512 * 1024);
}

static void
measure(unsigned family, size_t count, double goal)
{
	list where = { .count = bench_size(count) };
	uint64_t state = 88172645463325252U;
	char name[80];

	if (bench_is_counting() && count > 10000)
		return;
	where.networks = calloc(where.count, sizeof(*where.networks));
	if (where.networks == NULL)
		bench_die("out of memory");
	for (size_t i = 0; i < where.count; i++)
		where.networks[i] = make_network(family, &state);
	make_addresses(&where, family, &state);
	snprintf(name, sizeof(name), "CIDR: IPv%u, %zu networks, building", family, count);
	if (bench_wants(name))
		bench_figure(name, bench_once(build, &where), "ns",
		             count == 1000000 ? 500e6 : BENCH_NO_GOAL);
	snprintf(name, sizeof(name), "CIDR: IPv%u, %zu networks, memory", family, count);
	measure_memory(&where, name);
	if (where.set == NULL)
		build(&where);
	snprintf(name, sizeof(name), "CIDR: IPv%u, %zu networks, an address", family, count);
	bench_rows(&(bench_row){ .name = name, .run = look_up, .data = &where, .goal = goal }, 1);
	limen_cidr_set_free(where.set);
	free(where.addresses);
	free(where.networks);
}

int
main(int argc, char **argv)
{
	bench_start("bench_cidr", argc, argv);
	measure(4, 10000, 10);
	measure(4, 1000000, 1e9 / 70e6);
	measure(6, 10000, 10);
	measure(6, 1000000, 125);
	return bench_finish();
}
