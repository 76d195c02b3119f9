/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key_hash.c - computes the keyed hash of bucket keys (NH, then multiply-shift) and draws its
 * seed.  The seed comes from getrandom(), or from the clock and an address if that fails or
 * would block.
 */
#include "key_hash.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

/* Has 128 bits; sums of it wrap around. */
__extension__ typedef unsigned __int128 wide;

/* Stretches a number into many, where the system has no random numbers (splitmix64). */
static uint64_t
stretch(uint64_t *state)
{
	uint64_t word = *state += UINT64_C(0x9E3779B97F4A7C15);

	word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
	return word ^ word >> 31;
}

void
key_hash_draw(key_hash_seed *seed)
{
	size_t have = 0;
	struct timespec now;
	uint64_t state;

	while (have < sizeof(*seed)) {
		ssize_t got = getrandom((char *)seed + have, sizeof(*seed) - have, GRND_NONBLOCK);

		if (got <= 0)
			break;
		have += (size_t)got;
	}
	if (have == sizeof(*seed))
		return;
	/* Early in boot or under a strict sandbox: a guess that is hard to repeat must do. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	state = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 32 ^ (uint64_t)(uintptr_t)seed;
	for (size_t i = 0; i < KEY_HASH_WORDS; i++)
		seed->words[i] = stretch(&state);
	for (size_t i = 0; i < KEY_HASH_END; i++)
		seed->end[i] = stretch(&state);
}

/* The term of NH for the 16 bytes at 'text'. */
static inline wide
term(const uint64_t *words, const char *text)
{
	uint64_t pair[2];

	memcpy(pair, text, sizeof(pair));
	return (wide)(pair[0] + words[0]) * (pair[1] + words[1]);
}

/* The upper half of seed * sum + more, of which the lower 128 bits are looked at. */
static uint64_t
finish(const uint64_t end[KEY_HASH_END], wide sum)
{
	uint64_t low = (uint64_t)sum;
	uint64_t high = (uint64_t)(sum >> 64);
	wide total = (wide)end[0] * low + (wide)end[2] * high;

	total += (wide)(end[1] * low + end[3] * high + end[5]) << 64;
	return (uint64_t)((total + end[4]) >> 64);
}

uint64_t
key_hash(const key_hash_seed *seed, const char *text, size_t length)
{
	const uint64_t *words = seed->words + 2;
	/* Keys that differ only in the zeros their last word is filled up with differ here. */
	wide sum = (wide)(length + seed->words[0]) * seed->words[1];
	size_t left = length;

	for (; left >= 16; left -= 16, text += 16, words += 2)
		sum += term(words, text);
	if (left > 0 && length >= 16) {
		/* The last 16 bytes: some of them again, which costs less than a copy. */
		sum += term(words, text + left - 16);
	} else if (left > 0) {
		char rest[16] = { 0 };

		memcpy(rest, text, left);
		sum += term(words, rest);
	}
	return finish(seed->end, sum);
}
