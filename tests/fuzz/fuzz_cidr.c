/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of networks against a list that is looked through: lines of networks, with
 * "!" before those that are left out.  Asked about the ends of all of them and
 * about their neighbours.
 */
#include <string.h>

#include "fuzz.h"

#include <limen/cidr.h>

const fuzz_target fuzz_this = { "cidr", NULL, 8000 };

enum { NETWORKS_MAX = 64 };

typedef struct networks {
	limen_network list[NETWORKS_MAX];
	size_t count;
} networks;

static size_t
byte_count(const limen_address *address)
{
	return address->family == 4 ? 4 : 16;
}

static bool
holds(const limen_network *network, const limen_address *address)
{
	if (network->address.family != address->family)
		return false;
	for (unsigned bit = 0; bit < network->prefix; bit++) {
		unsigned mask = 0x80U >> (bit % 8);

		if (((network->address.bytes[bit / 8] ^ address->bytes[bit / 8]) & mask) != 0)
			return false;
	}
	return true;
}

static bool
any_holds(const networks *all, const limen_address *address)
{
	for (size_t i = 0; i < all->count; i++)
		if (holds(&all->list[i], address))
			return true;
	return false;
}

static limen_address
last_of(const limen_network *network)
{
	limen_address last = network->address;

	for (size_t bit = network->prefix; bit < 8 * byte_count(&last); bit++)
		last.bytes[bit / 8] |= (uint8_t)(0x80U >> (bit % 8));
	return last;
}

/* The next address, or the one before; wraps around. */
static limen_address
neighbour(limen_address address, int step)
{
	for (size_t i = byte_count(&address); i-- > 0;) {
		address.bytes[i] = (uint8_t)(address.bytes[i] + step);
		if (address.bytes[i] != (step > 0 ? 0 : 0xFF))
			break;
	}
	return address;
}

static void
ask_about(const limen_cidr_set *set, const networks *in, const networks *out,
          const limen_address *address)
{
	limen_network single = { *address, address->family == 4 ? 32 : 128 };
	bool wanted = any_holds(in, address) && !any_holds(out, address);

	FUZZ_CHECK(limen_cidr_set_contains(set, address) == wanted);
	FUZZ_CHECK(limen_cidr_set_overlaps(set, &single) == wanted);
	FUZZ_CHECK(limen_cidr_set_covers(set, &single) == wanted);
	FUZZ_CHECK(!wanted || !limen_cidr_set_is_empty(set));
}

static void
ask_around(const limen_cidr_set *set, const networks *in, const networks *out,
           const limen_network *network)
{
	limen_address first = network->address;
	limen_address last = last_of(network);
	limen_address before = neighbour(first, -1);
	limen_address after = neighbour(last, 1);
	bool inside = any_holds(in, &first) && !any_holds(out, &first);

	ask_about(set, in, out, &first);
	ask_about(set, in, out, &last);
	ask_about(set, in, out, &before);
	ask_about(set, in, out, &after);
	FUZZ_CHECK(!limen_cidr_set_covers(set, network) || inside);
	FUZZ_CHECK(limen_cidr_set_overlaps(set, network) || !inside);
}

/* Without holes, a network of the list is covered, and overlaps are those of the list. */
static void
check_whole(const networks *in)
{
	limen_cidr_set *set = limen_cidr_set_new(in->list, in->count, NULL, 0);

	FUZZ_CHECK(set != NULL && limen_cidr_set_is_empty(set) == (in->count == 0));
	for (size_t i = 0; i < in->count; i++) {
		limen_network wider = in->list[i];

		FUZZ_CHECK(limen_cidr_set_covers(set, &wider));
		FUZZ_CHECK(limen_cidr_set_overlaps(set, &wider));
	}
	limen_cidr_set_free(set);
}

static void
check_text(const limen_network *network)
{
	char text[LIMEN_NETWORK_TEXT_MAX];
	limen_network again;

	limen_network_print(network, text);
	FUZZ_CHECK(limen_network_parse(text, strlen(text), 0, &again) == LIMEN_OK);
	FUZZ_CHECK(again.prefix == network->prefix);
	FUZZ_CHECK(again.address.family == network->address.family);
	FUZZ_CHECK(memcmp(again.address.bytes, network->address.bytes,
	                  byte_count(&again.address)) == 0);
}

static void
read_line(const char *text, size_t length, networks *in, networks *out)
{
	const unsigned flags = LIMEN_NETWORK_MASKS | LIMEN_NETWORK_SCOPE | LIMEN_NETWORK_HOST_BITS;
	bool excluded = length > 0 && text[0] == '!';
	networks *to = excluded ? out : in;
	limen_network network, strict;

	if (to->count == NETWORKS_MAX ||
	    limen_network_parse(text + excluded, length - excluded, flags, &network) != LIMEN_OK)
		return;
	if (limen_network_parse(text + excluded, length - excluded, 0, &strict) == LIMEN_OK)
		FUZZ_CHECK(limen_network_overlaps(&strict, &network));
	check_text(&network);
	to->list[to->count++] = network;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	networks in = { .count = 0 };
	networks out = { .count = 0 };
	limen_cidr_set *set;

	for (size_t at = 0; at < size;) {
		const uint8_t *end = memchr(data + at, '\n', size - at);
		size_t length = (end == NULL ? size : (size_t)(end - data)) - at;

		read_line((const char *)data + at, length, &in, &out);
		at += length + 1;
	}
	set = limen_cidr_set_new(in.list, in.count, out.list, out.count);
	FUZZ_CHECK(set != NULL);
	for (size_t i = 0; i < in.count; i++)
		ask_around(set, &in, &out, &in.list[i]);
	for (size_t i = 0; i < out.count; i++)
		ask_around(set, &in, &out, &out.list[i]);
	limen_cidr_set_free(set);
	check_whole(&in);
	return 0;
}
