/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash.h - SipHash-1-3, a keyed hash: without the key, chosen texts cannot be made
 * to collide, so tables stay fast on hostile input.
 */
#ifndef LIMEN_CORE_BASE_HASH_H
#define LIMEN_CORE_BASE_HASH_H

#include <limen/types.h>

typedef struct hash_key {
	uint64_t words[2];
} hash_key;

/* Draws a key from the system's random numbers. */
hash_key hash_key_new(void);

uint64_t hash_bytes(const hash_key *key, const void *bytes, size_t length);

#endif
