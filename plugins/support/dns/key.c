/* SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

#include <string.h>

static uint64_t
mix(uint64_t state, uint64_t word)
{
	state = (state ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return state ^ state >> 29;
}

static uint64_t
hash_name(uint64_t seed, dns_type type, const char *name, size_t length)
{
	uint64_t state = mix(seed, (uint64_t)type << 32 | length);
	uint64_t word;

	for (; length >= sizeof(word); name += sizeof(word), length -= sizeof(word)) {
		memcpy(&word, name, sizeof(word));
		state = mix(state, word);
	}
	word = 0;
	memcpy(&word, name, length);
	return mix(mix(state, word), seed);
}

/* Makes eight bytes small letters; false if one is no character of a name, or a backslash. */
static bool
fold_word(uint64_t *word)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	const uint64_t tops = ones * 0x80;
	uint64_t given = *word;
	uint64_t slashes = given ^ ones * '\\';
	/* Below 0x80 a sum has the top bit if the byte is at least what 0x80 is less. */
	uint64_t refused = given | ~(given + ones * (0x80 - '!')) |
	                   (given + ones * (0x80 - ('~' + 1))) | ((slashes - ones) & ~slashes);
	uint64_t upper = (given + ones * (0x80 - 'A')) & ~(given + ones * (0x80 - ('Z' + 1)));

	*word = given | (upper & tops) >> 2;
	return (refused & tops) == 0;
}

/* Copies up to eight bytes in small letters, as fold_word(). */
static inline bool
fold_few(char *out, const char *name, size_t length)
{
	uint64_t word = UINT64_C(0x6161616161616161);
	bool good;

	memcpy(&word, name, length);
	good = fold_word(&word);
	memcpy(out, &word, length);
	return good;
}

/* The last word overlaps the one before it. */
static bool
fold(char *out, const char *name, size_t length)
{
	const size_t step = sizeof(uint64_t);

	if (length < step)
		return fold_few(out, name, length);
	for (size_t i = 0; i + step < length; i += step) {
		if (!fold_few(out + i, name + i, sizeof(uint64_t)))
			return false;
	}
	return fold_few(out + length - step, name + length - step, sizeof(uint64_t));
}

bool
key_make(uint64_t seed, dns_type type, const char *name, char room[DNS_NAME_MAX], key *out)
{
	size_t length = strnlen(name, DNS_NAME_MAX);

	if (length == DNS_NAME_MAX || !fold(room, name, length))
		return false;
	if (length > 0 && room[length - 1] == '.')
		length--;
	room[length] = '\0';
	*out = (key){ .type = type, .name = room, .length = length,
	                    .hash = hash_name(seed, type, room, length) };
	return length > 0;
}
