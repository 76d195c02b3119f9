/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key.h - a question as the cache looks it up.
 */
#ifndef LIMEN_DNS_KEY_H
#define LIMEN_DNS_KEY_H

#include "dns.h"

/* 'name' is in small letters, without a final dot. */
typedef struct key {
	dns_type type;
	const char *name;
	size_t length;
	uint64_t hash;
} key;

/*
 * Fills 'out', writing the name to 'room'; false if it is too long or holds odd
 * bytes.  'seed' keeps those who choose names from choosing hashes.
 */
bool key_make(uint64_t seed, dns_type type, const char *name, char room[DNS_NAME_MAX], key *out);

#endif
