/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wide.h - numbers of 128 bits, for products of two of 64; sums wrap around.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_WIDE_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_WIDE_H

#include <stdint.h>

__extension__ typedef unsigned __int128 wide;

static inline wide
wide_multiply(uint64_t a, uint64_t b)
{
	return (wide)a * b;
}

static inline wide
wide_add(wide a, wide b)
{
	return a + b;
}

static inline wide
wide_make(uint64_t high, uint64_t low)
{
	return (wide)high << 64 | low;
}

static inline uint64_t
wide_high(wide number)
{
	return (uint64_t)(number >> 64);
}

static inline uint64_t
wide_low(wide number)
{
	return (uint64_t)number;
}

#endif
