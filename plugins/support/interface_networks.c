/* SPDX-License-Identifier: Apache-2.0 */
/* interface_networks.c - turns what getifaddrs(3) returns into networks. */
#include <errno.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "interface_networks.h"
#include "network.h"

/* Copies the bytes of an address; the scope of an IPv6 address is not among them. */
static bool
read_address(const struct sockaddr *socket_address, limen_address *out)
{
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;

	memset(out, 0, sizeof *out);
	if (socket_address == NULL)
		return false;
	if (socket_address->sa_family == AF_INET) {
		memcpy(&ipv4, socket_address, sizeof ipv4);
		memcpy(out->bytes, &ipv4.sin_addr, 4);
		out->family = 4;
		return true;
	}
	if (socket_address->sa_family == AF_INET6) {
		memcpy(&ipv6, socket_address, sizeof ipv6);
		memcpy(out->bytes, &ipv6.sin6_addr, 16);
		out->family = 6;
		return true;
	}
	return false;
}

/* Returns the number of leading one bits. */
static uint8_t
count_mask_bits(const limen_address *mask)
{
	unsigned size = mask->family == 4 ? 32 : 128;
	unsigned bits = 0;

	while (bits < size && (mask->bytes[bits / 8] & (0x80 >> bits % 8)) != 0)
		bits++;
	return (uint8_t)bits;
}

static bool
read_network(const struct ifaddrs *interface, bool masked, limen_network *out)
{
	limen_address mask;

	if (!read_address(interface->ifa_addr, &out->address))
		return false;
	out->prefix = out->address.family == 4 ? 32 : 128;
	if (!masked)
		return true;
	if (!read_address(interface->ifa_netmask, &mask) || mask.family != out->address.family)
		return false;
	network_cut(out, count_mask_bits(&mask));
	return true;
}

static size_t
count_entries(const struct ifaddrs *interface)
{
	size_t count = 0;

	for (; interface != NULL; interface = interface->ifa_next)
		count++;
	return count;
}

int
interface_networks_read(bool masked, limen_network **networks, size_t *count)
{
	struct ifaddrs *interfaces;
	limen_network *found;
	size_t used = 0;

	if (getifaddrs(&interfaces) != 0)
		return errno;
	found = calloc(count_entries(interfaces) + 1, sizeof *found);
	if (found == NULL) {
		freeifaddrs(interfaces);
		return ENOMEM;
	}
	for (const struct ifaddrs *next = interfaces; next != NULL; next = next->ifa_next)
		if (read_network(next, masked, &found[used]))
			used++;
	freeifaddrs(interfaces);
	*networks = found;
	*count = used;
	return 0;
}
