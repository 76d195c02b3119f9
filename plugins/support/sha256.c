/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sha256.c - computes SHA-256 (FIPS 180-4).  GLib's checksums allocate memory and end the
 * process if there is none, which a decision must survive.
 */
#include "sha256.h"

#include <string.h>

#define BLOCK 64
#define ROUNDS 64

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2). */
static const uint32_t constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t
rotate(uint32_t word, unsigned bits)
{
	return word >> bits | word << (32 - bits);
}

/* Prepares the words of a block for each round (6.2.2, step 1). */
static void
schedule(uint32_t words[ROUNDS], const uint8_t *block)
{
	for (size_t i = 0; i < 16; i++, block += 4)
		words[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
		           (uint32_t)block[2] << 8 | block[3];
	for (size_t i = 16; i < ROUNDS; i++) {
		uint32_t near = words[i - 2];
		uint32_t far = words[i - 15];

		words[i] = words[i - 16] + words[i - 7] +
		           (rotate(near, 17) ^ rotate(near, 19) ^ near >> 10) +
		           (rotate(far, 7) ^ rotate(far, 18) ^ far >> 3);
	}
}

/* Adds one block to the state (6.2.2, steps 2 to 4); the variables have their names there. */
static void
add_block(uint32_t state[8], const uint8_t *block)
{
	uint32_t words[ROUNDS];
	uint32_t v[8];

	schedule(words, block);
	memcpy(v, state, sizeof(v));
	for (size_t i = 0; i < ROUNDS; i++) {
		uint32_t a = v[0];
		uint32_t e = v[4];
		uint32_t first = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
		                 ((e & v[5]) ^ (~e & v[6])) + constants[i] + words[i];
		uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
		                  ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += first;
		v[0] = first + second;
	}
	for (size_t i = 0; i < 8; i++)
		state[i] += v[i];
}

void
sha256(const void *text, size_t length, uint8_t out[SHA256_SIZE])
{
	uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const uint8_t *bytes = text;
	uint8_t last[2 * BLOCK] = { 0 };
	size_t rest = length % BLOCK;
	size_t end = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;

	for (size_t i = 0; i + BLOCK <= length; i += BLOCK)
		add_block(state, bytes + i);
	/* The last block, or two, ends in a bit of 1 and the length in bits (5.1.1). */
	memcpy(last, bytes + length - rest, rest);
	last[rest] = 0x80;
	for (size_t i = 0; i < 8; i++)
		last[end - 1 - i] = (uint8_t)((uint64_t)length * 8 >> 8 * i);
	for (size_t i = 0; i < end; i += BLOCK)
		add_block(state, last + i);
	for (size_t i = 0; i < SHA256_SIZE; i++)
		out[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}
