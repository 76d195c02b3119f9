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

bool
key_make(uint64_t seed, dns_type type, const char *name, char room[DNS_NAME_MAX], key *out)
{
	size_t length = 0;

	for (; name[length] != '\0'; length++) {
		char c = name[length];

		if (length >= DNS_NAME_MAX - 1 || c <= ' ' || c > '~' || c == '\\')
			return false;
		room[length] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	if (length > 0 && room[length - 1] == '.')
		length--;
	room[length] = '\0';
	*out = (key){ .type = type, .name = room, .length = length,
	                    .hash = hash_name(seed, type, room, length) };
	return length > 0;
}
