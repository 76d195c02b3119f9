/* SPDX-License-Identifier: Apache-2.0 */
/*
 * address.c - parses and prints addresses and networks and tells whether two networks overlap.  It
 * accepts the addresses that Python's ipaddress accepts (RFC 6943 section 3.1.1, RFC 4291 section
 * 2.2).
 */
#include <limen/cidr.h>

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

/* No sensible spelling of a network is longer; refusing early bounds the work. */
#define INPUT_MAX ((size_t)64)

/* Reads a decimal octet without leading zeros; returns the byte behind it, or NULL. */
static const char *
read_octet(const char *text, const char *end, uint8_t *out)
{
	const char *start = text;
	unsigned octet = 0;

	while (text < end && *text >= '0' && *text <= '9' && text - start < 3) {
		octet = octet * 10 + (unsigned)(*text - '0');
		text++;
	}
	if (text == start || octet > 255 || (*start == '0' && text - start > 1))
		return NULL;
	*out = (uint8_t)octet;
	return text;
}

/* The "strict" form of RFC 6943 section 3.1.1, the only one that Python's ipaddress takes. */
static bool
read_octets(const char *text, size_t length, uint8_t out[4])
{
	const char *end = text + length;

	text = read_octet(text, end, &out[0]);
	for (size_t i = 1; i < 4; i++) {
		if (text == NULL || text == end || *text != '.')
			return false;
		text = read_octet(text + 1, end, &out[i]);
	}
	return text == end;
}

/*
 * inet_pton() of glibc takes exactly what Python's ipaddress takes of IPv6: the spellings of
 * RFC 4291 section 2.2.
 */
int
limen_address_parse(const char *text, size_t length, limen_address *out)
{
	char copy[INPUT_MAX + 1];
	limen_address address = { .family = 4 };

	if (text == NULL || out == NULL)
		return LIMEN_EINVAL;
	if (read_octets(text, length, address.bytes)) {
		*out = address;
		return LIMEN_OK;
	}
	if (length == 0 || length > INPUT_MAX || memchr(text, '\0', length) != NULL)
		return LIMEN_EINVAL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (inet_pton(AF_INET6, copy, address.bytes) != 1)
		return LIMEN_EINVAL;
	address.family = 6;
	*out = address;
	return LIMEN_OK;
}

static unsigned
family_bits(uint8_t family)
{
	return family == 4 ? 32 : 128;
}

/* Decimal, no sign, blank or leading zero: the formats that pScheduler takes. */
static bool
read_prefix(const char *text, size_t length, unsigned bits, unsigned *out)
{
	unsigned prefix = 0;

	if (length == 0 || length > 3 || (text[0] == '0' && length > 1))
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		prefix = prefix * 10 + (unsigned)(text[i] - '0');
	}
	if (prefix > bits)
		return false;
	*out = prefix;
	return true;
}

/*
 * Reads 255.0.0.0 or 0.255.255.255 as 8.  A mask that could be either, such as 0.0.0.0, is a
 * netmask, as in Python's ipaddress.
 */
static bool
read_mask(const char *text, size_t length, unsigned *out)
{
	limen_address mask;
	uint32_t host;

	if (limen_address_parse(text, length, &mask) != LIMEN_OK || mask.family != 4)
		return false;
	host = ~((uint32_t)mask.bytes[0] << 24 | (uint32_t)mask.bytes[1] << 16 |
	         (uint32_t)mask.bytes[2] << 8 | mask.bytes[3]);
	if ((host & (host + 1)) != 0)
		host = ~host;
	if ((host & (host + 1)) != 0)
		return false;
	*out = 32 - (unsigned)__builtin_popcount(host);
	return true;
}

/* Clears the bits below 'prefix'; returns whether any was set. */
static bool
clear_host_bits(limen_address *address, unsigned prefix)
{
	size_t size = family_bits(address->family) / 8;
	bool set = false;

	for (size_t i = prefix / 8; i < size; i++) {
		unsigned keep = i == prefix / 8 ? 0xff00U >> (prefix % 8) & 0xff : 0;

		set = set || (address->bytes[i] & ~keep) != 0;
		address->bytes[i] = (uint8_t)(address->bytes[i] & keep);
	}
	return set;
}

/* Cuts a scope (RFC 4007 section 11) off an IPv6 address; false if the scope is invalid. */
static bool
cut_scope(const char *text, size_t *length)
{
	const char *percent = memchr(text, '%', *length);
	size_t scope;

	if (percent == NULL)
		return true;
	scope = *length - (size_t)(percent - text) - 1;
	if (scope == 0 || memchr(percent + 1, '%', scope) != NULL)
		return false;
	*length = (size_t)(percent - text);
	return memchr(text, ':', *length) != NULL;
}

