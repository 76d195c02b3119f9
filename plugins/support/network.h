/* SPDX-License-Identifier: Apache-2.0 */
/* network.h - the network of a shorter prefix that holds a network. */
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

#endif
