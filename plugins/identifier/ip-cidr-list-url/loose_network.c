/* SPDX-License-Identifier: Apache-2.0 */
/* loose_network.c - owns nothing; touches neither files nor the network. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/network.h"
#include "list_text.h"

/* pScheduler's library copies a line to 256 bytes before it looks at it. */
#define TEXT_MAX ((size_t)255)

/* One to four numbers of C, the last of which fills what is left; nothing may follow. */
static bool
read_ipv4(const char *text, limen_address *out)
{
	struct in_addr address;

	/* inet_aton(3) takes anything behind a blank. */
	if (strpbrk(text, " \t\n\v\f\r") != NULL || inet_aton(text, &address) == 0)
		return false;
	*out = (limen_address){ .family = 4 };
	memcpy(out->bytes, &address, sizeof address);
	return true;
}

/* The scope of an IPv6 address says nothing about the address. */
static bool
read_ipv6(const char *text, limen_address *out)
{
	const char *scope = strchr(text, '%');
	size_t length = scope == NULL ? strlen(text) : (size_t)(scope - text);

	if (scope != NULL && scope[1] == '\0')
		return false;
	return limen_address_parse(text, length, out) == LIMEN_OK && out->family == 6;
}

static bool
read_prefix(const char *text, unsigned bits, uint8_t *out)
{
	char *end;
	long prefix = strtol(text, &end, 10);

	if (text[0] == '\0' || *end != '\0' || prefix < 0 || prefix > (long)bits)
		return false;
	*out = (uint8_t)prefix;
	return true;
}

bool
loose_network_parse(const char *text, size_t length, limen_network *out)
{
	char copy[TEXT_MAX + 1];
	limen_network network;
	char *slash;
	unsigned bits;

	if (length > TEXT_MAX || memchr(text, '\0', length) != NULL)
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	slash = strchr(copy, '/');
	if (slash != NULL)
		*slash = '\0';
	if (!read_ipv4(copy, &network.address) && !read_ipv6(copy, &network.address))
		return false;
	bits = network.address.family == 4 ? 32 : 128;
	network.prefix = (uint8_t)bits;
	if (slash != NULL && !read_prefix(slash + 1, bits, &network.prefix))
		return false;
	network_cut(&network, network.prefix);
	*out = network;
	return true;
}
