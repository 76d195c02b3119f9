/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key_hash.h - a keyed hash that users who choose the keys cannot predict.
 *
 * It is NH (Black and others, "UMAC: Fast and Secure Message Authentication",
 * 1999) over words of 64 bits, brought down to 64 bits by a multiply-shift
 * (Dietzfelbinger, "Universal hashing and k-wise independent random variables
 * via integer arithmetic without primes", 1996): whatever two keys are chosen,
 * few seeds let their hashes agree in any of their bits.  It takes a third of
 * the time of SipHash, which matters where a bucket costs 40 ns in all.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_KEY_HASH_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_KEY_HASH_H

#include <limen/store.h>

/* Seed words: for the 8-byte words of a key and two for its length; for the final step. */
#define KEY_HASH_WORDS (LIMEN_KEY_MAX / 8 + 2)
#define KEY_HASH_END 6

typedef struct key_hash_seed {
	uint64_t words[KEY_HASH_WORDS];
	uint64_t end[KEY_HASH_END];
} key_hash_seed;

/* Draws a seed from the system's random numbers. */
void key_hash_draw(key_hash_seed *seed);

/* Hashes at most LIMEN_KEY_MAX bytes. */
uint64_t key_hash(const key_hash_seed *seed, const char *text, size_t length);

#endif
