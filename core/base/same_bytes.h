/* SPDX-License-Identifier: Apache-2.0 */
/*
 * same_bytes.h - whether two texts of one length are equal, for the short ones that
 * keys and names are: without a call, which takes longer than the comparison.
 */
#ifndef LIMEN_CORE_BASE_SAME_BYTES_H
#define LIMEN_CORE_BASE_SAME_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t
same_bytes_load8(const char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

static inline uint32_t
same_bytes_load4(const char *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* Two words that begin and end the texts, and overlap, hold all of up to twice their size. */
static inline bool
same_bytes(const char *a, const char *b, size_t length)
{
	if (length > 16)
		return memcmp(a, b, length) == 0;
	if (length >= 8)
		return same_bytes_load8(a) == same_bytes_load8(b) &&
		       same_bytes_load8(a + length - 8) == same_bytes_load8(b + length - 8);
	if (length >= 4)
		return same_bytes_load4(a) == same_bytes_load4(b) &&
		       same_bytes_load4(a + length - 4) == same_bytes_load4(b + length - 4);
	for (size_t i = 0; i < length; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

#endif