static bool
read_network(const char *text, size_t length, unsigned flags, limen_address *address,
             unsigned *prefix)
{
	const char *slash = memchr(text, '/', length);
	size_t address_length = slash != NULL ? (size_t)(slash - text) : length;
	size_t size_length = length - address_length;

	if ((flags & LIMEN_NETWORK_SCOPE) != 0 && !cut_scope(text, &address_length))
		return false;
	if (limen_address_parse(text, address_length, address) != LIMEN_OK)
		return false;
	*prefix = family_bits(address->family);
	if (slash == NULL || read_prefix(slash + 1, size_length - 1, *prefix, prefix))
		return true;
	return address->family == 4 && (flags & LIMEN_NETWORK_MASKS) != 0 &&
	       read_mask(slash + 1, size_length - 1, prefix);
}

int
limen_network_parse(const char *text, size_t length, unsigned flags, limen_network *out)
{
	limen_address address;
	unsigned prefix;

	if (text == NULL || out == NULL)
		return LIMEN_EINVAL;
	if (length == 0 || length > INPUT_MAX || memchr(text, '\0', length) != NULL)
		return LIMEN_EINVAL;
	if (!read_network(text, length, flags, &address, &prefix))
		return LIMEN_EINVAL;
	if (clear_host_bits(&address, prefix) && (flags & LIMEN_NETWORK_HOST_BITS) == 0)
		return LIMEN_ERANGE;
	*out = (limen_network){ .address = address, .prefix = (uint8_t)prefix };
	return LIMEN_OK;
}

/*
 * inet_ntop() writes ::102:304 as ::1.2.3.4.  RFC 5952 section 5 keeps the dotted form for
 * well-known prefixes, and the "IPv4-compatible" block is none (RFC 4291 section 2.5.5.1).
 */
static bool
is_ipv4_compatible(const uint8_t bytes[16])
{
	static const uint8_t zeros[12];

	return memcmp(bytes, zeros, sizeof(zeros)) == 0 && (bytes[12] != 0 || bytes[13] != 0);
}

/* Writes a number below 256; returns where the next byte goes. */
static char *
print_octet(char *at, unsigned octet)
{
	if (octet >= 100)
		*at++ = (char)('0' + octet / 100);
	if (octet >= 10)
		*at++ = (char)('0' + octet / 10 % 10);
	*at++ = (char)('0' + octet % 10);
	return at;
}

/* Writes an IPv4 address.  Every decision that counts by address prints one, hence no printf. */
static void
print_dotted(const uint8_t bytes[4], char *out)
{
	for (int i = 0; i < 4; i++) {
		out = print_octet(out, bytes[i]);
		*out++ = i < 3 ? '.' : '\0';
	}
}

static void
print_address(const limen_address *address, char out[INET6_ADDRSTRLEN])
{
	const uint8_t *bytes = address->bytes;

	out[0] = '\0';
	if (address->family == 4)
		print_dotted(bytes, out);
	else if (is_ipv4_compatible(bytes))
		snprintf(out, INET6_ADDRSTRLEN, "::%x:%x", bytes[12] << 8 | bytes[13],
		         bytes[14] << 8 | bytes[15]);
	else
		inet_ntop(AF_INET6, bytes, out, INET6_ADDRSTRLEN);
}

void
limen_network_print(const limen_network *network, char out[LIMEN_NETWORK_TEXT_MAX])
{
	char *end;

	if (out == NULL)
		return;
	out[0] = '\0';
	if (network == NULL)
		return;
	print_address(&network->address, out);
	end = out + strlen(out);
	*end++ = '/';
	*print_octet(end, network->prefix) = '\0';
}

bool
limen_network_overlaps(const limen_network *a, const limen_network *b)
{
	unsigned shared;
	unsigned rest;
	size_t whole;

	if (a == NULL || b == NULL)
		return false;
	shared = a->prefix < b->prefix ? a->prefix : b->prefix;
	rest = shared % 8;
	whole = shared / 8;
	if (a->address.family != b->address.family)
		return false;
	if (memcmp(a->address.bytes, b->address.bytes, whole) != 0)
		return false;
	return rest == 0 || (a->address.bytes[whole] ^ b->address.bytes[whole]) >> (8 - rest) == 0;
}
