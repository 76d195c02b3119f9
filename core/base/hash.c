/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash.c - implements SipHash-1-3 and draws its keys with getrandom().  If that fails, the clock
 * and a stack address make the key.
 */
#include "hash.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

typedef struct state {
	uint64_t a, b, c, d;
} state;

static inline uint64_t
rotate(uint64_t word, int bits)
{
	return word << bits | word >> (64 - bits);
}

static inline void
mix(state *now)
{
	now->a += now->b;
	now->c += now->d;
	now->b = rotate(now->b, 13) ^ now->a;
	now->d = rotate(now->d, 16) ^ now->c;
	now->a = rotate(now->a, 32);
	now->c += now->b;
	now->a += now->d;
	now->b = rotate(now->b, 17) ^ now->c;
	now->d = rotate(now->d, 21) ^ now->a;
	now->c = rotate(now->c, 32);
}

static inline void
absorb(state *now, uint64_t word)
{
	now->d ^= word;
	mix(now);
	now->a ^= word;
}

/* Little-endian whatever the machine, so that results can be compared with the paper's. */
static uint64_t
read_word(const unsigned char *bytes, size_t count)
{
	uint64_t word = 0;

	for (size_t i = 0; i < count; i++)
		word |= (uint64_t)bytes[i] << (8 * i);
	return word;
}

uint64_t
hash_bytes(const hash_key *key, const void *bytes, size_t length)
{
	const unsigned char *next = bytes;
	size_t left = length;
	state now = {
		key->words[0] ^ UINT64_C(0x736f6d6570736575),
		key->words[1] ^ UINT64_C(0x646f72616e646f6d),
		key->words[0] ^ UINT64_C(0x6c7967656e657261),
		key->words[1] ^ UINT64_C(0x7465646279746573),
	};

	for (; left >= 8; left -= 8, next += 8)
		absorb(&now, read_word(next, 8));
	absorb(&now, read_word(next, left) | (uint64_t)length << 56);
	now.c ^= 0xFF;
	for (int i = 0; i < 3; i++)
		mix(&now);
	return now.a ^ now.b ^ now.c ^ now.d;
}

hash_key
hash_key_new(void)
{
	hash_key key;
	struct timespec now;

	if (getrandom(&key, sizeof(key), GRND_NONBLOCK) == (ssize_t)sizeof(key))
		return key;
	/* Early in boot or under a strict sandbox: a guess that is hard to repeat must do. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	key.words[0] = (uint64_t)now.tv_nsec * UINT64_C(0x9E3779B97F4A7C15);
	key.words[1] = (uint64_t)(uintptr_t)&key ^ (uint64_t)now.tv_sec << 32;
	return key;
}
