/* SPDX-License-Identifier: Apache-2.0 */
/* network.h - changes networks: to a shorter prefix, and from IPv6 to the IPv4 in it. */
#ifndef LIMEN_PLUGINS_SUPPORT_NETWORK_H
#define LIMEN_PLUGINS_SUPPORT_NETWORK_H

#include <limen/cidr.h>
#include <string.h>

/* Sets the prefix, which the address is long enough for, and clears the bits behind it. */
static inline void
network_cut(limen_network *network, unsigned prefix)
{
	uint8_t *bytes = network->address.bytes;
	size_t first = prefix / 8;

	network->prefix = (uint8_t)prefix;
	if (first == sizeof network->address.bytes)
		return;
	bytes[first] = (uint8_t)(bytes[first] & 0xff00U >> prefix % 8);
	memset(bytes + first + 1, 0, sizeof network->address.bytes - first - 1);
}

/*
 * An IPv4-mapped IPv6 address reaches the IPv4 host, so it counts as that host's (RFC 4291 section
 * 2.5.5.2).
 */
static inline void
network_unmap(limen_network *network)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	limen_address *address = &network->address;

	if (address->family != 6 || network->prefix < 96 ||
	    memcmp(address->bytes, mapped, sizeof(mapped)) != 0)
		return;
	memmove(address->bytes, address->bytes + 12, 4);
	memset(address->bytes + 4, 0, 12);
	address->family = 4;
	network->prefix = (uint8_t)(network->prefix - 96);
}

#endif
