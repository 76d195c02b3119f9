/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/cidr.h - addresses, networks, and sets of networks.
 *
 * A set is built once and then only read: any number of threads may ask it at
 * the same time.  Address families never mix: ::ffff:10.0.0.1 is an IPv6
 * address and is in no IPv4 network.
 */
#ifndef LIMEN_CIDR_H
#define LIMEN_CIDR_H

#include <limen/types.h>

LIMEN_BEGIN_DECLS

/* One address in network byte order; IPv4 uses the first four bytes. */
typedef struct limen_address {
	uint8_t bytes[16];
	uint8_t family; /* 4 or 6 */
} limen_address;

/* A block of addresses; the bits of 'address' below 'prefix' are zero. */
typedef struct limen_network {
	limen_address address;
	uint8_t prefix; /* 0..32 or 0..128 */
} limen_network;

/* How a network is read. */
enum {
	/* Accept a netmask or a host mask after the slash (10.0.0.0/255.0.0.0). */
	LIMEN_NETWORK_MASKS = 1 << 0,
	/* Accept and drop an IPv6 scope ("fe80::1%eth0"). */
	LIMEN_NETWORK_SCOPE = 1 << 1,
	/* Clear host bits instead of refusing them. */
	LIMEN_NETWORK_HOST_BITS = 1 << 2
};

/*
 * Reads an IPv4 or IPv6 address of 'length' bytes at 'text' in its usual
 * spelling (RFC 4291 for IPv6; four decimal numbers without leading zeros for
 * IPv4; no scope, no blanks).  Returns LIMEN_OK or LIMEN_EINVAL.
 */
LIMEN_API int limen_address_parse(const char *text, size_t length, limen_address *out);

/*
 * Reads "address" or "address/prefix".  A bare address is a network of one.
 * 'flags' is a set of LIMEN_NETWORK_*.  Returns LIMEN_OK, LIMEN_EINVAL when the
 * text is no network, or LIMEN_ERANGE when it has host bits set.
 */
LIMEN_API int limen_network_parse(const char *text, size_t length, unsigned flags,
                                  limen_network *out);

/* The largest text limen_network_print() writes, with its final NUL. */
#define LIMEN_NETWORK_TEXT_MAX 64

/* Writes 'network' in canonical form (RFC 5952), the prefix always included. */
LIMEN_API void limen_network_print(const limen_network *network,
                                   char out[LIMEN_NETWORK_TEXT_MAX]);

/* Are 'a' and 'b' of one family with at least one address in common? */
LIMEN_API bool limen_network_overlaps(const limen_network *a, const limen_network *b);

/*
 * Builds the set of all addresses in one of 'networks' and in none of 'excluded'.  Costs a sort of
 * each; lookups cost a binary search or less.  Either may be NULL if its count is 0.  Returns NULL
 * when memory is short.  The caller frees it with limen_cidr_set_free().
 */
LIMEN_API limen_cidr_set *limen_cidr_set_new(const limen_network *networks, size_t count,
                                             const limen_network *excluded,
                                             size_t excluded_count);

/* Frees 'set'. */
LIMEN_API void limen_cidr_set_free(limen_cidr_set *set);

/* Does 'set' hold 'address'? */
LIMEN_API bool limen_cidr_set_contains(const limen_cidr_set *set, const limen_address *address);

/* Does 'set' hold at least one address of 'network'? */
LIMEN_API bool limen_cidr_set_overlaps(const limen_cidr_set *set, const limen_network *network);

/* Does 'set' hold every address of 'network'? */
LIMEN_API bool limen_cidr_set_covers(const limen_cidr_set *set, const limen_network *network);

/* Does 'set' hold no address at all? */
LIMEN_API bool limen_cidr_set_is_empty(const limen_cidr_set *set);

LIMEN_END_DECLS

#endif
